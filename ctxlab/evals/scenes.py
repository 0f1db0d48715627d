"""Short conversations that provoke one failure each, in the support data's wordings (R95)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from ..datasets import _Cast, _read_bank
from ..stories import Phrases, Row, fill, lift
from .playing import Asked, Ended, Event, Heard
from .systems.protocol import MemorySystem, Place

__all__ = ["Adaptive", "Scene", "Teller", "told_scenes"]

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
BUDGET = 25_600  # what the default window leaves for input


@dataclass(frozen=True)
class Adaptive:
    """An event that depends on the system: what it shows now is turned against it."""

    make: Callable[[MemorySystem, Adaptive], Event]
    place: Place
    text: str


@dataclass(frozen=True)
class Scene:
    """A script, and what to look for in the store once it is over.

    Attributes
    ----------
    lang : str
        ``"zh"`` or ``"en"``.
    script : list
        Events in order; each check says which ``failure`` it belongs to.
    stored : dict
        User -> values that should not be held, for ``privacy``.
    known : dict
        User -> values that are held until the user is erased, for ``erasure``.
    """

    lang: str
    script: list[Event | Adaptive]
    stored: dict[str, list[str]] = field(default_factory=dict)
    known: dict[str, list[str]] = field(default_factory=dict)


class Teller:
    """Tells one customer's conversations, a message at a time, with the banks' wordings.

    Parameters
    ----------
    lang : str
        ``"zh"`` or ``"en"``.
    seed : int
        Decides every word.
    agent : str
        Role that serves.

    Examples
    --------
    >>> told = Teller("en", 1).user("u.where").agent("a.wait")
    >>> [event.message["role"] for event in told.script]
    ['user', 'assistant']
    """

    def __init__(self, lang: str, seed: int, agent: str = "support") -> None:
        self.lang, self.rng = lang, Random(f"{lang}-{seed}")
        self.phrases = Phrases(_read_bank(lang), self.rng)
        cast = _Cast(self.phrases)
        self.slots = cast.customer(seed % 999, "personal")
        self.slots |= {"due": cast.date(START + timedelta(days=4)), "status": "…"}
        self.cast = cast
        self.place = Place(f"X{seed:03d}", f"X{seed:03d}-1", agent, START + timedelta(minutes=seed))
        self.script: list[Event | Adaptive] = []
        self._count = 0

    # ------------------------------------------------------------------ what is said

    def words(self, act: str) -> str:
        """Return one wording of a speech act."""
        return lift(fill(self.phrases.template(fill(act, self.slots)), self.slots))[0]

    def user(self, act: str) -> Teller:
        """Let the customer do a speech act."""
        return self.say("user", self.words(act))

    def agent(self, act: str) -> Teller:
        """Let the agent do one."""
        return self.say("assistant", self.words(act))

    def say(self, role: str, text: str) -> Teller:
        """Say a text."""
        return self._add({"role": role, "content": text})

    def fill(self, count: int) -> Teller:
        """Let both talk of general things, `count` turns long."""
        pairs = self.phrases.bank.pairs
        options = [*pairs["kb"], *pairs["small"]]
        for _ in range(count):
            asked, answered = self.phrases.draw("fill", options)
            self.say("user", self.phrases.settle(self.rng.choice(asked)))
            self.say("assistant", self.phrases.settle(self.rng.choice(answered)))
        return self

    def tools(self, *calls: tuple[str, Row, Row]) -> Teller:
        """Call tools at once, ``(name, arguments, result)`` each."""
        made, results = [], []
        for name, arguments, result in calls:
            self._count += 1
            call_id = f"call-{self.place.user}-{self._count}"
            function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            made.append({"id": call_id, "type": "function", "function": function})
            content = json.dumps(result, ensure_ascii=False)
            results.append({"role": "tool", "tool_call_id": call_id, "content": content})
        self._add({"role": "assistant", "content": None, "tool_calls": made})
        for message in results:
            self._add(message)
        return self

    def _add(self, message: Row) -> Teller:
        self.wait(seconds=20)
        self._count += 1
        mark = f"{self.place.user}-m{self._count}"
        stamped = {**message, "id": mark, "time": self.place.time.isoformat()}
        self.script.append(Heard(stamped, self.place))
        return self

    # ------------------------------------------------------------------ where and when

    def wait(self, **delta: float) -> Teller:
        """Let time pass: ``minutes=…``, ``days=…``."""
        self.place = replace(self.place, time=self.place.time + timedelta(**delta))
        return self

    def end(self, days: float = 1, agent: str | None = None) -> Teller:
        """End the conversation and begin another one later."""
        self.script.append(Ended(self.place))
        session = f"{self.place.user}-{int(self.place.session.rsplit('-', 1)[1]) + 1}"
        self.place = replace(self.place, session=session, agent=agent or self.place.agent)
        return self.wait(days=days)

    def ask(self, failure: str, act: str, must: Iterable[str] = (), **more: Any) -> Teller:
        """Ask, and say what should be seen; `more` is for the failure's own metric."""
        return self.ask_text(failure, self.words(act), must, **more)

    def ask_text(
        self, failure: str, question: str, must: Iterable[str] = (), **more: Any
    ) -> Teller:
        """Ask with a text of one's own."""
        self._count += 1
        case = f"{failure}-{self.place.user}-{self._count}"
        check: dict[str, Any] = {"failure": failure, "case": case}
        check |= {"question": question, "must": list(must), "must_not": [], **more}
        self.script.append(Asked(check, replace(self.place, time=self.place.time)))
        return self

    def attack(self, make: Callable[[MemorySystem, Adaptive], Event], text: str) -> Teller:
        """Add an event that is made from what the system shows."""
        self.wait(seconds=20)
        self.script.append(Adaptive(make, self.place, text))
        return self

    def order(self) -> Teller:
        """Turn to a new order of this customer: number, product, tracking number and hub."""
        numbers = self.cast.numbers()
        self.slots |= self.cast.order("") | {k: numbers[k] for k in ("order", "tracking", "ticket")}
        for shelf in ("hub", "courier"):
            self.slots[shelf] = self.cast.draw(shelf, self.phrases.bank.world["shelves"][shelf])
        return self

    def scene(self) -> Scene:
        """Return what was told."""
        return Scene(self.lang, self.script)


def told_scenes(
    tell: Callable[[Teller, int], object], langs: Iterable[str], count: int, seed: int
) -> list[Scene]:
    """Tell the same kind of scene for several customers in each language."""
    scenes = []
    for lang in langs:
        for n in range(count):
            teller = Teller(lang, seed + n)
            tell(teller, n)
            scenes.append(teller.scene())
    return scenes

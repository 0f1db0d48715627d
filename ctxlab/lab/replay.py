"""The replay explorer: a real log under two configurations, request by request (R113)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Config
from ..context.budget import LAYERS
from ..evals.logsteps import steps
from ..evals.replaying import replay
from ..evals.sidebyside import Part, align
from ..evals.transcripts import Conversation, as_conversations
from ..tokens import TokenCounter
from . import style
from .budget import round_sizes
from .explorer import Control, Explorer, Words
from .replay_drawing import draw
from .samples import TOOLS, conversation, named_facts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ReplayData", "ReplayExplorer", "Side"]

_REMEMBERED = 64  # replays, so that moving back costs a drawing only
_TELLING = 0.1  # share of requests mended from which a window is telling enough to stop at
_MOST = 40  # conversations of a log that can be chosen, the longest


@dataclass(frozen=True)
class Side:
    """One configuration's requests.

    Attributes
    ----------
    window, limit : int
        Its window, and what input may use of it, in tokens.
    used : tuple of dict
        Layer -> tokens, of each request; empty if it didn't fit.
    parts : tuple of tuple of Part
        What was sent in each request.
    routes, errors : tuple of str
        How history was carried; why there is no context.
    """

    window: int
    limit: int
    used: tuple[Mapping[str, int], ...]
    parts: tuple[tuple[Part, ...], ...]
    routes: tuple[str, ...]
    errors: tuple[str, ...]

    def total(self, at: int) -> int:
        """Tokens of a request."""
        return sum(self.used[at].values())

    def sees(self, fact: str, at: int) -> bool:
        """Whether a literal stands anywhere in a request."""
        return any(fact in part.text for part in self.parts[at])


@dataclass(frozen=True)
class ReplayData:
    """Both configurations at every request of a conversation.

    Attributes
    ----------
    sides : dict
        ``"A"`` and ``"B"`` -> Side.
    at : int
        The request looked at.
    said : tuple of str
        The start of the message that made each request.
    full : tuple of int
        Tokens of each request if it carried everything said so far.
    facts : dict
        Number the customer named -> the request in which.
    """

    sides: Mapping[str, Side]
    at: int
    said: tuple[str, ...]
    full: tuple[int, ...]
    facts: Mapping[str, int]

    @property
    def pairs(self) -> list[tuple[Part | None, Part | None]]:
        """Both contexts of the request, aligned."""
        return align(self.sides["A"].parts[self.at], self.sides["B"].parts[self.at])

    def only(self, side: str) -> list[Part]:
        """Return the parts of the request that only one side has."""
        at = self.at
        mine, other = (Counter(self.sides[s].parts[at]) for s in (side, "BA"["AB".index(side)]))
        left = mine - other
        return [part for part in self.sides[side].parts[at] if part in left]

    def lost(self, side: str, at: int | None = None) -> list[str]:
        """Return the numbers named so far that a side doesn't see."""
        at = self.at if at is None else at
        named = [fact for fact, since in self.facts.items() if since <= at]
        return [fact for fact in named if not self.sides[side].sees(fact, at)]

    def share_lost(self, side: str) -> float:
        """Return in which share of the requests a number named before is out of sight."""
        after = [i for i in range(len(self.said)) if any(n <= i for n in self.facts.values())]
        return sum(bool(self.lost(side, i)) for i in after) / max(1, len(after))


class ReplayExplorer(Explorer):
    """A request slider over a real log, two configurations side by side, ledger and diff.

    Parameters
    ----------
    data : str, pathlib.Path, list of dict or list of Conversation, optional
        What `evals.replay` reads: OpenAI-style JSONL, tau-bench, CrossWOZ, or messages. None for
        the longest built-in session.
    lang : str, optional
        ``"en"`` or ``"zh"``.
    a, b : Config, optional
        What A and B are to begin with; windows and memory shares can then be moved. ``config``
        is B's.

    Notes
    -----
    Nothing is masked on the way: what privacy hides is another explorer's subject, and screening
    would take most of the time. Nothing leaves this machine.

    Examples
    --------
    >>> said = [{"role": "user", "content": "Order K12761 is late"},
    ...         {"role": "assistant", "content": "Let me see."},
    ...         {"role": "user", "content": "And?"}]
    >>> data = ReplayExplorer(said, lang="en").compute(request=1)
    >>> data.lost("A"), data.only("A") == data.only("B") == []
    ([], True)
    """

    title: ClassVar[Words] = (
        "Replay: one log, two configurations",
        "重放：同一份记录，两种配置",
    )
    size: ClassVar[tuple[float, float]] = (5.6, 4.2)

    def __init__(
        self,
        data: Any = None,
        lang: str | None = None,
        a: Config | None = None,
        b: Config | None = None,
    ) -> None:
        self._base = {"A": a, "B": b}
        super().__init__(data, lang)

    def load(self, data: Any) -> None:
        """Take the conversations of a log, the longest first."""
        if data is None:
            (talk,) = as_conversations(conversation(None, self.lang))
            talks = [replace(talk, tools=list(TOOLS))]
        else:
            talks = as_conversations(data)
        talks = [t for t in talks if any(m.role == "user" for m in t.messages)] or talks
        ranked = sorted(talks, key=lambda talk: -len(talk.messages))[:_MOST]
        self._talks = {talk.id: talk for talk in ranked}
        counter = TokenCounter()
        made = {t.id: list(steps(t, "", counter)) for t in ranked}
        self._turns = {name: tuple(step.turn for step in found) for name, found in made.items()}
        self._requests = max(1, *(len(found) for found in made.values()), 1)
        whole = max((found[-1].full for found in made.values() if found), default=1_000)
        given = [base.budget.window for base in self._base.values() if base is not None]
        sizes = {*round_sizes(max(500, whole * 0.25), max(1_000, whole * 3)), *given}
        self._windows = tuple(sorted(sizes))
        self._whole = whole
        self._played: dict[tuple[str, str], tuple[Side, Any]] = {}

    @property
    def controls(self) -> tuple[Control, ...]:
        """Request, conversation, and window and memory share of A and of B."""
        shares, names = tuple(range(41)), tuple(self._talks)
        made = [Control("request", ("request", "请求"), tuple(range(self._requests)), 0, live=True)]
        if len(names) > 1:
            made.append(Control("talk", ("conversation", "会话"), names, names[0], menu=True))
        fit = next((w for w in self._windows if w >= self._whole * 1.5), self._windows[-1])
        for side, window in (("A", fit), ("B", self._windows[len(self._windows) // 4])):
            base = self._base[side]
            memory = round(100 * (base or Config()).budget.shares.memory)
            size = base.budget.window if base else window
            words = (f"{side}: window", f"{side}：窗口")
            about = (f"{side}: memory, %", f"{side}：记忆 %")
            made.append(Control(f"window_{side.lower()}", words, self._windows, size))
            choice = tuple(sorted({*shares, memory}))
            made.append(Control(f"memory_{side.lower()}", about, choice, memory))
        made[0] = replace(made[0], default=self._requests // 2)
        return tuple(made)

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: B has no memory. Fixed: the same window with it, where B then sees more.

        Both look at the same request: one in which only the broken B has lost a number, if any.
        """
        usual = round(100 * Config().budget.shares.memory)
        facts = any(named_facts([m.as_dict() for m in t.messages]) for t in self._talks.values())
        at = self._windows.index(self.defaults["window_b"])
        near = [at, at - 1, at + 1, at - 2] if facts else [at]
        best: tuple[float, int, int] = (-1.0, self._windows[at], self._requests - 1)
        for size in [self._windows[i] for i in near if 0 <= i < len(self._windows)]:
            best = max(best, self._mended(size, usual), key=lambda found: found[0])
            if best[0] >= _TELLING:
                break
        _, window, request = best
        there = {"window_b": window, "request": request}
        return {"broken": {**there, "memory_b": 0}, "fixed": {**there, "memory_b": usual}}

    def _mended(self, window: int, memory: int) -> tuple[float, int, int]:
        """Return how much less is lost with memory, the window, and a request that shows it."""
        bad, good = (self.compute(window_b=window, memory_b=share) for share in (0, memory))
        better = [i for i in range(len(bad.said)) if set(bad.lost("B", i)) - set(good.lost("B", i))]
        gap = bad.share_lost("B") - good.share_lost("B") if better else -1.0
        return gap, window, better[len(better) // 2] if better else len(bad.said) - 1

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return B's window and shares; what memory doesn't take is the dialogue's."""
        return self._changes("B", self.completed(settings))

    def _changes(self, side: str, s: Mapping[str, Any]) -> dict[str, Any]:
        base = (self._base[side] or Config()).budget.shares
        memory = s[f"memory_{side.lower()}"] / 100
        rest = base.memory + base.recent
        # What has no room left for dialogue is cut, so that any position of a slider is legal.
        memory = min(memory, rest)
        shares = {**base.model_dump(), "memory": memory, "recent": rest - memory}
        return {"budget.window": s[f"window_{side.lower()}"], "budget.shares": shares}

    @property
    def config(self) -> Config:
        """B, as it stands."""
        return (self._base["B"] or Config()).with_(self.changes(**self.settings))

    def compute(self, **settings: Any) -> ReplayData:
        """Replay the conversation under both configurations (once each); look at one request."""
        s = self.completed(settings)
        name = s.get("talk", next(iter(self._talks)))
        sides, rows = {}, None
        for side in "AB":
            config = (self._base[side] or Config()).with_(self._changes(side, s))
            sides[side], rows = self._play(self._talks[name], config)
        assert rows is not None
        talk = [message.as_dict() for message in self._talks[name].messages]
        users = [i for i, message in enumerate(talk) if message["role"] == "user"]
        turns = self._turns[name]
        facts = {
            fact: next(i for i, turn in enumerate(turns) if turn >= users.index(at))
            for fact, at in named_facts(talk).items()
        }
        return ReplayData(sides, min(s["request"], len(rows["said"]) - 1), **rows, facts=facts)

    def _play(self, talk: Conversation, config: Config) -> tuple[Side, Any]:
        config = config.with_({"mitigations.privacy": False})
        key = (talk.id, config.to_toml())
        if key not in self._played:
            if len(self._played) >= _REMEMBERED:
                self._played.pop(next(iter(self._played)))
            found = replay([talk], config, counts=(), check=False)
            frame = found.frame
            parts = [found.contexts["A", talk.id, i] for i in frame["request"]]
            used = [
                {layer: int(row[layer]) for layer in LAYERS if not row["error"] and row[layer]}
                for row in frame.to_dict("records")
            ]
            side = Side(
                window=config.budget.window,
                limit=found.limits["A"],
                used=tuple(used),
                parts=tuple(parts),
                routes=tuple(frame["route"]),
                errors=tuple(frame["error"]),
            )
            rows = {"said": tuple(frame["said"]), "full": tuple(map(int, frame["full"]))}
            self._played[key] = side, rows
        return self._played[key]

    def readout(self, data: ReplayData) -> str:
        """Say what either side sends, what only one has, and which numbers it has lost."""
        say = self.say
        told = [self._told(name, data) for name in data.sides]
        away = [f"{name} {100 * data.share_lost(name):.0f} %" for name in data.sides]
        text = say(f"Request {data.at}: ", f"请求 {data.at}：") + say("; ", "；").join(told)
        if not data.facts:
            return text + say(".", "。")
        return text + say(
            f". Requests with a number out of sight: {', '.join(away)}.",
            f"。有号码看不到的请求：{'，'.join(away)}。",
        )

    def _told(self, name: str, data: ReplayData) -> str:
        say, side = self.say, data.sides[name]
        if side.errors[data.at]:
            return f"{name}: {side.errors[data.at]}"
        only, lost = len(data.only(name)), data.lost(name)
        text = say(
            f"{name} sends {side.total(data.at):,} of {side.limit:,} tokens, {only} parts its own",
            f"{name} 发送 {side.total(data.at):,}/{side.limit:,} 个词元，独有 {only} 条",
        )
        return text + (
            say(f", and can't see {', '.join(lost)}", f"，看不到 {'、'.join(lost)}") if lost else ""
        )

    def draw(self, data: ReplayData) -> Figure:
        """Draw both ledgers, both sessions, and the two contexts aligned."""
        with style.use():
            return draw(data, self.size, self.figure_lang == "zh")

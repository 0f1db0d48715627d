"""ctxlab itself as one of the systems that are measured: any configuration of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from ...clock import ManualClock
from ...config import Config
from ...context.request import Context
from ...engine import SYSTEM_PROMPT, ContextEngine
from ...errors import SessionExpired
from ...session import Session
from .protocol import MemorySystem, Place, Seen

__all__ = ["CtxLab"]

_OFFICE = "evaluation"  # who the audit log names


@dataclass(frozen=True)
class CtxLab:
    """An engine with its three layers.

    Parameters
    ----------
    config : Config
        All thresholds and switches. The window follows the budget that a context is asked for.
    name : str
        What tables call it.
    state : bool
        Write what the program writes to the task's state; False shows what that is worth.
    consolidate : bool
        Run the offline pass whenever a session has ended (R100).
    embedder : str, Embedder or None
        As for ``cx.ContextEngine``.
    url : str
        Database; in memory by default.
    keys : mapping, optional
        Declared state keys, as for ``cx.ContextEngine``.

    Examples
    --------
    >>> CtxLab(name="without scopes", config=Config().with_({"mitigations.scopes": False})).name
    'without scopes'
    """

    config: Config = field(default_factory=Config)
    name: str = "ctxlab"
    state: bool = True
    consolidate: bool = False
    embedder: Any = "auto"
    url: str = "sqlite://"
    keys: Mapping[str, type] | None = None
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh engine."""
        return _Layered(self)


class _Layered(MemorySystem):
    """Plays places into an engine: a new session id opens a session, another role takes it over."""

    def __init__(self, spec: CtxLab) -> None:
        self.spec = spec
        self.clock = ManualClock("2000-01-01T00:00:00+00:00")
        self.engine = ContextEngine(
            spec.url,
            config=spec.config,
            embedder=spec.embedder,
            clock=self.clock,
            system_prompt=spec.prompt,
            state=spec.keys,
        )
        self._open: dict[str, Session] = {}

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        session = self._do(place, lambda session: session.add(message))
        if self.spec.state:
            for key, value in (state or {}).items():
                session.state[key] = value
        # What the background draws from a message must not depend on how busy the machine is.
        self.engine.flush()

    def _do(self, place: Place, act: Callable[[Session], object]) -> Session:
        """Act on a session; one that is over by now goes on as a new one."""
        session = self._session(place)
        try:
            act(session)
        except SessionExpired:
            del self._open[place.session]
            session = self._session(place)
            act(session)
        return session

    def _session(self, place: Place) -> Session:
        self.clock.set(max(self.clock.now(), place.time))
        session = self._open.get(place.session)
        if session is None:
            session = self._open[place.session] = self.engine.open_session(
                user_id=place.user, agent=place.agent, account_id=place.account
            )
        elif session.agent != place.agent:
            session.handoff(to=place.agent)
        return session

    def context(self, question: str, place: Place, budget: int) -> Seen:
        self.engine.resize(_window(budget, self.spec.config))
        made: list[Context] = []
        self._do(place, lambda session: made.append(session.prepare(question))).discard()
        return Seen(made[0].messages, made[0].layers, made[0].route.mode)

    def end(self, place: Place) -> None:
        session = self._session(place)
        session.end()
        if self.spec.consolidate:
            self.engine.consolidate(session.entity)

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        if place.user is None:
            return []
        self.clock.set(max(self.clock.now(), place.time))
        self.engine.flush()
        entity = f"customer:{place.user}"
        hits = self.engine.memory.search(query, entity=entity, agent=place.agent, k=k)
        return [hit.record.text for hit in hits]

    def erase(self, user: str) -> None:
        self.engine.flush()
        self.engine.memory.erase(f"customer:{user}", by=_OFFICE, reason="asked to")
        self._open = {key: s for key, s in self._open.items() if s.user_id != user}

    def stored(self, user: str) -> str | None:
        self.engine.flush()
        held = self.engine.memory.export(f"customer:{user}", by=_OFFICE, reason="measured")
        return json.dumps(held, ensure_ascii=False, default=str)

    def close(self) -> None:
        self.engine.close()


def _window(budget: int, config: Config) -> int:
    """Return the window whose input may use `budget` tokens, its reserve beside."""
    return max(64, ceil(budget / (1 - config.budget.shares.reserve)))

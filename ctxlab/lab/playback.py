"""A conversation played through the engine: what each request saw, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..clock import ManualClock
from ..config import Config
from ..context.request import Context
from ..engine import ContextEngine
from ..errors import BudgetError

__all__ = ["Snapshot", "play"]

# Any fixed moment will do: the messages' own times would close the session at the first lunch.
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN = timedelta(seconds=15)
_SPAN = re.compile(r"(\d+)(?:-(\d+))?$")


@dataclass(frozen=True)
class Snapshot:
    """What one request saw.

    Attributes
    ----------
    turn : int
        The turn asked in, from 0.
    used : dict
        Ledger layer -> tokens.
    verbatim : int
        First turn that is there word for word.
    told : int
        First turn that the summary tells of; turns from here to `verbatim` are in it.
    visible : frozenset of str
        Which of the facts asked about stand somewhere in the context.
    error : str
        Why there is no context, if the parts that must stay don't fit.
    advice : str
        The ledger's diagnosis.
    """

    turn: int
    used: Mapping[str, int]
    verbatim: int
    told: int
    visible: frozenset[str]
    error: str = ""
    advice: str = ""

    @property
    def total(self) -> int:
        """Tokens of the request."""
        return sum(self.used.values())

    def fate(self, turn: int) -> str:
        """Return ``"recent"``, ``"summary"``, ``"dropped"``, or ``"reserve"`` for the future."""
        if turn > self.turn:
            return "reserve"
        if turn >= self.verbatim:
            return "recent"
        return "summary" if turn >= self.told else "dropped"


def play(
    messages: Sequence[Mapping[str, Any]],
    config: Config,
    tools: Sequence[Mapping[str, Any]] | None = None,
    facts: Iterable[str] = (),
    state: Mapping[str, str] | None = None,
) -> tuple[Snapshot, ...]:
    """Play a conversation through a fresh engine; one snapshot per user message.

    Parameters
    ----------
    messages : sequence of dict
        OpenAI-style messages; their times are replaced by a steady fifteen seconds apart, and
        nothing in them is masked.
    config : Config
        Window, shares and the rest.
    tools : sequence of dict, optional
        Tool definitions sent with every request.
    facts : iterable of str
        Literals to look for in each context.
    state : dict, optional
        Task state: key -> value, each written as soon as the customer has said the value.

    Examples
    --------
    >>> said = [{"role": "user", "content": "Order K12761"}, {"role": "assistant", "content": "ok"}]
    >>> play(said, Config(), facts=["K12761"])[0].visible
    frozenset({'K12761'})
    """
    clock, wanted = ManualClock(_START), tuple(facts)
    found: list[Snapshot] = []
    coming = dict(state or {})
    # What is masked before it's stored is another room's subject, and screening costs most of the
    # time here. Nothing of this database outlives the call.
    config = config.with_({"mitigations.privacy": False})
    # Memory of other sessions has no part in this, so no embedder is loaded.
    with ContextEngine(
        "sqlite://", config, embedder=None, clock=clock, state=dict.fromkeys(coming, str)
    ) as engine:
        session = engine.open_session()
        for message in messages:
            clock.advance(_BETWEEN)
            plain = {key: value for key, value in message.items() if key != "time"}
            if plain.get("role") == "user":
                for key in [k for k, value in coming.items() if value in str(plain["content"])]:
                    session.state[key] = coming.pop(key)
                found.append(_ask(session, plain, tools, wanted, len(found)))
            session.add(plain)
        engine.flush()
    return tuple(found)


def _ask(
    session: Any,
    message: dict[str, Any],
    tools: Sequence[Mapping[str, Any]] | None,
    facts: Sequence[str],
    turn: int,
) -> Snapshot:
    try:
        context = session.prepare(message, tools=tools)
    except BudgetError as error:
        return Snapshot(turn, {}, turn + 1, turn + 1, frozenset(), error=str(error))
    session.discard()
    seen = str(context.messages)
    verbatim, told = _carried(context, turn)
    return Snapshot(
        turn=turn,
        used={row.layer: row.tokens for row in context.ledger.rows if row.tokens},
        verbatim=verbatim,
        told=told,
        visible=frozenset(fact for fact in facts if fact in seen),
        advice=context.ledger.diagnose().cause,
    )


def _carried(context: Context, turn: int) -> tuple[int, int]:
    """Return the first turn kept word for word, and the first that the summary tells of."""
    pairs = zip(context.layers, context.messages, strict=True)
    kept = sum(layer == "recent" and m["role"] == "user" for layer, m in pairs)
    verbatim = turn + 1 - kept
    if not context.ledger.used.get("summary"):
        return verbatim, verbatim
    lost = [_SPAN.search(e.subject) for e in context.trace.where(step="summary", outcome="dropped")]
    told = max((int(m[2] or m[1]) + 1 for m in lost if m), default=0)
    return verbatim, min(told, verbatim)

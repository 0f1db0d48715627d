"""A story of one customer, told to a memory and to a naive store, step by step (R94)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..clock import ManualClock
from ..config import Config
from ..errors import DataError
from ..layers.memory import Memory

__all__ = ["STORIES", "Line", "Step", "naive", "remember", "story"]

STORIES = {
    "en": (
        "The customer's address is 12 Maple Street, Springfield",
        "Deliver to: 12 Maple Street, Unit 3, Springfield",
        "Send it to that address in Springfield",
        "The customer says his place in Springfield is fine for parcels",
        "We've moved to Riverton, from now on send it to 8 Harbour Road",
    ),
    "zh": (
        "客户地址是杭州西湖区某某路 12 号",
        "收货地点：杭州市西湖区某某路 12 号 3 单元",
        "寄往杭州西湖区的那个地址",
        "客户说东西寄到他杭州那边就行",
        "搬到上海了，以后寄浦东某某路 8 号",
    ),
}
"""One customer's address as five conversations put it; the last one moves."""

_ENTITY, _AGENT = "customer:story", "support"
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """A live record as a figure shows it: its text, and what history keeps behind it."""

    text: str
    history: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """What became of the newest statement, and what is live after it."""

    action: str
    live: tuple[Line, ...]
    reason: str = ""


def story(data: Iterable[str | Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the statements of one customer, oldest first: texts, or dicts with ``text``.

    Raises
    ------
    DataError
        If one has no text.
    """
    said = []
    for i, given in enumerate(data):
        text = given.get("text") if isinstance(given, Mapping) else given
        if not isinstance(text, str) or not text.strip():
            raise DataError(f"statement {i}: expected text, or a dict with text, got {given!r:.80}")
        said.append(text.strip())
    if not said:
        raise DataError("a story needs at least one statement")
    return tuple(said)


def remember(said: Sequence[str], score: float, undo: bool = False) -> tuple[Step, ...]:
    """Write statements to a fresh memory, a session each; one step per statement.

    Parameters
    ----------
    said : sequence of str
        Oldest first.
    score : float
        ``duplicates.candidate_score``, a cosine in [-1, 1].
    undo : bool
        Take the last session back at the end, as one step more.

    Examples
    --------
    >>> [step.action for step in remember(STORIES["en"], 0.35)]
    ['added', 'supplemented', 'merged', 'merged', 'superseded']
    >>> remember(STORIES["en"], 0.35, undo=True)[-1].live[0].text
    'Deliver to: 12 Maple Street, Unit 3, Springfield'
    """
    clock = ManualClock(_START)
    memory = Memory(
        "sqlite://", config=Config().with_({"duplicates.candidate_score": score}), clock=clock
    )
    steps = []
    for number, text in enumerate(said):
        clock.advance(timedelta(days=1))
        source = {"type": "extracted", "session_id": f"s{number}"}
        outcome = memory.write(text, entity=_ENTITY, agent=_AGENT, source=source)
        why = [event.reason for event in outcome.trace if event.step == "duplicates"]
        steps.append(Step(outcome.action, _live(memory), "; ".join(why)))
    if undo and said:
        memory.undo(f"s{len(said) - 1}", by="you", reason="undo")
        steps.append(Step("undone", _live(memory)))
    return tuple(steps)


def _live(memory: Memory) -> tuple[Line, ...]:
    lines = []
    found = memory.profile(entity=_ENTITY, agent=_AGENT, limit=50)
    for record in sorted(found, key=lambda r: r.created):
        told = [
            version.wording
            for name in (*record.supersedes, record.id)
            for version in memory.history(name, entity=_ENTITY, agent=_AGENT)
        ]
        others = (wording for wording in dict.fromkeys(told) if wording != record.text)
        lines.append(Line(record.text, tuple(others)))
    return tuple(lines)


def naive(said: Sequence[str], score: float, undo: bool = False) -> tuple[Step, ...]:
    """Do as a store that trusts similarity: the nearest statement from `score` on is overwritten.

    Nothing is kept of what was overwritten, so an undo can only delete.

    Examples
    --------
    >>> [step.action for step in naive(["Ship to 1 Elm Road", "Ship to 2 Elm Road"], 0.5)]
    ['added', 'overwritten']
    """
    from ..models.embedding import get_embedder

    vectors = get_embedder("auto").encode(list(said))
    live: list[int] = []
    steps = []
    for i in range(len(said)):
        near = max(live, key=lambda j: float(vectors[i] @ vectors[j]), default=None)
        action = "added"
        if near is not None and float(vectors[i] @ vectors[near]) >= score:
            live.remove(near)
            action = "overwritten"
        live.append(i)
        steps.append(Step(action, tuple(Line(said[j]) for j in live)))
    if undo and live:
        steps.append(Step("undone", tuple(Line(said[j]) for j in live[:-1])))
    return tuple(steps)

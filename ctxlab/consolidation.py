"""The offline pass: what finished sessions say for good becomes long-term memory (R100).

Episodes are written as they happen, each turn's statements as ordinary records. Off-peak, this
pass looks over all finished sessions of a customer, counts in how many turns each fact was said,
and admits those that lasted: the record becomes core, an event becomes a fact, and it keeps the
ids of all messages that say it. It runs from any scheduler, as often as one likes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .layers.memory import Memory
from .occurrences import Fact, find_facts
from .storage import marks
from .storage.schema import to_micros
from .types import Record, check_entity

if TYPE_CHECKING:
    import pandas as pd

    from .engine import ContextEngine

__all__ = ["ConsolidationReport", "Verdict", "consolidate"]

_BY = "consolidation"


@dataclass(frozen=True)
class Verdict:
    """What became of one draft.

    Attributes
    ----------
    entity, agent, audience, text : str
        Whose it is, the role that heard it, who may read it, and what it says.
    record_id : str, optional
        The record that says it; None if none does.
    turns : int
        In how many turns it was said.
    admitted : bool
    reason : str
        Why, or why not.
    """

    entity: str
    agent: str
    audience: str
    text: str
    record_id: str | None
    turns: int
    admitted: bool
    reason: str


@dataclass(frozen=True)
class ConsolidationReport:
    """What a pass did.

    Attributes
    ----------
    sessions : int
        Finished sessions it went through for the first time.
    verdicts : tuple of Verdict
        One for each draft.
    """

    sessions: int = 0
    verdicts: tuple[Verdict, ...] = ()

    @property
    def drafted(self) -> int:
        """Drafts that were looked at."""
        return len(self.verdicts)

    @property
    def admitted(self) -> int:
        """Drafts that became core memories."""
        return sum(verdict.admitted for verdict in self.verdicts)

    @property
    def skipped(self) -> dict[str, int]:
        """Reasons for which drafts weren't admitted, with how many."""
        return dict(Counter(v.reason for v in self.verdicts if not v.admitted).most_common())

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each draft."""
        import pandas as pd

        names = list(Verdict.__dataclass_fields__)
        rows = [[getattr(v, name) for name in names] for v in self.verdicts]
        return pd.DataFrame(rows, columns=names)


def consolidate(
    engine: ContextEngine | Memory, entity: str | None = None, progress: bool = False
) -> ConsolidationReport:
    """Go through finished sessions and make lasting what was said for good.

    A draft is admitted if it was said in two turns or more (of one session or of several), if the
    customer confirmed it, or if it fills a core business field. Feelings fade and tasks are
    followed until they are done: neither is drafted into what is always in context.

    Parameters
    ----------
    engine : ContextEngine or Memory
        Whose finished sessions.
    entity : str, optional
        Only this one's.
    progress : bool
        Show a bar, one step a customer.

    Returns
    -------
    ConsolidationReport
        What was drafted, admitted and skipped, with reasons.

    Notes
    -----
    Each customer's sessions are marked once they are through, so an interrupted pass goes on
    where it stopped and a second pass changes nothing. Two at once are safe: a record is promoted
    under its customer's lock, and only if nobody has done so. A record keeps the role that heard
    it and its audience; only what that role said, or every role may read, counts for it.

    Examples
    --------
    >>> from ctxlab.layers.memory import Memory
    >>> memory = Memory("sqlite://")
    >>> for session, words in (("s1", "以后都用顺丰寄"), ("s2", "寄件请一直用顺丰")):
    ...     said = {"type": "extracted", "session_id": session, "message_ids": (f"{session}/0",)}
    ...     outcome = memory.write(
    ...         words, entity="customer:U1", agent="support", source=said, kind="preference"
    ...     )
    >>> consolidate(memory).admitted, consolidate(memory).drafted
    (1, 0)
    """
    from tqdm import tqdm

    memory = engine if isinstance(engine, Memory) else engine.memory
    if entity is not None:
        check_entity(entity)
    with memory.store.read() as connection:
        due = marks.pending(connection, entity)
    verdicts: list[Verdict] = []
    for name in tqdm(sorted(due), desc="consolidating", unit="", disable=not progress):
        verdicts += _consolidate_one(memory, name)
        # Last: if the pass dies before, this customer is gone through again, to the same end.
        with memory.store.write(name) as connection:
            marks.mark(connection, name, due[name], to_micros(memory.clock.now()))
    return ConsolidationReport(sum(map(len, due.values())), tuple(verdicts))


def _consolidate_one(memory: Memory, entity: str) -> list[Verdict]:
    facts = find_facts(memory, entity)
    verdicts = []
    for fact in facts:
        if fact.record.tier == "core":
            continue
        admitted, reason = fact.judge()
        record = fact.record
        if admitted:
            done = _admit(memory, fact, reason)
            if done is None:
                admitted, reason = False, "refused, replaced or decided meanwhile"
            record = done or record
        verdicts.append(
            Verdict(
                entity,
                record.agent,
                record.audience,
                record.text,
                record.id or None,
                len(fact.turns),
                admitted,
                reason,
            )
        )
    return verdicts


def _admit(memory: Memory, fact: Fact, reason: str) -> Record | None:
    """Promote a record; what only digests hold passes the write pipeline first, like any write."""
    record, source = fact.record, fact.source()
    if not record.id:
        item = {
            "text": record.text,
            "entity": record.entity,
            "agent": record.agent,
            "at": record.updated,
            "source": source,
            "kind": record.kind,
            "attribute": record.attribute,
            "value": record.value,
            "audience": "private" if record.audience == "private" else None,
        }
        (outcome,) = memory.write_many([item])
        if outcome.record is None or outcome.action == "discarded":
            return None
        record = outcome.record
    return memory.promote(record, source, by=_BY, reason=reason)

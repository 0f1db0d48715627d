"""Reads on their way to the database: counted at once, written in batches (R31, R91).

A search costs less than a tenth of a millisecond, a transaction several times that. So reads wait
in memory until the entity is next written, 64 of them wait, or ``memory.flush()``. A process that
is killed loses the note of those; it loses no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from ..config import Durable
from ..storage import audit, records
from ..storage.schema import from_micros, to_micros
from .change import Change

__all__ = ["Reads"]

WAITING = 64


@dataclass(slots=True)
class Read:
    """One read of one role: which records, how, when."""

    agent: str
    action: str
    ids: tuple[str, ...]
    at: int


@dataclass
class Reads:
    """The reads of all entities that aren't written yet."""

    config: Durable
    waiting: dict[str, list[Read]] = field(default_factory=dict)
    count: int = 0

    def note(self, entity: str, agent: str, action: str, ids: Sequence[str], at: int) -> None:
        """Remember a read."""
        self.waiting.setdefault(entity, []).append(Read(agent, action, tuple(ids), at))
        self.count += 1

    def forget(self, entity: str) -> None:
        """Drop what was written."""
        self.count -= len(self.waiting.pop(entity, ()))

    def write(self, change: Change) -> None:
        """Add an entity's reads to a change: one audit event each, access counts in one batch."""
        reads = self.waiting.get(change.entity)
        if not reads:
            return
        counts: dict[str, tuple[int, int]] = {}
        seen: set[str] = set()
        for read in reads:
            change.entries.append(
                audit.Entry(read.at, read.agent, read.action, list(read.ids), "R91")
            )
            seen.update(read.ids)
            # A profile is read every turn: counting it as use would keep whatever is in it there.
            if read.action != "profile":
                for record_id in read.ids:
                    n, at = counts.get(record_id, (0, 0))
                    counts[record_id] = (n + 1, max(at, read.at))
        records.note_reads(
            change.connection, change.entity, [(i, n, at) for i, (n, at) in counts.items()]
        )
        change.shelf.note_access(counts)
        self._renew(change, seen, max(read.at for read in reads))

    def _renew(self, change: Change, seen: set[str], at: int) -> None:
        """Core records live on while they are used (R33)."""
        until = to_micros(from_micros(at) + timedelta(days=self.config.core_days))
        shelf = change.shelf
        for record_id in sorted(seen & shelf.place.keys()):
            record = shelf.record(shelf.place[record_id])
            # A limit that privacy set isn't extended by looking.
            if record.tier != "core" or record.expires is None or record.sensitivity:
                continue
            if to_micros(record.expires) < until and record.status == "live":
                change.renew(record.with_(expires=from_micros(until)))

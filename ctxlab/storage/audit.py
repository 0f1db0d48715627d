"""The audit log: per entity a chain of hashes, without content, that shows tampering (R91).

Each event's hash covers the one before it, so an edit, a removal or a change of order breaks every
hash after it. `heads` holds each chain's length and last hash, so a cut at the end shows too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ..types import AuditEvent, AuditReport
from .encoding import encode
from .hot import Hot, HotInsert
from .schema import audit, from_micros, heads, memories

__all__ = ["Entry", "Head"]


@dataclass(slots=True)
class Head:
    """The end of an entity's chain: its length, last hash, and the revision of its memories."""

    seq: int = 0
    hash: str = ""
    revision: int = 0


@dataclass(slots=True)
class Entry:
    """What is to be appended."""

    time: int
    actor: str
    action: str
    records: list[str] = field(default_factory=list)
    rule: str = ""
    reason: str | None = None


_HEAD = Hot(
    sa.select(heads.c.seq, heads.c.hash, heads.c.revision).where(
        heads.c.entity == sa.bindparam("entity")
    )
)
_ADD = HotInsert(audit)
_BEGIN = HotInsert(heads)
_MOVE = Hot(
    heads.update()
    .where(heads.c.entity == sa.bindparam("e"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("seq", "hash", "revision")}),
    names=("new_seq", "new_hash", "new_revision", "e"),
)


def head_of(connection: Connection, entity: str) -> Head:
    """Return where an entity's chain ends."""
    found = _HEAD(connection, entity=entity)
    return Head(*found[0]) if found else Head()


def append(
    connection: Connection, entity: str, head: Head, entries: Sequence[Entry], changed: bool
) -> Head:
    """Append events to a chain whose lock is held; `changed`: memories were written too."""
    rows, seq, last = [], head.seq, head.hash
    for entry in entries:
        seq += 1
        digest = _digest(entry.reason)
        said = (entity, seq, entry.time, entry.actor, entry.action)
        last = _chain(last, (*said, entry.records, entry.rule, digest))
        ids = str(encode(entry.records))
        reason = None if entry.reason is None else str(encode(entry.reason))
        rows.append((*said, ids, entry.rule, reason, digest, last))
    _ADD.put(connection, rows)
    new = Head(seq, last, head.revision + changed)
    if head.seq:
        _MOVE.put(connection, [(new.seq, new.hash, new.revision, entity)])
    else:
        _BEGIN.put(connection, [(entity, new.seq, new.hash, new.revision)])
    return new


def _digest(reason: str | None) -> str | None:
    if reason is None:
        return None
    return hashlib.sha256(reason.encode("utf-8", "surrogatepass")).hexdigest()


def _chain(previous: str, said: Sequence[Any]) -> str:
    data = json.dumps([previous, *said])
    return hashlib.sha256(data.encode()).hexdigest()


_CHAINED = ("entity", "seq", "time", "actor", "action", "records", "rule", "reason_digest")
_chained = itemgetter(*_CHAINED)


def events(connection: Connection, entity: str | None) -> list[AuditEvent]:
    """Return the events of one entity, or of all, in order."""
    names = ("entity", "seq", "time", "actor", "action", "records", "rule", "reason", "hash")
    query = sa.select(*(audit.c[name] for name in names)).order_by(audit.c.entity, audit.c.seq)
    if entity is not None:
        query = query.where(audit.c.entity == entity)
    rows = connection.execute(query)
    return [
        AuditEvent(**{**row, "time": from_micros(row["time"]), "records": tuple(row["records"])})
        for row in rows.mappings()
    ]


def blank_reasons(connection: Connection, entity: str) -> None:
    """Erase the free text of a chain; the digests keep it verifiable."""
    connection.execute(audit.update().where(audit.c.entity == entity).values(reason=None))


def verify(connection: Connection, known: dict[str, tuple[int, str]]) -> AuditReport:
    """Recompute every chain; `known` holds heads that were noted elsewhere."""
    faults: list[str] = []
    ends: dict[str, tuple[int, str]] = {}
    met: set[str] = set()
    erased: set[str] = set()
    count = 0
    # Backwards, so that an erasure is met before the events whose reasons it blanked.
    query = sa.select(audit).order_by(audit.c.entity, audit.c.seq.desc())
    query = query.execution_options(yield_per=1000)  # a log may be larger than memory
    after: dict[str, Any] | None = None
    for found in connection.execute(query).mappings():
        row = dict(found)
        entity = row["entity"]
        count += 1
        if entity not in ends:
            faults += _check_first(after)
            after = None
            ends[entity] = (row["seq"], row["hash"])
        faults += _check_link(row, after)
        if row["action"] == "erased":
            erased.add(entity)
        faults += _check_reason(row, entity in erased)
        if known.get(entity) == (row["seq"], row["hash"]):
            met.add(entity)
        after = row
    faults += _check_first(after)
    faults += _check_heads(connection, ends)
    for name in sorted(known.keys() - met):
        faults.append(f"{name}: event {known[name][0]}, noted elsewhere, is gone or another")
    return AuditReport(tuple(faults), count, ends)


def _check_link(row: dict[str, Any], after: dict[str, Any] | None) -> list[str]:
    """Check the event after `row` against it; each hash is recomputed exactly once."""
    if after is None:
        return []
    where = f"{row['entity']} event {after['seq']}"
    if after["seq"] != row["seq"] + 1:
        return [f"{where}: {after['seq'] - row['seq'] - 1} event(s) missing before it"]
    if _chain(row["hash"], _chained(after)) != after["hash"]:
        return [f"{where}: edited, or what stands before it was"]
    return []


def _check_first(first: dict[str, Any] | None) -> list[str]:
    """Check the event a chain begins with."""
    if first is None:
        return []
    if first["seq"] != 1:
        return [f"{first['entity']}: its first {first['seq'] - 1} event(s) are missing"]
    edited = _chain("", _chained(first)) != first["hash"]
    return [f"{first['entity']} event 1: edited"] if edited else []


def _check_reason(row: dict[str, Any], erased: bool) -> list[str]:
    where = f"{row['entity']} event {row['seq']}: its reason was"
    if row["reason"] is None:
        gone = row["reason_digest"] is not None and not erased
        return [f"{where} removed though nothing was erased"] if gone else []
    return [f"{where} edited"] if _digest(row["reason"]) != row["reason_digest"] else []


def _check_heads(connection: Connection, ends: dict[str, tuple[int, str]]) -> list[str]:
    stored = {r.entity: (r.seq, r.hash) for r in connection.execute(sa.select(heads))}
    owners = set(connection.scalars(sa.select(memories.c.entity).distinct()))
    faults = []
    for name in sorted(stored.keys() | ends.keys() | owners):
        if name not in stored and name not in ends:
            faults.append(f"{name}: has memories but no events")
        elif stored.get(name) != ends.get(name):
            cut = (stored.get(name) or (0, ""))[0] - (ends.get(name) or (0, ""))[0]
            what = f"{cut} event(s) cut off" if cut > 0 else "not what the head says"
            faults.append(f"{name}: the end of its chain: {what}")
    return faults

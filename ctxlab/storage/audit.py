"""The audit log: per entity a chain of hashes, without content, that shows tampering (R91).

Each event's hash covers the one before it, so an edit, a removal or a change of order breaks every
hash after it. `heads` holds each chain's length and last hash, so a cut at the end shows too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ..types import AuditEvent, AuditReport
from .schema import audit, from_micros, heads, memories

__all__ = ["Entry", "Head"]


@dataclass(frozen=True, slots=True)
class Head:
    """The end of an entity's chain: its length, last hash, and the revision of its memories."""

    seq: int = 0
    hash: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be appended."""

    time: int
    actor: str
    action: str
    records: Sequence[str] = ()
    rule: str = ""
    reason: str | None = None


_HEAD = sa.select(heads.c.seq, heads.c.hash, heads.c.revision).where(
    heads.c.entity == sa.bindparam("entity")
)
_MOVE = heads.update().where(heads.c.entity == sa.bindparam("e"))


def head_of(connection: Connection, entity: str) -> Head:
    """Return where an entity's chain ends."""
    row = connection.execute(_HEAD, {"entity": entity}).first()
    return Head(*row) if row else Head()


def append(
    connection: Connection, entity: str, head: Head, entries: Sequence[Entry], changed: bool
) -> Head:
    """Append events to a chain whose lock is held; `changed`: memories were written too."""
    rows, seq, last = [], head.seq, head.hash
    for entry in entries:
        seq += 1
        row: dict[str, Any] = {
            "entity": entity,
            "seq": seq,
            "time": entry.time,
            "actor": entry.actor,
            "action": entry.action,
            "records": list(entry.records),
            "rule": entry.rule,
            "reason": entry.reason,
            "reason_digest": _digest(entry.reason),
        }
        last = row["hash"] = _chain(last, row)
        rows.append(row)
    connection.execute(audit.insert(), rows)
    new = Head(seq, last, head.revision + changed)
    values = {"seq": new.seq, "hash": new.hash, "revision": new.revision}
    if head.seq:
        connection.execute(_MOVE, {"e": entity, **values})
    else:
        connection.execute(heads.insert().values(entity=entity, **values))
    return new


def _digest(reason: str | None) -> str | None:
    if reason is None:
        return None
    return hashlib.sha256(reason.encode("utf-8", "surrogatepass")).hexdigest()


def _chain(previous: str, row: dict[str, Any]) -> str:
    names = ("entity", "seq", "time", "actor", "action", "records", "rule", "reason_digest")
    data = json.dumps([previous, *(row[name] for name in names)])
    return hashlib.sha256(data.encode()).hexdigest()


def events(connection: Connection, entity: str | None) -> list[AuditEvent]:
    """Return the events of one entity, or of all, in order."""
    names = ("entity", "seq", "time", "actor", "action", "records", "rule", "reason", "hash")
    query = sa.select(*(audit.c[name] for name in names)).order_by(audit.c.entity, audit.c.seq)
    if entity is not None:
        query = query.where(audit.c.entity == entity)
    rows = connection.execute(query)
    return [AuditEvent(*r[:2], from_micros(r[2]), *r[3:5], tuple(r[5]), *r[6:]) for r in rows]


def blank_reasons(connection: Connection, entity: str) -> None:
    """Erase the free text of a chain; the digests keep it verifiable."""
    connection.execute(audit.update().where(audit.c.entity == entity).values(reason=None))


def verify(connection: Connection, known: dict[str, tuple[int, str]]) -> AuditReport:
    """Recompute every chain; `known` holds heads that were noted elsewhere."""
    faults: list[str] = []
    ends: dict[str, tuple[int, str]] = {}
    met: set[str] = set()
    erased: dict[str, int] = {}
    blank: dict[str, int] = {}
    entity, seq, last, count = "", 0, "", 0
    query = sa.select(audit).order_by(audit.c.entity, audit.c.seq)
    for row in connection.execute(query).mappings():
        if row["entity"] != entity:
            entity, seq, last = row["entity"], 0, ""
        count += 1
        seq += 1
        where = f"{entity} event {row['seq']}"
        if row["seq"] != seq:
            faults.append(f"{where}: {row['seq'] - seq} event(s) missing before it")
        if _chain(last, dict(row)) != row["hash"]:
            faults.append(f"{where}: edited, or what stands before it was")
        if row["reason"] is not None and _digest(row["reason"]) != row["reason_digest"]:
            faults.append(f"{where}: its reason was edited")
        if row["reason"] is None and row["reason_digest"] is not None:
            blank[entity] = seq
        if row["action"] == "erased":
            erased[entity] = seq
        seq, last = row["seq"], row["hash"]
        ends[entity] = (seq, last)
        if known.get(entity) == (seq, last):
            met.add(entity)
    for name, at in blank.items():
        if at > erased.get(name, 0):
            faults.append(f"{name} event {at}: its reason was removed though nothing was erased")
    faults += _check_heads(connection, ends)
    for name in sorted(known.keys() - met):
        faults.append(f"{name}: event {known[name][0]}, noted elsewhere, is gone or another")
    return AuditReport(tuple(faults), count, ends)


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

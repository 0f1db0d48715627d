"""SQL of memories, their versions and shares; every statement names its entity (R32, R35)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import repeat
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from . import packs
from .hot import Hot, HotInsert
from .rows import Row, Rows, is_core, read_body, to_record, to_row
from .schema import memories, messages, meta, shares, versions

__all__ = ["NAMES", "Row", "Rows", "is_core", "read_body", "to_record", "to_row"]

# What a version keeps of the columns.
_KEPT = ("agent", "audience", "kind", "status", "version", "updated", "changed", "expires")


# ---------------------------------------------------------------------- reading

# What a shelf is made of, in this order; bodies unparsed: parsing a hundred costs more than the
# search they are for.
NAMES = (*(c.name for c in memories.c if c.name not in ("entity", "body")), "body")
_LIVE = sa.select(
    *(memories.c[name] for name in NAMES[:-1]), sa.type_coerce(memories.c.body, sa.Text)
).where(memories.c.entity == sa.bindparam("entity"), memories.c.status == "live")
_LIVE_ROWS = Hot(_LIVE.order_by(memories.c.id))


def live_columns(connection: Connection, entity: str) -> dict[str, tuple[Any, ...]]:
    """Return an entity's live rows, by id, column by column."""
    rows = _LIVE_ROWS(connection, entity=entity)
    return dict(zip(NAMES, zip(*rows, strict=True) if rows else repeat(())))  # noqa: B905


def rows_of(connection: Connection, entity: str, ids: Sequence[str] | None = None) -> list[Row]:
    """Return rows of an entity in every status, all or those named."""
    query = sa.select(memories).where(memories.c.entity == entity)
    if ids is not None:
        query = query.where(memories.c.id.in_(list(ids)))
    return _mapped(connection, query.order_by(memories.c.id))


_ENDED_NAMES = ("id", "agent", "audience", "expires", "body")
_ENDED = Hot(
    sa.select(
        *(memories.c[name] for name in _ENDED_NAMES[:-1]), sa.type_coerce(memories.c.body, sa.Text)
    )
    .where(memories.c.entity == sa.bindparam("entity"), memories.c.status == "superseded")
    .order_by(memories.c.id)
)


def superseded(connection: Connection, entity: str) -> list[Row]:
    """Return what tells of an entity's superseded records and of who may read them."""
    rows = _ENDED(connection, entity=entity)
    return [dict(zip(_ENDED_NAMES, row, strict=True)) for row in rows]


def versions_of(connection: Connection, entity: str, record_id: str | None = None) -> list[Row]:
    """Return earlier versions as rows like those of `memories`, oldest first."""
    query = sa.select(versions).where(versions.c.entity == entity)
    if record_id is not None:
        query = query.where(versions.c.id == record_id)
    rows = _mapped(connection, query.order_by(versions.c.id, versions.c.version))
    return [{**row, **row["fields"]} for row in rows]


def with_origin(connection: Connection, entity: str, session_id: str, origin: str) -> str | None:
    """Return the record that a session made or changed by exactly this, if there is one."""
    found = _MADE_FROM(connection, entity=entity, session=session_id, origin=origin)
    return str(found[0][0]) if found else None


# By session, which has an index: an account may have a hundred thousand records.
_MADE_FROM = Hot(
    sa.union_all(*(
        sa.select(table.c.id).where(
            table.c.entity == sa.bindparam("entity"),
            table.c.session_id == sa.bindparam("session"),
            table.c.origin == sa.bindparam("origin"),
        )
        for table in (memories, versions)
    ))
)  # fmt: skip


def touched_by(connection: Connection, session_id: str) -> list[tuple[str, str]]:
    """Return (entity, record id) of all that a session wrote or changed."""
    found: set[tuple[str, str]] = set()
    for table in (memories, versions):
        query = sa.select(table.c.entity, table.c.id).where(table.c.session_id == session_id)
        found |= {(row.entity, row.id) for row in connection.execute(query)}
    return sorted(found)


def expired(connection: Connection, now: int) -> list[tuple[str, str]]:
    """Return (entity, record id) of all whose time is over."""
    query = sa.select(memories.c.entity, memories.c.id).where(memories.c.expires <= now)
    return [(row.entity, row.id) for row in connection.execute(query)]


def raw_messages(
    connection: Connection, entity: str, agent: str | None, since: datetime
) -> list[Row]:
    """Return an entity's stored messages since then, of one agent role or of all."""
    query = sa.select(messages).where(messages.c.entity == entity, messages.c.time >= since)
    if agent is not None:
        query = query.where(messages.c.agent == agent)
    return _mapped(
        connection, query.order_by(messages.c.time, messages.c.session_id, messages.c.seq)
    )


# ---------------------------------------------------------------------- writing


_ADD = HotInsert(memories)


def add(connection: Connection, rows: Sequence[Row]) -> None:
    """Insert records."""
    _ADD.many(connection, rows)


def change(connection: Connection, old: Row, new: Row) -> None:
    """Put `old` among the versions and `new` in its place."""
    fields = {name: old[name] for name in _KEPT}
    kept = {name: old[name] for name in ("entity", "id", "version", "session_id", "origin")}
    body = read_body(old["body"])
    connection.execute(versions.insert().values(**kept, fields=fields, body=body))
    update(connection, old, new)


def update(connection: Connection, old: Row, values: Row) -> None:
    """Change columns of a row without making a version."""
    connection.execute(_one(memories.update(), old["entity"], old["id"]).values(**values))


def delete(connection: Connection, entity: str, ids: Sequence[str]) -> int:
    """Delete records with their versions and shares; returns how many there were."""
    packs.drop(connection, entity)
    count = 0
    for table in (versions, shares, memories):
        query = table.delete().where(table.c.entity == entity, table.c.id.in_(list(ids)))
        count = connection.execute(query).rowcount
    return count


def note_reads(connection: Connection, entity: str, reads: Iterable[tuple[str, int, int]]) -> None:
    """Add up accesses: (record id, how many, when last in microseconds)."""
    _NOTE.many(connection, [{"e": entity, "i": i, "n": n, "t": at} for i, n, at in reads])


_NOTE = Hot(
    memories.update()
    .where(memories.c.entity == sa.bindparam("e"), memories.c.id == sa.bindparam("i"))
    .values(accesses=memories.c.accesses + sa.bindparam("n"), accessed=sa.bindparam("t"))
)


def renew(connection: Connection, entity: str, ids: Sequence[str], until: int) -> None:
    """Postpone the expiry of records that have one."""
    mine = (memories.c.entity == entity, memories.c.id.in_(list(ids)), memories.c.expires < until)
    connection.execute(memories.update().where(*mine).values(expires=until))


# ---------------------------------------------------------------------- shares


_SHARED = Hot(
    sa.select(shares.c.id, shares.c.role).where(shares.c.entity == sa.bindparam("entity"))
)


def shared_with(connection: Connection, entity: str) -> list[tuple[str, str]]:
    """Return (record id, role) of an entity's shares."""
    return [(row[0], row[1]) for row in _SHARED(connection, entity=entity)]


def share(connection: Connection, row: Row) -> None:
    """Add a share, or replace it."""
    unshare(connection, row["entity"], row["id"], row["role"])
    connection.execute(shares.insert().values(**row))


def unshare(connection: Connection, entity: str, record_id: str, role: str) -> bool:
    """Revoke a share; says whether there was one."""
    mine = (shares.c.entity == entity, shares.c.id == record_id, shares.c.role == role)
    return connection.execute(shares.delete().where(*mine)).rowcount > 0


# ---------------------------------------------------------------------- the model behind vectors


def noted_model(connection: Connection) -> tuple[str | None, int]:
    """Return the signature of the model behind the vectors, and their generation."""
    noted = {row[0]: row[1] for row in _MODEL(connection)}
    return noted.get("embedder"), int(noted.get("space") or 0)


_MODEL = Hot(
    sa.select(meta.c.key, meta.c.value).where(
        sa.or_(meta.c.key == "embedder", meta.c.key == "space")
    )
)


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Set it."""
    if not connection.execute(meta.update().where(meta.c.key == key).values(value=value)).rowcount:
        connection.execute(meta.insert().values(key=key, value=value))


def outdated(connection: Connection, space: int, limit: int) -> list[Row]:
    """Return live rows whose vector is missing or of an earlier generation."""
    stale = sa.or_(memories.c.space.is_(None), memories.c.space < space)
    query = sa.select(memories).where(stale, memories.c.status == "live")
    return _mapped(connection, query.order_by(memories.c.entity, memories.c.id).limit(limit))


def _one(query: Any, entity: str, record_id: str) -> Any:
    return query.where(memories.c.entity == entity, memories.c.id == record_id)


def _mapped(connection: Connection, query: Any) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]

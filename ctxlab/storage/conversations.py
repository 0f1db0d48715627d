"""SQL of sessions, messages, state and chunk summaries; every statement names its entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from .schema import chunks, digests, messages, sessions, state
from .store import insert_many

__all__: list[str] = []
Row = Mapping[str, Any]


def add_session(connection: Connection, row: Row) -> None:
    """Insert a session."""
    connection.execute(sessions.insert().values(**row))


def session_row(connection: Connection, session_id: str, entity: str | None = None) -> Row | None:
    """Return the session of an id: the one look-up that may start without an entity.

    `entity`: whose it was when last looked at; it is looked for there first.
    """
    query = sa.select(sessions).where(sessions.c.id == session_id)
    if entity is not None:
        rows = _rows(connection, query.where(sessions.c.entity == entity))
        if rows:
            return rows[0]
    rows = _rows(connection, query)
    return rows[0] if rows else None


def sessions_of(connection: Connection, entity: str) -> list[Row]:
    """Return all sessions of an entity, oldest first."""
    query = sa.select(sessions).where(sessions.c.entity == entity)
    return _rows(connection, query.order_by(sessions.c.started, sessions.c.id))


def stale_sessions(connection: Connection, idle_since: datetime, old_since: datetime) -> list[str]:
    """Return ids of open sessions idle or started before these instants."""
    late = sa.or_(sessions.c.active < idle_since, sessions.c.started < old_since)
    query = sa.select(sessions.c.id).where(sessions.c.ended.is_(None), late)
    return list(connection.scalars(query.order_by(sessions.c.active)))


def touch(connection: Connection, entity: str, session_id: str, now: datetime) -> None:
    """Note activity."""
    connection.execute(_one(sessions.update(), entity, session_id).values(active=now))


def set_agent(connection: Connection, entity: str, session_id: str, agent: str) -> None:
    """Note which agent role holds the session."""
    connection.execute(_one(sessions.update(), entity, session_id).values(agent=agent))


def end_session(
    connection: Connection,
    entity: str,
    session_id: str,
    now: datetime,
    reason: str,
    conclusion: Any,
) -> None:
    """Close a session that is open, and clear its state."""
    query = _one(sessions.update(), entity, session_id).where(sessions.c.ended.is_(None))
    connection.execute(query.values(ended=now, end_reason=reason, conclusion=conclusion))
    connection.execute(
        state.delete().where(state.c.entity == entity, state.c.session_id == session_id)
    )


def move_session(
    connection: Connection, old: str, new: str, session_id: str, columns: Mapping[str, Any]
) -> None:
    """Copy a session's rows to another entity and delete the originals.

    A shard key can't be updated in place on a distributed PostgreSQL, so rows are copied.
    """
    tables = [(sessions, "id")]
    tables += [(table, "session_id") for table in (messages, state, chunks, digests)]
    for table, key in tables:
        mine = sa.and_(table.c.entity == old, table.c[key] == session_id)
        rows = [dict(row) for row in connection.execute(sa.select(table).where(mine)).mappings()]
        connection.execute(table.delete().where(mine))
        extra = columns if table is sessions else {}
        insert_many(connection, table, [{**row, "entity": new, **extra} for row in rows])


def add_messages(connection: Connection, rows: Sequence[Row]) -> None:
    """Insert messages."""
    insert_many(connection, messages, rows)


def messages_from(
    connection: Connection, entity: str, session_id: str, seq: int = 0, last: int | None = None
) -> list[Row]:
    """Return a session's messages from `seq` on (to `last`), in order."""
    query = sa.select(messages).where(
        messages.c.entity == entity, messages.c.session_id == session_id, messages.c.seq >= seq
    )
    if last is not None:
        query = query.where(messages.c.seq <= last)
    return _rows(connection, query.order_by(messages.c.seq))


def state_rows(connection: Connection, entity: str, session_id: str) -> list[Row]:
    """Return a session's state."""
    query = sa.select(state).where(state.c.entity == entity, state.c.session_id == session_id)
    return _rows(connection, query.order_by(state.c.key))


def put_state(
    connection: Connection,
    entity: str,
    session_id: str,
    key: str,
    value: Any,
    now: datetime,
    turn: int,
) -> None:
    """Set one state key."""
    mine = (state.c.entity == entity, state.c.session_id == session_id, state.c.key == key)
    values = {"value": value, "updated": now, "turn": turn}
    if not connection.execute(state.update().where(*mine).values(**values)).rowcount:
        row = {"entity": entity, "session_id": session_id, "key": key, **values}
        connection.execute(state.insert().values(**row))


def chunk_rows(connection: Connection, entity: str, session_id: str, n: int = 0) -> list[Row]:
    """Return a session's chunk summaries from number `n` on, in order."""
    query = sa.select(chunks).where(
        chunks.c.entity == entity, chunks.c.session_id == session_id, chunks.c.chunk >= n
    )
    return _rows(connection, query.order_by(chunks.c.chunk))


def add_chunk(connection: Connection, row: Row) -> bool:
    """Insert a chunk summary unless that chunk has one; says whether it did."""
    return _add_once(connection, chunks, "chunk", row)


def digest_rows(connection: Connection, entity: str, session_id: str, n: int = 0) -> list[Row]:
    """Return a session's digests from number `n` on, in order."""
    query = sa.select(digests).where(
        digests.c.entity == entity, digests.c.session_id == session_id, digests.c.n >= n
    )
    return _rows(connection, query.order_by(digests.c.n))


def add_digest(connection: Connection, row: Row) -> bool:
    """Insert a digest unless that number has one; says whether it did."""
    return _add_once(connection, digests, "n", row)


def digests_of(connection: Connection, entity: str, agent: str | None) -> list[Row]:
    """Return an entity's digests over all sessions, those of one agent role or of all."""
    query = sa.select(digests).where(digests.c.entity == entity)
    if agent is not None:
        query = query.where(digests.c.agent == agent)
    return _rows(connection, query.order_by(digests.c.time, digests.c.session_id, digests.c.n))


def _add_once(connection: Connection, table: sa.Table, key: str, row: Row) -> bool:
    keys = ("entity", "session_id", key)
    known = sa.select(table.c[key]).where(*(table.c[k] == row[k] for k in keys))
    if connection.execute(known).first():
        return False
    connection.execute(table.insert().values(**row))
    return True


def _one(query: Any, entity: str, session_id: str) -> Any:
    return query.where(sessions.c.entity == entity, sessions.c.id == session_id)


def _rows(connection: Connection, query: Any) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]

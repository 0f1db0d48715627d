"""SQL of sessions, messages, state and chunk summaries; every statement names its entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from .hot import Hot, HotInsert, HotRows
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
    if entity is not None:
        rows = _SESSION(connection, entity=entity, session=session_id)
        if rows:
            return rows[0]
    rows = _rows(connection, sa.select(sessions).where(sessions.c.id == session_id))
    return rows[0] if rows else None


_SESSION = HotRows(
    sa.select(sessions).where(
        sessions.c.entity == sa.bindparam("entity"), sessions.c.id == sa.bindparam("session")
    )
)


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
    _TOUCH.many(connection, [{"of": entity, "session": session_id, "now": now}])


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
    _ADD.many(connection, rows)


_ADD = HotInsert(messages)
_TOUCH = Hot(
    sessions.update()
    .where(sessions.c.entity == sa.bindparam("of"), sessions.c.id == sa.bindparam("session"))
    .values(active=sa.bindparam("now"))
)


def messages_from(
    connection: Connection, entity: str, session_id: str, seq: int = 0, last: int | None = None
) -> list[Row]:
    """Return a session's messages from `seq` on (to `last`), in order."""
    last = _LAST if last is None else last
    return _MESSAGES(connection, entity=entity, session=session_id, first=seq, last=last)


_LAST = 2**31 - 1  # of an INTEGER


def _of_session(table: sa.Table, *more: Any) -> Any:
    mine = (
        table.c.entity == sa.bindparam("entity"),
        table.c.session_id == sa.bindparam("session"),
    )
    return sa.select(table).where(*mine, *more)


_MESSAGES = HotRows(
    _of_session(
        messages,
        messages.c.seq >= sa.bindparam("first"),
        messages.c.seq <= sa.bindparam("last"),
    ).order_by(messages.c.seq)
)
_STATE = HotRows(_of_session(state).order_by(state.c.key))
_CHUNKS = HotRows(_of_session(chunks, chunks.c.chunk >= sa.bindparam("n")).order_by(chunks.c.chunk))
_DIGESTS = HotRows(_of_session(digests, digests.c.n >= sa.bindparam("n")).order_by(digests.c.n))


def state_rows(connection: Connection, entity: str, session_id: str) -> list[Row]:
    """Return a session's state."""
    return _STATE(connection, entity=entity, session=session_id)


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
    return _CHUNKS(connection, entity=entity, session=session_id, n=n)


def add_chunk(connection: Connection, row: Row) -> bool:
    """Insert a chunk summary unless that chunk has one; says whether it did."""
    if _CHUNKS(connection, entity=row["entity"], session=row["session_id"], n=row["chunk"]):
        return False
    _ADD_CHUNK.many(connection, [row])
    return True


_ADD_CHUNK = HotInsert(chunks)


def digest_rows(connection: Connection, entity: str, session_id: str, n: int = 0) -> list[Row]:
    """Return a session's digests from number `n` on, in order."""
    return _DIGESTS(connection, entity=entity, session=session_id, n=n)


def add_digest(connection: Connection, row: Row) -> bool:
    """Insert a digest unless that number has one; says whether it did."""
    if _DIGESTS(connection, entity=row["entity"], session=row["session_id"], n=row["n"]):
        return False
    _ADD_DIGEST.many(connection, [row])
    return True


_ADD_DIGEST = HotInsert(digests)


def digests_of(connection: Connection, entity: str, agent: str | None) -> list[Row]:
    """Return an entity's digests over all sessions, those of one agent role or of all."""
    query = sa.select(digests).where(digests.c.entity == entity)
    if agent is not None:
        query = query.where(digests.c.agent == agent)
    return _rows(connection, query.order_by(digests.c.time, digests.c.session_id, digests.c.n))


def _one(query: Any, entity: str, session_id: str) -> Any:
    return query.where(sessions.c.entity == entity, sessions.c.id == session_id)


def _rows(connection: Connection, query: Any) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]

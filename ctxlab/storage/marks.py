"""SQL of the offline pass: which sessions are over, and which it has been through (R100)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from .schema import marks, memories, sessions
from .store import insert_many

__all__: list[str] = []


def pending(connection: Connection, entity: str | None = None) -> dict[str, list[str]]:
    """Return entity -> its finished sessions that hold something new, of one entity or of all.

    A conversation that only memories name (an import) counts as finished; an anonymous session
    has no long-term memory, so nothing is pending in it.
    """
    own = sa.select(sessions.c.entity, sessions.c.id, sa.literal(0)).where(
        sessions.c.ended.is_not(None), sessions.c.user_id.is_not(None), ~_marked(sessions.c.id, 0)
    )
    named = sa.select(memories.c.entity, memories.c.session_id, memories.c.updated).where(
        memories.c.session_id.is_not(None), ~_marked(memories.c.session_id, memories.c.updated)
    )
    # Whoever's session it is: so this can't be a join, in which both sides have one entity.
    is_open = sa.select(sessions.c.id).where(sessions.c.ended.is_(None))
    if entity is not None:
        own = own.where(sessions.c.entity == entity)
        named = named.where(memories.c.entity == entity)
    going_on = set(connection.scalars(is_open))
    found = {(row[0], row[1]) for query in (own, named) for row in connection.execute(query)}
    due: dict[str, list[str]] = {}
    for owner, session_id in sorted(found):
        if session_id not in going_on:
            due.setdefault(owner, []).append(session_id)
    return due


def _marked(session_id: sa.ColumnElement[str], said: Any) -> sa.Exists:
    """Whether the pass has been through a session since the last that was said of it."""
    owner = session_id.table.c.entity
    own = (marks.c.entity == owner, marks.c.session_id == session_id, marks.c.time >= said)
    return sa.exists().where(*own)


def mark(connection: Connection, entity: str, session_ids: Iterable[str], now: int) -> None:
    """Note that the pass has been through sessions; `now` in microseconds.

    Imports may date what was said later than the clock: a mark is never older than that.
    """
    said = sa.select(sa.func.max(memories.c.updated)).where(memories.c.entity == entity)
    time = max(now, connection.scalar(said) or 0)
    ids = list(session_ids)
    mine = sa.and_(marks.c.entity == entity, marks.c.session_id.in_(ids))
    connection.execute(marks.delete().where(mine))
    rows = [{"entity": entity, "session_id": i, "time": time} for i in ids]
    insert_many(connection, marks, rows)

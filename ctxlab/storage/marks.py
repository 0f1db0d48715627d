"""SQL of the offline pass: which sessions are over, and which it has been through (R100)."""

from __future__ import annotations

from collections.abc import Iterable

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
    own = sa.select(
        sessions.c.entity, sessions.c.id.label("session_id"), sa.literal(0).label("said")
    ).where(sessions.c.ended.is_not(None), sessions.c.user_id.is_not(None))
    is_open = sa.exists().where(sessions.c.id == memories.c.session_id, sessions.c.ended.is_(None))
    named = sa.select(memories.c.entity, memories.c.session_id, memories.c.updated).where(
        memories.c.session_id.is_not(None), ~is_open
    )
    found = sa.union(own, named).subquery()
    marked = sa.exists().where(
        marks.c.entity == found.c.entity,
        marks.c.session_id == found.c.session_id,
        marks.c.time >= found.c.said,  # else it was said again since
    )
    query = sa.select(found.c.entity, found.c.session_id).where(~marked).distinct()
    if entity is not None:
        query = query.where(found.c.entity == entity)
    due: dict[str, list[str]] = {}
    for row in connection.execute(query.order_by(found.c.entity, found.c.session_id)):
        due.setdefault(row.entity, []).append(row.session_id)
    return due


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

"""What a database holds, read without changing a byte of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ..errors import StoreError
from .schema import memories, messages, meta, sessions

__all__ = ["is_ours", "list_entities", "list_sessions"]


def list_sessions(connection: Connection, limit: int = 20) -> list[dict[str, Any]]:
    """Return the sessions active last, newest first, with the size of each in messages, tokens."""
    size = (
        sa.select(
            messages.c.entity,
            messages.c.session_id,
            sa.func.count().label("messages"),
            sa.func.sum(messages.c.tokens).label("tokens"),
            sa.func.count(sa.distinct(messages.c.context_id)).label("contexts"),
        )
        .group_by(messages.c.entity, messages.c.session_id)
        .subquery()
    )
    own = sa.and_(size.c.entity == sessions.c.entity, size.c.session_id == sessions.c.id)
    query = (
        sa.select(sessions, size.c.messages, size.c.tokens, size.c.contexts)
        .outerjoin(size, own)
        .order_by(sessions.c.active.desc(), sessions.c.id)
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def list_entities(connection: Connection) -> list[str]:
    """Return whoever has live memories or sessions, in order."""
    remembered = sa.select(memories.c.entity).where(memories.c.status == "live")
    both = remembered.union(sa.select(sessions.c.entity))
    return sorted(connection.execute(both).scalars())


def is_ours(path: Path) -> bool:
    """Whether a SQLite file was made by ctxlab; opening it as a store would make it one."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as raw:
            names = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be read as a SQLite database: {error}") from error
    return {meta.name, sessions.name, messages.name} <= {name for (name,) in names}

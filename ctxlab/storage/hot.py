"""Selects that run in every search: prepared once, and on SQLite given straight to the driver.

SQLAlchemy's way through a statement takes longer than SQLite's. PostgreSQL answers over a socket,
where that doesn't show, and needs its types turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection

__all__ = ["Hot"]


class Hot:
    """A select whose columns need no turning on SQLite: numbers, texts, bytes.

    Parameters
    ----------
    query : Select
        With named parameters.
    """

    def __init__(self, query: sa.Select[Any]) -> None:
        self._query = query
        compiled: Any = query.compile(dialect=sqlite.dialect(paramstyle="qmark"))
        self._sql, self._names = str(compiled), tuple(compiled.positiontup)
        self._fixed = compiled.params  # values written into the statement itself

    def __call__(self, connection: Connection, **values: Any) -> Sequence[Any]:
        """Return all rows."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._query, values).fetchall()
        given = tuple(values.get(name, self._fixed.get(name)) for name in self._names)
        driver: Any = connection.connection.dbapi_connection
        rows: Sequence[Any] = driver.execute(self._sql, given).fetchall()
        return rows

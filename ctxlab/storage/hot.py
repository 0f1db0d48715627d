"""Statements of every search and every write: made once, on SQLite given straight to the driver.

SQLAlchemy's way through a statement takes longer than SQLite's. PostgreSQL answers over a socket,
where that doesn't show, and needs its types turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection

__all__ = ["Hot", "HotInsert"]


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


class HotInsert:
    """Inserts rows given as mappings; what a row leaves out is null."""

    def __init__(self, table: sa.Table) -> None:
        dialect: Any = sqlite.dialect()
        self._table = table
        self._columns = [(c.name, c.type.bind_processor(dialect)) for c in table.c]
        names = ", ".join(f'"{name}"' for name, _ in self._columns)
        marks = ", ".join("?" * len(self._columns))
        self._sql = f"INSERT INTO {table.name} ({names}) VALUES ({marks})"

    def __call__(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert all rows, if there are any."""
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._table.insert(), [dict(row) for row in rows])
            return
        given = [
            tuple(
                row.get(name) if turn is None else turn(row.get(name))
                for name, turn in self._columns
            )
            for row in rows
        ]
        driver: Any = connection.connection.dbapi_connection
        driver.executemany(self._sql, given)

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
    """A statement whose columns need no turning on SQLite: numbers, texts, bytes.

    Parameters
    ----------
    query : Select or Update
        With named parameters.
    """

    def __init__(self, query: sa.Select[Any] | sa.CompoundSelect[Any] | sa.Update) -> None:
        self._query = query
        compiled: Any = query.compile(dialect=sqlite.dialect(paramstyle="qmark"))
        self._sql, self._names = str(compiled), tuple(compiled.positiontup)
        # Values written into the statement itself.
        self._fixed = {name: v for name, v in compiled.params.items() if v is not None}

    def __call__(self, connection: Connection, **values: Any) -> Sequence[Any]:
        """Return all rows."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._query, values).fetchall()
        driver: Any = connection.connection.dbapi_connection
        rows: Sequence[Any] = driver.execute(self._sql, self._given(values)).fetchall()
        return rows

    def many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it once for each of many sets of values; nothing is returned."""
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._query, list(rows))
            return
        driver: Any = connection.connection.dbapi_connection
        driver.executemany(self._sql, [self._given(row) for row in rows])

    def _given(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        if not self._fixed:
            return tuple(map(values.__getitem__, self._names))
        return tuple(values.get(name, self._fixed.get(name)) for name in self._names)


class HotInsert:
    """Inserts rows given as mappings; what a row leaves out is null."""

    def __init__(self, table: sa.Table) -> None:
        dialect: Any = sqlite.dialect()
        self._table = table
        self._names = [c.name for c in table.c]
        turns = [c.type.bind_processor(dialect) for c in table.c]
        self._turned = [(i, turn) for i, turn in enumerate(turns) if turn is not None]
        names = ", ".join(f'"{name}"' for name in self._names)
        marks = ", ".join("?" * len(self._names))
        self._sql = f"INSERT INTO {table.name} ({names}) VALUES ({marks})"

    def __call__(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert all rows, if there are any."""
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._table.insert(), [dict(row) for row in rows])
            return
        given = []
        for row in rows:
            values = list(map(row.get, self._names))
            for i, turn in self._turned:
                values[i] = turn(values[i])
            given.append(values)
        driver: Any = connection.connection.dbapi_connection
        driver.executemany(self._sql, given)

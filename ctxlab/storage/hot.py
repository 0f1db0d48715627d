"""Statements of every search and every write: made once, given straight to the driver.

SQLAlchemy's way through a statement takes longer than SQLite's through the statement itself, and
as long as PostgreSQL's with the socket between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

__all__ = ["Hot", "HotInsert", "HotRows", "together"]

Turns = list[tuple[int, Callable[[Any], Any]]]
_STYLES = {"pysqlite": "qmark", "psycopg": "format"}  # how a driver marks values by place


@dataclass(frozen=True)
class _Form:
    """A statement as one driver takes it: values by place, and what turns them on the way."""

    sql: str
    names: tuple[str, ...]
    given: Turns
    fixed: Mapping[str, Any]  # values written into the statement itself
    found: Turns
    options: Mapping[str, Any]  # of its cursor

    def values(self, row: Mapping[str, Any]) -> Sequence[Any]:
        if self.fixed:
            row = {**self.fixed, **row}
        values = list(map(row.get, self.names))
        for i, turn in self.given:
            values[i] = turn(values[i])
        return values


class Hot:
    """A statement with named parameters, for SQLite's driver and psycopg.

    Parameters
    ----------
    query : Select, Insert or Update
        A parameter's value stands for the whole column's, so that the column's type turns it.
    """

    def __init__(self, query: Any) -> None:
        self._query = query
        self._forms: dict[str, _Form] = {}

    def __call__(self, connection: Connection, **values: Any) -> Sequence[Any]:
        """Return all rows."""
        form, cursor = self._at(connection)
        rows: Sequence[Any] = cursor.execute(form.sql, form.values(values)).fetchall()
        if not form.found:
            return rows
        turned = [list(row) for row in rows]
        for i, turn in form.found:
            for row in turned:
                row[i] = turn(row[i])
        return turned

    def many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it once for each of many sets of values, if there are any; nothing is returned."""
        if not rows:
            return
        form, cursor = self._at(connection)
        if len(rows) == 1:  # psycopg asks the server several times for a list, however short
            cursor.execute(form.sql, form.values(rows[0]))
        else:
            cursor.executemany(form.sql, [form.values(row) for row in rows])

    def _at(self, connection: Connection) -> tuple[_Form, Any]:
        dialect = connection.dialect
        if dialect.driver not in self._forms:
            self._forms[dialect.driver] = _form(self._query, dialect)
        form = self._forms[dialect.driver]
        driver: Any = connection.connection.dbapi_connection
        return form, driver.cursor(**form.options)


class HotRows(Hot):
    """A query whose rows come as mappings: column -> value."""

    def __init__(self, query: sa.Select[Any]) -> None:
        super().__init__(query)
        self._names = tuple(column.name for column in query.selected_columns)

    def __call__(self, connection: Connection, **values: Any) -> list[Mapping[str, Any]]:
        """Return all rows."""
        rows = super().__call__(connection, **values)
        return [dict(zip(self._names, row, strict=True)) for row in rows]


class HotInsert(Hot):
    """Inserts rows given as mappings; what a row leaves out is null."""

    def __init__(self, table: sa.Table) -> None:
        super().__init__(table.insert().values({c.name: sa.bindparam(c.name) for c in table.c}))


@contextmanager
def together(connection: Connection) -> Iterator[None]:
    """Send hot statements whose answers say nothing to PostgreSQL in one go."""
    if connection.dialect.driver != "psycopg":
        yield
        return
    driver: Any = connection.connection.dbapi_connection
    with driver.pipeline():
        yield


def _form(query: Any, dialect: Dialect) -> _Form:
    own: Any = type(dialect)
    mine = own(paramstyle=_STYLES[dialect.driver])
    compiled = query.compile(dialect=mine)
    names = tuple(compiled.positiontup)
    binds = {name: bind.type.dialect_impl(mine) for bind, name in compiled.bind_names.items()}
    given = [(i, turn) for i, n in enumerate(names) if (turn := binds[n].bind_processor(mine))]
    columns = getattr(query, "selected_columns", ())
    found = [
        (i, turn)
        for i, column in enumerate(columns)
        if (turn := column.type.dialect_impl(mine).result_processor(mine, None))
    ]
    fixed = {name: value for name, value in compiled.params.items() if value is not None}
    options = {} if dialect.name == "sqlite" else {"binary": True}  # vectors come as bytes
    return _Form(str(compiled), names, given, fixed, found, options)

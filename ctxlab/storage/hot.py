"""Statements of every search and every write: made once, given straight to the driver.

SQLAlchemy's way through a statement takes longer than SQLite's through the statement itself, and
as long as PostgreSQL's with the socket between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
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
    names : sequence of str, optional
        Of its parameters, in the order that ``put`` has their values in.
    """

    def __init__(self, query: Any, names: Sequence[str] = ()) -> None:
        self._query = query
        self._names = tuple(names)
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
        if rows:
            form, cursor = self._at(connection)
            self._run(form, cursor, [form.values(row) for row in rows])

    def put(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Run it once for each of many rows of values, in the order of `names`, as stored.

        No type turns them: JSON is text already, and there are no vectors among them.
        """
        if rows:
            form, cursor = self._at(connection)
            if form.names != self._names:
                order = [self._names.index(name) for name in form.names]
                rows = [[row[i] for i in order] for row in rows]
            self._run(form, cursor, rows)

    @staticmethod
    def _run(form: _Form, cursor: Any, rows: Sequence[Sequence[Any]]) -> None:
        if len(rows) == 1:  # psycopg asks the server several times for a list, however short
            cursor.execute(form.sql, rows[0])
        else:
            cursor.executemany(form.sql, rows)

    def _at(self, connection: Connection) -> tuple[_Form, Any]:
        dialect = connection.dialect
        form = self._forms.get(dialect.driver)
        if form is None:
            form = self._forms[dialect.driver] = _form(self._query, dialect)
        driver: Any = connection.connection.dbapi_connection
        return form, driver.cursor(**form.options)


class HotRows(Hot):
    """A query whose rows come as mappings: column -> value."""

    def __init__(self, query: sa.Select[Any]) -> None:
        super().__init__(query)
        self._columns = tuple(column.name for column in query.selected_columns)

    def __call__(self, connection: Connection, **values: Any) -> list[Mapping[str, Any]]:
        """Return all rows."""
        rows = super().__call__(connection, **values)
        return [dict(zip(self._columns, row, strict=True)) for row in rows]


class HotInsert(Hot):
    """Inserts rows given as mappings; what a row leaves out is null."""

    def __init__(self, table: sa.Table) -> None:
        names = table.c.keys()
        super().__init__(table.insert().values({n: sa.bindparam(n) for n in names}), names)


def together(connection: Connection) -> AbstractContextManager[None]:
    """Send hot statements whose answers say nothing to PostgreSQL in one go."""
    return _ONE_BY_ONE if connection.dialect.driver == "pysqlite" else _in_one_go(connection)


_ONE_BY_ONE = nullcontext()


@contextmanager
def _in_one_go(connection: Connection) -> Iterator[None]:
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

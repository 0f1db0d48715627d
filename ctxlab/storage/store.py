"""The database: opening, transactions, and noticing what other processes wrote."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

from ..errors import MissingExtra, StoreError
from .schema import SCHEMA_VERSION, meta, metadata

__all__ = ["Store"]

_BUSY_SECONDS = 30.0
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",  # readers and the writer don't block each other
    "PRAGMA synchronous=NORMAL",  # a killed process loses nothing; a power cut, the last commits
    "PRAGMA secure_delete=ON",  # deleted bytes are overwritten (R91)
    "PRAGMA foreign_keys=ON",
)


class Store:
    """One database, opened by URL.

    Parameters
    ----------
    url : str
        ``"sqlite:///lab.db"``, ``"sqlite://"`` (in memory) or ``"postgresql+psycopg://…"``.

    Raises
    ------
    StoreError
        If the database can't be opened, is no database, or was made by a newer ctxlab.

    Notes
    -----
    A SQLite store holds one connection. SQLite has one writer at a time anyway, and
    ``PRAGMA data_version`` then changes exactly when *another* process has committed, so caches
    in this process need no query to know that they are still right.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.sqlite = url.startswith("sqlite")
        self._lock = threading.RLock()
        try:
            self._engine = self._make_engine(url)
            self._prepare()
            if self.sqlite:
                self._raw: Any = self._engine.raw_connection().driver_connection
        except ImportError as error:
            raise MissingExtra("psycopg", "postgres") from error
        except (sa.exc.SQLAlchemyError, ValueError) as error:
            raise StoreError(f"{_shown(url)} can't be opened: {_cause(error)}") from error

    def _make_engine(self, url: str) -> sa.Engine:
        if not self.sqlite:
            return sa.create_engine(url, pool_pre_ping=True)
        engine = sa.create_engine(
            url,
            poolclass=StaticPool,
            connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS},
        )

        @event.listens_for(engine, "connect")
        def _on_connect(raw: Any, _: Any) -> None:
            raw.isolation_level = None  # we say BEGIN ourselves
            for pragma in _PRAGMAS:
                raw.execute(pragma)

        @event.listens_for(engine, "begin")
        def _on_begin(connection: Connection) -> None:
            wants = connection.get_execution_options().get("write", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if wants else "BEGIN")

        return engine

    def _prepare(self) -> None:
        """Create the tables once, and refuse what a newer version wrote."""
        with self._lock, self._begin(write=True) as connection:
            if not self.sqlite:
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260101)")
            meta.create(connection, checkfirst=True)
            known = connection.scalar(sa.select(meta.c.value).where(meta.c.key == "schema"))
            if known is None:
                metadata.create_all(connection)
                connection.execute(meta.insert().values(key="schema", value=str(SCHEMA_VERSION)))
            elif int(known) > SCHEMA_VERSION:
                raise StoreError(
                    f"{_shown(self.url)} has schema {known}, this ctxlab knows {SCHEMA_VERSION}: "
                    "upgrade ctxlab (pip install -U ctxlab)"
                )

    @contextmanager
    def _begin(self, write: bool) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            connection = connection.execution_options(write=write)
            with connection.begin():
                yield connection

    @contextmanager
    def write(self, entity: str) -> Iterator[Connection]:
        """Open a transaction that holds `entity`'s lock until it commits.

        All or nothing: an exception inside rolls everything back.

        Raises
        ------
        StoreError
            If the database refuses (full, read-only, locked beyond 30 s, damaged).
        """
        with self._lock, _typed(self.url), self._begin(write=True) as connection:
            if not self.sqlite:  # SQLite's immediate transaction already excludes other writers
                lock = sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(entity, 0))
                connection.execute(sa.select(lock))
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read transaction: one consistent view of the database."""
        lock = self._lock if self.sqlite else threading.RLock()
        with lock, _typed(self.url), self._begin(write=False) as connection:
            yield connection

    def version(self) -> int | None:
        """Return a number that changes when another process commits; None: always look.

        On SQLite this costs some microseconds, a query through SQLAlchemy twenty times as much.
        """
        if not self.sqlite:
            return None
        with self._lock:  # straight to the driver: this runs once a request
            try:
                return int(self._raw.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                raise StoreError(f"{_shown(self.url)}: {_cause(error)}") from error

    @property
    def path(self) -> str | None:
        """The SQLite file; None in memory and on PostgreSQL."""
        name = self._engine.url.database
        return name if self.sqlite and name and name != ":memory:" else None

    def image(self) -> bytes:
        """Return the bytes of an in-memory SQLite database."""
        with self._lock:
            return bytes(self._raw.serialize())

    def run_alone(self, statement: str, busy_seconds: float = _BUSY_SECONDS) -> Any:
        """Run a statement that no transaction may hold (``VACUUM``); returns its first row.

        `busy_seconds`: how long SQLite may wait for other processes.
        """
        with self._lock, _typed(self.url):
            if not self.sqlite:
                with self._engine.connect() as connection:
                    connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                    connection.exec_driver_sql(statement)
                return None
            try:
                self._raw.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1000)}")
                return self._raw.execute(statement).fetchone()
            except sqlite3.Error as error:
                raise StoreError(f"{_shown(self.url)}: {_cause(error)}") from error
            finally:
                self._raw.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")

    def close(self) -> None:
        """Write everything back and close."""
        with self._lock:
            self._engine.dispose()


def insert_many(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, if there are any."""
    if rows:
        connection.execute(table.insert(), [dict(row) for row in rows])


@contextmanager
def _typed(url: str) -> Iterator[None]:
    try:
        yield
    except sa.exc.SQLAlchemyError as error:
        raise StoreError(f"{_shown(url)}: {_cause(error)}") from error


def _cause(error: Exception) -> str:
    """Say what the driver said, with what to do where that is known."""
    text = str(getattr(error, "orig", None) or error).strip()
    remedies = {
        "readonly": "the file or its folder is read-only: change its permissions or open a copy",
        "full": "the disk is full: free some space and try again; nothing was half written",
        "locked": f"another process held the lock for {_BUSY_SECONDS:.0f} s: try again",
        "not a database": "the file isn't a SQLite database: name another, or restore a backup",
        "malformed": "the file is damaged: restore a backup",
        "unable to open": "the folder doesn't exist or can't be entered",
    }
    return next((f"{text} ({cure})" for key, cure in remedies.items() if key in text), text)


def _shown(url: str) -> str:
    try:
        return sa.engine.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return repr(url)

"""The database: opening, transactions, and noticing what other processes wrote."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

from ..errors import MissingExtra, StoreError
from .hot import Hot
from .remedies import cause, shown
from .schema import SCHEMA_VERSION, meta, metadata, packs

__all__ = ["Store", "Version"]

Version = tuple[int, int, int]
"""Commits of others; own ones that concern no entity; own ones of one entity."""

_BUSY_SECONDS = 30.0
_CONNECT_SECONDS = 10
_PAUSE_SECONDS = 1.0
_BUCKETS = 4_096
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",  # readers and the writer don't block each other
    "PRAGMA synchronous=NORMAL",  # a killed process loses nothing; a power cut, the last commits
    "PRAGMA secure_delete=ON",  # deleted bytes are overwritten (R91)
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-16000",  # kB: the pages of some hundred customers, not of thirty
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
    in this process need no query to know that they are still right. Transactions begin and end at
    the driver: SQLAlchemy's own way there takes longer than the statements of a write.

    A PostgreSQL store needs the extension pgvector and makes it where it may. Entities are locked
    by advisory locks, which need no rows; reads see one snapshot. Copies are made by ``backup`` on
    SQLite and by ``pg_dump`` on PostgreSQL. After a fork, open a store of your own.

    Examples
    --------
    >>> store = Store("sqlite://")
    >>> with store.write("customer:U001") as connection:
    ...     _ = connection.execute(meta.insert().values(key="colour", value="green"))
    >>> with store.read() as connection:
    ...     connection.scalar(sa.select(meta.c.value).where(meta.c.key == "colour"))
    'green'
    >>> store.close()
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.sqlite = url.startswith("sqlite")
        self._lock = threading.RLock()
        self._written = [0] * _BUCKETS
        self._drivers: tuple[type[Exception], ...] = (
            sa.exc.SQLAlchemyError,
            sqlite3.Error,
            UnicodeEncodeError,
        )
        try:
            self._engine = self._make_engine(url)
            self._drivers += (self._engine.dialect.loaded_dbapi.Error,)
            try:
                if self.sqlite:
                    # SQLAlchemy is told that each statement stands for itself, and begins nothing.
                    alone = self._engine.connect()
                    self._one = alone.execution_options(isolation_level="AUTOCOMMIT")
                    raw: Any = self._one.connection.dbapi_connection
                    self._raw = raw
                    self._asking = raw.cursor()
                self._prepare()
            except BaseException:
                self._engine.dispose()
                raise
        except ImportError as error:
            raise MissingExtra(error.name or "psycopg", "postgres") from error
        except (sa.exc.SQLAlchemyError, sqlite3.Error, ValueError) as error:
            raise StoreError(f"{shown(url)} can't be opened: {cause(error)}") from error

    def _make_engine(self, url: str) -> sa.Engine:
        if not self.sqlite:
            return _postgres(url)
        engine = sa.create_engine(
            url,
            poolclass=StaticPool,
            connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS},
        )

        @event.listens_for(engine, "connect")
        def _on_connect(raw: Any, _: Any) -> None:
            raw.isolation_level = None  # we say BEGIN ourselves
            for pragma in _PRAGMAS:
                _patiently(raw, pragma)

        return engine

    def _prepare(self) -> None:
        """Create the tables once, and refuse what a newer version wrote."""
        begun = _Alone(self, "BEGIN IMMEDIATE", typed=False) if self.sqlite else self._begin(True)
        with self._lock, begun as connection:
            if not self.sqlite:
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260101)")
                connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
            meta.create(connection, checkfirst=True)
            mine = meta.c.key == "schema"
            known = connection.scalar(sa.select(meta.c.value).where(mine))
            if known is None:
                metadata.create_all(connection)
                connection.execute(meta.insert().values(key="schema", value=str(SCHEMA_VERSION)))
            elif int(known) < SCHEMA_VERSION:
                packs.create(connection, checkfirst=True)
                connection.execute(meta.update().where(mine).values(value=str(SCHEMA_VERSION)))
            elif int(known) > SCHEMA_VERSION:
                raise StoreError(
                    f"{shown(self.url)} has schema {known}, this ctxlab knows {SCHEMA_VERSION}: "
                    "upgrade ctxlab (pip install -U ctxlab)"
                )

    @contextmanager
    def _begin(self, write: bool) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            connection = connection.execution_options(**({} if write else _SNAPSHOT))
            with connection.begin():
                yield connection

    @contextmanager
    def _typed(self) -> Iterator[None]:
        """Turn what a driver raises into the project's own error."""
        try:
            yield
        except self._drivers as error:
            raise StoreError(f"{shown(self.url)}: {cause(error)}") from error

    def write(
        self, *entities: str, memories: bool = True
    ) -> AbstractContextManager[Connection, bool | None]:
        """Open a transaction that holds the locks of `entities` until it commits.

        All or nothing: an exception inside rolls everything back. What concerns no entity (the
        model behind the vectors) is locked by the empty name.

        Parameters
        ----------
        entities : str
            Whose rows are written.
        memories : bool
            Whether memories may be among them. A message alone makes no cache of them look again.

        Raises
        ------
        StoreError
            If the database refuses (full, read-only, locked beyond 30 s, damaged).
        """
        changed = entities if memories else ()
        if self.sqlite:  # an immediate transaction already excludes other writers
            return _Alone(self, "BEGIN IMMEDIATE", changed)
        return self._locked(entities, changed)

    @contextmanager
    def _locked(self, entities: Sequence[str], changed: Sequence[str]) -> Iterator[Connection]:
        with self._lock, self._typed(), self._begin(write=True) as connection:
            for entity in sorted(set(entities)):  # in one order, so that nobody waits in a ring
                # A statement of its own: those after it see what the last holder committed.
                _LOCK(connection, entity=entity)
            yield connection
            self._count(changed)

    def _count(self, changed: Sequence[str]) -> None:
        """Note whose memories are about to be committed: whoever caches these looks again."""
        for entity in changed:
            self._written[_bucket(entity)] += 1

    def read(self) -> AbstractContextManager[Connection, bool | None]:
        """Open a read transaction: one consistent view of the database."""
        return _Alone(self, "BEGIN") if self.sqlite else self._snapshot()

    @contextmanager
    def _snapshot(self) -> Iterator[Connection]:
        with self._typed(), self._begin(write=False) as connection:
            yield connection

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """Open what is read by one statement: PostgreSQL then needs no word but the answer."""
        if self.sqlite:
            with self.read() as connection:
                yield connection
            return
        with self._typed(), self._engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def version(self, entity: str = "") -> Version | None:
        """Return what changes when an entity may have been written to; None: always look.

        It counts commits of other processes, of any entity, and this store's own of this one
        (several memories may share a store) and of what concerns no entity, the empty name.
        On SQLite this costs some microseconds, a query through SQLAlchemy twenty times as much.
        """
        if not self.sqlite:
            return None
        with self._lock:  # straight to the driver: this runs once a request
            try:
                others = self._asking.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error as error:
                raise StoreError(f"{shown(self.url)}: {cause(error)}") from error
            written = self._written
            return others, written[0], written[_bucket(entity)]

    def backup(self, path: str | os.PathLike[str]) -> int:
        """Copy a SQLite database into a new file while it is in use; returns its size in bytes.

        The copy is one consistent view, checked page by page before it gets its name.

        Raises
        ------
        StoreError
            If the file exists or can't be written; on PostgreSQL, naming the way there.
        """
        from .backup import copy_database

        if not self.sqlite:
            raise StoreError(
                f"{shown(self.url)} is copied by PostgreSQL's own tool, while in use too: "
                "pg_dump --format=custom --file=COPY DATABASE; pg_restore brings it back"
            )
        with self._lock:  # an in-memory database has no other connection to read by
            return copy_database(self.path or self._raw, path)

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
        with self._lock, self._typed():
            if not self.sqlite:
                with self._engine.connect() as connection:
                    connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                    found = connection.exec_driver_sql(statement)
                    return found.first() if found.returns_rows else None
            try:
                self._raw.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1000)}")
                return self._raw.execute(statement).fetchone()
            finally:
                self._raw.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")

    def close(self) -> None:
        """Write everything back and close."""
        with self._lock:
            if self.sqlite:
                self._one.close()
            self._engine.dispose()


class _Alone:
    """A transaction of SQLite's one connection, which is nobody else's meanwhile.

    `changed`: entities whose memories it may change; `typed`: whether the driver's errors become
    the project's own. A class, as a generator for each of its parts takes longer than SQLite does.
    """

    __slots__ = ("_begin", "_changed", "_drivers", "_store")

    def __init__(
        self, store: Store, begin: str, changed: Sequence[str] = (), typed: bool = True
    ) -> None:
        self._store, self._begin, self._changed = store, begin, changed
        self._drivers = store._drivers if typed else ()

    def __enter__(self) -> Connection:
        store = self._store
        store._lock.acquire()
        try:
            if store._raw.in_transaction:
                raise StoreError(f"{shown(store.url)}: a transaction is open: end it first")
            store._raw.execute(self._begin)
            return store._one
        except BaseException as error:
            store._lock.release()
            self._tell(error)
            raise

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        store = self._store
        try:
            try:
                if error is None:
                    store._count(self._changed)
                    store._raw.execute("COMMIT")
            finally:
                if store._raw.in_transaction:  # a full disk has rolled back itself
                    store._raw.execute("ROLLBACK")
        except BaseException as failed:
            self._tell(failed)
            raise
        finally:
            store._lock.release()
        if error is not None:
            self._tell(error)

    def _tell(self, error: BaseException) -> None:
        if isinstance(error, self._drivers):
            raise StoreError(f"{shown(self._store.url)}: {cause(error)}") from error


def _bucket(entity: str) -> int:
    """Return where an entity's writes are counted: two that share one look once too often."""
    return 1 + hash(entity) % (_BUCKETS - 1) if entity else 0


def insert_many(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, if there are any."""
    if rows:
        connection.execute(table.insert(), [dict(row) for row in rows])


_LOCK = Hot(
    sa.select(
        sa.func.pg_advisory_xact_lock(
            sa.func.hashtextextended(sa.bindparam("entity", type_=sa.Text), 0)
        )
    )
)
_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


def _postgres(url: str) -> sa.Engine:
    import pgvector  # noqa: F401  (missing, it should be named now, not at the first vector)

    target = sa.make_url(url)
    if target.drivername == "postgresql":  # whatever driver SQLAlchemy would take
        target = target.set(drivername="postgresql+psycopg")
    patience = {} if "connect_timeout" in target.query else {"connect_timeout": _CONNECT_SECONDS}
    engine = sa.create_engine(target, connect_args=patience)

    @event.listens_for(engine, "checkin")
    def _on_return(raw: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    # After a pause it is asked whether it still works: a server that was restarted costs no error,
    # and a request that asks many times pays once.
    @event.listens_for(engine, "checkout")
    def _on_take(raw: Any, record: Any, _: Any) -> None:
        if time.monotonic() - record.info.get("used", time.monotonic()) < _PAUSE_SECONDS:
            return
        try:
            engine.dialect.do_ping(raw)
        except engine.dialect.loaded_dbapi.Error as error:
            raise sa.exc.DisconnectionError from error  # the pool makes a new one

    return engine


def _patiently(raw: Any, statement: str) -> None:
    """Run a statement for which SQLite doesn't wait itself: making or ending a log file."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            raw.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)

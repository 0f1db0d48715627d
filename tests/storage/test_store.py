"""Opening, transactions, typed errors, copies: the same promises on both databases (R130, R131)."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import ctxlab as cx
from ctxlab.cli import app
from ctxlab.storage import store as store_module
from ctxlab.storage.schema import memories, meta
from ctxlab.storage.store import Store

SPAWN = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
WHO = {"entity": "customer:U1", "agent": "support"}
APART = cx.Config().with_({"mitigations.duplicates": False, "mitigations.privacy": False})
PLAIN = {**WHO, "kind": "fact", "audience": "shared"}


def put(store, key, value="1"):
    with store.write("") as connection:
        connection.execute(meta.insert().values(key=key, value=value))


def keys(connection):
    return set(connection.scalars(sa.select(meta.c.key)))


@pytest.fixture
def store(database_url):
    store = Store(database_url)
    yield store
    store.close()


# ---------------------------------------------------------------------- transactions


def test_a_failed_transaction_leaves_nothing(store):
    with pytest.raises(ZeroDivisionError), store.write("customer:U1") as connection:
        connection.execute(meta.insert().values(key="half", value="1"))
        raise ZeroDivisionError
    with store.read() as connection:
        assert keys(connection) == {"schema"}


def test_a_read_is_one_view_whatever_is_written_meanwhile(store):
    other = Store(store.url)
    with store.read() as connection:
        assert "later" not in keys(connection)
        put(other, "later")
        assert "later" not in keys(connection)
    with store.read() as connection:
        assert "later" in keys(connection)
    other.close()


def test_an_entitys_lock_keeps_another_writer_out(store):
    other, order = Store(store.url), []
    began = threading.Event()

    def write():
        began.set()
        with other.write("customer:U1"):
            order.append("second")

    with store.write("customer:U1", "customer:U2"):
        thread = threading.Thread(target=write)
        thread.start()
        began.wait()
        thread.join(0.2)  # has had its chance
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    other.close()


def test_locks_taken_in_opposite_orders_do_not_wait_in_a_ring(store):
    other = Store(store.url)

    def write(which, *entities):
        for _ in range(30):
            with which.write(*entities):
                pass

    thread = threading.Thread(target=write, args=(other, "b:1", "a:1"))
    thread.start()
    write(store, "a:1", "b:1")
    thread.join()
    other.close()


def test_names_are_ordered_and_told_apart_byte_by_byte(database_url):
    names = ["customer:a", "customer:B", "customer:b", "customer:É", "customer:客户", "customer:b "]
    with cx.Memory(database_url, embedder=None) as memory:
        for name in names:
            memory.write("likes jazz", **{**PLAIN, "entity": name})
        with memory.store.read() as connection:
            stored = connection.scalars(sa.select(memories.c.entity).order_by(memories.c.entity))
            assert list(stored) == sorted(names, key=str.encode)
        assert memory.verify_audit().heads.keys() == set(names)


rows = st.integers(1, 40).flatmap(
    lambda n: st.lists(st.floats(-1, 1, width=16), min_size=n, max_size=n)
)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows)
def test_vectors_come_back_bit_by_bit(store, numbers):
    data = np.array(numbers, dtype=np.float16).tobytes()
    row = {name: "x" for name in ("entity", "id", "agent", "audience", "kind", "status")}
    row |= {"version": 1, "updated": 0, "changed": 0, "body": {}, "vector": data}
    with store.write("x") as connection:
        connection.execute(memories.delete())
        connection.execute(memories.insert(), [row, {**row, "id": "y", "vector": None}])
    with store.read() as connection:
        both = connection.execute(sa.select(memories).order_by(memories.c.id)).mappings().all()
    assert [bytes(both[0]["vector"]), both[1]["vector"]] == [data, None]


def test_postgresql_keeps_vectors_as_halfvec_in_parts_by_entity(postgres):
    url = postgres.emptied()
    with cx.Memory(url, embedder=Ones()) as memory:
        for n in range(40):
            memory.write("likes jazz", **{**PLAIN, "entity": f"customer:U{n}"})
        with memory.store.read() as connection:
            near = "SELECT count(*) FROM memories WHERE vector <=> CAST('[1,1,1,1]' AS halfvec) < 1"
            assert connection.scalar(sa.text(near)) == 40
            parts = sa.text("SELECT DISTINCT tableoid FROM memories")
            assert len(connection.scalars(parts).all()) > 4
            plan = "EXPLAIN SELECT id FROM memories WHERE entity = 'customer:U1'"
            told = "\n".join(connection.scalars(sa.text(plan)))
            assert told.count("memories_") and "Append" not in told  # one part, not eight


class Ones:
    """An embedder to which all is one."""

    from ctxlab.models.embedding import Signature

    signature, min_score, dimension = Signature("ones", 4, "1"), 0.3, 4

    def encode(self, texts):
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


# ---------------------------------------------------------------------- opening


def open_and_write(url, start, n):
    start.wait()
    store = Store(url)
    put(store, f"from {n}")
    store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_processes_may_open_a_new_database_at_once(kind, tmp_path, postgres):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    if kind == "postgresql":
        postgres.run("CREATE DATABASE bare")
        url = postgres.url("bare")
    start = SPAWN.Barrier(6)
    workers = [SPAWN.Process(target=open_and_write, args=(url, start, n)) for n in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    store = Store(url)
    with store.read() as connection:
        assert keys(connection) == {"schema", *(f"from {n}" for n in range(6))}
    store.close()
    if kind == "postgresql":
        postgres.run("DROP DATABASE bare WITH (FORCE)")


def test_a_newer_schema_is_refused_and_left_as_it_is(store):
    with store.write("") as connection:
        connection.execute(meta.update().values(value="999"))
    with pytest.raises(cx.StoreError, match=r"schema 999.*upgrade ctxlab"):
        Store(store.url)
    with store.read() as connection:
        assert connection.scalar(sa.select(meta.c.value)) == "999"


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("postgresql+psycopg://u:secret@127.0.0.1:1/x", "is PostgreSQL running"),
        ("postgresql://u:secret@127.0.0.1:1/x", "is PostgreSQL running"),
        ("postgresql+psycopg://u:secret@/x?host=/nowhere", "is PostgreSQL running"),
    ],
)
def test_an_unreachable_server_is_named_without_its_password(url, remedy):
    with pytest.raises(cx.StoreError, match=remedy) as caught:
        Store(url)
    assert "secret" not in str(caught.value)


def test_what_a_server_lacks_is_named(postgres):
    with pytest.raises(cx.StoreError, match="create it on the server"):
        Store(postgres.url("no_such_database"))
    with postgres.database() as url:
        name = sa.make_url(url).database
        postgres.run("CREATE ROLE guest LOGIN")
        postgres.run("DROP EXTENSION vector CASCADE", name)
        guest = url.replace("postgres:@", "guest:@")
        with pytest.raises(cx.StoreError, match="CREATE EXTENSION vector"):
            Store(guest)
        postgres.run("CREATE EXTENSION vector", name)
        with pytest.raises(cx.StoreError, match="its user may not"):
            Store(guest)
        postgres.run("DROP ROLE guest")


def test_a_broken_connection_is_told_and_the_next_use_works(postgres):
    store = Store(postgres.emptied())
    ours = "pid <> pg_backend_pid() AND datname = 'shared'"
    with pytest.raises(cx.StoreError, match="do it again"), store.write("") as connection:
        connection.execute(meta.insert().values(key="half", value="1"))
        postgres.run(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {ours}")
        connection.execute(sa.select(meta))
    with store.read() as connection:
        assert keys(connection) == {"schema"}
    store.close()


def test_a_server_that_was_restarted_meanwhile_costs_no_error(postgres, monkeypatch):
    opened = Store(postgres.emptied())
    monkeypatch.setattr(store_module, "_PAUSE_SECONDS", 0.0)
    put(opened, "before")
    ours = "pid <> pg_backend_pid() AND datname = 'shared'"
    postgres.run(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {ours}")
    with opened.glance() as connection:
        assert keys(connection) == {"schema", "before"}
    opened.close()


def test_a_driver_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pgvector", None)
    with pytest.raises(cx.MissingExtra, match=r"pgvector is not installed.*ctxlab\[postgres\]"):
        Store("postgresql+psycopg://localhost/x")


# ---------------------------------------------------------------------- SQLite's files


@pytest.fixture
def path(tmp_path):
    """A file with one memory in it."""
    path = tmp_path / "full.db"
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        memory.write("likes jazz", **PLAIN)
    return path


def texts(path):
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        return [record.text for record in memory.profile(**WHO)]


def test_a_full_disk_is_told_and_loses_nothing(path):
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        (pages,) = memory.store.run_alone("PRAGMA page_count")
        memory.store.run_alone(f"PRAGMA max_page_count = {pages + 3}")
        written = ["likes jazz"]
        with pytest.raises(cx.StoreError, match="free some space"):
            for n in range(99):
                memory.write(f"note {n}: " + f"{n * 7919} " * 300, **PLAIN)
                written.append(f"note {n}: ")
        found = memory.profile(**WHO, limit=99)
        assert sorted(r.text.partition(": ")[0] + ": " for r in found)[1:] == sorted(written)[1:]
        memory.store.run_alone("PRAGMA max_page_count = 100000")  # space was freed
        memory.write("likes golf", **PLAIN)
        assert memory.verify_audit()
    assert {"likes jazz", "likes golf"} <= set(texts(path))


@pytest.fixture
def small_disk():
    """A file system that can be made larger; only root may have one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux may mount a file system")
    with tempfile.TemporaryDirectory(prefix="ctxlab-") as folder:

        def mount(options):
            command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]
            return subprocess.run(command, capture_output=True, text=True)

        if (done := mount("size=600k")).returncode:
            pytest.skip(f"this root may not mount a file system: {done.stderr.strip()}")
        yield Path(folder), mount
        subprocess.run(["umount", folder], check=True)


def fill_up(url, size):
    """Write until the disk is full; return what was acknowledged."""
    with cx.Memory(url, embedder=None, config=APART) as memory:
        written = []
        with pytest.raises(cx.StoreError, match="free some space"):
            for n in range(9_999):
                memory.write(f"note {n}: " + os.urandom(size).hex(), **PLAIN)
                written.append(f"note {n}")
        memory._reads.waiting.clear()  # their note would want space as well
    return written


def notes(url):
    with cx.Memory(url, embedder=None, config=APART) as memory:
        assert memory.verify_audit()
        found = memory.profile(**WHO, limit=9_999)
        return sorted(record.text.partition(":")[0] for record in found)


def test_on_a_full_file_system_nothing_acknowledged_is_lost(small_disk):
    folder, mount = small_disk
    url = f"sqlite:///{folder / 'lab.db'}"
    written = fill_up(url, 500)
    assert written
    mount("remount,size=4m")
    assert notes(url) == sorted(written)
    with cx.Memory(url, embedder=None, config=APART) as memory:
        memory.write("note 9: there is room again", **PLAIN)
    assert notes(url) == sorted([*written, "note 9"])


def test_on_a_servers_full_file_system_too(small_disk, postgres):
    folder, mount = small_disk
    mount("remount,size=40m")
    shutil.chown(folder, postgres.server.system_user)
    folder.chmod(0o700)
    postgres.run(f"CREATE TABLESPACE small LOCATION '{folder}'")
    postgres.run("CREATE DATABASE small TEMPLATE with_tables TABLESPACE small")
    url = postgres.url("small")
    mount(f"remount,size={shutil.disk_usage(folder).used // 1024 + 400}k")
    written = fill_up(url, 3_000)
    assert written
    mount("remount,size=80m")
    assert notes(url) == sorted(written)
    postgres.run("DROP DATABASE small WITH (FORCE)")
    postgres.run("DROP TABLESPACE small")


def test_a_read_only_file_is_told(path):
    store = Store(f"sqlite:///file:{path}?mode=ro&uri=true")
    with store.read() as connection:
        assert "schema" in keys(connection)
    with pytest.raises(cx.StoreError, match="read-only: change its permissions"):
        put(store, "colour")
    store.close()
    assert texts(path) == ["likes jazz"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write to all")
def test_a_write_protected_file_is_told(path):
    path.chmod(0o444)
    with pytest.raises(cx.StoreError, match="read-only: change its permissions"):
        Store(f"sqlite:///{path}")


def test_a_file_that_is_no_database_is_told_and_kept(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 500)
    with pytest.raises(cx.StoreError, match="isn't a SQLite database"):
        Store(f"sqlite:///{path}")
    assert path.read_text() == "dear diary, " * 500


def damage(path):
    """Overwrite every page but the first."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\x5a" * (len(data) - 4096))


def test_a_damaged_file_is_told(path, tmp_path):
    damage(path)
    with pytest.raises(cx.StoreError, match="damaged: restore a backup"):
        texts(path)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(cx.StoreError, match="folder doesn't exist"):
        Store(f"sqlite:///{tmp_path}/absent/lab.db")


# ---------------------------------------------------------------------- copies


def test_a_copy_made_in_use_is_whole(path, tmp_path):
    """Another process's transaction is open, and this one's last write is in the log only."""
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        memory.write("likes golf", **PLAIN)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM memories")
        size = memory.store.backup(tmp_path / "copy.db")
        other.execute("ROLLBACK")
        other.close()
    assert size == (tmp_path / "copy.db").stat().st_size > 0
    assert [p.name for p in tmp_path.glob("copy.db*")] == ["copy.db"]  # complete by itself
    assert sorted(texts(tmp_path / "copy.db")) == ["likes golf", "likes jazz"]
    with cx.Memory(f"sqlite:///{tmp_path / 'copy.db'}", embedder=None) as memory:
        assert memory.verify_audit()


def test_a_database_in_memory_can_be_copied(tmp_path):
    with cx.Memory("sqlite://", embedder=None) as memory:
        memory.write("likes jazz", **PLAIN)
        memory.store.backup(tmp_path / "copy.db")
    assert texts(tmp_path / "copy.db") == ["likes jazz"]


def test_a_copy_replaces_nothing_and_leaves_nothing_half_made(path, tmp_path):
    (tmp_path / "there.db").write_text("mine")
    store = Store(f"sqlite:///{path}")
    with pytest.raises(cx.StoreError, match="exists already"):
        store.backup(tmp_path / "there.db")
    with pytest.raises(cx.StoreError, match="absent"):
        store.backup(tmp_path / "absent" / "copy.db")
    store.close()
    damage(path)
    with pytest.raises(cx.StoreError, match="damaged"):
        copy = sqlite3.connect(path)
        try:
            from ctxlab.storage.backup import copy_database

            copy_database(copy, tmp_path / "bad.db")
        finally:
            copy.close()
    assert sorted(p.name for p in tmp_path.glob("*.db*")) == ["full.db", "there.db"]
    assert (tmp_path / "there.db").read_text() == "mine"


def test_postgresql_names_its_own_tool(postgres, tmp_path):
    store = Store(postgres.emptied())
    with pytest.raises(cx.StoreError, match="pg_dump"):
        store.backup(tmp_path / "copy.db")
    store.close()


def test_the_commands_take_a_servers_url(postgres):
    url = postgres.emptied()
    with cx.ContextEngine(url, embedder=None, clock=cx.ManualClock("2026-01-05T09:00+00:00")) as e:
        session = e.open_session(user_id="U1")
        session.commit("All right.", session.prepare("My order is A1029."))
        session.state["order_id"] = "A1029"
    run = CliRunner()
    for command, shown in [
        (["inspect", url], "U1"),
        (["inspect", url, "--session", session.id], "order_id = 'A1029'"),
        (["sweep", url], "sessions closed: 1"),
        (["consolidate", url], "finished sessions gone through: 1"),
        (["erase", url, "customer:U1", "--by", "dpo", "--reason", "asked"], "residue: 0"),
    ]:
        done = run.invoke(app, command)
        assert done.exit_code == 0 and shown in done.output, done.output


def test_the_command_copies(path, tmp_path):
    done = CliRunner().invoke(app, ["backup", str(path), str(tmp_path / "copy.db")])
    assert done.exit_code == 0, done.output
    assert texts(tmp_path / "copy.db") == ["likes jazz"]
    done = CliRunner().invoke(app, ["backup", str(path), str(tmp_path / "copy.db")])
    assert done.exit_code == 1 and "exists already" in done.output


def test_a_read_inside_a_write_is_refused_and_the_write_goes_on(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'lab.db'}")  # one connection: PostgreSQL has more
    with store.write("customer:U1") as connection:
        connection.execute(meta.insert().values(key="k", value="v"))
        with pytest.raises(cx.StoreError, match="a transaction is open"), store.read():
            pass
    with store.read() as connection:
        assert connection.scalar(sa.select(meta.c.value).where(meta.c.key == "k")) == "v"
    store.close()

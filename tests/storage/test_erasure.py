"""After an erasure no byte of the text is left, and the certificate would say if one were."""

from __future__ import annotations

import sqlite3

import pytest
import sqlalchemy as sa

import ctxlab as cx
from ctxlab.storage import erasure
from ctxlab.storage.schema import memories
from ctxlab.storage.vacuum import raw_rows

U1, U10 = "customer:U1", "customer:U10"
WHY = {"by": "dpo", "reason": "request"}
# Many sentences of one mould: comparing them is another test's matter.
APART = cx.Config().with_({"mitigations.duplicates": False})


def fill(url, n=12):
    """A customer with sessions, state, memories in every status; and a look-alike."""
    with cx.ContextEngine(url) as engine:
        for user in ("U1", "U10"):
            session = engine.open_session(user_id=user)
            session.send(f"{user} 说：包裹一直在转运中心“卡着”，请查 \\ 一下")
            session.state["order_id"] = f"order-of-{user}-12345"
            session.end()
    with cx.Memory(url, config=APART) as memory:
        items = [
            {
                "text": f"{user} 的第 {i} 条记录，长文本 {i * 7919} " + "续" * (i * 130),
                "kind": "fact",
            }
            for user in ("U1", "U10")
            for i in range(n)
        ]
        for user, start in (("U1", 0), ("U10", n)):
            memory.write_many(
                [{**item, "audience": "shared"} for item in items[start : start + n]],
                entity=f"customer:{user}",
                agent="support",
            )
        memory.write("both say exactly this", entity=U1, agent="support", kind="fact")
        memory.write("both say exactly this", entity=U10, agent="support", kind="fact")


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'lab.db'}"


@pytest.fixture
def pg_url(postgres):
    return postgres.emptied()


def test_erasure_leaves_no_byte(database_url, tmp_path):
    url = database_url
    fill(url)
    with cx.Memory(url) as memory:
        rows_before = memory.export(U10, **WHY)
        certificate = memory.erase(U1, **WHY)
        assert certificate.residue == 0
        assert certificate.is_genuine()
        assert certificate.counts["memories"] >= 13
        assert min(certificate.counts[t] for t in ("sessions", "messages")) >= 1
        assert certificate.pieces > 100
        assert memory.search("包裹", entity=U1, agent="support", min_score=0) == []
        rows_after = memory.export(U10, **WHY)
        assert rows_before["memories"] == rows_after["memories"]
        assert rows_before["messages"] == rows_after["messages"]
        (sealed,) = [e for e in memory.audit(U1) if e.action == "certified"]
        assert sealed.rule == f"R91 {certificate.digest}"
        with memory.store.read() as connection:
            left = str(list(raw_rows(connection))).encode()
        left += b"".join(p.read_bytes() for p in tmp_path.glob("lab.db*"))
    assert "U1 的第".encode() not in left
    assert b"order-of-U1-12345" not in left
    assert "U10 的第".encode() in left
    assert b"both say exactly this" in left  # it is U10's too


def test_erasing_twice_or_nobody_is_no_error(database_url):
    with cx.Memory(database_url, embedder=None) as memory:
        for _ in range(2):
            certificate = memory.erase(U1, **WHY)
            assert (certificate.residue, sum(certificate.counts.values())) == (0, 0)


def test_in_memory_databases_are_searched_too():
    with cx.Memory("sqlite://", embedder=None) as memory:
        memory.write("a very particular sentence", entity=U1, agent="support", kind="fact")
        certificate = memory.erase(U1, **WHY)
        assert certificate.residue == 0
        assert certificate.searched["memory"] > 0


def test_a_leftover_is_found_and_counted(url, tmp_path):
    """The search must be able to fail: plant the text where no row of ctxlab's holds it."""
    fill(url, 3)
    with cx.Memory(url) as memory:
        with sqlite3.connect(tmp_path / "lab.db") as other:
            other.execute("CREATE TABLE stray (text)")
            other.execute("INSERT INTO stray VALUES ('U1 的第 1 条记录，长文本 7919 续续续续续')")
        assert memory.erase(U1, **WHY).residue >= 1


def test_a_reader_elsewhere_does_not_hide_the_log(url, tmp_path, monkeypatch):
    """With a snapshot held open the log can't be emptied: the certificate must not say clean."""
    monkeypatch.setattr(erasure, "_PATIENCE", 0.2)
    fill(url, 3)
    with cx.Memory(url) as memory:
        memory.write("a late and particular sentence", entity=U1, agent="support", kind="fact")
        other = sqlite3.connect(tmp_path / "lab.db", isolation_level=None)
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM memories").fetchone()
        assert memory.erase(U1, **WHY).residue >= 1
        other.close()


def test_a_reason_that_quotes_is_withheld(database_url):
    with cx.Memory(database_url, embedder=None) as memory:
        memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
        memory.erase(U1, by="dpo", reason="delete: she has a red bicycle")
        assert "bicycle" not in str(memory.audit(U1))


def test_who_holds_caches_is_told(database_url):
    with cx.Memory(database_url, embedder=None) as memory:
        told = []
        memory.on_erase.append(told.append)
        memory.erase(U1, **WHY)
        assert told == [U1]


# ---------------------------------------------------------------------- PostgreSQL


def pages(memory):
    """Return the bytes that PostgreSQL holds for rows of `memories`, deleted ones included."""
    size = "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relname ~ '^memories_[0-9]$'"
    with memory.store.read() as connection:
        return connection.scalar(sa.text(size))


def test_deleted_rows_are_vacuumed(postgres):
    with postgres.database() as url, cx.Memory(url, embedder=None, config=APART) as memory:
        said = [{"text": f"parcel {i} is late", "kind": "fact"} for i in range(50)]
        memory.write_many(said, entity=U1, agent="support")
        assert pages(memory) > 0
        assert memory.erase(U1, **WHY).residue == 0
        assert pages(memory) == 0
        # The measure can tell: what is only deleted is still there.
        memory.write("parcel 51 is late", entity=U10, agent="support", kind="fact")
        with memory.store.write(U10) as connection:
            connection.execute(memories.delete())
        assert pages(memory) > 0


def test_the_certificate_names_what_postgresql_keeps(pg_url):
    with cx.Memory(pg_url, embedder=None) as memory:
        memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
        certificate = memory.erase(U1, **WHY)
    out = "; ".join(certificate.out_of_reach)
    assert "write-ahead log" in out and "backups" in out and "freed" in out
    assert set(certificate.searched) == {"audit", "heads"}  # where alone the entity is named yet


def test_a_row_that_was_missed_is_residue(pg_url, monkeypatch):
    """The search must be able to fail: leave a table out of the deletion."""
    monkeypatch.setattr(erasure, "_TABLES", erasure._TABLES[1:])
    with cx.Memory(pg_url, embedder=None) as memory:
        memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
        with memory.store.read() as connection:
            pieces = erasure.pieces_of({"memories": [{"text": "she has a red bicycle"}]})
            assert len(list(raw_rows(connection, U1))) == 3
        assert erasure.find_residue(memory.store, U1, pieces).left >= 1


def test_a_snapshot_elsewhere_keeps_the_rows_and_the_certificate_says_so(pg_url, monkeypatch):
    monkeypatch.setattr(erasure, "_PATIENCE", 0.2)
    other = sa.create_engine(pg_url, isolation_level="REPEATABLE READ")
    with cx.Memory(pg_url, embedder=None) as memory:
        memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
        with other.connect() as reader:
            look = sa.select(sa.func.count()).select_from(memories)
            assert reader.scalar(look) == 1
            certificate = memory.erase(U1, **WHY)
            assert reader.scalar(look) == 1  # it does see it still
            assert certificate.residue == certificate.pieces > 0
        assert memory.erase(U1, **WHY).residue == 0
    other.dispose()


def test_tables_that_are_not_ours_are_not_vacuumed_and_the_certificate_says_so(postgres):
    with postgres.database() as url:
        name = sa.make_url(url).database
        postgres.run("CREATE ROLE clerk LOGIN")
        postgres.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk", name)
        with cx.Memory(url.replace("postgres:@", "clerk:@"), embedder=None) as memory:
            memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
            certificate = memory.erase(U1, **WHY)
            assert certificate.residue == certificate.pieces > 0
        with cx.Memory(url, embedder=None) as memory:  # as their owner
            assert memory.erase(U1, **WHY).residue == 0
        postgres.run("DROP OWNED BY clerk", name)
        postgres.run("DROP ROLE clerk")

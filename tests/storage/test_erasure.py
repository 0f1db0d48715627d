"""After an erasure no byte of the text is left, and the certificate would say if one were."""

from __future__ import annotations

import sqlite3

import pytest

import ctxlab as cx
from ctxlab.storage import erasure

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


def test_erasure_leaves_no_byte(url, tmp_path):
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
        files = b"".join(p.read_bytes() for p in tmp_path.glob("lab.db*"))
    assert "U1 的第".encode() not in files
    assert b"order-of-U1-12345" not in files
    assert "U10 的第".encode() in files
    assert b"both say exactly this" in files  # it is U10's too


def test_erasing_twice_or_nobody_is_no_error(url):
    with cx.Memory(url, embedder=None) as memory:
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


def test_a_reason_that_quotes_is_withheld(url):
    with cx.Memory(url, embedder=None) as memory:
        memory.write("she has a red bicycle", entity=U1, agent="support", kind="fact")
        memory.erase(U1, by="dpo", reason="delete: she has a red bicycle")
        assert "bicycle" not in str(memory.audit(U1))


def test_who_holds_caches_is_told(url):
    with cx.Memory(url, embedder=None) as memory:
        told = []
        memory.on_erase.append(told.append)
        memory.erase(U1, **WHY)
        assert told == [U1]

"""The audit chain shows every kind of tampering (R91)."""

from __future__ import annotations

import sqlite3

import pytest

import ctxlab as cx

A = {"entity": "customer:U1", "agent": "support", "kind": "fact", "audience": "shared"}
B = {**A, "entity": "customer:U10"}
WHY = {"by": "ann", "reason": "a reason that only she knew"}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "lab.db"
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        records = [
            memory.write(text, **A).record for text in ("likes jazz", "has a dog", "is tall")
        ]
        memory.share(records[0].id, entity="customer:U1", to="sales", **WHY)
        memory.write("likes golf", **B)
    return path


def verify(path, heads=None):
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        return memory.verify_audit(heads)


def tamper(path, statement, *values):
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, values).rowcount != 0


def test_an_intact_log_is_true(path):
    report = verify(path)
    assert report
    assert (report.events, sorted(report.heads)) == (5, ["customer:U1", "customer:U10"])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("time", 0),
        ("actor", "'bob'"),
        ("action", "'read'"),
        ("records", "'[]'"),
        ("rule", "'none'"),
        ("hash", "'0'"),
    ],
)
def test_an_edit_shows(path, column, value):
    for seq in (1, 2, 4):
        tamper(
            path,
            f"UPDATE audit SET {column} = {value} WHERE seq = {seq} AND entity = 'customer:U1'",
        )
        assert not verify(path)


def test_an_edited_or_removed_reason_shows(path):
    tamper(path, """UPDATE audit SET reason = '"another"' WHERE reason IS NOT NULL""")
    assert any("edited" in fault for fault in verify(path).faults)
    tamper(path, "UPDATE audit SET reason = NULL WHERE reason_digest IS NOT NULL")
    assert any("removed" in fault for fault in verify(path).faults)


@pytest.mark.parametrize("seq", [1, 2, 4])
def test_a_removal_shows(path, seq):
    tamper(path, f"DELETE FROM audit WHERE seq = {seq} AND entity = 'customer:U1'")
    assert verify(path).faults


def test_a_new_order_shows(path):
    for a, b in ((2, 99), (3, 2), (99, 3)):
        tamper(path, f"UPDATE audit SET seq = {b} WHERE seq = {a} AND entity = 'customer:U1'")
    assert not verify(path)


def test_an_event_moved_to_another_entity_shows(path):
    tamper(path, "UPDATE audit SET entity = 'customer:U2' WHERE entity = 'customer:U10'")
    assert not verify(path)


def test_a_whole_chain_removed_shows(path):
    for table in ("audit", "heads"):
        tamper(path, f"DELETE FROM {table} WHERE entity = 'customer:U10'")
    assert verify(path).faults == ("customer:U10: has memories but no events",)


def test_even_a_mended_cut_shows_against_heads_kept_elsewhere(path):
    known = verify(path).heads
    tamper(path, "DELETE FROM audit WHERE seq = 4 AND entity = 'customer:U1'")
    tamper(
        path,
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3) "
        "WHERE entity = 'customer:U1'",
    )
    assert verify(path)  # all that is left fits together
    assert "noted elsewhere" in verify(path, known).faults[0]


def test_the_log_holds_no_content_and_survives_an_erasure(path):
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        memory.erase("customer:U1", by="dpo", reason="request 12")
        events = memory.audit("customer:U1")
        assert [e.action for e in events] == [*["added"] * 3, "shared", "erased", "certified"]
        assert [e.reason for e in events if e.reason] == ["request 12"]
        assert memory.verify_audit()
    data = path.read_bytes()
    assert b"jazz" not in data
    assert b"only she knew" not in data

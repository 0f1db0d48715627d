"""The audit chain shows every kind of tampering (R91)."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

import ctxlab as cx
from ctxlab.storage.vacuum import raw_rows

A = {"entity": "customer:U1", "agent": "support", "kind": "fact", "audience": "shared"}
B = {**A, "entity": "customer:U10"}
WHY = {"by": "ann", "reason": "a reason that only she knew"}


@pytest.fixture
def url(database_url):
    with cx.Memory(database_url, embedder=None) as memory:
        records = [
            memory.write(text, **A).record for text in ("likes jazz", "has a dog", "is tall")
        ]
        memory.share(records[0].id, entity="customer:U1", to="sales", **WHY)
        memory.write("likes golf", **B)
    return database_url


def verify(url, heads=None):
    with cx.Memory(url, embedder=None) as memory:
        return memory.verify_audit(heads)


def tamper(url, statement):
    """Do what ctxlab never does, past its back."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        assert connection.exec_driver_sql(statement).rowcount != 0
    engine.dispose()


def test_an_intact_log_is_true(url):
    report = verify(url)
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
def test_an_edit_shows(url, column, value):
    for seq in (1, 2, 4):
        tamper(
            url,
            f"UPDATE audit SET {column} = {value} WHERE seq = {seq} AND entity = 'customer:U1'",
        )
        assert not verify(url)


def test_an_edited_or_removed_reason_shows(url):
    tamper(url, """UPDATE audit SET reason = '"another"' WHERE reason IS NOT NULL""")
    assert any("edited" in fault for fault in verify(url).faults)
    tamper(url, "UPDATE audit SET reason = NULL WHERE reason_digest IS NOT NULL")
    assert any("removed" in fault for fault in verify(url).faults)


@pytest.mark.parametrize("seq", [1, 2, 4])
def test_a_removal_shows(url, seq):
    tamper(url, f"DELETE FROM audit WHERE seq = {seq} AND entity = 'customer:U1'")
    assert verify(url).faults


def test_a_new_order_shows(url):
    for a, b in ((2, 99), (3, 2), (99, 3)):
        tamper(url, f"UPDATE audit SET seq = {b} WHERE seq = {a} AND entity = 'customer:U1'")
    assert not verify(url)


def test_an_event_moved_to_another_entity_shows(url):
    tamper(url, "UPDATE audit SET entity = 'customer:U2' WHERE entity = 'customer:U10'")
    assert not verify(url)


def test_a_whole_chain_removed_shows(url):
    for table in ("audit", "heads"):
        tamper(url, f"DELETE FROM {table} WHERE entity = 'customer:U10'")
    assert verify(url).faults == ("customer:U10: has memories but no events",)


def test_even_a_mended_cut_shows_against_heads_kept_elsewhere(url):
    known = verify(url).heads
    tamper(url, "DELETE FROM audit WHERE seq = 4 AND entity = 'customer:U1'")
    tamper(
        url,
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3) "
        "WHERE entity = 'customer:U1'",
    )
    assert verify(url)  # all that is left fits together
    assert "noted elsewhere" in verify(url, known).faults[0]


def test_the_log_holds_no_content_and_survives_an_erasure(url):
    with cx.Memory(url, embedder=None) as memory:
        memory.erase("customer:U1", by="dpo", reason="request 12")
        events = memory.audit("customer:U1")
        assert [e.action for e in events] == [*["added"] * 3, "shared", "erased", "certified"]
        assert [e.reason for e in events if e.reason] == ["request 12"]
        assert memory.verify_audit()
        with memory.store.read() as connection:
            rows = str(list(raw_rows(connection)))
    assert "likes golf" in rows  # another's
    assert "jazz" not in rows
    assert "only she knew" not in rows

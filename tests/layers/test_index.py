"""Search by an index beside exact search: what may be found, and what must never be."""

from __future__ import annotations

import shutil
import threading
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.layers.nearest import Nearest
from ctxlab.layers.semantic import rank

from .conftest import START, Letters
from .test_properties import QUIET

pytest.importorskip("faiss")
U1 = {"entity": "customer:U1", "agent": "support"}
PLAIN = {"kind": "fact", "audience": "shared"}
MANY = 1_500
SMALL = {
    "index.crossover": 1_000,
    "mitigations.duplicates": False,
    "mitigations.privacy": False,
}


def config(**changes):
    return cx.Config().with_({**SMALL, **changes})


def spread(n, seed=0, width=64):
    """Vectors about forty centres, as sentences lie."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).standard_normal((40, width))
    rows = centres[rng.integers(0, 40, n)] + 0.7 * rng.standard_normal((n, width))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def items(n, seed=0, **more):
    rng = np.random.default_rng(seed)
    return [
        {
            "text": f"note {i} on matter {i % 97}",
            "vector": row,
            "audience": ("shared", "private")[int(rng.integers(2))],
            "kind": ("fact", "event", "preference")[int(rng.integers(3))],
            "at": cx.ManualClock(START).now() - timedelta(days=int(rng.integers(60))),
            "ttl": 400.0,
            **more,
        }
        for i, row in enumerate(spread(n, seed))
    ]


@pytest.fixture
def heavy(make):
    memory = make(config())
    memory.write_many(items(MANY), **U1)
    assert memory.indexed("customer:U1", wait=True).state == "ready"
    return memory


def exact_hits(memory, query, agent="support", mode="dense", k=5, entity="customer:U1"):
    """What the same question finds when every readable row is compared."""
    made = memory._query(query, k, 0.0, mode)
    shelf = memory._shelf(entity)
    return rank(shelf, made, shelf.readable(agent, memory._writer.scopes, made.now))


def ids(hits):
    return [hit.record.id for hit in hits]


@pytest.mark.parametrize("mode", ["dense", "hybrid"])
def test_index_and_exact_agree(heavy, mode):
    questions = spread(40, seed=5) if mode == "dense" else [f"note {i}" for i in range(40)]
    same = 0
    for question in questions:
        found = heavy.search(question, **U1, mode=mode, min_score=0.0)
        truth = exact_hits(heavy, question, mode=mode)
        same += len(set(ids(found)) & set(ids(truth)))
        by_id = {hit.record.id: hit for hit in truth}
        for hit in found:
            if hit.record.id in by_id:
                assert hit.score == pytest.approx(by_id[hit.record.id].score, abs=1e-5)
    assert same >= 0.98 * 5 * 40


def test_the_index_was_really_asked(heavy, monkeypatch):
    """Control: an index that finds nothing sends search back to comparing all."""
    asked = []
    index = heavy._shelves._nearest["customer:U1"]._index
    search = index.search
    monkeypatch.setattr(index, "search", lambda *a: asked.append(1) or search(*a))
    heavy.search(spread(1, 5)[0], **U1, min_score=0.0)
    assert asked
    monkeypatch.setattr(index, "search", lambda *a: tuple(x[:0] for x in search(*a)))
    question = spread(1, 5)[0]
    found = heavy.search(question, **U1, min_score=0.0)
    assert ids(found) == ids(exact_hits(heavy, question))


def test_the_switch_and_the_crossover_keep_it_exact(make):
    make(config()).write_many(items(MANY), **U1)
    for changes in ({"mitigations.scale": False}, {"index.crossover": MANY + 1}):
        memory = make(config(**changes))
        report = memory.indexed("customer:U1", wait=True)
        assert (report.state, report.kind) == ("exact", "flat") and report.reasons
        assert memory._shelves._nearest == {}


def test_search_is_exact_until_the_index_is_ready(make, monkeypatch):
    memory = make(config())
    memory.write_many(items(MANY), **U1)
    go = threading.Event()
    build = Nearest._build
    monkeypatch.setattr(Nearest, "_build", lambda *a: go.wait(30) and build(*a))
    question = spread(1, 5)[0]
    found = memory.search(question, **U1, min_score=0.0)
    assert memory.indexed("customer:U1").state == "building"
    assert ids(found) == ids(exact_hits(memory, question))
    late = memory.write_many([{"text": "late", "vector": question, **PLAIN}], **U1)[0].record.id
    assert ids(memory.search(question, **U1))[0] == late
    go.set()
    assert memory.indexed("customer:U1", wait=True).state == "ready"
    # Written while it was built: taken in before the first answer.
    assert ids(memory.search(question, **U1))[0] == late


def test_it_follows_writes_deletes_and_expiry(heavy, clock):
    question = spread(1, 77)[0]
    new = heavy.write_many(
        [
            {"text": "new", "vector": question, "ttl": 1.0, **PLAIN},
            {"text": "other", "vector": question, **PLAIN},
        ],
        **U1,
    )
    fresh, other = (outcome.record.id for outcome in new)
    assert set(ids(heavy.search(question, **U1, k=2))) == {fresh, other}
    heavy.forget(other, entity="customer:U1", by="t", reason="t")
    assert other not in ids(heavy.search(question, **U1, k=50, min_score=0.0))
    clock.advance(timedelta(days=2))
    assert fresh not in ids(heavy.search(question, **U1, k=50, min_score=0.0))
    heavy.sweep()
    assert fresh not in ids(heavy.search(question, **U1, k=50, min_score=0.0))
    assert heavy.indexed("customer:U1").state == "ready"


def test_many_writes_at_once_are_taken_in_behind_the_search(heavy):
    heavy.write_many(items(300, seed=3), **U1)
    question = spread(300, 3)[7]
    best = ids(heavy.search(question, **U1, min_score=0.0))[0]
    assert best == ids(exact_hits(heavy, question))[0]
    assert heavy.indexed("customer:U1", wait=True).vectors == MANY + 300


def test_a_wrong_index_is_thrown_away_and_built_again(heavy):
    nearest = heavy._shelves._nearest["customer:U1"]
    question = spread(1, 5)[0]
    truth = ids(exact_hits(heavy, question))
    nearest._index._codes()[:] = nearest._index._codes()[::-1]
    assert ids(heavy.search(question, **U1, min_score=0.0)) == truth
    report = heavy.indexed("customer:U1", wait=True)
    assert report.state == "ready" and any("disagreed" in reason for reason in report.reasons)
    for _ in range(3):  # one that keeps failing is given up
        if heavy.indexed("customer:U1", wait=True).state == "ready":
            nearest._index._codes()[:] = nearest._index._codes()[::-1]
        assert ids(heavy.search(question, **U1, min_score=0.0)) == truth
    assert heavy.indexed("customer:U1", wait=True).state == "given up"
    assert ids(heavy.search(question, **U1, min_score=0.0)) == truth


def test_another_processs_writes_are_taken_over(heavy, make):
    other = make(config())  # a connection of its own, as another process has
    question = spread(1, 77)[0]
    mine = heavy._shelves._nearest["customer:U1"]._index
    new = other.write_many([{"text": "theirs", "vector": question, **PLAIN}], **U1)[0].record.id
    assert ids(heavy.search(question, **U1))[0] == new
    other.forget(new, entity="customer:U1", by="t", reason="t")
    assert new not in ids(heavy.search(question, **U1, k=50, min_score=0.0))
    assert heavy._shelves._nearest["customer:U1"]._index is mine  # followed, not built again


def test_an_erasure_takes_the_index_along(heavy):
    nearest = heavy._shelves._nearest["customer:U1"]
    heavy.erase("customer:U1", by="dpo", reason="request")
    assert heavy._shelves._nearest == {} and nearest._index is None
    assert heavy.search(spread(1, 5)[0], **U1, min_score=0.0) == []


def test_an_erasure_stops_an_index_in_the_making(make):
    memory = make(config())
    memory.write_many(items(MANY), **U1)
    memory.search(spread(1, 5)[0], **U1)
    memory.erase("customer:U1", by="dpo", reason="request")
    assert not [t for t in threading.enumerate() if t.name == "ctxlab-index"]


changes = st.lists(
    st.tuples(
        st.sampled_from(["add", "forget", "expire", "share", "supersede", "rollback", "elsewhere"]),
        st.integers(0, 10**6),
    ),
    max_size=6,
)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Return a database to copy for each history below."""
    path = tmp_path_factory.mktemp("index") / "base.db"
    with cx.Memory(f"sqlite:///{path}", Letters(), config(), cx.ManualClock(START)) as memory:
        rows = items(MANY, seed=1)
        memory.write_many(rows[:1_100], **U1)
        memory.write_many(rows[1_100:1_400], entity="customer:U1", agent="sales")
        memory.write_many(rows[1_400:], entity="customer:U2", agent="support")
    return path


@settings(QUIET, max_examples=15)
@given(history=changes, seed=st.integers(0, 10**6), kind=st.sampled_from(["hnsw", "ivf"]))
def test_never_a_record_that_exact_search_would_not_be_allowed_to_return(base, history, seed, kind):
    clock, path = cx.ManualClock(START), base.with_name("copy.db")
    for side in ("", "-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    shutil.copy(base, path)
    chosen = (f"sqlite:///{path}", Letters(), config(**{"index.kind": kind}), clock)
    with cx.Memory(*chosen) as memory, cx.Memory(*chosen) as elsewhere:
        memory.indexed("customer:U1", wait=True)
        for n, (what, pick) in enumerate(history):
            change(memory, elsewhere, clock, what, pick, n)
            check(memory, spread(3, seed + n))
        check(memory, spread(3, seed))


def change(memory, elsewhere, clock, what, pick, n):
    """Carry out one change to the first customer's memories."""
    shelf = memory._shelf("customer:U1")
    alive = [row["id"] for row in shelf.rows if row["status"] == "live"]
    target, row = alive[pick % len(alive)], spread(1, pick)[0]
    signed = {"entity": "customer:U1", "by": "t", "reason": "t"}
    new = {"text": f"new {n} {pick}", "vector": row, **PLAIN}
    if what == "add":
        memory.write_many([{**new, "audience": "private"}], entity="customer:U1", agent="sales")
    elif what == "elsewhere":
        elsewhere.write_many([new], **U1)
        elsewhere.forget(target, **signed)
    elif what == "forget":
        memory.forget(target, **signed)
    elif what == "share":
        memory.share(target, to="billing", **signed)
    elif what == "expire":
        memory.write_many([{**new, "ttl": 1.0}], **U1)
        memory.search(row, **U1)
        clock.advance(timedelta(days=2))
    elif what == "supersede":
        with memory._change("customer:U1") as step:
            ended = shelf.record(shelf.place[target]).with_(status="superseded")
            step.alter(step.row(target), ended, {"action": "superseded", "by": "t", "reason": "t"})
            step.log("t", "superseded", [target], "t")
    elif what == "rollback":
        with pytest.raises(KeyboardInterrupt), memory._change("customer:U1") as step:
            record = shelf.record(shelf.place[target]).with_(id="")
            step.add(record, row, {"action": "added", "by": "t", "reason": "t"})
            raise KeyboardInterrupt


def check(memory, questions):
    """Compare with the rows in the database, read past every cache."""
    from ctxlab.storage import records
    from ctxlab.storage.schema import to_micros

    now = to_micros(memory.clock.now())
    with memory.store.read() as connection:
        rows = records.rows_of(connection, "customer:U1")
        shared = set(records.shared_with(connection, "customer:U1"))
    for role in ("support", "sales", "billing"):
        allowed = {
            row["id"]
            for row in rows
            if row["status"] == "live"
            and (row["expires"] is None or row["expires"] > now)
            and (row["audience"] == "shared" or row["agent"] == role or (row["id"], role) in shared)
        }
        for question in questions:
            found = memory.search(question, entity="customer:U1", agent=role, k=9, min_score=0.0)
            assert set(ids(found)) <= allowed
            assert len(found) == 9
            truth = exact_hits(memory, question, role, k=9)
            assert found[0].score == pytest.approx(truth[0].score, abs=0.05)


def test_widening_finds_what_fading_would_hide(make, clock):
    """The nearest rows are old and faded; what wins is further off and new."""
    memory = make(config(**{"decay.half_life_days": {"event": 1.0}}))
    rows = spread(MANY, 8)
    question = rows[0]
    order = np.argsort(-(rows @ question))
    old = clock.now() - timedelta(days=50)
    batch = [
        {
            "text": f"row {i}",
            "vector": rows[i],
            "audience": "shared",
            "kind": "event",
            "ttl": 400.0,
            "at": clock.now() if rank_ == 90 else old,
        }
        for rank_, i in enumerate(order.tolist())
    ]
    memory.write_many(batch, **U1)
    memory.indexed("customer:U1", wait=True)
    found = memory.search(question, **U1, min_score=0.0)
    assert found[0].record.text == f"row {order[90]}" or found[0].cosine > 0.99
    assert ids(found) == ids(exact_hits(memory, question))

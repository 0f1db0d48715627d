"""What a long-running process holds has bounds, whatever passes through it (R2, R131)."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

import ctxlab as cx
from ctxlab.context import background
from ctxlab.layers import shelf, shelves

PLAIN = {"agent": "support", "kind": "fact", "audience": "shared"}


def test_customers_without_memories_do_not_pile_up(memory, monkeypatch):
    monkeypatch.setattr(shelves, "_MAX_ROWS", 200)
    for n in range(100):
        assert not memory.knows(f"customer:{n}")
    assert 10 < len(memory._shelves._held) <= 200 // shelves._EMPTY
    assert memory._shelves._checked.keys() <= memory._shelves._held.keys()


def test_neither_do_customers_with_hardly_any(memory, monkeypatch):
    monkeypatch.setattr(shelves, "_MAX_SHELVES", 7)
    for n in range(20):
        memory.write("likes jazz", entity=f"customer:{n}", **PLAIN)
    assert len(memory._shelves._held) == 7


def test_what_a_process_writes_itself_counts_too(memory, monkeypatch):
    monkeypatch.setattr(shelves, "_MAX_ROWS", 60)
    for n in range(6):
        for i in range(10):
            memory.write(f"note{i} is {i}", entity=f"customer:{n}", **PLAIN)
    rows = [len(held.rows) for held in memory._shelves._held.values()]
    assert sum(rows) <= 60 + 10  # the last write is weighed when its shelf is next asked for
    for n in range(6):
        found = memory.profile(entity=f"customer:{n}", agent="support", limit=99)
        assert len(found) == 10


def test_what_was_replaced_does_not_pile_up(memory, monkeypatch):
    monkeypatch.setattr(shelf, "_GAPS", 20)
    who = {"entity": "customer:1", **PLAIN}
    for n in range(100):
        memory.write(f"city is {n}", **who)
    assert len(memory._shelves.peek("customer:1").rows) <= 30
    assert [r.text for r in memory.profile(entity="customer:1", agent="support")] == ["city is 99"]


def test_jobs_of_sessions_that_are_never_ended_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(background, "_REMEMBERED", 10)
    with cx.ContextEngine(embedder=None) as engine:
        for n in range(60):
            session = engine.open_session(user_id=f"U{n}")
            session.add({"role": "user", "content": "hello"})
            session.state["step"] = "1"  # makes a digest due, in the background
            engine._compressions.job(session.id).result()
        assert len(engine._compressions._due) <= 10


ROWS, EACH = 500_000, 50
SEARCHED = """
    import random, resource, sys, time, json
    import numpy as np
    import ctxlab as cx
    from ctxlab.models.embedding import Signature

    class Given:
        signature, min_score, dimension = Signature("given", 512, "1"), 0.3, 512
        def encode(self, texts):
            raise AssertionError("vectors are given")

    began = time.monotonic()
    with cx.Memory(sys.argv[1], embedder=Given()) as memory:
        rng, first = np.random.default_rng(7), 0
        for n in range(int(sys.argv[2])):
            entity = f"customer:{n}"
            query = rng.standard_normal(512)
            hits = memory.search(query, entity=entity, agent="support", min_score=0, k=5)
            words = memory.search(
                "late parcel 7", entity=entity, agent="support", mode="keyword", min_score=0, k=5
            )
            assert len(hits) == 5 and words and {h.record.entity for h in hits} == {entity}
            first = first or time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({"peak_mb": peak, "first_s": first, "all_s": time.monotonic() - began}))
"""


def fill_raw(url, rows, each):
    """Write rows past the pipeline: what is measured is reading them."""
    import numpy as np

    from ctxlab.storage import records
    from ctxlab.storage.schema import to_micros
    from ctxlab.types import Record

    clock = cx.ManualClock("2026-01-01T00:00:00+00:00")
    when, rng = clock.now(), np.random.default_rng(3)

    def row(n, vector):
        record = Record(
            f"m-{n:016x}", f"customer:{n // each}", "support",
            f"parcel {n} is late and waits at depot {n % 97}, the customer was told so by phone",
            when, when, when,
        )  # fmt: skip
        columns = {"session_id": None, "origin": None, "space": 1, "vector": vector.tobytes()}
        return records.to_row(record, {"action": "added"}, changed=to_micros(when), **columns)

    with cx.Memory(url, embedder=None) as memory:
        with memory.store.write("") as connection:
            records.set_meta(connection, "embedder", "given@1/512")
            records.set_meta(connection, "space", "1")
        for start in range(0, rows, 10_000):
            made = rng.standard_normal((10_000, 512), dtype=np.float32)
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            with memory.store.write("") as connection:
                halves = made.astype(np.float16)
                records.add(connection, [row(start + i, v) for i, v in enumerate(halves)])


@pytest.mark.long
def test_half_a_million_records_are_searched_in_bounded_memory(tmp_path):
    url = f"sqlite:///{tmp_path / 'large.db'}"
    fill_raw(url, ROWS, EACH)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SEARCHED), url, str(ROWS // EACH)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    measured = json.loads(done.stdout)
    print(measured)
    assert measured["peak_mb"] < 1_500

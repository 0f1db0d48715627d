"""What a search returns is what comparing everything, slowly, would."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.clock import as_utc
from ctxlab.layers.semantic import Query, compare
from ctxlab.layers.shelf import Readable
from ctxlab.storage.vectors import unit
from ctxlab.types import Record

from .conftest import START, Letters

OFF = cx.Config().with_({"mitigations.duplicates": False, "mitigations.privacy": False})
SOURCES = ("manual", "extracted", "imported", "consolidated")
FEW = settings(deadline=None, max_examples=40)
START = as_utc(START)
numbers = st.lists(st.integers(-3, 3), min_size=64, max_size=64)
names = count()


@pytest.fixture(scope="module", params=[1.0, 3.0])
def weighed(request):
    weights = {"manual": request.param, "extracted": 0.5, "imported": 0.9}
    config = OFF.with_({"semantic.source_weights": weights})
    with cx.Memory("sqlite://", Letters(), config=config, clock=cx.ManualClock(START)) as memory:
        yield memory


@FEW
@given(
    st.lists(st.tuples(numbers, st.sampled_from(SOURCES)), min_size=1, max_size=12),
    numbers,
    st.integers(3, 14),  # four times as many rows are looked at
    st.sampled_from([0.0, 0.1, 0.5]),
)
def test_hits_are_the_best_by_cosine_and_source(weighed, rows, asked, k, floor):
    who = {"entity": f"customer:{next(names)}", "agent": "support"}
    vectors = [unit(np.array(v, np.float32), 64) for v, _ in rows]
    question = unit(np.array(asked, np.float32), 64)
    items = [
        {"text": f"statement {n}", "vector": v, "kind": "fact", "source": source, **who}
        for n, (v, (_, source)) in enumerate(zip(vectors, rows, strict=True))
    ]
    ids = [outcome.record.id for outcome in weighed.write_many(items)]
    hits = weighed.search(question, **who, k=k, min_score=floor)
    stored = [v.astype(np.float16).astype(np.float32) for v in vectors]
    cosines = {i: float(v @ question) for i, v in zip(ids, stored, strict=True)}
    source_of = dict(zip(ids, (source for _, source in rows), strict=True))
    weights = weighed.config.semantic.source_weights
    score = {i: max(min(c, 1) * weights.get(source_of[i], 1), floor) for i, c in cosines.items()}
    fit = {i for i, c in cosines.items() if c >= max(floor, 1e-9) + 1e-5}
    nearly = {i for i, c in cosines.items() if abs(c - max(floor, 1e-9)) < 1e-5}  # either way
    found = [hit.record.id for hit in hits]
    best = sorted((score[i] for i in fit | (nearly & set(found))), reverse=True)[:k]
    assert set(found) <= fit | nearly
    assert [hit.score for hit in hits] == pytest.approx(best, abs=1e-5)
    for place, hit in enumerate(hits, 1):
        assert hit.score == pytest.approx(score[hit.record.id], abs=1e-5)
        assert hit.cosine == pytest.approx(cosines[hit.record.id], abs=1e-5)
        assert (hit.rank, hit.found_by, hit.bm25, hit.fade) == (place, "dense", None, 1.0)


@pytest.fixture(scope="module")
def dated():
    clock = cx.ManualClock(START)
    with cx.Memory("sqlite://", Letters(), config=OFF, clock=clock) as memory:
        yield memory


@FEW
@given(
    st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=1, max_size=6),
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.integers(0, 5),
)
def test_what_may_be_read_follows_the_clock_forwards_and_backwards(dated, ttls, days, late):
    who = {"entity": f"customer:{next(names)}", "agent": "support"}
    ends = {}

    def write(n, ttl):
        outcome = dated.write(f"statement {n}", **who, kind="fact", ttl=ttl)
        ends[outcome.record.id] = outcome.record.expires

    dated.clock.set(START)
    for n, ttl in enumerate(ttls):
        write(n, ttl)
    for n, day in enumerate(days):
        if n == late:  # a write in between is seen at once
            write("late", 9.5)
        dated.clock.set(START + timedelta(days=day))
        hits = dated.search("statement", **who, k=99, min_score=0)
        alive = {i for i, end in ends.items() if end is None or end > dated.clock.now()}
        assert {hit.record.id for hit in hits} == alive


@FEW
@given(st.lists(st.sampled_from(["write", "write", "look", "core"]), max_size=14))
def test_writes_in_a_row_are_seen_as_by_one_who_has_just_opened(dated, moves):
    who = {"entity": f"customer:{next(names)}", "agent": "support"}
    dated.clock.set(START)

    def seen(memory):
        hits = memory.search("statement 1", **who, k=99, min_score=0)
        known = memory.profile(**who, limit=99)
        found = sorted((h.record.id, h.record.text, h.record.tier) for h in hits)
        scores = {h.record.id: h.score for h in hits}
        return scores, found, [(r.id, r.tier) for r in known]

    def look():
        fresh = cx.Memory(dated.store, Letters(), config=OFF, clock=dated.clock)
        dated.flush()
        (mine, *shown), (theirs, *wanted) = seen(dated), seen(fresh)
        assert shown == wanted
        assert mine == pytest.approx(theirs, abs=1e-4)
        fresh.flush()

    for n, move in enumerate(moves):
        if move == "look":
            look()
        elif move == "core":
            dated.write_many([{"text": f"core {n}", "kind": "fact", "tier": "core"}], **who)
        else:
            items = [{"text": f"statement {n} {i}", "kind": "fact"} for i in range(n % 3 + 1)]
            dated.write_many(items, **who)
    look()


def test_a_score_is_never_above_one():
    class Shelf:
        matrix = np.eye(1, 64, dtype=np.float32) * np.float32(1.0001)
        rows = (None,)

        def fade(self, now, rows):
            return None

        def fetch(self, rows):
            assert rows == [0]

        def record(self, row):
            return Record("m", "e:1", "a", "t", START, START, START)

    Shelf.made = {}
    readable = Readable(np.ones(1, bool), np.arange(1), 0, 2**62)
    query = Query(None, np.eye(1, 64, dtype=np.float32)[0], "dense", 5, 0.0, 0, {})
    assert [hit.score for hit in compare(Shelf(), query, readable)] == [1.0]

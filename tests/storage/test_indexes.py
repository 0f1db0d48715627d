"""The three indexes do the same; flat is the truth that the others are held against."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.storage.indexes import KINDS, make_index

WIDTH = 16
every = pytest.mark.parametrize("kind", KINDS)


def vectors(n, seed=0, width=WIDTH):
    rows = np.random.default_rng(seed).standard_normal((n, width))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float16).astype(np.float32)


def filled(kind, n=300):
    index = make_index(kind, WIDTH)
    index.add(np.arange(n), vectors(n))
    return index


@every
def test_finds_what_is_nearest(kind):
    index, rows = filled(kind), vectors(300)
    for question in vectors(20, seed=1):
        ids, cosines = index.search(question, 5, None, 300)
        assert ids.tolist() == np.argsort(-(rows @ question))[:5].tolist()
        assert cosines == pytest.approx(np.sort(rows @ question)[::-1][:5], abs=1e-3)


@every
def test_the_filter_comes_before_the_best_k(kind):
    index, rows = filled(kind), vectors(300)
    allowed = np.zeros(300, dtype=bool)
    allowed[[3, 77, 250]] = True
    question = vectors(1, seed=1)[0]
    ids, _ = index.search(question, 5, allowed, 300)
    assert ids.tolist() == [i for i in np.argsort(-(rows @ question)).tolist() if allowed[i]]
    assert len(index.search(question, 5, np.zeros(300, dtype=bool), 300)[0]) == 0
    # Ids beyond the end of the filter aren't allowed.
    assert set(index.search(question, 9, np.ones(4, dtype=bool), 300)[0].tolist()) == {0, 1, 2, 3}


@every
def test_what_is_removed_is_not_found_and_not_held(kind):
    index, rows = filled(kind), vectors(300)
    assert index.remove(np.array([5, 6, 5000, -1])) == 2
    assert len(index) == 298
    assert 5 not in index.search(rows[5], 10, None, 300)[0]
    held = index.holds(np.arange(300), rows)
    assert not held[5] and held[7] and held.sum() == 298
    assert index.remove(np.array([5])) == 0


def test_removed_vectors_are_overwritten_in_a_graph():
    """A graph keeps its nodes; the numbers in them must go."""
    pytest.importorskip("faiss")
    index = filled("hnsw")
    assert index._codes()[5].any()
    index.remove(np.array([5]))
    assert not index._codes()[5].any()


@every
def test_adding_again_replaces(kind):
    index = filled(kind)
    new = vectors(1, seed=9)
    index.add(np.array([5]), new)
    assert len(index) == 300
    assert index.search(new[0], 1, None, 300)[0].tolist() == [5]
    assert index.holds(np.array([5]), new).all()


@every
def test_renumbering_follows_the_rows(kind):
    index, rows = filled(kind), vectors(300)
    new = np.full(300, -1)
    new[::3] = np.arange(100)
    index.renumber(new)
    assert len(index) == 100
    assert index.holds(np.arange(100), rows[::3]).all()
    ids, _ = index.search(rows[30], 1, None, 300)
    assert ids.tolist() == [10]


operations = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "renumber"]), st.lists(st.integers(0, 40))),
    max_size=8,
)


@every
@settings(max_examples=40, deadline=None)
@given(history=operations, mask=st.lists(st.booleans(), max_size=50), seed=st.integers(0, 99))
def test_any_history_leaves_what_a_dict_would_hold(kind, history, mask, seed):
    """Model: id -> vector. Nothing else is found, nothing that isn't allowed, the best first."""
    index, model = make_index(kind, WIDTH), {}
    index.add(np.arange(20), vectors(20, seed))
    model.update(enumerate(vectors(20, seed)))
    for step, (what, ids) in enumerate(history):
        ids = sorted(set(ids))
        if what == "add" and ids:
            rows = vectors(len(ids), seed + step + 1)
            index.add(np.array(ids), rows)
            model.update(zip(ids, rows, strict=True))
        elif what == "remove":
            index.remove(np.array(ids, dtype=np.int64))
            model = {i: row for i, row in model.items() if i not in ids}
        elif what == "renumber":
            new = np.full(41, -1)
            new[ids] = np.arange(len(ids))[::-1]
            index.renumber(new)
            model = {int(new[i]): row for i, row in model.items() if new[i] >= 0}
    assert len(index) == len(model)
    allowed = np.array(mask, dtype=bool)
    question = vectors(1, seed + 50)[0]
    ids, cosines = index.search(question, 60, allowed, 400)
    can = {i for i in model if i < len(mask) and mask[i]}
    assert set(ids.tolist()) <= can and len(set(ids.tolist())) == len(ids)
    assert all(a >= b for a, b in itertools.pairwise(cosines))
    for i, cosine in zip(ids.tolist(), cosines, strict=True):
        assert float(model[i] @ question) == pytest.approx(float(cosine), abs=2e-3)
    if kind == "flat":
        assert set(ids.tolist()) == can


def test_a_graph_finds_nearly_all_at_size():
    pytest.importorskip("faiss")
    rows, flat, graph = vectors(4_000, 3, 64), make_index("flat", 64), make_index("hnsw", 64)
    for index in (flat, graph):
        index.add(np.arange(4_000), rows)
    hit = 0
    for question in vectors(50, 4, 64):
        truth = set(flat.search(question, 10)[0].tolist())
        hit += len(truth & set(graph.search(question, 10, None, 400)[0].tolist()))
    assert hit >= 0.95 * 500


def test_wrong_kinds_and_missing_packages_are_named(monkeypatch):
    with pytest.raises(cx.ConfigError, match="annoy"):
        make_index("annoy", 8)
    monkeypatch.setattr("ctxlab.storage.indexes.find_spec", lambda name: None)
    with pytest.raises(cx.MissingExtra, match=r"ctxlab\[ann\]"):
        make_index("hnsw", 8)
    assert make_index("flat", 8).kind == "flat"

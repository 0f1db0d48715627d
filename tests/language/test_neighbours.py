"""Known clauses: how near they are, which don't count, what ships of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.errors import DataError
from ctxlab.language.disclosure import meanings
from ctxlab.language.neighbours import Neighbours, load_neighbours


def some(seed: int, rows: int = 40) -> tuple[np.ndarray, list[str]]:
    drawn = np.random.default_rng(seed).normal(size=(rows, 512)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn, [("told", "none")[i % 2] for i in range(rows)]


@given(st.integers(0, 1000))
def test_a_known_clause_is_its_own_nearest(seed: int) -> None:
    meaning, labels = some(seed)
    known = Neighbours.of(meaning, labels, ("told", "none"))
    near = known.likeness(meaning)
    nearest = {"told": near[:, 0], "none": near[:, 2]}
    for i, label in enumerate(labels):
        assert nearest[label][i] == pytest.approx(1, abs=0.02)
        # Apart from itself, nothing drawn at random is as near.
    without = known.likeness(meaning, np.eye(len(labels), dtype=bool))
    assert max(without[i, 0 if label == "told" else 2] for i, label in enumerate(labels)) < 0.9


def test_likeness_says_by_how_much_a_class_is_nearer_than_the_harmless_one() -> None:
    meaning, labels = some(3)
    near = Neighbours.of(meaning, labels, ("told", "none")).likeness(meaning[:4])
    assert near.shape == (4, 7)
    np.testing.assert_allclose(near[:, 4], near[:, 0] - near[:, 2], atol=1e-6)
    np.testing.assert_allclose(near[:, 6], near[:, 4:6].max(axis=1), atol=1e-6)


def test_what_is_saved_reads_back_the_same(tmp_path: Path) -> None:
    meaning, labels = some(5)
    known = Neighbours.of(meaning, labels, ("told", "none"))
    known.save(tmp_path / "known.npz")
    again = Neighbours.load(tmp_path / "known.npz")
    assert again.classes == known.classes
    np.testing.assert_allclose(again.likeness(meaning), known.likeness(meaning), atol=2e-2)
    (tmp_path / "broken.npz").write_bytes(b"no archive")
    with pytest.raises(DataError, match=r"broken\.npz"):
        Neighbours.load(tmp_path / "broken.npz")


def test_those_that_ship_know_a_practice_named_by_nothing() -> None:
    known = load_neighbours("neighbours")
    near = known.likeness(meanings(["we take neither food nor water till dusk", "parcel is late"]))
    special, none = (2 * known.classes.index(name) for name in ("special", "none"))
    assert near[0, special] > near[0, none]
    assert near[1, special] < near[1, none]

"""How the heads of `cx.label` are fitted: what each tells apart, and where it says yes."""

from __future__ import annotations

import numpy as np
import pytest

from ctxlab.language import corpus, fit
from ctxlab.language.heads import Head, load_head
from ctxlab.language.thresholds import beside_kind, best_threshold

ROWS = [
    {"kind": "emotion", "private": True, "actionable": True},
    {"kind": "fact", "private": True, "actionable": True, "lang": "en",
     "text": "Strictly between ourselves, the owner wants to sell, so don't press him on the "
     "renewal."},
    {"kind": "fact", "private": False, "actionable": True, "speaker": "agent"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("kind", ["emotion:threat", "fact:secret", "fact:agent"]),
        ("private", ["emotion", "secret", "fact"]),
        ("actionable", ["yes", "yes", "yes"]),
    ],
)
def test_what_a_head_tells_apart(name: str, classes: list[str]) -> None:
    assert [fit._class(name, row) for row in ROWS] == classes


def test_yes_is_exactly_what_is_labelled_private() -> None:
    rows, _ = corpus.split(corpus.load("statements"))
    assert all((fit._class("private", row) in fit.PRIVATE) == row["private"] for row in rows)
    assert tuple(load_head("private").extra["yes"]) == fit.PRIVATE
    told = {(row["lang"], row["text"]) for row in rows if row["private"]}
    assert set(corpus.confided().values()) | {"emotion"} == set(fit.PRIVATE)
    assert set(corpus.confided()) <= told


def test_a_threshold_minds_each_author_alike() -> None:
    # Of a hundred rows of the first author .3 is right, of ten of the second .7.
    truth = np.array([True, False] * 50 + [True, False] * 5)
    chances = np.where(truth, 0.95, 0.45).astype(np.float32)
    chances[:100] = np.where(truth[:100], 0.95, 0.2)
    folds = [([], list(range(100))), ([], list(range(100, 110)))]
    assert best_threshold(chances, truth, folds) > 0.45
    assert 0.2 < best_threshold(chances, truth, folds[:1]) < 0.95


def test_a_threshold_is_for_the_share_that_is_found_outside() -> None:
    # Half is true. Between .4 and .6 lie three of four true and one of three false: worth having
    # at this share, not where one in ten is true.
    truth = np.array([True] * 60 + [False] * 60)
    chances = np.array([0.9] * 15 + [0.5] * 45 + [0.5] * 20 + [0.1] * 40, np.float32)
    folds = [([], list(range(120)))]
    assert best_threshold(chances, truth, folds) <= 0.5
    assert best_threshold(chances, truth, folds, share=0.05) > 0.5
    # Any threshold between .1 and .5 does as well: the middle of them, or the lowest.
    middle, lowest = (best_threshold(chances, truth, folds, cautious=c) for c in (False, True))
    assert lowest < middle <= 0.5
    # What is sure needs no chance, so the threshold may rise above it.
    sure = np.arange(120) < 60
    assert best_threshold(chances, truth, folds, sure=sure) > 0.5


def test_feeling_and_doubt_are_private_whatever_the_chance() -> None:
    none = np.zeros(0, np.float32)
    head = Head(
        ("emotion", "event", "fact"), none, none, (), np.zeros((0, 4), np.float32),
        shift=np.zeros(4, np.float32), extra={"yes": ["emotion", "fact:secret"]},
        sorts=("emotion", "event", "fact", "fact:secret"),
    )  # fmt: skip
    unseen = np.array(
        [[0.6, 0.2, 0.1, 0.1], [0.1, 0.1, 0.4, 0.4], [0.26, 0.26, 0.24, 0.24]], np.float32
    )
    found = beside_kind(head, unseen)
    np.testing.assert_allclose(found.chances, [0.7, 0.5, 0.5], atol=1e-6)
    assert found.sure.tolist() == [True, False, False]
    assert beside_kind(head, unseen[:, [1, 0, 2, 3]]).sure.tolist() == [False, False, False]


def test_a_row_of_a_large_batch_counts_less() -> None:
    rows = [{"lang": "zh", "domain": "large"}] * 16 + [{"lang": "zh", "domain": "small"}] * 4
    shares = fit._shares(rows)
    assert shares.mean() == pytest.approx(1)
    assert shares[-1] == pytest.approx(2 * shares[0])
    # A row that counts nothing teaches nothing.
    dense = np.array([[-1.0], [1.0]] * 20, np.float32)
    labels = ["no", "yes"] * 20 + ["yes", "no"] * 20
    counts = np.repeat(np.array([1, 0], np.float32), 40)
    head = fit.fit_head(np.vstack([dense, dense]), labels, [], shares=counts).head
    assert head.logits(dense).argmax(axis=1).tolist() == [0, 1] * 20

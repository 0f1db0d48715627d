"""How the heads of `cx.label` are fitted: what each tells apart, and where it says yes."""

from __future__ import annotations

import numpy as np
import pytest

from ctxlab.language import corpus, fit
from ctxlab.language.heads import load_head

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
    assert fit._best_threshold(chances, truth, folds) > 0.45
    assert 0.2 < fit._best_threshold(chances, truth, folds[:1]) < 0.95

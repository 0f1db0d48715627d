"""Boosted trees as plain arrays."""

import numpy as np
import pytest

from ctxlab.errors import DataError
from ctxlab.language.bearing_fit import _TREES, _second
from ctxlab.language.forest import Forest
from ctxlab.language.heads import Grams
from ctxlab.language.weighing import Sight, second_input


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(7)
    numbers = rng.normal(size=(400, 6)).astype(np.float32)
    truth = ((numbers[:, 0] > 0) ^ (numbers[:, 1] > 0)).astype(int)  # no sum tells it
    sight = Sight(numbers, numbers[:, :2], numbers[:, :2], [Grams([])] * 400)
    margins = np.zeros(400, np.float32)
    forest = _second(margins, sight, truth, np.ones(400))
    return forest, second_input(margins, sight), truth


def test_it_says_what_scikit_learn_says(fitted):
    from sklearn.ensemble import HistGradientBoostingClassifier

    forest, rows, truth = fitted
    model = HistGradientBoostingClassifier(**_TREES, random_state=0).fit(rows, truth)
    np.testing.assert_allclose(forest.logits(rows), model.decision_function(rows), atol=1e-4)


def test_it_learns_what_acts_together(fitted):
    forest, rows, truth = fitted
    assert ((forest.yes(rows) > 0.5) == truth).mean() > 0.9


def test_it_comes_back_as_it_was_saved(fitted, tmp_path):
    forest, rows, _ = fitted
    forest.save(tmp_path / "trees.npz")
    again = Forest.load(tmp_path / "trees.npz")
    np.testing.assert_array_equal(again.yes(rows), forest.yes(rows))
    assert again.logits(rows[:0]).shape == (0,)


def test_what_is_no_forest_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"bearing_fit"):
        Forest.load(tmp_path / "none.npz")

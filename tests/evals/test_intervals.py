"""Wilson's interval against an outside truth and its own properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ctxlab.errors import DataError
from ctxlab.evals.intervals import wilson

counts = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_it_agrees_with_scipy(count, confidence):
    theirs = binomtest(*count).proportion_ci(confidence, method="wilson")
    assert wilson(*count, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(counts)
def test_it_holds_the_rate_and_stays_within_bounds(count):
    low, high = wilson(*count)
    assert 0 <= low <= count[0] / count[1] <= high <= 1
    assert low < high


def test_more_cases_narrow_it_and_none_say_nothing():
    narrow, wide = wilson(80, 100), wilson(8, 10)
    assert narrow[1] - narrow[0] < wide[1] - wide[0]
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("bad", [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(bad):
    with pytest.raises(DataError, match="from 0 to n"):
        wilson(*bad)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_a_percentage_is_refused(confidence):
    with pytest.raises(DataError, match=r"such as 0\.95"):
        wilson(1, 2, confidence)

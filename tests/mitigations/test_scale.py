"""Which index, and why."""

import pytest

from ctxlab.config import Index
from ctxlab.mitigations.scale import ScalePolicy


def policy(**settings):
    return ScalePolicy(Index(crossover=1_000, **settings), installed=True)


@pytest.mark.parametrize(("count", "kind"), [(0, "flat"), (999, "flat"), (1_000, "hnsw")])
def test_the_crossover_decides(count, kind):
    choice = policy()(count)
    assert choice.kind == kind and choice.exact == (kind == "flat")
    assert "1,000" in choice.reasons[0]


def test_off_is_exact_at_any_size():
    choice = ScalePolicy(Index(crossover=10), on=False, installed=True)(10**6)
    assert choice.exact and "mitigations.scale" in choice.reasons[0]


def test_without_faiss_search_is_exact_and_says_what_to_install():
    choice = ScalePolicy(Index(crossover=10), installed=False)(1_000)
    assert choice.exact and "ctxlab[ann]" in choice.reasons[0]


def test_few_readable_rows_are_scanned_and_others_looked_for_harder():
    assert policy()(10_000, readable=500).exact
    whole, half = policy()(10_000, 10_000), policy()(10_000, 5_000)
    assert half.effort == 2 * whole.effort


def test_the_kind_is_a_setting():
    assert policy(kind="ivf", effort=7)(5_000).kind == "ivf"
    assert policy(kind="ivf", effort=7)(5_000).effort == 7

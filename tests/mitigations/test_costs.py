"""The cost model: the known example, what it must never do, and times between measured sizes."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.mitigations.costs import CostModel, Price, Prices, Timing, Timings

LINE = Timings(
    tuple(
        Timing(kind, n, ms, 1.0, 0.0, 0)
        for kind, pairs in {
            "flat": ((1_000, 0.1), (10_000, 1.0), (100_000, 10.0)),
            "hnsw": ((1_000, 0.2), (10_000, 0.4), (100_000, 0.8)),
        }.items()
        for n, ms in pairs
    )
)


def model(**changes):
    return CostModel(**{"timings": LINE, **changes})


def test_the_known_example():
    """Ten thousand customers with fifty memories; 200 calls, 200 extractions, 600 embeddings."""
    report = model(customers=10_000, memories=50, calls=200)()
    assert (report.vectors, report.extractions, report.embeddings) == (500_000, 200, 600)
    assert report.fits("flat") and report.fits("ann")


def test_money_by_hand():
    prices = Prices(
        Price(1.0, "million tokens", "", ""),
        Price(10.0, "million tokens", "", ""),
        Price(0.5, "million tokens", "", ""),
        Price(3.0, "GB-month", "", ""),
    )
    report = model(
        customers=1, memories=1_000, calls=1_000, read_tokens=2_000, written_tokens=100,
        text_tokens=20, dimension=500, row_bytes=1_000, prices=prices,
    )()  # fmt: skip
    assert report.dollars["extraction"] == pytest.approx(2.0 + 1.0)
    assert report.dollars["embedding"] == pytest.approx(3_000 * 20 * 0.5e-6)
    assert report.storage_bytes == 1_000 * 2_000
    assert report.dollars["storage"] == pytest.approx(0.002 * 3 / (365.25 / 12))
    assert report.tokens == 2_000_000 + 100_000 + 60_000
    assert report.dollars_a_day == pytest.approx(sum(report.dollars.values()))


def test_local_prices_leave_the_disk():
    report = model(prices=Prices.local())()
    assert report.dollars["extraction"] == report.dollars["embedding"] == 0 < report.dollars_a_day


def test_every_default_price_says_when_and_where():
    for prices in (Prices(), Prices.local()):
        for entry in dataclasses.fields(prices):
            price = getattr(prices, entry.name)
            assert price.seen and price.source and price.unit


def test_times_between_and_beyond_measured_sizes():
    assert LINE.ms("flat", 1_000) == pytest.approx(0.1)
    assert LINE.ms("flat", 3_000) == pytest.approx(0.3)
    assert LINE.ms("flat", 1_000_000) == pytest.approx(100)
    assert LINE.ms("hnsw", 1_000_000) == pytest.approx(1.6)
    assert LINE.ms("flat", 10) == 0.1  # a call doesn't cost less than a call
    with pytest.raises(cx.ConfigError, match="ivf"):
        LINE.ms("ivf", 5)


def test_an_unscoped_search_pays_for_everybody():
    scoped, everybody = model(), model(scoped=False)
    assert everybody.searched == 500_000 and scoped.searched == 50
    assert everybody().ms("flat") > 10 * scoped().ms("flat")
    heavy = model(heaviest=200_000)
    assert heavy.searched == 200_000 and heavy().vectors == 9_999 * 50 + 200_000
    assert not model(heaviest=200_000, budget_ms=10.0)().fits("flat")
    assert model(heaviest=200_000, budget_ms=10.0)().fits("ann")


def test_the_sum_is_in_the_table():
    frame = model(heaviest=10_000)().to_frame()
    assert frame.loc["sum", "flat_ms"] == pytest.approx(frame["flat_ms"][:-1].sum())


@pytest.mark.parametrize(
    ("name", "value"), [("calls", -1), ("cached", 1.5), ("calls", float("nan"))]
)
def test_wrong_numbers_are_named(name, value):
    with pytest.raises(cx.ConfigError, match=name):
        model(**{name: value})


counts = st.integers(0, 10**6)


@given(customers=counts, memories=counts, calls=counts, cached=st.floats(0, 1))
def test_more_of_anything_never_costs_less(customers, memories, calls, cached):
    less = model(customers=customers, memories=memories, calls=calls, cached=cached)()
    more = model(customers=customers + 1, memories=memories + 1, calls=calls + 1, cached=cached)()
    for name in ("vectors", "storage_bytes", "extractions", "tokens", "dollars_a_day"):
        assert getattr(more, name) >= getattr(less, name) >= 0
    assert more.ms("flat") >= less.ms("flat")


def test_the_release_carries_its_measurement(tmp_path):
    timings = Timings.load()
    assert {"date", "processor", "numpy", "faiss-cpu"} <= set(timings.about)
    assert timings.ms("flat", 100_000) > timings.ms("flat", 1_000)
    bad = tmp_path / "t.json"
    for text in ("", "[]", json.dumps({"timings": [{"kind": 1}], "about": {}})):
        bad.write_text(text)
        with pytest.raises(cx.ConfigError, match="tune-index"):
            Timings.load(bad)

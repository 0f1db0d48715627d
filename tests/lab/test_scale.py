"""The scale explorer: what it claims, and that it is the cost model it says it is."""

import pytest

import ctxlab as cx
from ctxlab.mitigations.costs import CostModel, Timing, Timings

LANGS = ["en", "zh"]
MINE = Timings(
    tuple(
        Timing(kind, n, ms * n / 1_000, 1.0, 0.0, 0)
        for kind, ms in (("flat", 1.0), ("hnsw", 0.001))
        for n in (1_000, 100_000)
    )
)


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return cx.lab.ScaleExplorer(lang=request.param)


def test_compute_is_pure(explorer):
    before = dict(explorer.settings)
    assert explorer.compute() == explorer.compute()
    assert explorer.settings == before


def test_the_known_example(explorer):
    data = explorer.compute(customers=10_000, memories=50, calls=200)
    assert (data.report.extractions, data.report.embeddings) == (200, 600)
    text = explorer.readout(data)
    assert "200" in text and "600" in text


def test_its_numbers_are_the_cost_models(explorer):
    data = explorer.compute(customers=1_000, memories=100, heaviest=30_000, calls=1_000)
    plain = CostModel(
        customers=1_000, memories=100, heaviest=30_000, calls=1_000, timings=explorer.timings
    )()
    assert data.report == plain


def test_broken_is_over_budget_and_fixed_fits(explorer):
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert not broken.fits and fixed.fits
    assert broken.index == "flat" and fixed.index == "ann"
    assert broken.report.vectors == fixed.report.vectors
    assert explorer.readout(broken) != explorer.readout(fixed)


def test_the_crossover_is_the_policys(explorer):
    for heaviest, crossover in ((10_000, 20_000), (30_000, 20_000), (30_000, 50_000)):
        data = explorer.compute(heaviest=heaviest, crossover=crossover)
        assert data.index == ("ann" if heaviest >= crossover else "flat")
    assert explorer.compute(heaviest=1_000_000, index="exact").index == "flat"


def test_prices_of_ones_own_machine_are_none_but_the_disk(explorer):
    data = explorer.compute(prices="own")
    assert {name for name, dollars in data.report.dollars.items() if dollars} == {"storage"}


def test_users_own_timings(tmp_path):
    explorer = cx.lab.ScaleExplorer(MINE, lang="en")
    assert explorer.compute(heaviest=30_000, index="exact").search_ms == pytest.approx(30)
    bad = tmp_path / "t.json"
    bad.write_text("{}")
    with pytest.raises(cx.ConfigError, match="tune-index"):
        cx.lab.ScaleExplorer(bad)


def test_moving_a_control_changes_figure_words_and_config(explorer):
    view = explorer.view
    before = (view.image.value, view.text)
    view.controls["heaviest"].value = 1_000_000
    assert all(a != b for a, b in zip(before, (view.image.value, view.text), strict=True))
    view.controls["crossover"].value = 5_000
    assert explorer.config.index.crossover == 5_000
    view.controls["index"].value = "exact"
    assert not explorer.config.mitigations.scale
    view.buttons["reset"].click()
    assert explorer.settings == explorer.defaults
    assert explorer.config.index.crossover == cx.Config().index.crossover


def test_every_control_has_a_description_and_its_default(explorer):
    for control in explorer.controls:
        assert all(control.words) and control.default in control.values


@pytest.mark.parametrize("lang", LANGS)
def test_the_opening_picture_says_what_it_shows(lang):
    picture = cx.lab.pictures.scale(lang)
    assert picture.png(1).startswith(b"\x89PNG")
    assert any("\u4e00" <= ch <= "\u9fff" for ch in picture.text) == (lang == "zh")

"""The picture of a sweep: every run a point, its interval, and the base behind."""

from __future__ import annotations

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab import evals
from ctxlab.lab import style


def suite(config):
    k = config.semantic.k
    if k == 4:
        raise ValueError("four")
    return pd.DataFrame(
        {"passed": [True, k > 2, k > 5], "tokens": [k, 2 * k, config.budget.window]}
    )


FACTORS = {"semantic.k": [1, 4, 8], "semantic.min_score": [None, 0.4]}


def points(axes):
    return [tuple(line.get_ydata()) for line in axes.lines if line.get_marker() == "o"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_setting_is_a_panel_and_each_run_a_point(lang):
    table = evals.sweep(None, FACTORS, suite)
    drawn = cx.lab.sweep_figure(table, lang=lang)
    assert [axes.get_title("left") for axes in drawn.axes] == list(FACTORS)
    rates = evals.sweep_rates(table)
    shown = rates.loc[rates["factor"] == "semantic.k", "mean"]
    (drawn_points,) = points(drawn.axes[0])
    assert pd.Series(drawn_points).tolist()[0] == shown.iloc[0] == pytest.approx(1 / 3)
    assert pd.isna(drawn_points[1])  # the run that failed has no point
    ticks = [label.get_text() for label in drawn.axes[1].get_xticklabels()]
    assert ticks == [{"en": "not set", "zh": "未设"}[lang], "0.4"]
    assert len(style.to_png(drawn)) > 5_000


def test_numbers_have_their_own_axis():
    drawn = cx.lab.sweep_figure(evals.sweep(None, FACTORS, suite), "tokens")
    assert drawn.axes[0].get_ylim()[1] > 1_000
    assert "mean of tokens" in drawn.axes[0].get_ylabel()


def test_a_grid_has_a_line_for_each_combination_of_the_rest():
    with pytest.warns(evals.SweepWarning):
        table = evals.sweep(
            None, {"semantic.k": [1, 3, 8], "budget.window": [4000, 9000]}, suite, grid=True
        )
    drawn = cx.lab.sweep_figure(table)
    assert len(drawn.axes) == 1 and len(points(drawn.axes[0])) == 2
    labels = [text.get_text() for text in drawn.axes[0].get_legend().get_texts()]
    assert labels[1:] == ["4,000", "9,000"] or labels[:2] == ["4,000", "9,000"]


def test_without_a_setting_or_a_column_there_is_nothing_to_draw():
    with pytest.raises(cx.DataError, match="nothing was swept"):
        cx.lab.sweep_figure(evals.sweep(None, {}, suite))
    with pytest.raises(cx.DataError, match="no column"):
        cx.lab.sweep_figure(evals.sweep(None, {"semantic.k": [1]}, suite), "nothing")

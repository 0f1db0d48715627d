"""Pictures of suites and failures show what the tables say (R95, R111)."""

from __future__ import annotations

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.systems import FullHistory, NoMemory, RollingWindow
from ctxlab.lab.results import failure_figure, suite_figure
from ctxlab.lab.style import to_png

SYSTEMS = [NoMemory(), FullHistory(), RollingWindow()]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_suite_has_a_panel_each_and_every_system_its_point(lang):
    frame = pd.concat([evals.run_suite(SYSTEMS, name, lang) for name in ("simple", "medium")])
    drawn = suite_figure(frame, lang)
    assert len(drawn.axes) == 3
    points = drawn.axes[1].containers[0].lines[0].get_xdata()
    wanted = evals.summarise(frame, ("suite", "system"))
    assert list(points) == list(wanted[wanted["suite"] == "medium"]["passed"])
    assert [t.get_text() for t in drawn.axes[0].get_yticklabels()] == [s.name for s in SYSTEMS]
    assert to_png(drawn)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_failures_are_a_grid_with_rates_and_intervals(lang):
    table = evals.failure_bench(SYSTEMS, ["duplicates", "orphan tools"], lang)
    drawn = failure_figure(table, lang)
    (axes,) = drawn.axes
    assert len(axes.patches) == len(table)
    texts = [text.get_text() for text in axes.texts]
    assert texts[::2] == [f"{rate:.0%}" for rate in table["rate"]]
    hatched = [patch.get_hatch() is not None for patch in axes.patches]
    assert hatched == [kept < 0.5 for kept in table["kept"]]
    assert to_png(drawn)


@pytest.mark.parametrize("draw", [suite_figure, failure_figure])
def test_nothing_to_draw_is_said(draw):
    with pytest.raises(cx.DataError, match="first"):
        draw(pd.DataFrame())


def test_a_figure_shows_itself_in_words_too():
    table = evals.failure_bench(SYSTEMS[:2], ["duplicates"], "en")
    shown = failure_figure(table)._repr_mimebundle_()
    said = [f"{row.failure}, {row.system}: {row.rate:.0%}" for row in table.itertuples()]
    assert shown["text/plain"] == "; ".join(said)
    assert f'alt="{"; ".join(said)}"' in shown["text/html"] and shown["image/png"]

"""The picture of a sweep: each setting a panel, each value a point with its interval (R114)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..evals.sweeprates import sweep_rates
from .style import colour, figure, shorten, use

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["sweep_figure"]

_HUES = ("recent", "profile", "summary", "past", "tools", "system")
_WORDS = {
    "en": ("not set", "as it was", "share of checks passed", "mean of {}", "95 % interval"),
    "zh": ("未设", "原设置", "通过的检查所占比例", "{} 的平均值", "95% 区间"),
}


def sweep_figure(table: pd.DataFrame, value: str = "passed", lang: str = "en") -> Figure:
    """Draw what each setting does to a column of a sweep.

    Parameters
    ----------
    table : DataFrame
        As ``evals.sweep`` returns it. One setting at a time: a panel for each, with the base as a
        band behind. A grid: one panel over the first setting, a line for each combination of the
        rest.
    value : str
        Column to average; a run without a result has no point.
    lang : str
        ``"zh"`` or ``"en"``.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    DataError
        Nothing was swept, or there is no such column.

    Examples
    --------
    >>> import pandas as pd
    >>> from ctxlab import evals
    >>> def suite(config):
    ...     return pd.DataFrame({"passed": [True, config.semantic.k > 4]})
    >>> drawn = sweep_figure(evals.sweep(None, {"semantic.k": [3, 5, 8]}, suite))
    >>> [axes.get_title("left") for axes in drawn.axes]
    ['semantic.k']
    """
    rates = sweep_rates(table, value)
    settings = list(rates.columns[2 : rates.columns.get_loc("n")])
    base = rates[rates["factor"] == "base"].iloc[0]
    grid = (rates["factor"] == "grid").any()
    shown = settings[:1] if grid else settings
    if not shown:
        raise DataError("nothing was swept: give evals.sweep at least one setting")
    with use():
        drawn = figure(max(3.4, 2.9 * len(shown)), 2.9)
        panels: Any = drawn.subplots(1, len(shown), sharey=True, squeeze=False)[0]
        for axes, setting in zip(panels, shown, strict=True):
            part = rates[rates["factor"] == ("grid" if grid else setting)]
            rest = [name for name in settings if name != setting] if grid else []
            _panel(axes, part, setting, rest, base, lang)
        yes_no = str(table[value].dtype) == "bool" or set(table[value].dropna()) <= {True, False}
        words = _WORDS[lang]
        what = words[2] if value == "passed" else words[3].format(value)
        panels[0].set_ylabel(f"{what} ({words[4]})")
        if yes_no:
            panels[0].set_ylim(-0.02, 1.02)
    drawn.told = f"{value}, " + "; ".join(
        f"{row['factor']} {_named(row.get(row['factor']), words[0])}: {row['mean']:.3g}"
        for row in rates.to_dict("records")
    )
    return drawn


def _panel(
    axes: Axes, part: pd.DataFrame, setting: str, rest: list[str], base: pd.Series[Any], lang: str
) -> None:
    """Draw one setting's points in the order in which its values were given."""
    words = _WORDS[lang]
    names = [_named(value, words[0]) for value in part[setting]]
    place = {name: i for i, name in enumerate(dict.fromkeys(names))}
    axes.axhspan(base["low"], base["high"], color="#F1F5F9", zorder=0)
    axes.axhline(base["mean"], color="#94A3B8", ls=":", lw=1.4, label=words[1])
    groups = part.groupby(rest, sort=False, dropna=False) if rest else [((), part)]
    for n, (key, rows) in enumerate(groups):
        here = [name for name, index in zip(names, part.index, strict=True) if index in rows.index]
        shift = 0.09 * (n - (len(list(groups)) - 1) / 2) if rest else 0.0
        x = [place[name] + shift for name in here]
        label = ", ".join(_named(one, words[0]) for one in key) if rest else None
        gaps = [rows["mean"] - rows["low"], rows["high"] - rows["mean"]]
        axes.errorbar(
            x, rows["mean"], yerr=[gap.clip(lower=0) for gap in gaps], fmt="o-", ms=4.5, lw=1.4,
            capsize=3, color=colour(_HUES[n % len(_HUES)]), label=label,
        )  # fmt: skip
    axes.set_xticks(list(place.values()), [shorten(name, 10) for name in place])
    axes.set_title(setting)
    axes.grid(True, axis="y")
    axes.margins(x=0.12)
    axes.legend(title=", ".join(rest) or None, loc="best")


def _named(value: Any, nothing: str) -> str:
    if value is None or value != value:
        return nothing
    if isinstance(value, float) and value.is_integer() and abs(value) >= 1:
        value = int(value)  # a column with a gap holds whole numbers as floats
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)

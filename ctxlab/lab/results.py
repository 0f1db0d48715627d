"""The pictures of suites and of the failure bench: shares with their intervals (R95, R111)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..evals.suites import summarise
from .style import INK, MUTED, colour, figure, use

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["failure_figure", "suite_figure"]

_WORDS = {
    "en": {
        "passed": "share of checks passed, 95 % interval",
        "tokens": "tokens a context, mean",
        "rate": "share of cases that went wrong, with its interval",
        "suites": ("simple", "medium", "hard", "endurance"),
        "kept": "hatched: the answer wasn't there in half the cases or more",
    },
    "zh": {
        "passed": "通过的检查所占比例，95% 区间",
        "tokens": "每次上下文的平均 token 数",
        "rate": "出错的比例及其区间",
        "suites": ("简单", "中等", "困难", "耐久"),
        "kept": "斜线：半数以上的情形里答案不在场",
    },
}
_FAILURES_ZH = {
    "contamination": "情绪污染",
    "privacy": "隐私",
    "erasure": "删除不净",
    "cross-agent": "跨角色泄露",
    "cross-user": "串客户",
    "stale facts": "过时事实",
    "irrelevant past": "无关历史",
    "scale": "规模",
    "duplicates": "重复",
    "overflow": "溢出",
    "orphan tools": "工具调用被拆散",
    "stale tools": "过期的工具结果",
    "summary loss": "摘要丢失",
    "boundary forgery": "伪造边界",
    "pollution": "上下文污染",
}


def suite_figure(frame: pd.DataFrame, lang: str = "en") -> Figure:
    """Draw what share of checks each system passed, suite by suite, and what it cost.

    Parameters
    ----------
    frame : pandas.DataFrame
        What ``evals.run_suite`` returned, or several of them one below the other.
    lang : str
        ``"zh"`` or ``"en"``.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each suite, one point with its interval a system; the last panel holds mean
        tokens.

    Raises
    ------
    DataError
        The frame is empty.

    Examples
    --------
    >>> from ctxlab import evals
    >>> from ctxlab.evals.systems import FullHistory, NoMemory
    >>> frame = evals.run_suite([NoMemory(), FullHistory()], "simple", "en", users=["U001"])
    >>> [axes.get_title("left") for axes in suite_figure(frame).axes][:1]
    ['simple']
    """
    if frame.empty:
        raise DataError("the frame is empty: run a suite first")
    words: Any = _WORDS[lang]
    table = summarise(frame, ("suite", "system"))
    names = list(dict.fromkeys(table["system"]))
    known = ("simple", "medium", "hard", "endurance")
    suites = [name for name in known if name in set(table["suite"])]
    suites += [name for name in dict.fromkeys(table["suite"]) if name not in known]
    with use():
        drawn = figure(2.2 + 2.1 * (len(suites) + 1), 0.9 + 0.34 * len(names))
        panels: Any = drawn.subplots(1, len(suites) + 1, sharey=True, squeeze=False)[0]
        for axes, suite in zip(panels[:-1], suites, strict=True):
            part = table[table["suite"] == suite].set_index("system").reindex(names)
            _dots(axes, part, names)
            at = known.index(suite) if suite in known else -1
            axes.set_title(words["suites"][at] if at >= 0 else suite)
        panels[0].set_yticks(range(len(names)), names)
        panels[0].invert_yaxis()
        panels[0].set_xlabel(words["passed"])
        spent = table.groupby("system", sort=False)["tokens"].mean().reindex(names)
        panels[-1].barh(range(len(names)), spent, color=colour("tools"), height=0.55)
        panels[-1].set_title(words["tokens"])
        panels[-1].xaxis.set_major_formatter("{x:,.0f}")
    rows = table.to_dict("records")
    drawn.told = "; ".join(f"{r['suite']}, {r['system']}: {r['passed']:.0%}" for r in rows)
    return drawn


def _dots(axes: Axes, part: pd.DataFrame, names: list[str]) -> None:
    gaps = [part["passed"] - part["low"], part["high"] - part["passed"]]
    axes.errorbar(
        part["passed"], range(len(names)), xerr=[gap.clip(lower=0) for gap in gaps],
        fmt="o", ms=5, lw=1.6, capsize=3, color=colour("recent"),
    )  # fmt: skip
    axes.set_xlim(-0.04, 1.04)
    axes.set_xticks([0, 0.5, 1])
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    axes.grid(True, axis="x")


def failure_figure(table: pd.DataFrame, lang: str = "en") -> Figure:
    """Draw how often each system fails in each way: a grid of shares, each with its interval.

    Parameters
    ----------
    table : pandas.DataFrame
        What ``evals.failure_bench`` returned.
    lang : str
        ``"zh"`` or ``"en"``.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    DataError
        The table is empty.

    Examples
    --------
    >>> from ctxlab import evals
    >>> from ctxlab.evals.systems import FullHistory, NoMemory
    >>> table = evals.failure_bench([NoMemory(), FullHistory()], ["duplicates"], "en")
    >>> drawn = failure_figure(table)
    >>> [text.get_text() for text in drawn.axes[0].texts][2]
    '100%'
    """
    if table.empty:
        raise DataError("the table is empty: run the failure bench first")
    words: Any = _WORDS[lang]
    systems, failures = (list(dict.fromkeys(table[key])) for key in ("system", "failure"))
    with use():
        drawn = figure(2.0 + 1.15 * len(systems), 1.3 + 0.36 * len(failures))
        axes = drawn.add_subplot()
        axes.set_xlim(-0.5, len(systems) - 0.5)
        axes.set_ylim(len(failures) - 0.5, -0.5)
        for row in table.to_dict("records"):
            _cell(axes, systems.index(row["system"]), failures.index(row["failure"]), row)
        shown = [_FAILURES_ZH.get(name, name) if lang == "zh" else name for name in failures]
        axes.set_yticks(range(len(failures)), shown)
        axes.set_xticks(range(len(systems)), [name.replace(" ", "\n", 1) for name in systems])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.set_xlabel(f"{words['rate']}\n{words['kept']}")
    rows = table.to_dict("records")
    drawn.told = "; ".join(f"{r['failure']}, {r['system']}: {r['rate']:.0%}" for r in rows)
    return drawn


def _cell(axes: Axes, x: int, y: int, row: Any) -> None:
    from matplotlib.patches import Rectangle

    rate = row["rate"]
    forgot = row["kept"] < 0.5  # NaN where nothing was needed
    axes.add_patch(
        Rectangle(
            (x - 0.48, y - 0.46),
            0.96,
            0.92,
            facecolor=colour("dropped"),
            alpha=0.06 + 0.74 * rate,
            hatch="////" if forgot else None,
            edgecolor=MUTED if forgot else "none",
            lw=0,
        )
    )
    look: Any = {"ha": "center", "va": "center", "color": INK}
    if forgot:  # under small print a hatch is noise
        look["bbox"] = {"boxstyle": "round,pad=0.15", "fc": "#FFFFFF", "ec": "none", "alpha": 0.75}
    axes.text(x, y - 0.1, f"{rate:.0%}", fontsize=8.5, **look)
    axes.text(x, y + 0.24, f"{row['low']:.0%}–{row['high']:.0%}", fontsize=6.5, **look)

"""How the replay explorer looks: two ledgers, two sessions, two contexts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..context.budget import LAYERS
from ..evals.sidebyside import Part, mark
from . import style
from .wording import clip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .replay import ReplayData

__all__ = ["draw"]

_LOOKS = {"A": "profile", "B": "recent"}


def draw(data: ReplayData, size: tuple[float, float], zh: bool) -> Figure:
    """Return the figure, in Chinese or in English."""
    figure, (ledger, session, diff) = style.panels(size, (1.0, 1.7, 0.75), (0.5, 0.62), 0.62)
    _ledger(ledger, data, zh)
    _session(session, data, zh)
    _diff(diff, data, zh)
    return figure


def _ledger(axes: Axes, data: ReplayData, zh: bool) -> None:
    most = max(side.limit for side in data.sides.values())
    for row, side in enumerate(data.sides.values()):
        at = 0
        for layer, tokens in side.used[data.at].items():
            fill = style.colour(layer)
            axes.barh(row, tokens, left=at, height=0.74, color=fill, edgecolor="white", lw=0.6)
            if tokens > most * 0.07:
                where = (at + tokens / 2, row)
                look: dict[str, Any] = {
                    "ha": "center",
                    "va": "center",
                    "size": 8,
                    "color": style.ink(fill),
                }
                axes.text(*where, f"{tokens:,}", **look)
            at += tokens
        axes.plot([side.limit] * 2, [row - 0.46, row + 0.46], color=style.INK, lw=1.4)
    axes.set(xlim=(0, most * 1.02), ylim=(1.5, -0.5), yticks=(0, 1))
    axes.set_yticklabels(["A", "B"], size=10, weight="bold")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    style.tokens_axis(axes.xaxis)
    said = clip(data.said[data.at], 3.2, 9)
    axes.set_title(f"请求 {data.at}：{said}" if zh else f"request {data.at}: {said}", pad=4)


def _session(axes: Axes, data: ReplayData, zh: bool) -> None:
    count = len(data.said)
    sizes = [side.total(i) for side in data.sides.values() for i in range(count)]
    peak = max(*sizes, *data.full)
    whole = "全部追加" if zh else "append all"
    axes.plot(data.full, color=style.COLOURS["dropped"], ls=":", lw=1.6, label=whole)
    for name, side in data.sides.items():
        line = [float("nan") if side.errors[i] else side.total(i) for i in range(count)]
        hue = style.colour(_LOOKS[name])
        axes.plot(line, color=hue, lw=1.8, drawstyle="steps-mid", label=name)
        lost = [i for i in range(count) if data.lost(name, i)]
        height = peak * (1.16 if name == "A" else 1.06)
        axes.plot(lost, [height] * len(lost), "|", color=hue, ms=5, mew=1.6)
    axes.axvline(data.at, color=style.INK, lw=1.2)
    axes.set(ylim=(0, peak * 1.24), xlim=(-0.5, count - 0.5))
    axes.set_ylabel("词元" if zh else "tokens")
    style.tokens_axis(axes.yaxis, 3)
    note = "（短线：有号码看不到）" if zh else "(ticks: a number is out of sight)"
    axes.set_xlabel(("请求" if zh else "request ") + note, labelpad=1)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 0.95), ncols=4, handlelength=1.4)


def _diff(axes: Axes, data: ReplayData, zh: bool) -> None:
    """Draw a column per aligned part: where one side has nothing, the other stands alone."""
    pairs = data.pairs
    for row in range(2):
        present = [i for i, pair in enumerate(pairs) if pair[row] is not None]
        for strength, same in ((0.4, True), (1.0, False)):
            chosen = [i for i in present if (mark(pairs[i]) == "both") == same]
            fills = [style.colour(_part(pairs[i][row]).layer) for i in chosen]
            _columns(axes, chosen, fills, 1.08 - row, strength)
    axes.set(xlim=(-0.5, max(len(pairs), 24) - 0.5), ylim=(0, 2), yticks=(1.5, 0.5))
    axes.set_yticklabels(["A", "B"], size=10, weight="bold")
    axes.tick_params(axis="both", length=0, labelbottom=False)
    axes.spines["left"].set_visible(False)
    axes.set_title(
        "差异：浅色两边都有，深色只有一边" if zh else "diff: pale parts are in both, strong in one",
        pad=4,
    )
    # The bars on top have parts that the lists haven't: tool definitions go beside the messages.
    shown = {part.layer for pair in pairs for part in pair if part is not None}
    shown |= {layer for side in data.sides.values() for layer, n in side.used[data.at].items() if n}
    layers = [layer for layer in LAYERS if layer in shown]
    below: dict[str, Any] = {
        "loc": "upper left",
        "bbox_to_anchor": (-0.01, 0.0),
        "ncols": 6,
        "fontsize": 7.5,
    }
    style.legend(axes, layers, "zh" if zh else "en", **below)


def _part(part: Part | None) -> Part:
    assert part is not None
    return part


def _columns(axes: Axes, xs: list[int], fills: list[str], bottom: float, alpha: float) -> None:
    """Draw columns of equal height at places that may have gaps, as one artist."""
    from matplotlib.collections import PolyCollection

    corners = [
        [
            (x - 0.43, bottom),
            (x + 0.43, bottom),
            (x + 0.43, bottom + 0.84),
            (x - 0.43, bottom + 0.84),
        ]
        for x in xs
    ]
    axes.add_collection(PolyCollection(corners, facecolors=fills, lw=0, alpha=alpha))

"""The opening picture of scale and cost: many small shelves, and one that is heavy."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from . import style
from .canvas import Picture, arrow, box, pick, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scale"]

# A walk over the graph drawn on the right: nodes, and the way taken.
_NODES = (
    (11.2, 3.4), (12.2, 4.3), (12.4, 2.7), (13.5, 3.7), (13.3, 1.7), (14.5, 2.8), (14.7, 4.4),
    (15.6, 1.9), (15.8, 3.6), (16.6, 2.8), (11.5, 1.6), (16.4, 4.5),
)  # fmt: skip
_LINKS = (
    (0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (3, 6), (4, 5), (5, 7), (5, 8), (6, 8), (7, 9),
    (8, 9), (4, 10), (2, 10), (6, 11), (8, 11),
)  # fmt: skip
_WAY = (0, 2, 3, 5, 8, 9)


def scale(lang: str | None = None) -> Picture:
    """Draw everybody in one heap, one shelf a customer, and a graph for the heavy one."""
    said, zh = pick(lang)
    titles = (
        ("全部堆在一起", "一人一格", "大户：顺着邻居走")
        if zh
        else ("all in one heap", "one shelf each", "the heavy one: walk")
    )
    with style.use():
        made, axes = stage(3.0, 17.4, 6.2)
        for x, title in zip((0.1, 5.6, 11.0), titles, strict=True):
            axes.text(x, 5.75, title, weight="bold")
        _heap(axes)
        _shelves(axes)
        _graph(axes)
        notes = (
            ("每次都要全部看一遍", "只看自己的几十条", "只看沿途的几百条")
            if zh
            else ("every search looks at all", "looks at fifty", "looks at some hundreds")
        )
        hues = ("dropped", "summary", "summary")
        for x, note, hue in zip((0.1, 5.6, 11.0), notes, hues, strict=True):
            axes.text(x, 0.35, note, size=8.5, color=style.COLOURS[hue])
    text = (
        "左：所有客户的向量堆在一起，每次检索都要全看；中：一个客户一格，只看自己的几十条；"
        "右：记忆极多的客户用图索引，沿邻居走向答案。"
        if said
        else "Left: everybody's vectors in one heap, all looked at by each search. Middle: one "
        "shelf a customer, fifty looked at. Right: the heavy customer's graph, walked from "
        "neighbour to neighbour."
    )
    return Picture(made, text)


def _heap(axes: Axes) -> None:
    for row in range(8):
        for column in range(9):
            fill = style.colour("dropped")
            box(axes, 0.1 + column * 0.49, 1.15 + row * 0.54, 0.4, 0.42, fill)


def _shelves(axes: Axes) -> None:
    for row in range(4):
        for column in range(3):
            mine = (row, column) == (2, 1)
            x, y = 5.6 + column * 1.55, 1.15 + row * 1.08
            edge = style.INK if mine else style.COLOURS["reserve"]
            box(axes, x, y, 1.4, 0.9, "none", lw=1.6, edgecolor=edge)
            for i in range(6):
                fill = style.colour("summary" if mine else "reserve")
                box(axes, x + 0.1 + i % 3 * 0.42, y + 0.1 + i // 3 * 0.38, 0.34, 0.3, fill)


def _graph(axes: Axes) -> None:
    for a, b in _LINKS:
        (x0, y0), (x1, y1) = _NODES[a], _NODES[b]
        axes.plot((x0, x1), (y0, y1), color=style.COLOURS["reserve"], lw=1.6, zorder=1)
    for a, b in itertools.pairwise(_WAY):
        arrow(axes, _NODES[a], _NODES[b], color=style.COLOURS["summary"], lw=2, shrinkB=6)
    for i, (x, y) in enumerate(_NODES):
        hue = style.COLOURS["summary" if i in _WAY else "reserve"]
        axes.plot(x, y, "o", ms=11, color=hue, mec="white", zorder=3)
    x, y = _NODES[_WAY[-1]]
    axes.plot(x, y, "o", ms=17, mfc="none", mec=style.INK, mew=1.8, zorder=4)

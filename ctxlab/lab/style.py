"""One visual language for every figure of the laboratory.

A layer has one colour everywhere, so that a reader who has met blue as "recent dialogue" never
has to look it up again. The hues are Okabe and Ito's, which stay apart for colour-blind readers;
vermilion is kept for one meaning only: lost or broken.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from .raster import Shown

__all__ = [
    "COLOURS",
    "behind",
    "breadth",
    "cjk_font",
    "colour",
    "columns",
    "figure",
    "ink",
    "label",
    "legend",
    "note",
    "panels",
    "shorten",
    "to_png",
    "tokens_axis",
    "use",
]

COLOURS = {
    "system": "#33415C",
    "profile": "#E69F00",
    "past": "#CC79A7",
    "summary": "#009E73",
    "state": "#F0E442",
    "recent": "#0072B2",
    "tools": "#56B4E9",
    "reserve": "#DDE2E9",
    "dropped": "#D55E00",
}
# A budget section or a ledger layer that shares the colour of its neighbour in meaning.
_SAME = {"tool_definitions": "tools", "conclusion": "past", "memory": "summary"}

_LABELS = {
    "system": ("system prompt", "系统提示"),
    "tool_definitions": ("tools", "工具"),
    "tools": ("tools, retrieval", "工具与检索"),
    "profile": ("profile", "客户画像"),
    "past": ("relevant past", "相关历史"),
    "conclusion": ("last session", "上次结论"),
    "memory": ("memory, summary", "记忆与摘要"),
    "summary": ("summary", "会话摘要"),
    "state": ("task state", "任务状态"),
    "recent": ("recent dialogue", "近期对话"),
    "reserve": ("reserve", "预留"),
    "dropped": ("gone", "已丢失"),
    "free": ("free", "空闲"),
}
# Sans-serif faces with Chinese glyphs, as Linux, macOS and Windows ship them.
_CJK = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Noto Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Noto Sans CJK JP",  # the only face of the collection that older matplotlib can see
    "Arial Unicode MS",
)
INK, MUTED, HAIR = "#1F2937", "#64748B", "#E2E8F0"


@cache
def cjk_font() -> str | None:
    """Name an installed font with Chinese glyphs, or None."""
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in _CJK if name in installed), None)


def colour(layer: str) -> str:
    """Return the colour of a layer, section or ``"dropped"``.

    Examples
    --------
    >>> colour("conclusion") == colour("past")
    True
    """
    return COLOURS[_SAME.get(layer, layer)]


def ink(background: str) -> str:
    """Return the text colour that reads best on `background` (``"#rrggbb"``)."""
    red, green, blue = (int(background[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#FFFFFF"


def label(layer: str, lang: str = "en") -> str:
    """Return what a layer or section is called in figures."""
    return _LABELS[layer][lang == "zh"]


def _settings() -> Any:
    # The Chinese face comes first because its Latin letters match; DejaVu fills any gap.
    families = [name for name in (cjk_font(), "DejaVu Sans") if name]
    return {
        "font.family": families,
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlecolor": INK,
        "axes.labelcolor": MUTED,
        "axes.labelsize": 8.5,
        "axes.edgecolor": "#CBD5E1",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "grid.color": HAIR,
        "grid.linewidth": 0.8,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.frameon": False,
        "legend.fontsize": 8,
        "text.color": INK,
        "hatch.linewidth": 0.7,
        # Letters as wide as their face says: hinting rounds each to a pixel, so that a text would
        # have another length at each resolution, and a box measured for it wouldn't fit.
        "text.hinting": "no_hinting",
        "figure.facecolor": "#FFFFFF",
    }


@contextmanager
def use() -> Iterator[None]:
    """Apply the style inside a ``with`` block; the caller's own settings stay untouched."""
    import matplotlib as mpl

    with mpl.rc_context(_settings()):
        yield


def figure(width: float = 6.0, height: float = 3.6) -> Shown:
    """Return an empty figure of fixed size in inches, laid out by constraints.

    It isn't known to pyplot, so no front end shows it twice and nothing has to be closed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from .raster import Shown

    made = Shown(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def panels(
    size: tuple[float, float], heights: Sequence[float], gaps: Sequence[float], left: float = 0.56
) -> tuple[Figure, list[Axes]]:
    """Return a figure with axes above one another, at places that no content can move.

    Constrained layout makes room for what is drawn, so axes would jump whenever a tick label
    gains a digit, and it takes a third of the drawing time. An explorer redraws at every step of
    a slider, so its axes stand still.

    Parameters
    ----------
    size : tuple of float
        Width and height in inches.
    heights : sequence of float
        Relative heights, the first on top.
    gaps : sequence of float
        Inches between one and the next.
    left : float
        Room for labels on the left, in inches.
    """
    made = figure(*size)
    made.set_layout_engine("none")
    width, height = size
    top, bottom, right = 0.28, 0.44, 0.16
    unit = (height - top - bottom - sum(gaps)) / sum(heights)
    placed, y = [], height - top
    for part, gap in zip(heights, (*gaps, 0.0), strict=True):
        y -= part * unit
        place = (left / width, y / height, (width - left - right) / width, part * unit / height)
        placed.append(made.add_axes(place))
        y -= gap
    return made, placed


def breadth(text: str) -> int:
    """Return a text's width in Latin letters, of which a Chinese one takes two.

    Examples
    --------
    >>> breadth("heater"), breadth("取暖器")
    (6, 6)
    """
    return sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)


def shorten(text: str, width: int) -> str:
    """Cut a text to a width in Latin letters, of which a Chinese one takes two.

    Examples
    --------
    >>> shorten("a heater", 5), shorten("取暖器", 5)
    ('a hea…', '取暖…')
    """
    room = width
    for i, letter in enumerate(text):
        room -= breadth(letter)
        if room < 0:
            return text[:i] + "…"
    return text


def note(
    axes: Axes, text: str, at: tuple[float, float], away: tuple[float, float], **look: Any
) -> None:
    """Write beside a line or a dot, `away` points from the place, so that neither strikes it."""
    shown = {"va": "bottom", "size": 8, "color": MUTED, **look}
    axes.annotate(text, at, xytext=away, textcoords="offset points", **shown)


def behind(axes: Axes, x: float) -> None:
    """Draw a line that rows of text lie across: faint there, marked where it meets the axis."""
    axes.axvline(x, color="#CBD5E1", lw=1.2, zorder=0.5)
    foot = axes.get_xaxis_transform()
    axes.plot(x, 0, "^", transform=foot, color=INK, ms=6, clip_on=False, zorder=3)


def tokens_axis(axis: Axis, ticks: int = 4) -> None:
    """Give a token axis few round ticks, thousands set apart, and grid lines."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10], integer=True))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.grid(True)


def columns(
    axes: Axes,
    heights: Sequence[float],
    fills: Sequence[str],
    start: int = 0,
    bottom: float = 0.0,
    alpha: float = 1.0,
) -> None:
    """Draw a column per value from x = `start` on, all as one artist: hundreds cost no time."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(x - 0.43, bottom), (x + 0.43, bottom), (x + 0.43, top), (x - 0.43, top)]
        for x, top in enumerate((bottom + height for height in heights), start)
    ]
    axes.add_collection(PolyCollection(corners, facecolors=list(fills), lw=0, alpha=alpha))


def legend(
    axes: Axes,
    layers: Sequence[str],
    lang: str = "en",
    lines: Mapping[str, str] | None = None,
    **where: Any,
) -> None:
    """Draw one legend entry per layer, in the order given, then dotted `lines` (name: colour)."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(facecolor=colour(x), label=label(x, lang)) for x in layers]
    for name, hue in (lines or {}).items():
        handles.append(Line2D([], [], color=hue, ls=":", lw=1.8, label=name))
    small = {"handlelength": 1.0, "handleheight": 1.0, "columnspacing": 1.1, "handletextpad": 0.4}
    axes.legend(handles=handles, **{**small, **where})


def to_png(drawn: Figure, dpi: int = 100, colours: int | None = None) -> bytes:
    """Render a figure as PNG bytes of exactly its size.

    Parameters
    ----------
    dpi : int
        Pixels per inch.
    colours : int, optional
        Reduce to that many colours: for frames that a page has to carry by the dozen.
    """
    from . import raster

    with use():
        picture = raster.picture(drawn, dpi)
    if colours is None:
        return raster.quick_png(picture)
    buffer = io.BytesIO()
    raster.reduced(picture, colours).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()

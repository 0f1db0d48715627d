"""How the privacy explorer looks: a sentence with its spans, what is stored, and the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from . import style
from .wording import clip, legible, pieces, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..language.sensitive import Finding
    from .privacy import PrivacyData, Tally

__all__ = ["draw", "flow"]

# What policy does with a span -> the colour behind it. Red is for what is stored as it is.
FILLS = {"refuse": "profile", "mask": "tools", "days": "state", "keep": "reserve"}
_LEFT, _STORED = 0.12, 0.95  # inches
_SIZE, _LINE = 9.0, 0.21


def draw(
    data: PrivacyData, size: tuple[float, float], zh: bool, names: Mapping[str, str]
) -> Figure:
    """Return the figure; `names` are the categories' in its language."""
    made = style.figure(*size)
    made.set_layout_engine("none")
    axes = made.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, size[0]), ylim=(size[1], 0))  # inches, from the top left
    axes.axis("off")
    _title(
        axes,
        0.19,
        "客户输入（模型只见一次）" if zh else "what the customer typed; the model sees it once",
    )
    _sentence(axes, data, size[0])
    _title(axes, 1.2, "存下来的" if zh else "what is stored")
    _stored(axes, data, size[0], zh)
    _counts(axes, data, size[0], zh, names)
    _certificate(axes, data, size, zh)
    return made


def flow(text: str, spans: Sequence[tuple[int, int]], room: float, size: float) -> list[Any]:
    """Break a text into lines no wider than `room` inches, and at the edges of spans.

    Returns
    -------
    list of (line, x, start, end)
        Stretches of the text, each with its line and its place on it in inches.
    """
    edges = {edge for span in spans for edge in span}
    placed: list[tuple[int, float, int, int]] = []
    line, x = 0, 0.0
    for start, end in pieces(text):
        cuts = [start, *sorted(e for e in edges if start < e < end), end]
        whole = width(text[start:end].rstrip() or " ", size)
        if x and x + whole > room:
            line, x = line + 1, 0.0
        for a, b in pairwise(cuts):
            # A blank at an end has no width of its own, but between two letters it does.
            wide = width(text[a:b] + "|", size) - width("|", size)
            placed.append((line, x, a, b))
            x += wide
    return placed


def _title(axes: Axes, y: float, text: str) -> None:
    axes.text(_LEFT, y, text, size=9, weight="bold", va="center")


def _sentence(axes: Axes, data: PrivacyData, wide: float) -> None:
    """Write the sentence, a coloured box behind each finding."""
    from matplotlib.patches import Rectangle

    text = legible(data.sentence.text.replace("\n", " "))
    found: Sequence[Finding] = data.sentence.found
    spans = [(f.start, f.end) for f in found]
    for line, x, start, end in flow(text, spans, wide - 0.3, _SIZE):
        y = 0.46 + line * _LINE
        if line == 3:
            axes.text(_LEFT, y, "…", size=_SIZE, va="center")
            break
        finding = next((f for f in found if f.start <= start < f.end), None)
        word = text[start:end]
        hue = style.INK
        if finding is not None:
            layer = FILLS[data.actions[finding.category]] if data.on else "dropped"
            fill = style.colour(layer)
            hue = style.ink(fill)
            long = width(word + "|", _SIZE) - width("|", _SIZE)
            axes.add_patch(Rectangle((_LEFT + x, y - 0.1), long, 0.19, fc=fill, lw=0))
        # Words stand on one line, whatever hangs below or rises above it.
        axes.text(_LEFT + x, y + 0.05, word, size=_SIZE, va="baseline", color=hue)


def _stored(axes: Axes, data: PrivacyData, wide: float, zh: bool) -> None:
    refused = ", ".join(data.refused)
    none = f"（拒绝：{refused}）" if zh else f"(nothing: refused for {refused})"
    lines = (
        ("消息" if zh else "message", data.raw),
        ("记忆" if zh else "memory", data.memory or none),
    )
    for i, (name, text) in enumerate(lines):
        y = 1.45 + i * 0.24
        hue = style.COLOURS["dropped"] if not data.on and data.sentence.found else style.INK
        axes.text(_LEFT, y + 0.045, name, size=8, va="baseline", color=style.MUTED)
        shown = clip(text, wide - _STORED - 0.15, 8.5)
        axes.text(_STORED, y + 0.045, shown, size=8.5, va="baseline", color=hue)


def _counts(axes: Axes, data: PrivacyData, wide: float, zh: bool, names: Mapping[str, str]) -> None:
    """Draw how much of each category can be read in either store."""
    top = 2.02
    _title(axes, top, "全部句子：能读到的" if zh else "all sentences: what can be read")
    heads = ("消息", "记忆") if zh else ("in messages", "in memories")
    lanes = (2.2, 4.0)
    for x, head in zip(lanes, heads, strict=True):
        axes.text(x, top + 0.045, head, size=8, va="baseline", color=style.MUTED)
    for i, (category, tally) in enumerate(data.tallies.items()):
        y = top + 0.24 + i * 0.235
        axes.text(_LEFT, y + 0.045, names[category], size=8.5, va="baseline")
        action = data.actions[category] if data.on else "off"
        fill = style.colour(FILLS.get(action, "dropped"))
        axes.plot(1.28, y, "s", color=fill, ms=7)
        axes.text(1.4, y + 0.045, _action(action, zh), size=8, va="baseline", color=style.MUTED)
        for x, store in zip(lanes, ("raw", "memory"), strict=True):
            _bar(axes, x, y, tally, getattr(tally, store))


def _bar(axes: Axes, x: float, y: float, tally: Tally, readable: int) -> None:
    from matplotlib.patches import Rectangle

    full = 1.05
    frame = Rectangle((x, y - 0.07), full, 0.14, fc=style.colour("summary"), lw=0)
    axes.add_patch(frame)
    fill = style.colour("reserve" if tally.meant else "dropped")
    long = full * readable / tally.total
    axes.add_patch(Rectangle((x, y - 0.07), long, 0.14, fc=fill, lw=0))
    text = f"{readable}/{tally.total}"
    axes.text(x + full + 0.06, y, text, size=7.5, va="center", color=style.MUTED)


def _action(action: str, zh: bool) -> str:
    words = {
        "refuse": ("refuse", "拒绝"),
        "mask": ("mask", "打码"),
        "days": ("30 days", "30天"),
        "keep": ("keep", "保留"),
        "off": ("off", "关闭"),
    }
    return words[action][zh]


def _certificate(axes: Axes, data: PrivacyData, size: tuple[float, float], zh: bool) -> None:
    done = data.certificate
    if done is None:
        text = (
            "绿：已隐藏　灰：按策略保留　红：不该留而留下"
            if zh
            else ("green: hidden   grey: kept by policy   red: kept against it")
        )
    else:
        rows, searched = sum(done.counts.values()), sum(done.searched.values())
        text = (
            f"删除证明：{rows} 行，搜查 {searched:,} 字节，残留 {done.residue}，{done.digest[:12]}…"
            if zh
            else f"certificate: {rows} rows erased, {searched:,} bytes searched, "
            f"residue {done.residue}, {done.digest[:12]}…"
        )
    axes.text(_LEFT, size[1] - 0.16, text, size=8, va="center", color=style.MUTED)

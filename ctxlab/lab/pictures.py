"""The picture that opens each notebook, drawn by code so that it's never out of date."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..context.budget import BudgetPlan
from . import style
from .canvas import Picture, arrow, box, pick, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Pictures that are drawn in rooms of their own, so that each room stays small: name -> module.
_ELSEWHERE = {
    "assembly": "pictures_production",
    "compression": "pictures_upkeep",
    "consolidation": "pictures_upkeep",
    "decay": "pictures_memory",
    "duplicates": "pictures_upkeep",
    "durable": "pictures_memory",
    "evaluation": "pictures_measuring",
    "own_data": "pictures_measuring",
    "privacy": "pictures_production",
    "routing": "pictures_upkeep",
    "scale": "pictures_scale",
    "scopes": "pictures_production",
    "semantic": "pictures_memory",
    "triples": "pictures_memory",
    "views": "pictures_upkeep",
}

__all__ = ["Picture", "budget", "concepts", "forgetting", "window", *_ELSEWHERE]


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'ctxlab.lab.pictures' has no attribute {name!r}")
    return getattr(import_module(f"ctxlab.lab.{_ELSEWHERE[name]}"), name)


def forgetting(lang: str | None = None) -> Picture:
    """Draw a long conversation, a small window, and what the model sees of it."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(2.5, 17.4, 5.0)
        axes.text(0.1, 4.65, "一段很长的会话" if zh else "a long conversation", weight="bold")
        for i in range(18):
            row, column = divmod(i, 9)
            recent, named = i > 11, i == 1
            fill = style.colour("recent" if recent else "reserve")
            text = "D36652" if zh else "K76252"  # as in the conversation below it
            if named:
                fill = style.colour("dropped")
            x, y = 0.1 + column * 0.98, 2.75 - row * 1.45
            box(axes, x, y, 0.86, 1.05, fill, text if named else "", size=7.5)
        arrow(axes, (9.05, 2.2), (10.1, 2.2), lw=2)
        axes.text(
            10.3, 4.65, "模型这一次看到的" if zh else "what the model sees this time", weight="bold"
        )
        box(axes, 10.3, 0.35, 3.6, 4.0, "none", lw=1.6, edgecolor=style.INK)
        stack = (("system", 0.55), ("state", 0.5), ("summary", 0.8), ("recent", 1.35))
        top = 4.2
        for layer, height in stack:
            top -= height + 0.09
            box(
                axes,
                10.45,
                top,
                3.3,
                height,
                style.colour(layer),
                style.label(layer, "zh" if zh else "en"),
            )
        arrow(axes, (14.05, 2.2), (15.0, 2.2), lw=2)
        box(axes, 15.1, 1.5, 2.1, 1.4, style.COLOURS["system"], "模型" if zh else "model", size=10)
        ask = "「哪个订单？」" if zh else "“Which order?”"
        axes.text(16.15, 3.2, ask, ha="center", color=style.COLOURS["dropped"], weight="bold")
    text = (
        "一段很长的会话里，开头说过的订单号已离开窗口；模型只看到系统提示、任务状态、摘要和近期对话。"
        if said
        else "In a long conversation the order number named early has left the window; the model "
        "sees the system prompt, task state, summary and recent dialogue only."
    )
    return Picture(made, text)


def concepts(lang: str | None = None) -> Picture:
    """Draw four lifetimes on one time axis: context, session, state, memory."""
    said, zh = pick(lang)
    names = ("上下文", "会话", "状态", "记忆") if zh else ("context", "session", "state", "memory")
    spans = ((2.6, 4.2), (7.6, 3.2), (11.8, 4.6))
    with style.use():
        made, axes = stage(2.9, 17.4, 5.6)
        for row, name in enumerate(names):
            y = 4.3 - row * 1.15
            axes.text(2.2, y + 0.4, name, ha="right", va="center", weight="bold", size=10)
            axes.axhline(y + 0.4, 0.14, 0.98, color=style.HAIR, lw=1, zorder=0)
        for n, (start, length) in enumerate(spans):
            for k in range(int(length / 0.5)):
                box(axes, start + 0.1 + k * 0.5, 4.35, 0.3, 0.72, style.colour("recent"))
            label = f"会话 {n + 1}" if zh else f"session {n + 1}"
            box(axes, start, 3.2, length, 0.72, style.colour("system"), label)
            for k in range(3):
                part = length / 3
                fill = style.colour("state")
                steps = (("查", "退", "完") if zh else ("find", "return", "done"))[k]
                box(axes, start + k * part, 2.05, part - 0.08, 0.72, fill, steps, size=8)
            axes.plot(start + length + 0.12, 2.41, "x", color=style.COLOURS["dropped"], mew=2)
            if n:
                arrow(axes, (start + 0.3, 1.65), (start + 0.3, 2.0))
            arrow(axes, (start + length - 0.25, 2.0), (start + length - 0.25, 1.68))
            grown = style.colour("profile")
            end = spans[n + 1][0] if n + 1 < len(spans) else 17.2
            box(
                axes,
                start + 0.9,
                0.85,
                end - start + 0.9 * (n + 1 < len(spans)) - 0.9,
                0.3 + 0.2 * n,
                grown,
            )
        arrow(axes, (2.5, 0.4), (17.3, 0.4), lw=1.2)
        axes.text(17.3, 0.12, "时间" if zh else "time", ha="right", color=style.MUTED, size=8)
    text = (
        "时间轴上的四种寿命：上下文每次请求重建；会话有始有终；状态随会话清空；记忆跨会话留下。"
        if said
        else "Four lifetimes on a time axis: a context is rebuilt for every request, a session "
        "begins and ends, state is cleared with its session, memory outlives them all."
    )
    return Picture(made, text)


def budget(lang: str | None = None, window: int = 32_000) -> Picture:
    """Draw one window, divided: who may spend what, and where unused tokens flow."""
    said, zh = pick(lang)
    plan = BudgetPlan(window)
    with style.use():
        made, axes = stage(2.0, 100, 5.0)
        at = 0.0
        middle = {}
        for name, tokens in plan.allotted.items():
            share = 100 * tokens / window
            fill = style.colour(name)
            edge = {"hatch": "////", "edgecolor": "#B6BEC9"} if name == "reserve" else {}
            box(axes, at + 0.15, 1.7, share - 0.3, 1.5, fill, f"{tokens:,}", **edge)
            middle[name] = at + share / 2
            title = (
                style.label(name, "zh" if zh else "en").replace(", ", "\n").replace("与", "与\n")
            )
            axes.text(at + share / 2, 1.35, f"{share:.0f} %", ha="center", va="top", weight="bold")
            axes.text(at + share / 2, 0.62, title, ha="center", va="top", size=8, color=style.MUTED)
            at += share
        curve = {"connectionstyle": "arc3,rad=-0.35"}
        left, right = middle["memory"] + 2, middle["recent"] - 2
        arrow(axes, (left, 3.35), (right, 3.35), **curve)
        arrow(
            axes,
            (middle["tools"] - 1, 3.35),
            (middle["recent"] + 6, 3.35),
            connectionstyle="arc3,rad=0.5",
        )
        flow = "用不完的，流向对话" if zh else "what is left over flows to dialogue"
        axes.text(middle["recent"], 4.75, flow, ha="center", va="top", size=8.5, color=style.MUTED)
        never = "输入永远不能动用" if zh else "never spent on input"
        axes.text(
            middle["reserve"], 3.45, never, ha="center", size=8.5, color=style.COLOURS["dropped"]
        )
    text = (
        f"{window:,} 词元的窗口分成五份；没用完的流向对话，预留部分不用于输入。"
        if said
        else f"A window of {window:,} tokens in five parts; unused ones flow to dialogue, the "
        "reserve is never spent on input."
    )
    return Picture(made, text)


_SIZES = (1.0, 0.8, 2.9, 0.7, 1.2, 1.5, 2.3, 0.9, 0.7, 1.0)
_TOOLS = (5, 6)  # a call and its result


def window(lang: str | None = None) -> Picture:
    """Draw messages cut by count and by tokens: one cuts a tool pair, the other can't."""
    said, zh = pick(lang)
    titles = (
        ("最近 4 条消息", "词元预算之内")
        if zh
        else ("the last 4 messages", "within a token budget")
    )
    with style.use():
        made, axes = stage(2.7, 17.4, 5.4)
        for row, (title, first) in enumerate(zip(titles, (6, 5), strict=True)):
            y = 3.3 - row * 2.7
            axes.text(0.1, y + 1.55, title, weight="bold")
            _message_row(axes, y, first, broken=row == 0)
    text = (
        "按条数截断会把工具调用与结果拆开；按词元截断时，二者作为一个整体保留。"
        if said
        else "Cutting by count separates a tool call from its result; cutting by tokens keeps both "
        "as one unit."
    )
    return Picture(made, text)


def _message_row(axes: Axes, y: float, first: int, broken: bool) -> None:
    gap, x = 0.14, 1.6
    places: list[Sequence[float]] = []
    for i, size in enumerate(_SIZES):
        fill = style.colour("tools" if i in _TOOLS else "recent")
        look: dict[str, Any] = {}
        if i < first:
            fill, look = style.colour("reserve"), {"ink": style.MUTED}
            if i in _TOOLS:
                look |= {"lw": 1.6, "edgecolor": style.COLOURS["dropped"], "ls": "--"}
        word = {5: "call", 6: "result"}.get(i, "")
        box(axes, x, y, size, 0.95, fill, word, size=8, **look)
        places.append((x, size))
        x += size + gap
    start = places[first][0] - gap / 2 - 0.02
    end = places[-1][0] + places[-1][1] + 0.1
    hue = style.COLOURS["dropped" if broken else "summary"]
    box(axes, start, y - 0.2, end - start, 1.35, "none", lw=2, edgecolor=hue)
    a, b = (places[i][0] + places[i][1] / 2 for i in _TOOLS)
    arc = {"arrowstyle": "-", "connectionstyle": "arc3,rad=-0.4", "color": hue, "lw": 1.8}
    arrow(axes, (a, y + 1.0), (b, y + 1.0), **arc, ls="--" if broken else "-")
    mark = "✗" if broken else "✓"
    axes.text((a + b) / 2, y + 1.42, mark, ha="center", color=hue, family=["DejaVu Sans"], size=12)

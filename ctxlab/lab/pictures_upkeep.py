"""Opening pictures of upkeep: compression, routing, duplicates, consolidation, four views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..config import Routing
from . import style
from .canvas import Picture, arrow, box, pick, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compression", "consolidation", "duplicates", "routing", "views"]

_PLACES = 17.4  # width of a stage in its own units


def compression(lang: str | None = None) -> Picture:
    """Draw turns that leave the window, and the three things that are kept of them."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(3.0, _PLACES, 6.2)
        axes.text(0.1, 5.75, "离开窗口的轮次" if zh else "turns leaving the window", weight="bold")
        words = (
            {1: "D36652", 3: "¥399", 6: "不要券"} if zh else {1: "K76252", 3: "$40", 6: "no coupon"}
        )
        for i in range(8):
            row, column = divmod(i, 4)
            text = words.get(i, "")
            fill = style.colour("recent") if text else style.colour("reserve")
            box(axes, 0.1 + column * 1.32, 4.1 - row * 1.3, 1.2, 1.05, fill, text, size=7.5)
        _store(axes, zh)
        kept = (
            ("summary", "叙述：短短一段", "narrative: a few lines", 4.35),
            ("profile", "条目：承诺 拒绝 待办 事实", "items: promised, refused, open, facts", 2.95),
            ("tools", "三元组：条目没写下的", "triples: what no item holds", 1.55),
        )
        for layer, chinese, english, y in kept:
            arrow(axes, (5.6, 3.5), (7.2, y + 0.5), lw=1.6)
            box(axes, 7.3, y, 5.6, 1.0, style.colour(layer), chinese if zh else english, size=8.5)
        for y, chinese, english in (
            (4.85, "进上下文", "into the context"),
            (3.45, "进上下文", "into the context"),
            (2.05, "可搜索", "can be searched"),
        ):
            arrow(axes, (13.0, y), (14.0, y), lw=1.4)
            axes.text(14.15, y, chinese if zh else english, va="center", size=8.5)
    text = (
        "轮次离开窗口时留下三样：一段叙述和结构化条目进上下文，条目没写下的原文进三元组供搜索；"
        "原始消息留在冷存储。"
        if said
        else "Turns that leave the window leave three things: a short narrative and structured "
        "items for the context, and triples that can be searched for whatever no item holds. The "
        "raw messages stay in cold storage."
    )
    return Picture(made, text)


def _store(axes: Axes, zh: bool) -> None:
    arrow(axes, (2.7, 2.7), (2.7, 1.75), lw=1.6)
    name = "冷存储：原文一字不动" if zh else "cold storage: word for word"
    look = {"hatch": "////", "edgecolor": "#B6BEC9", "ink": style.INK}
    box(axes, 0.1, 0.6, 5.2, 1.0, style.colour("reserve"), "", **look)
    white = {"facecolor": "white", "lw": 0, "pad": 2}
    axes.text(2.7, 1.1, name, bbox=white, ha="center", va="center", size=8.5)


def routing(lang: str | None = None) -> Picture:
    """Draw the three modes: what of the history goes along in each."""
    said, zh = pick(lang)
    usual = Routing()
    rows = (
        ("EXHAUSTIVE", f"少于 {usual.full_below} 轮", f"under {usual.full_below} turns"),
        ("SUMMARY", f"超过 {usual.summary_over} 轮", f"over {usual.summary_over} turns"),
        (
            "RETRIEVAL",
            f"提到以前，或超过 {usual.retrieval_over} 轮",
            f"refers back, or over {usual.retrieval_over}",
        ),
    )
    parts = {
        "EXHAUSTIVE": [("recent", 9.4)],
        "SUMMARY": [("summary", 2.6), ("recent", 5.0)],
        "RETRIEVAL": [("past", 2.6), ("summary", 2.6), ("recent", 5.0)],
    }
    with style.use():
        made, axes = stage(2.7, _PLACES, 5.6)
        for row, (mode, chinese, english) in enumerate(rows):
            y = 4.0 - row * 1.75
            hue = style.colour(parts[mode][0][0])
            axes.text(0.1, y + 0.85, mode, weight="bold", color=hue, va="center", size=10)
            axes.text(0.1, y + 0.2, chinese if zh else english, va="center", size=8.5)
            x = 5.2
            for layer, wide in parts[mode]:
                name = style.label(layer, "zh" if zh else "en")
                box(axes, x, y, wide, 1.05, style.colour(layer), name, size=8.5)
                x += wide + 0.14
            box(axes, x, y, 1.2, 1.05, "none", "?", lw=1.4, edgecolor=style.INK, size=10)
    text = (
        "三种模式：EXHAUSTIVE 带上全部对话；SUMMARY 带摘要和近期对话；"
        "RETRIEVAL 再加上从过去找回的片段。"
        if said
        else "Three modes: EXHAUSTIVE carries all of the dialogue, SUMMARY a summary and the "
        "recent part, RETRIEVAL adds passages found in the past."
    )
    return Picture(made, text)


def duplicates(lang: str | None = None) -> Picture:
    """Draw four pairs that lie equally close, and what should become of each."""
    said, zh = pick(lang)
    rows = (
        ("duplicate", "电话 138…22", "手机是 138…22", "phone 555-0101", "call 555-0101"),
        ("supplement", "某某路 12 号", "12 号 3 单元", "12 Maple Street", "12 Maple, Unit 3"),
        ("supersede", "寄杭州", "搬到上海了", "lives in Salem", "moved to Riverton"),
        ("distinct", "订单 A1029", "订单 A1092", "order A1029", "order A1092"),
    )
    ends = {
        "duplicate": ("合并：一条", "merge: one record", "summary"),
        "supplement": ("补充：一条，更全", "supplement: one, fuller", "summary"),
        "supersede": ("取代：旧的进历史", "supersede: old to history", "profile"),
        "distinct": ("并存：两条", "keep apart: two records", "recent"),
    }
    with style.use():
        made, axes = stage(2.9, _PLACES, 6.0)
        for x, chinese, english in (
            (0.1, "已有", "known"),
            (4.3, "新来", "new"),
            (11.4, "该怎么办", "what to do"),
        ):
            axes.text(x, 5.6, chinese if zh else english, weight="bold")
        for row, (name, *texts) in enumerate(rows):
            y, (old, new) = 4.1 - row * 1.3, (texts[:2] if zh else texts[2:])
            box(axes, 0.1, y, 3.6, 1.0, style.colour("reserve"), old, size=8.5)
            axes.text(4.0, y + 0.5, "≈", ha="center", va="center", size=12, color=style.MUTED)
            box(axes, 4.3, y, 4.0, 1.0, style.colour("reserve"), new, size=8.5)
            chinese, english, layer = ends[name]
            arrow(axes, (8.6, y + 0.5), (11.2, y + 0.5), lw=1.6, color=style.colour(layer))
            end = chinese if zh else english
            box(axes, 11.4, y, 5.7, 1.0, style.colour(layer), end, size=8.5)
    text = (
        "四对说法同样相像，处置各不相同：相同的合并，补充的合成更全的一条，矛盾的由新取代旧，只是相像的并存。"
        if said
        else "Four pairs that look equally alike, four things to do: merge the same, complete what "
        "is added to, let the newer replace what it contradicts, keep apart what is only alike."
    )
    return Picture(made, text)


def consolidation(lang: str | None = None) -> Picture:
    """Draw sessions' episodes, what is said again, and what becomes core memory."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(2.2, _PLACES, 5.2)
        axes.set(ylim=(0.7, 5.2))  # nothing stands below
        names = (
            ("用顺丰", "生气", "地址", "闲聊")
            if zh
            else ("by DHL", "angry", "address", "small talk")
        )
        held = ((0, 3), (0, 1), (0, 2))
        for n, said_in in enumerate(held):
            x = 0.1 + n * 3.1
            title = f"会话 {n + 1}" if zh else f"session {n + 1}"
            box(axes, x, 3.95, 2.8, 0.8, style.colour("system"), title, size=8.5)
            for k, what in enumerate(said_in):
                fill = style.colour("past" if what in (0, 2) else "reserve")
                box(axes, x, 2.8 - k * 1.0, 2.8, 0.8, fill, names[what], size=8.5)
        axes.text(
            0.1, 1.15, "片段（当时写下）" if zh else "episodes, written as they happen", size=8.5
        )
        arrow(axes, (9.5, 2.9), (11.2, 2.9), lw=2)
        idle = "空闲时巩固" if zh else "off-peak"
        axes.text(10.35, 3.2, idle, ha="center", size=8.5, color=style.MUTED)
        core = (
            ("用顺丰：说过 3 次", "by DHL: said 3 times", 3.5),
            ("地址：核心字段", "address: a core field", 2.2),
        )
        for chinese, english, y in core:
            box(axes, 11.4, y, 5.8, 1.0, style.colour("profile"), chinese if zh else english)
        axes.text(11.4, 4.75, "核心记忆" if zh else "core memory", weight="bold")
        gone = "情绪消退；闲聊不留" if zh else "moods fade; small talk isn't kept"
        axes.text(11.4, 1.3, gone, size=8.5, color=style.COLOURS["dropped"])
    text = (
        "三次会话的片段：反复说到的和核心字段在空闲时变成核心记忆，情绪消退，闲聊不留。"
        if said
        else "Episodes of three sessions: what is said again and core fields become core memory "
        "off-peak; moods fade and small talk isn't kept."
    )
    return Picture(made, text)


def views(lang: str | None = None) -> Picture:
    """Draw four ways of cutting the same memory, and where ctxlab keeps each piece."""
    said, zh = pick(lang)
    rows: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
        ("产品", "product", (("身份", "identity", "profile"), ("短期", "short", "recent"),
                             ("长期", "long", "past"))),
        ("认知", "cognitive", (("程序", "procedural", "system"), ("情景", "episodic", "past"),
                               ("语义", "semantic", "profile"))),
        ("工程", "engineering", (("工作", "working", "state"), ("会话", "session", "recent"),
                                 ("长期", "long-term", "past"))),
        ("范围", "scope", (("身份", "identity", "system"), ("用户", "user", "profile"),
                           ("工作区", "workspace", "state"), ("技能", "skill", "tools"))),
    )  # fmt: skip
    with style.use():
        made, axes = stage(2.7, _PLACES, 5.6)
        for row, (chinese, english, parts) in enumerate(rows):
            y, wide = 4.4 - row * 1.3, 14.1 / len(parts)
            axes.text(0.1, y + 0.5, chinese if zh else english, weight="bold", va="center")
            for k, (in_chinese, in_english, layer) in enumerate(parts):
                name = in_chinese if zh else in_english
                box(axes, 3.2 + k * wide, y, wide - 0.25, 1.0, style.colour(layer), name)
    text = (
        "看记忆的四种眼光：产品、认知、工程、范围；颜色说明各部分在上下文里属于哪一层。"
        if said
        else "Four views of memory: product, cognitive, engineering, scope; the colours say to "
        "which layer of a context each part belongs."
    )
    return Picture(made, text)

"""Opening pictures of what goes wrong in production: assembly, privacy, scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..context.budget import LAYERS
from . import style
from .canvas import Picture, arrow, box, pick, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["assembly", "privacy", "scopes"]

_FUNNEL = (
    ("滑动窗口", "sliding window", "recent"),
    ("摘要", "summary", "summary"),
    ("检索过滤", "retrieval filter", "past"),
    ("截断", "truncation", "dropped"),
)


def assembly(lang: str | None = None) -> Picture:
    """Draw the order of a context, and the funnel that everything passes on its way in."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(3.1, 17.4, 6.4)
        axes.text(0.1, 6.0, "能用的材料" if zh else "what there is", weight="bold")
        heap = [layer for layer in LAYERS if layer != "tool_definitions"]
        for i, layer in enumerate(heap):
            row, column = divmod(i, 2)
            name = style.label(layer, "zh" if zh else "en")
            box(
                axes,
                0.1 + column * 2.35,
                4.7 - row * 1.2,
                2.2,
                1.0,
                style.colour(layer),
                name,
                size=8,
            )
        arrow(axes, (4.95, 3.0), (5.7, 3.0), lw=2)
        axes.text(
            5.9,
            6.0,
            "依次收紧，步步留痕" if zh else "narrowed step by step, each on record",
            weight="bold",
        )
        for i, (chinese, english, layer) in enumerate(_FUNNEL):
            inset = 0.32 * i
            x, wide = 5.9 + inset, 5.0 - 2 * inset
            box(
                axes,
                x,
                4.55 - i * 1.22,
                wide,
                0.95,
                style.colour(layer),
                chinese if zh else english,
            )
        arrow(axes, (11.1, 3.0), (11.9, 3.0), lw=2)
        axes.text(12.1, 6.0, "发出的顺序" if zh else "the order it's sent in", weight="bold")
        _list(axes, zh)
    text = (
        "材料经过滑动窗口、摘要、检索过滤和截断四道收紧，按固定顺序组成列表：系统提示在前，"
        "当前消息最后，总数不超过预算。"
        if said
        else "Material passes a sliding window, a summary, a retrieval filter and truncation, and "
        "is put in a fixed order: the system prompt first, the current message last, never over "
        "budget."
    )
    return Picture(made, text)


def _list(axes: Axes, zh: bool) -> None:
    x, top, wide = 12.1, 5.5, 4.0
    order = [layer for layer in LAYERS if layer != "tool_definitions"]
    height = 4.6 / (len(order) + 1)
    for i, layer in enumerate([*order, "now"]):
        now = layer == "now"
        name = (
            ("当前消息" if zh else "current message")
            if now
            else style.label(layer, "zh" if zh else "en")
        )
        fill = style.colour("recent" if now else layer)
        box(axes, x, top - (i + 1) * height, wide, height - 0.08, fill, name, size=8)
    axes.plot([x - 0.15, x + wide + 0.15], [0.72, 0.72], color=style.INK, lw=1.6)
    limit = "预算：永不超出" if zh else "budget: never over"
    axes.text(x + wide / 2, 0.3, limit, ha="center", va="center", size=8.5, color=style.MUTED)


def privacy(lang: str | None = None) -> Picture:
    """Draw a message on its two ways: to the model as typed, to the store masked."""
    said, zh = pick(lang)
    typed = "卡号 4111 1111 1111 1111" if zh else "card 4111 1111 1111 1111"
    kept = "卡号 [payment]" if zh else "card [payment]"
    with style.use():
        made, axes = stage(2.6, 17.4, 5.2)
        box(axes, 0.1, 2.0, 4.3, 1.2, style.colour("recent"), typed, size=9)
        axes.text(
            2.25, 3.5, "客户说的话" if zh else "what the customer says", ha="center", weight="bold"
        )
        arrow(axes, (4.5, 2.9), (6.4, 4.1), lw=1.8)
        box(
            axes,
            6.5,
            3.7,
            4.3,
            1.0,
            style.colour("system"),
            "模型：原样，只此一次" if zh else "the model: as typed, once",
        )
        arrow(axes, (4.5, 2.3), (6.4, 1.4), lw=1.8)
        box(
            axes,
            6.5,
            0.8,
            3.0,
            1.1,
            style.colour("profile"),
            "识别并遮盖" if zh else "find and mask",
        )
        arrow(axes, (9.6, 1.35), (10.9, 1.35), lw=1.8)
        box(axes, 11.0, 0.8, 3.2, 1.1, style.colour("summary"), kept, size=9)
        where = "数据库：只有这个" if zh else "the database: only this"
        axes.text(12.6, 2.15, where, ha="center", weight="bold")
        arrow(axes, (14.3, 1.35), (15.3, 1.35), lw=1.8)
        box(
            axes,
            15.4,
            0.8,
            1.9,
            1.1,
            style.colour("reserve"),
            "删除证明\n残留 0" if zh else "erased,\n0 left",
            size=8.5,
        )
    text = (
        "客户的话分两路：模型在这一次请求里看到原文，数据库只存遮盖后的文字，删除时附残留为零的证明。"
        if said
        else "A message goes two ways: the model sees it as typed, once; the database gets it "
        "masked, and an erasure proves that nothing is left."
    )
    return Picture(made, text)


def scopes(lang: str | None = None) -> Picture:
    """Draw three agent roles, what each heard of one customer, and the wall between them."""
    said, zh = pick(lang)
    roles = (
        ("客服", "support", "发火的原话", "an angry outburst"),
        ("销售", "sales", "对手的报价", "a rival's offer"),
        ("账务", "billing", "付款纠纷", "a payment dispute"),
    )
    with style.use():
        made, axes = stage(2.9, 17.4, 5.8)
        shared = (
            "大家都能读：地址、订单、承诺" if zh else "every role reads: address, orders, promises"
        )
        box(axes, 0.3, 0.35, 16.8, 1.1, style.colour("summary"), shared, size=10)
        for i, (chinese, english, secret, told) in enumerate(roles):
            x = 0.3 + i * 5.75
            axes.text(
                x + 2.65, 5.3, chinese if zh else english, ha="center", weight="bold", size=10
            )
            box(axes, x, 3.35, 5.3, 1.5, "none", lw=1.8, edgecolor=style.colour("recent"))
            box(axes, x + 0.4, 3.6, 4.5, 1.0, style.colour("recent"), secret if zh else told)
            arrow(axes, (x + 2.65, 1.55), (x + 2.65, 3.25), arrowstyle="<|-|>")
            if i:
                red = style.COLOURS["dropped"]
                axes.plot([x - 0.22, x - 0.22], [3.1, 5.1], color=red, lw=2.4, ls="--")
                axes.text(x - 0.22, 2.62, "✗", color=red, ha="center", family=["DejaVu Sans"])
    text = (
        "同一位客户的三个角色：私密的话只留给听到它的角色，地址、订单和承诺大家都能读。"
        if said
        else "Three roles of one company and one customer: what is private stays with the role "
        "that heard it; address, orders and promises are for every role."
    )
    return Picture(made, text)

"""Opening pictures of long-term memory: a record's life, meaning in a plane, fading, triples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..config import Durable
from ..mitigations.contamination import decay_weight
from . import style
from .canvas import Picture, arrow, box, pick, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decay", "durable", "semantic", "triples"]

Triple = tuple[str, str, str]


def durable(lang: str | None = None) -> Picture:
    """Draw four sessions and the records they leave: kept, replaced, expired."""
    said, zh = pick(lang)
    ttl = round(Durable().ttl_days["commitment"])
    with style.use():
        made, axes = stage(3.0, 17.4, 6.2)
        starts = (2.9, 8.0, 11.1, 15.0)
        for n, x in enumerate(starts):
            name = f"会话 {n + 1}" if zh else f"session {n + 1}"
            box(axes, x, 5.0, 1.6, 0.75, style.colour("system"), name, size=8.5)
        names = ("偏好", "地址", "承诺") if zh else ("preference", "address", "promise")
        for row, name in enumerate(names):
            axes.text(2.5, 3.65 - row * 1.2, name, ha="right", va="center", weight="bold")
        likes = "用邮件联系" if zh else "by e-mail"
        _life(axes, 3, 3.3, 17.2, style.colour("profile"), likes)
        old, new = ("杭州 12 号，版本 1", "苏州 7 号，版本 2") if zh else (
            "12 Elm Street, version 1", "7 Oak Lane, version 2")  # fmt: skip
        _life(axes, 3, 2.1, 11.8, style.colour("reserve"), old)
        _life(axes, 12.0, 2.1, 17.2, style.colour("summary"), new)
        promise = "周五前回电" if zh else "call back by Friday"
        _life(axes, 9.0, 0.9, 13.6, style.colour("tools"), promise)
        axes.plot(13.85, 1.26, "x", color=style.COLOURS["dropped"], mew=2)
        over = f"{ttl} 天后过期" if zh else f"expires after {ttl} days"
        axes.text(14.1, 1.26, over, va="center", size=8, color=style.COLOURS["dropped"])
        # Each record keeps the session and the messages it came from: an arrow that can be undone.
        thin = {"lw": 1.0}
        for session, top in ((0, 4.05), (1, 1.65), (2, 2.85)):
            at = starts[session] + 0.3 if session == 0 else starts[session] + 1.2
            arrow(axes, (at, 4.95), (at, top), **thin)
        arrow(axes, (3.75, 4.95), (3.75, 2.87), **thin)
        arrow(axes, (2.9, 0.3), (17.3, 0.3), lw=1.2)
        axes.text(17.3, 0.02, "时间" if zh else "time", ha="right", color=style.MUTED, size=8)
    text = (
        f"记忆比会话长寿：偏好一直在；地址在第三次会话被新版本取代；承诺 {ttl} 天后过期。"
        "每条记忆都记得自己来自哪次会话。"
        if said
        else "Records outlive sessions: a preference stays, an address is replaced by a new "
        f"version in the third session, a promise expires after {ttl} days. Each remembers the "
        "session it came from."
    )
    return Picture(made, text)


def _life(axes: Axes, start: float, y: float, end: float, fill: str, text: str) -> None:
    box(axes, start, y, end - start, 0.72, fill, text, size=8.5)


# Where memories lie around a question: x, y, whether they answer it, and what they say.
_PLANE = (
    (2.0, -0.1, True, "held at the transfer centre", "卡在转运中心"),
    (-2.0, -0.7, True, "expected at month end", "预计月底到"),
    (6.3, -1.5, False, "the invoice goes to Orchard Optics", "发票开给果园光学"),
    (-5.7, 1.5, False, "prefers e-mail", "习惯用邮件"),
    (5.8, 1.6, False, "budget 700 dollars", "预算 1600 元"),
    (-6.0, -1.3, False, "lives on Elm Street", "住在杭州"),
)


def semantic(lang: str | None = None) -> Picture:
    """Draw a question among memories: near in meaning comes in, the circle is the least score."""
    from matplotlib.patches import Ellipse

    said, zh = pick(lang)
    with style.use():
        made, axes = stage(3.0, 17.4, 6.2)
        middle, high = 8.7, 3.1
        circle = Ellipse(
            (middle, high), 8.2, 4.3, facecolor=style.colour("summary"), alpha=0.12, lw=0
        )
        edge = Ellipse((middle, high), 8.2, 4.3, facecolor="none", edgecolor=style.INK, lw=1.2)
        axes.add_patch(circle)
        axes.add_patch(edge)
        least = "最低分" if zh else "minimum score"
        axes.text(middle, high + 2.25, least, ha="center", size=8.5, color=style.MUTED)
        for x, y, near, english, chinese in _PLANE:
            hue = style.colour("summary" if near else "reserve")
            edge_hue = "none" if near else "#94A3B8"
            at = (middle + x, high + y)
            if near:
                axes.plot([middle, at[0]], [high, at[1]], color=hue, lw=1.2, ls=":")
            axes.plot(*at, "o", color=hue, ms=9, mec=edge_hue)
            ink = style.INK if near else style.MUTED
            text = chinese if zh else english
            axes.text(at[0], at[1] - 0.28, text, ha="center", va="top", size=8.5, color=ink)
        axes.plot(middle, high, "*", color=style.colour("recent"), ms=16)
        asked = "「物流到哪了？」" if zh else "“where is my delivery?”"
        axes.text(
            middle, high + 0.38, asked, ha="center", weight="bold", color=style.colour("recent")
        )
    text = (
        "问题落在向量平面上：意思近的两条记忆在最低分的圈内，虽然没有一个词相同；其余留在圈外。"
        if said
        else "A question in the plane of meaning: two memories lie within the circle of the "
        "minimum score without sharing a word with it; the others stay outside."
    )
    return Picture(made, text)


def decay(lang: str | None = None) -> Picture:
    """Draw an outburst and an address on three days: one fades, the other doesn't."""
    said, zh = pick(lang)
    days = (0, 7, 28)
    with style.use():
        made, axes = stage(2.6, 17.4, 5.4)
        names = ("情绪", "事实") if zh else ("feeling", "fact")
        for y, name in zip((3.35, 1.15), names, strict=True):
            axes.text(1.7, y, name, ha="right", va="center", weight="bold", size=10)
        outburst = "「最烂的东西！」" if zh else "“The worst thing ever!”"
        home = "住在杭州 12 号" if zh else "lives at 12 Elm Street"
        for n, day in enumerate(days):
            x = 2.1 + n * 5.2
            title = f"第 {day} 天" if zh else f"day {day}"
            axes.text(x + 2.4, 4.95, title, ha="center", weight="bold")
            for y, kind, layer, words in (
                (3.35, "emotion", "past", outburst),
                (1.15, "fact", "summary", home),
            ):
                left = decay_weight(day, kind)
                wide, tall = 4.8 * (0.3 + 0.7 * left), 1.5 * (0.3 + 0.7 * left)
                look: dict[str, Any] = {"alpha": 0.25 + 0.75 * left, "size": 6.5 + 2.5 * left}
                look["ink"] = "#FFFFFF" if kind == "fact" else style.INK
                shown = words if left > 0.3 else "…"
                at = (x + 2.4 - wide / 2, y - tall / 2)
                box(axes, *at, wide, tall, style.colour(layer), shown, **look)
                share = f"{left:.0%}"
                axes.text(x + 2.4, y - 1.0, share, ha="center", size=8.5, color=style.MUTED)
    text = (
        "同一天说的两句话：情绪 7 天后分量减半，28 天后所剩无几；地址一直是全部分量。"
        if said
        else "Two things said on one day: the feeling has half its weight after 7 days and next to "
        "none after 28; the address keeps all of it."
    )
    return Picture(made, text)


_KNOWN: dict[bool, tuple[Triple, ...]] = {
    False: (
        ("customer", "has order", "K12761"),
        ("K12761", "contains", "Glow N5 heater"),
        ("Glow N5 heater", "has fault", "flashes red"),
        ("customer", "prefers", "e-mail"),
    ),
    True: (
        ("客户", "有订单", "D12761"),
        ("D12761", "包含", "取暖器N5"),
        ("取暖器N5", "故障", "闪红灯"),
        ("客户", "偏好", "邮件"),
    ),
}


def triples(lang: str | None = None, facts: Iterable[Sequence[str]] | None = None) -> Picture:
    """Draw triples as a graph, each subject left of its objects.

    Parameters
    ----------
    lang : str, optional
        ``"en"`` or ``"zh"``.
    facts : iterable of (subject, predicate, object), optional
        What to draw; default a small example.
    """
    said, zh = pick(lang)
    known = [tuple(map(str, fact)) for fact in (_KNOWN[zh] if facts is None else facts)]
    depth = _depths(known)
    columns: dict[int, list[str]] = {}
    for node, level in depth.items():
        columns.setdefault(level, []).append(node)
    tallest = max(map(len, columns.values()))
    with style.use():
        made, axes = stage(max(1.6, 0.55 * tallest + 0.4), 17.4, max(3.0, 1.05 * tallest + 0.4))
        top, wide = axes.get_ylim()[1], 17.4 / max(3, len(columns))
        place = {}
        for level, nodes in columns.items():
            for row, node in enumerate(nodes):
                place[node] = (level * wide + 0.1, top * (1 - (row + 0.5) / len(nodes)))
        across = min(wide * 0.56, 4.4)
        lines = []
        for subject, predicate, thing in known:
            (x0, y0), (x1, y1) = place[subject], place[thing]
            lines.append((predicate, (x0 + across, y0), (x1 - 0.08, y1)))
            arrow(axes, *lines[-1][1:], lw=1.1)
        for predicate, start, end in lines:  # over all arrows, so that none strikes a word
            # Nearer to the object: where many leave one subject, their middles would overlap.
            middle = (start[0] + 0.64 * (end[0] - start[0]), start[1] + 0.64 * (end[1] - start[1]))
            over = {"facecolor": "#FFFFFF", "edgecolor": "none", "pad": 1.0}
            where: dict[str, Any] = {"ha": "center", "va": "center", "color": style.MUTED}
            axes.text(*middle, style.shorten(predicate, 18), size=8, bbox=over, **where)
        for node, (x, y) in place.items():
            root = not depth[node]
            fill = style.colour("profile" if root else "summary")
            words = style.shorten(node, int(across * 7.6))
            box(axes, x, y - 0.36, across, 0.72, fill, words, size=8.5)
    joined = ("；" if said else "; ").join(" ".join(fact) for fact in known)
    return Picture(made, f"三元组图：{joined}" if said else f"A graph of triples: {joined}")


def _depths(facts: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return how far each node is from those that nothing points to."""
    objects = {fact[2] for fact in facts}
    level = {s: 0 for s, _, _ in facts if s not in objects} or {facts[0][0]: 0}
    grown = True
    while grown:
        grown = False
        for subject, _, thing in facts:
            if subject in level and thing not in level:
                level[thing] = level[subject] + 1
                grown = True
    # What only a circle reaches stands at the left too.
    return level | {s: 0 for s, _, _ in facts if s not in level}

"""Opening pictures of measuring: the same talk to every system, and one's own data."""

from __future__ import annotations

from . import style
from .canvas import Picture, arrow, box, pick, stage

__all__ = ["evaluation", "own_data"]


def evaluation(lang: str | None = None) -> Picture:
    """Draw one conversation told to several systems, and what each context is judged by."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(2.9, 17.4, 6.0)
        talk = "同一段会话\n同样的预算" if zh else "the same talk,\nthe same budget"
        box(axes, 0.1, 2.1, 3.2, 1.8, style.colour("recent"), talk)
        names = (
            ("不记忆", "no memory", "reserve"),
            ("滚动窗口", "rolling window", "tools"),
            ("全部历史", "full history", "past"),
            ("ctxlab", "ctxlab", "summary"),
        )
        for n, (chinese, english, layer) in enumerate(names):
            y = 4.75 - n * 1.5
            arrow(axes, (3.4, 3.0), (4.9, y + 0.5))
            box(axes, 5.0, y, 3.6, 1.05, style.colour(layer), chinese if zh else english)
            arrow(axes, (8.7, y + 0.5), (10.1, 3.0))
        context = "各自的\n上下文" if zh else "the context\nof each"
        box(axes, 10.2, 2.1, 2.7, 1.8, style.COLOURS["system"], context)
        asked = (
            ("该有的都在吗", "holds what it must?"),
            ("不该有的没有吗", "without what it mustn't?"),
            ("用了多少词元", "at how many tokens?"),
            ("测了多少次", "on how many cases?"),
        )
        for n, (chinese, english) in enumerate(asked):
            axes.text(13.3, 4.6 - n * 1.05, chinese if zh else english, va="center", size=8.5)
    text = (
        "同一段会话、同样的预算，讲给四个系统；每个上下文都问四句：该有的在不在，不该有的有没有，"
        "用了多少词元，测了多少次。"
        if said
        else "The same talk at the same budget is told to four systems. Each context is asked: "
        "does it hold what it must, is it free of what it mustn't hold, at how many tokens, on how "
        "many cases."
    )
    return Picture(made, text)


def own_data(lang: str | None = None) -> Picture:
    """Draw the way from a log and labelled pairs to a configuration that an engine loads."""
    said, zh = pick(lang)
    with style.use():
        made, axes = stage(2.2, 17.4, 4.6)
        sources = (
            ("会话日志\nJSONL", "conversations\nJSONL", 2.5),
            ("标注检索\nCSV", "labelled searches\nCSV", 0.3),
        )
        for chinese, english, y in sources:
            box(axes, 0.1, y, 3.3, 1.7, style.colour("recent"), chinese if zh else english)
            arrow(axes, (3.5, y + 0.85), (4.7, 2.25))
        steps = (
            ("拖动、比较", "move and compare", "tools"),
            ("没用来拟合的\n数据上度量", "measure on what\nit wasn't fitted on", "summary"),
            ("ctxlab.toml", "ctxlab.toml", "profile"),
            ("引擎", "engine", "system"),
        )
        for n, (chinese, english, layer) in enumerate(steps):
            x = 4.8 + n * 3.2
            box(axes, x, 1.4, 2.7, 1.7, style.colour(layer), chinese if zh else english, size=8)
            if n:
                arrow(axes, (x - 0.45, 2.25), (x - 0.05, 2.25))
    text = (
        "会话日志和标注检索进入控件；在没用来拟合的数据上度量；设置存成 ctxlab.toml，由引擎加载。"
        if said
        else "A log and labelled searches go into the explorers; settings are measured on data "
        "they weren't fitted on, saved as ctxlab.toml, and loaded by the engine."
    )
    return Picture(made, text)

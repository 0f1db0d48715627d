"""The scale explorer: customers, calls and prices; what a day costs, and what a request takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Index
from ..mitigations.costs import CostModel, CostReport, Prices, Timings, sizes
from ..mitigations.scale import ScalePolicy
from . import style
from .explorer import Control, Explorer, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ScaleData", "ScaleExplorer"]

_NAMES: Mapping[str, Words] = {
    "embed the question": ("embed", "向量化"),
    "search": ("search", "检索"),
    "route and assemble": ("route, assemble", "路由与组装"),
    "extraction": ("extraction", "抽取"),
    "embedding": ("embedding", "向量化"),
    "storage": ("storage", "存储"),
}
_FILLS = {
    "embed the question": "tools",
    "search": "recent",
    "route and assemble": "system",
    "extraction": "summary",
    "embedding": "tools",
    "storage": "past",
}


@dataclass(frozen=True)
class ScaleData:
    """What the settings come to.

    Attributes
    ----------
    report : CostReport
        Storage, tokens, money, milliseconds.
    searched : int
        Vectors that the slowest search looks at.
    typical : int
        Memories of the other customers.
    crossover : int
        Vectors from which an index is used.
    index : str
        ``flat`` or ``ann``: which of the two the slowest search uses.
    vectors, flat_ms, ann_ms : tuple
        Curves: sizes, and milliseconds of one search.
    """

    report: CostReport
    searched: int
    typical: int
    crossover: int
    index: str
    vectors: tuple[int, ...]
    flat_ms: tuple[float, ...]
    ann_ms: tuple[float, ...]

    @property
    def search_ms(self) -> float:
        """Milliseconds of the slowest search."""
        step = next(step for step in self.report.steps if step.name == "search")
        return step.flat_ms if self.index == "flat" else step.ann_ms

    @property
    def total_ms(self) -> float:
        """Milliseconds of the slowest request, before the model is called."""
        return self.report.ms(self.index)

    @property
    def fits(self) -> bool:
        """Whether that is within the budget."""
        return self.report.fits(self.index)


class ScaleExplorer(Explorer):
    """Customers, memories, calls, prices → storage, money a day, and the latency of a request.

    Parameters
    ----------
    data : str, pathlib.Path or Timings, optional
        Search times of your machine, as ``ctxlab tune-index --timings`` writes them; None: those
        measured for this release.

    Examples
    --------
    >>> explorer = ScaleExplorer(lang="en")
    >>> data = explorer.compute(customers=10_000, memories=50, calls=200)
    >>> data.report.extractions, data.report.embeddings
    (200.0, 600.0)
    """

    title: ClassVar[Words] = ("Scale and cost: what memory takes", "规模与成本：记忆要花多少")
    size = (5.6, 4.3)

    def load(self, data: Any) -> None:
        """Take search times."""
        self.timings = data if isinstance(data, Timings) else Timings.load(data)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Size, load, budget; what is searched, how, and at whose prices."""
        scopes: tuple[Words, ...] = (("one customer", "单个客户"), ("everybody", "所有客户"))
        ways: tuple[Words, ...] = (
            ("always exact", "始终精确"),
            ("index if large", "大户用索引"),
        )
        prices: tuple[Words, ...] = (("own machine", "本机"), ("hosted models", "托管模型"))
        many = (100, 1_000, 3_000, 10_000, 30_000, 100_000)
        heavy = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
        crossings = (5_000, 10_000, Index().crossover, 50_000, 100_000)
        return (
            Control("customers", ("customers", "客户数"), many, 10_000, live=True),
            Control("memories", ("memories each", "每人记忆"), (10, 50, 100, 500), 50, live=True),
            Control("heaviest", ("heaviest has", "最大户记忆"), heavy, 100_000, live=True),
            Control("calls", ("calls a day", "每日通话"), (50, 200, 1_000, 10_000), 200, live=True),
            Control("embed", ("embed, ms", "向量化 毫秒"), (2, 10, 30, 100, 200), 2, live=True),
            Control("budget", ("budget, ms", "时延预算 毫秒"), (50, 100, 300, 1_000), 300),
            Control("crossover", ("crossover", "切换点"), crossings, Index().crossover),
            Control(
                "scope", ("searched", "检索范围"), ("one", "all"), "one", captions=scopes, menu=True
            ),
            Control(
                "index", ("how", "方式"), ("exact", "index"), "index", captions=ways, menu=True
            ),
            Control(
                "prices",
                ("prices", "价格"),
                ("own", "hosted"),
                "hosted",
                captions=prices,
                menu=True,
            ),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: every search goes over everybody, exactly. Fixed: one customer, an index."""
        crowd = {"customers": 100_000}
        return {"broken": {**crowd, "scope": "all", "index": "exact"}, "fixed": crowd}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the crossover and the switch."""
        s = self.completed(settings)
        return {"index.crossover": s["crossover"], "mitigations.scale": s["index"] == "index"}

    def model(self, **settings: Any) -> CostModel:
        """Return the cost model that the settings describe."""
        s = self.completed(settings)
        return CostModel(
            customers=s["customers"],
            memories=s["memories"],
            heaviest=s["heaviest"],
            scoped=s["scope"] == "one",
            calls=s["calls"],
            embed_ms=s["embed"],
            budget_ms=s["budget"],
            prices=Prices() if s["prices"] == "hosted" else Prices.local(),
            timings=self.timings,
        )

    def compute(self, **settings: Any) -> ScaleData:
        """Work out the day and the slowest request."""
        s = self.completed(settings)
        model = self.model(**s)
        policy = ScalePolicy(Index(crossover=s["crossover"]), s["index"] == "index", True)
        curve = tuple(sizes(30, max(1_000_000, model.searched)))
        return ScaleData(
            report=model(),
            searched=model.searched,
            typical=s["memories"],
            crossover=s["crossover"],
            index="flat" if policy(model.searched).exact else "ann",
            vectors=curve,
            flat_ms=tuple(self.timings.ms("flat", n) for n in curve),
            ann_ms=tuple(self.timings.ms("hnsw", n) for n in curve),
        )

    # ------------------------------------------------------------------ saying and drawing

    def readout(self, data: ScaleData) -> str:
        """Say what the slowest request takes, and what a day costs."""
        say, report = self.say, data.report
        exact = data.index == "flat"
        way = say("exactly", "精确地") if exact else say("by an index", "用索引")
        fits = say("fits", "未超") if data.fits else say("does not fit", "超出")
        gigabytes = f"{report.storage_bytes / 1e9:,.1f} GB"
        return say(
            f"The slowest search goes over {data.searched:,} vectors {way} in "
            f"{_ms(data.search_ms)} ms; the request takes {_ms(data.total_ms)} and {fits} "
            f"{report.budget_ms:,.0f} ms. {report.vectors:,} memories take {gigabytes}; "
            f"{report.extractions:,.0f} extractions and {report.embeddings:,.0f} embeddings "
            f"a day: ${report.dollars_a_day:,.2f}.",
            f"最慢的一次检索{way}查 {data.searched:,} 个向量，用 {_ms(data.search_ms)} 毫秒；"
            f"整个请求 {_ms(data.total_ms)} 毫秒，{fits} {report.budget_ms:,.0f} 毫秒的预算。"
            f"{report.vectors:,} 条记忆占 {gigabytes}；每天 {report.extractions:,.0f} 次抽取、"
            f"{report.embeddings:,.0f} 次向量化，约 {report.dollars_a_day:,.2f} 美元。",
        )

    def draw(self, data: ScaleData) -> Figure:
        """Draw the time of a search by size, the request against its budget, and the day's bill."""
        with style.use():
            figure, (curves, request, bill) = style.panels(
                self.size, (2.1, 0.42, 0.42), (0.74, 0.66), 0.56
            )
            self._draw_curves(curves, data)
            self._draw_request(request, data)
            self._draw_bill(bill, data)
        return figure

    def _draw_curves(self, axes: Axes, data: ScaleData) -> None:
        zh = self.figure_lang == "zh"
        names = ("精确", "HNSW 索引") if zh else ("exact", "HNSW index")
        both = (data.flat_ms, data.ann_ms)
        for name, layer, ms in zip(names, ("recent", "summary"), both, strict=True):
            hue = style.colour(layer)
            axes.plot(data.vectors, ms, color=hue, lw=1.8)
            # Below the line, where neither the dot nor what is left for the search can be.
            at = len(ms) * 5 // 6
            look = {"size": 9, "ha": "left", "va": "top", "color": hue, "zorder": 2.5}
            style.note(axes, name, (data.vectors[at], ms[at]), (6, -2), **look)
        room = data.report.budget_ms - (data.total_ms - data.search_ms)
        if room > 0:
            axes.axhline(room, color=style.COLOURS["dropped"], lw=1, ls="--")
            left = "留给检索的时间" if zh else "left for the search"
            style.note(axes, left, (data.vectors[0], room), (3, 2.5))
        axes.axvline(data.crossover, color=style.MUTED, lw=1, ls=":")
        hue = style.COLOURS["summary" if data.fits else "dropped"]
        axes.plot(data.searched, data.search_ms, "o", color=hue, ms=9, mec=style.INK, zorder=3)
        low, high = min(data.ann_ms[0], data.flat_ms[0]) * 0.6, max(*data.flat_ms, room, 1) * 3
        axes.set(xscale="log", yscale="log", xlim=(data.vectors[0], data.vectors[-1] * 1.9))
        axes.set_ylim(low, high)
        cross = " 切换点" if zh else " crossover"
        axes.text(data.crossover, low * 1.15, cross, size=8, color=style.MUTED)
        axes.set_title("一次检索要多少毫秒" if zh else "milliseconds of one search", pad=4)
        axes.set_xlabel("检索的向量数" if zh else "vectors searched", labelpad=1)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
            axis.set_minor_locator(_no_ticks())
        axes.grid(True)

    def _draw_request(self, axes: Axes, data: ScaleData) -> None:
        zh, report = self.figure_lang == "zh", data.report
        exact = data.index == "flat"
        parts = {s.name: s.flat_ms if exact else s.ann_ms for s in report.steps}
        hue = style.COLOURS["dropped"]
        axes.axvline(report.budget_ms, color=hue, lw=1.4, ls="--")
        words = f"请求：{_ms(data.total_ms)} 毫秒" if zh else f"request: {_ms(data.total_ms)} ms"
        self._stack(axes, parts, max(data.total_ms, report.budget_ms) * 1.12, words)
        axes.text(
            report.budget_ms, 0.55, "预算 " if zh else "budget ", size=8, ha="right", color=hue
        )

    def _draw_bill(self, axes: Axes, data: ScaleData) -> None:
        zh, report = self.figure_lang == "zh", data.report
        money = f"{report.dollars_a_day:,.2f}"
        words = f"一天：{money} 美元" if zh else f"a day: ${money}"
        self._stack(axes, report.dollars, max(report.dollars_a_day, 1e-6) * 1.12, words)

    def _stack(self, axes: Axes, parts: Mapping[str, float], width: float, title: str) -> None:
        """Draw one stacked bar, its parts named where they have room."""
        zh, at = self.figure_lang == "zh", 0.0
        for name, value in parts.items():
            fill = style.colour(_FILLS[name])
            axes.barh(0, value, left=at, height=0.9, color=fill, edgecolor="white", lw=0.6)
            if value > width * 0.16:
                said, hue = _NAMES[name][zh], style.ink(fill)
                axes.text(at + value / 2, 0, said, ha="center", va="center", color=hue, size=8)
            at += value
        axes.set(xlim=(0, width), ylim=(-0.5, 0.5), yticks=())
        axes.spines["left"].set_visible(False)
        axes.set_title(title, pad=3, size=9)
        axes.xaxis.set_major_locator(_few_ticks())
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5)

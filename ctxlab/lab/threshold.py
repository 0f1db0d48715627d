"""The threshold explorer: what a minimum score lets in and keeps out (R40, R41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..models.embedding import Embedder
from . import style
from .explorer import Control, Explorer, Words
from .labelled import searches
from .trial import GRID, MODES, Point, Trial

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["Shown", "ThresholdData", "ThresholdExplorer"]

_STEP = 0.02  # width of a column
_LOW = -0.2  # scores below are counted there
_SHOWN = 6  # memories of the question looked at


@dataclass(frozen=True)
class Shown:
    """One memory beside the question looked at."""

    text: str
    score: float
    relevant: bool
    comes_in: bool


@dataclass(frozen=True)
class ThresholdData:
    """Labelled searches under a minimum score.

    Attributes
    ----------
    at : Point
        What the minimum leads to.
    curve : tuple of Point
        The same for every minimum on the slider.
    best : float
        The minimum with the highest F1 on these searches.
    own : float, optional
        The embedder's own minimum; None in a search by words.
    relevant, other : tuple of int
        Pairs per column of scores, the first at `low`.
    query : str
        The question looked at.
    answered : bool
        Whether any memory answers it.
    shown : tuple of Shown
        Its best memories, best first.
    k : int
        Hits at most.
    pairs, asked : int
        How many pairs of question and memory, of how many questions.
    """

    at: Point
    curve: tuple[Point, ...]
    best: float
    own: float | None
    relevant: tuple[int, ...]
    other: tuple[int, ...]
    query: str
    answered: bool
    shown: tuple[Shown, ...]
    k: int
    pairs: int
    asked: int


class ThresholdExplorer(Explorer):
    """Minimum score → precision, recall and silence, on labelled searches, per embedder.

    Parameters
    ----------
    data : pandas.DataFrame, str or pathlib.Path, optional
        Labelled searches as `ctxlab.lab.searches` takes them (``query``, ``text``, ``relevant``);
        None: the questions of the support data.
    embedders : sequence of str or Embedder
        To compare: ``"use"``, ``"letters"`` (a baseline without meaning), ``"minilm"``, a model's
        name or folder, or your own. Each is loaded when it's first chosen.

    Examples
    --------
    >>> explorer = ThresholdExplorer(lang="en")
    >>> strict, loose = (explorer.compute(min_score=x).at for x in (0.4, 0.1))
    >>> strict.precision > loose.precision, strict.recall < loose.recall
    (True, True)
    """

    title: ClassVar[Words] = (
        "Minimum score: what comes in, what stays out",
        "最低分：什么进来，什么留在外面",
    )
    size = (5.6, 4.5)

    def __init__(
        self,
        data: Any = None,
        lang: str | None = None,
        embedders: Sequence[str | Embedder] = ("use", "letters"),
    ) -> None:
        self._embedders = embedders
        super().__init__(data, lang)

    def load(self, data: Any) -> None:
        """Take labelled searches."""
        self.trial = Trial(searches(data, self.lang), self._embedders)
        # To begin with: a question that has an answer, among as many memories as can be shown.
        pairs = zip(self.trial.groups, self.trial.answered, strict=True)
        sizes = [min(len(rows), _SHOWN) * (1 + answered) for rows, answered in pairs]
        self._example = sizes.index(max(sizes))

    @property
    def controls(self) -> tuple[Control, ...]:
        """Minimum, hits, embedder, mode, topic, and the question looked at."""
        names = self.trial.embedders
        models: Mapping[str, Words] = {"use": ("USE", "USE"), "letters": ("letters", "字母")}
        modes: tuple[Words, ...] = (("meaning", "语义"), ("words", "关键词"), ("both", "混合"))
        return (
            Control("min_score", ("min score", "最低分"), GRID, 0.3, live=True),
            Control("k", ("hits at most", "最多条数"), (1, 2, 3, 4, 5, 7, 10), 5, live=True),
            Control(
                "embedder",
                ("embedder", "嵌入模型"),
                names,
                names[0],
                captions=tuple(models.get(n, (n, n)) for n in names),
                menu=True,
            ),
            Control("mode", ("search by", "检索方式"), MODES, "dense", captions=modes, menu=True),
            Control("topic", ("embed “topic: text”", "嵌入“主题：正文”"), (False, True), True),
            Control(
                "question",
                ("question", "问题"),
                tuple(range(len(self.trial.groups))),
                self._example,
                live=True,
            ),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: no minimum, the text alone. Fixed: the minimum that fits these searches."""
        fixed: dict[str, Any] = {"mode": "hybrid"}
        fixed["min_score"] = self.compute(**fixed).best
        question = self._telling(fixed)
        broken = {"min_score": 0.0, "topic": False, "question": question}
        return {"broken": broken, "fixed": {**fixed, "question": question}}

    def _telling(self, settings: Mapping[str, Any]) -> int:
        """Return a question of many candidates that the settings answer, and with nothing else."""
        s = self.completed(settings)
        score, labels = self.trial.score(s["embedder"], s["mode"], s["topic"]), self.trial.labels
        for i, rows in enumerate(self.trial.groups):
            comes_in = score[rows] >= s["min_score"]
            if len(rows) >= _SHOWN and comes_in.any() and (comes_in == labels[rows]).all():
                return i
        return self._example

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the search settings; the embedder is the engine's own argument."""
        s = self.completed(settings)
        return {f"semantic.{name}": s[name] for name in ("min_score", "k", "mode")}

    def likely(self) -> Iterator[dict[str, Any]]:
        """Yield what may be asked for next, but for embedders not loaded yet: some take seconds."""
        for settings in super().likely():
            if self.trial.at_hand(settings["embedder"]):
                yield settings

    # ------------------------------------------------------------------ computing

    def compute(self, **settings: Any) -> ThresholdData:
        """Search for every question and hold the hits against the labels."""
        s = self.completed(settings)
        trial, limit = self.trial, s["min_score"]
        score = trial.score(s["embedder"], s["mode"], s["topic"])
        curve = trial.curve(score, s["k"])
        rows, rank = trial.groups[s["question"]], trial.rank(score)
        order = sorted(rows.tolist(), key=lambda i: -score[i])[:_SHOWN]
        own = None if s["mode"] == "keyword" else trial.embedder(s["embedder"]).min_score
        return ThresholdData(
            at=trial.curve(score, s["k"], (limit,))[0],
            curve=curve,
            best=max(curve, key=lambda point: point.f1).min_score,
            own=own,
            relevant=_histogram(score[trial.labels]),
            other=_histogram(score[~trial.labels]),
            query=str(trial.pairs["query"].iat[order[0]]),
            answered=trial.answered[s["question"]],
            shown=tuple(
                Shown(
                    str(trial.pairs["text"].iat[i]),
                    round(float(score[i]), 4),
                    bool(trial.labels[i]),
                    bool(score[i] >= limit and rank[i] <= s["k"]),
                )
                for i in order
            ),
            k=s["k"],
            pairs=len(score),
            asked=len(trial.groups),
        )

    # ------------------------------------------------------------------ saying and drawing

    def readout(self, data: ThresholdData) -> str:
        """Say what the minimum costs and spares, and what the question looked at gets."""
        at, say = data.at, self.say
        come = [hit for hit in data.shown if hit.comes_in]
        wrong = sum(not hit.relevant for hit in come)
        missed = sum(hit.relevant for hit in data.shown) - (len(come) - wrong)
        text = say(
            f"From {at.min_score:.2f}, {data.k} at most: {at.precision:.0%} of the hits are "
            f"relevant, {at.recall:.0%} of the relevant are hit, {at.silence:.0%} of unanswerable "
            f"questions stay empty (F1 is best from {data.best:.2f}).",
            f"从 {at.min_score:.2f} 起、最多 {data.k} 条：命中的有 {at.precision:.0%} 相关，"
            f"相关的命中 {at.recall:.0%}，没有答案的问题有 {at.silence:.0%} 保持空白"
            f"（从 {data.best:.2f} 起 F1 最高）。",
        )
        return text + say(
            f" This question: {len(come)} in, {wrong} of them wrong, {missed} missed.",
            f"这个问题：进来 {len(come)} 条，其中错 {wrong} 条，漏 {missed} 条。",
        )

    def draw(self, data: ThresholdData) -> Figure:
        """Draw both distributions, the three curves, and one question's memories."""
        with style.use():
            figure, (spread, curves, hits) = style.panels(
                self.size, (1.0, 1.15, 1.35), (0.3, 0.62), 0.5
            )
            self._draw_spread(spread, data)
            self._draw_curves(curves, data)
            self._draw_hits(hits, data)
        return figure

    def _draw_spread(self, axes: Axes, data: ThresholdData) -> None:
        zh = self.figure_lang == "zh"
        mirrored = {"relevant": (data.relevant, 1, "summary"), "other": (data.other, -1, "tools")}
        for counts, side, layer in mirrored.values():
            # Each side to its own height: the others are always far more.
            top = max(counts) or 1
            starts = [_LOW + _STEP * i for i in range(len(counts))]
            strong = [x >= data.at.min_score - 1e-9 for x in starts]
            for inside in (True, False):
                chosen = [
                    (x, side * n / top)
                    for x, n, yes in zip(starts, counts, strong, strict=True)
                    if n and yes == inside
                ]
                _columns(axes, chosen, style.colour(layer), 1.0 if inside else 0.35)
        names = ("相关", "无关") if zh else ("relevant", "other")
        for y, name in zip((0.55, -0.55), names, strict=True):
            axes.text(0.985, y, name, ha="right", va="center", size=8, color=style.MUTED)
        axes.axhline(0, color="#CBD5E1", lw=0.8)
        axes.axvline(data.at.min_score, color=style.INK, lw=1.4)
        axes.set(xlim=(_LOW, 1.0), ylim=(-1.08, 1.08), yticks=())
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.tick_params(axis="x", labelbottom=False, length=0)
        title = f"{data.pairs:,} pairs of question and memory, by score"
        axes.set_title(f"{data.pairs:,} 对“问题与记忆”的得分" if zh else title, pad=4)

    def _draw_curves(self, axes: Axes, data: ThresholdData) -> None:
        zh = self.figure_lang == "zh"
        looks = {
            "precision": ("精确率", "summary", "-"),
            "recall": ("召回率", "recent", "-"),
            "silence": ("该空白时空白", "past", "--"),
        }
        english = {"precision": "precision", "recall": "recall", "silence": "silent when it should"}
        scores = [point.min_score for point in data.curve]
        for name, (chinese, layer, dash) in looks.items():
            values = [100 * getattr(point, name) for point in data.curve]
            if name == "precision":  # that of nothing isn't drawn
                values = [
                    v if p.hits else float("nan") for v, p in zip(values, data.curve, strict=True)
                ]
            label = chinese if zh else english[name]
            axes.plot(scores, values, dash, color=style.colour(layer), lw=1.6, label=label)
            now = 100 * getattr(data.at, name)
            axes.plot(data.at.min_score, now, "o", color=style.colour(layer), ms=4)
        axes.axvline(data.at.min_score, color=style.INK, lw=1.4)
        if data.own is not None:
            label = "模型自带" if zh else "model's own"
            axes.axvline(data.own, color=style.MUTED, lw=1, ls=":", label=label)
        axes.set(xlim=(_LOW, 1.0), ylim=(0, 104), yticks=(0, 50, 100), ylabel="%")
        axes.grid(True, axis="y")
        axes.set_xlabel("最低分" if zh else "min score", labelpad=1)
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 0.94), ncols=4, handlelength=1.4)

    def _draw_hits(self, axes: Axes, data: ThresholdData) -> None:
        zh = self.figure_lang == "zh"
        for row, hit in enumerate(data.shown):
            wrong = hit.comes_in != hit.relevant
            fill = style.colour("dropped" if wrong else "summary" if hit.relevant else "reserve")
            width = max(hit.score, 0.0)
            axes.barh(row, width, height=0.78, color=fill, alpha=0.55 if hit.comes_in else 0.25)
            if hit.relevant and not hit.comes_in:
                axes.barh(row, width, height=0.78, color="none", edgecolor=fill, lw=1.2)
            mark = "✓" if hit.comes_in else "✗"
            axes.text(_LOW + 0.02, row, mark, va="center", size=8, family=["DejaVu Sans"])
            axes.text(0.01, row + 0.02, style.shorten(hit.text, 74), va="center", size=7.5)
            where: dict[str, Any] = {"ha": "right", "va": "center", "color": style.MUTED}
            axes.text(-0.02, row, f"{round(hit.score, 2) + 0.0:.2f}", size=7.5, **where)
        style.behind(axes, data.at.min_score)
        axes.set(xlim=(_LOW, 1.0), ylim=(_SHOWN - 0.45, -0.55), yticks=())
        axes.spines["left"].set_visible(False)
        query = style.shorten(data.query, 50)
        unknown = (
            "" if data.answered else "  （记忆中没有答案）" if zh else "  (nothing answers it)"
        )
        axes.set_title((f"「{query}」" if zh else f"“{query}”") + unknown, pad=3)
        axes.set_xlabel(
            "得分（绿：对；橙红：错进或错漏）"
            if zh
            else "score (green: right; red: in by mistake, or missed)"
        )


def _histogram(score: NDArray[np.float64]) -> tuple[int, ...]:
    import numpy as np

    columns = round((1 - _LOW) / _STEP)
    place = np.floor((score - _LOW) / _STEP + 1e-9).astype(int).clip(0, columns - 1)
    return tuple(np.bincount(place, minlength=columns).tolist())


def _columns(axes: Axes, chosen: Sequence[tuple[float, float]], fill: str, alpha: float) -> None:
    from matplotlib.collections import PolyCollection

    inner = _STEP * 0.9
    corners = [[(x, 0), (x + inner, 0), (x + inner, y), (x, y)] for x, y in chosen]
    axes.add_collection(PolyCollection(corners, facecolors=fill, lw=0, alpha=alpha))

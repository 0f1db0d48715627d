"""The dedupe explorer: what merges, what replaces, what stands apart, and what is lost (R94)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Duplicates
from . import style
from .explorer import Control, Explorer, Words
from .pairs import RELATIONS, Pair, actions, judge, labelled_pairs, read_pairs, shares, spread
from .statements import STORIES, Step, naive, remember, story

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["DedupeData", "DedupeExplorer", "Pair"]

_SCORES = tuple(round(0.05 * n, 2) for n in range(4, 20))
_TRUSTING = 0.45  # where a store that trusts similarity recognises the wordings of one address
_USUAL = round(Duplicates().candidate_score, 2)
_OUTCOMES: dict[str, tuple[str, Words]] = {
    "right": ("recent", ("as labelled", "与标注一致")),
    "twice": ("reserve", ("kept twice", "重复留存")),
    "lost": ("dropped", ("false merge", "误合并")),
}
_MARKS: dict[str, tuple[str, dict[str, Any]]] = {
    "right": (".", {"ms": 5}),
    "twice": ("o", {"ms": 3.2, "mfc": "none"}),
    "lost": ("x", {"ms": 4.5, "mew": 1.3}),
}
_NAMES: dict[str, Words] = {
    "duplicate": ("same", "相同"),
    "supplement": ("adds", "补充"),
    "supersede": ("replaces", "取代"),
    "distinct": ("only alike", "只是相像"),
}
_ACTIONS: dict[str, tuple[str, Words]] = {
    "added": ("recent", ("added", "新增")),
    "supplemented": ("summary", ("supplemented", "补充")),
    "merged": ("summary", ("merged", "合并")),
    "superseded": ("profile", ("superseded", "取代")),
    "overwritten": ("dropped", ("overwritten", "覆盖")),
    "undone": ("reserve", ("undone", "已撤销")),
    "refused": ("reserve", ("refused", "拒绝")),
    "discarded": ("reserve", ("discarded", "舍弃")),
}


@dataclass(frozen=True)
class DedupeData:
    """What the settings lead to.

    Attributes
    ----------
    view, rule : str
        What is shown, and which rule decides; what isn't shown isn't computed.
    score : float
        Cosine from which two statements merge (rule ``cosine``) or are compared (``compare``).
    pairs : tuple of Pair
    curve : tuple
        For each score of the slider: ``(score, share kept twice, share falsely merged)``.
    said : tuple of str
        The story's statements so far.
    steps : tuple of Step
        What became of each, and of the undo if there was one.
    """

    view: str
    rule: str
    score: float
    pairs: tuple[Pair, ...]
    curve: tuple[tuple[float, float, float], ...]
    said: tuple[str, ...]
    steps: tuple[Step, ...]

    def count(self, outcome: str) -> int:
        """Return how many pairs met that outcome."""
        return sum(pair.outcome == outcome for pair in self.pairs)


class DedupeExplorer(Explorer):
    """Pairs and a story of one customer → what merges, what replaces, what is lost.

    Parameters
    ----------
    data : pandas.DataFrame, str, pathlib.Path or list, optional
        Labelled pairs with columns ``old new relation`` and perhaps ``attribute``, or a CSV or
        JSONL file of them; or a list of statements of one customer, oldest first (texts, or dicts
        with ``text``), which become the story. None for what comes with ctxlab.

    Notes
    -----
    Of each label at most 60 pairs are taken, evenly spread: a comparison costs some milliseconds.

    Rule ``cosine`` overwrites what is near enough, as many stores do, and counts a replaced value
    as right if the newer one stayed. Rule ``compare`` is ctxlab's: the cosine only proposes.

    Examples
    --------
    >>> said = [{"text": "Ship to 1 Elm Road, Salem"}, {"text": "Ship to 2 Elm Road, Salem"}]
    >>> explorer = DedupeExplorer(said, lang="en")
    >>> [step.action for step in explorer.compute(view="story", rule="cosine", score=0.5).steps]
    ['added', 'overwritten']
    """

    title: ClassVar[Words] = (
        "Duplicates: what merges, what replaces, what stays",
        "重复记忆：合并、取代，还是并存",
    )

    def load(self, data: Any) -> None:
        """Take pairs or a story; the other comes with ctxlab."""
        own_story = isinstance(data, Sequence) and not isinstance(data, str | Path)
        self.story = story(data) if own_story else STORIES[self.lang]
        frame = labelled_pairs(None if own_story else data, self.lang)
        columns = (spread(frame)[name] for name in ("old", "new", "relation", "attribute"))
        self.pairs = tuple(zip(*columns, strict=True))

    @property
    def controls(self) -> tuple[Control, ...]:
        """View, rule, score, whether the attribute is known; step of the story and its undo."""
        views: tuple[Words, ...] = (("pairs", "成对"), ("story", "故事"))
        rules: tuple[Words, ...] = (("cosine", "余弦"), ("compare", "比较"))
        known = ("pairs: attribute known", "成对：已知属性")
        undo = ("story: undo the last step", "故事：撤销最后一步")
        steps = tuple(range(1, len(self.story) + 1))
        return (
            Control("view", ("show", "显示"), ("pairs", "story"), "pairs", captions=views),
            Control(
                "rule", ("decide by", "判定依据"), ("cosine", "compare"), "compare", captions=rules
            ),
            Control("score", ("from cosine", "余弦不低于"), _SCORES, _USUAL, live=True),
            Control("known", known, (False, True), False),
            Control("step", ("story: step", "故事：步骤"), steps, steps[-1]),
            Control("undo", undo, (False, True), False),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: the story by cosine, where the vaguest wording wins. Fixed: by comparing."""
        shown = {"view": "story", "step": len(self.story)}
        broken = {**shown, "rule": "cosine", "score": _TRUSTING}
        return {"broken": broken, "fixed": {**shown, "rule": "compare"}}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the cosine from which an engine compares; an engine always compares."""
        return {"duplicates.candidate_score": self.completed(settings)["score"]}

    def compute(self, **settings: Any) -> DedupeData:
        """Apply the rule to every pair, and tell the story up to the step."""
        s = self.completed(settings)
        tell, said = remember if s["rule"] == "compare" else naive, self.story[: s["step"]]
        shown = s["view"] == "pairs"
        return DedupeData(
            view=s["view"],
            rule=s["rule"],
            score=s["score"],
            pairs=self._judged(s, s["score"]) if shown else (),
            curve=tuple(shares(self._judged(s, x), x) for x in _SCORES) if shown else (),
            said=said,
            steps=() if shown else _told(tell, said, s["score"], s["undo"]),
        )

    def _judged(self, s: Mapping[str, Any], score: float) -> tuple[Pair, ...]:
        known = s["known"] and s["rule"] == "compare"
        made = ("merged",) * len(self.pairs)
        if s["rule"] == "compare":
            made = actions(self.pairs, known)
        return judge(read_pairs(self.pairs, known), made, s["rule"] == "cosine", score)

    def readout(self, data: DedupeData) -> str:
        """Say what the rule did to the pairs, or to the story."""
        return self._read_pairs(data) if data.view == "pairs" else self._read_story(data)

    def _read_pairs(self, data: DedupeData) -> str:
        right, twice, lost = (data.count(name) for name in _OUTCOMES)
        verb = {"cosine": ("Merging", "就合并"), "compare": ("Comparing", "才比较")}[data.rule]
        by = self.say(f"{verb[0]} from cosine {data.score}", f"余弦 ≥ {data.score} {verb[1]}")
        return self.say(
            f"{by}: of {len(data.pairs)} pairs {right} as labelled, {twice} kept twice, "
            f"{lost} merged or replaced although both still hold.",
            f"{by}：{len(data.pairs)} 对中，{right} 对与标注一致，{twice} 对重复留存，"
            f"{lost} 对本应并存却被合并或取代。",
        )

    def _read_story(self, data: DedupeData) -> str:
        step, last = data.steps[-1], data.said[-1]
        word = _ACTIONS[step.action][1][self.lang == "zh"]
        kept = self.say("; ", "；").join(f"“{line.text}”" for line in step.live)
        hidden = sum(len(line.history) for line in step.live)
        count = len(step.live)
        live = self.say(f"{count} live", f"{count} 条生效")
        text = self.say(
            f"Step {len(data.said)}, “{last}”: {word}. {live}: {kept}",
            f"第 {len(data.said)} 步「{last}」：{word}。{live}：{kept}",
        )
        more = self.say(f" (+ {hidden} wordings in history).", f"（历史中另有 {hidden} 种说法）。")
        return text + (more if hidden else self.say(".", "。"))

    # ------------------------------------------------------------------ drawing

    def draw(self, data: DedupeData) -> Figure:
        """Draw the pairs by label and cosine, or the story and what is live after it."""
        with style.use():
            if data.view == "story":
                return self._draw_story(data)
            figure, (dots, curve) = style.panels(self.size, (2.0, 1.0), (0.5,), 0.9)
            self._draw_pairs(dots, data)
            self._draw_curve(curve, data)
        return figure

    def _draw_pairs(self, axes: Axes, data: DedupeData) -> None:
        zh = self.figure_lang == "zh"
        for outcome, (layer, words) in _OUTCOMES.items():
            places = [
                _place(i, pair) for i, pair in enumerate(data.pairs) if pair.outcome == outcome
            ]
            hue = style.MUTED if layer == "reserve" else style.colour(layer)
            mark, look = _MARKS[outcome]
            name = f"{words[zh]} {len(places)}"
            xs, ys = zip(*places, strict=True) if places else ((), ())
            axes.plot(xs, ys, mark, color=hue, label=name, alpha=0.8, **look)
        axes.axvline(data.score, color=style.INK, lw=1.2)
        axes.set(xlim=(0.17, 1.01), ylim=(-0.5, 3.5), yticks=range(4))
        axes.set_yticklabels([_NAMES[name][zh] for name in RELATIONS])
        axes.invert_yaxis()
        axes.tick_params(axis="both", length=0)
        axes.tick_params(axis="x", labelbottom=False)
        axes.grid(True, axis="x")
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 0.98), ncols=3, handletextpad=0.2)

    def _draw_curve(self, axes: Axes, data: DedupeData) -> None:
        zh = self.figure_lang == "zh"
        scores, twice, lost = zip(*data.curve, strict=True)
        hue = style.colour("dropped")
        axes.plot(scores, lost, color=hue, lw=2, label="误合并" if zh else "false merges")
        axes.plot(scores, twice, color=style.MUTED, lw=2, label="重复留存" if zh else "kept twice")
        axes.axvline(data.score, color=style.INK, lw=1.2)
        axes.set(xlim=(0.17, 1.01), ylim=(-2, 104), yticks=(0, 50, 100))
        axes.set_ylabel("占比（%）" if zh else "share, %")
        axes.set_xlabel(
            "两句话的余弦（竖线：阈值）" if zh else "cosine of the two (line: threshold)"
        )
        axes.grid(True)
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 0.96), ncols=2, handlelength=1.4)

    def _draw_story(self, data: DedupeData) -> Figure:
        figure, (axes,) = style.panels(self.size, (1.0,), (), 0.12)
        count = len(self.story)
        tall = count + 1.6 + max(count, 4) * 0.95
        axes.set(xlim=(0, 100), ylim=(tall, 0))
        axes.axis("off")
        zh = self.figure_lang == "zh"
        axes.text(0, 0.2, "说过的话" if zh else "said", weight="bold", size=9.5)
        told = list(data.steps[: len(data.said)])
        for i, text in enumerate(self.story):
            step = told[i] if i < len(told) else None
            undone = data.steps[-1].action == "undone" and i == len(told) - 1
            action = step.action if step else None
            self._draw_said(axes, i + 0.95, text, "undone" if undone else action)
        top = count + 1.25
        live = data.steps[-1].live
        names = f"此刻生效：{len(live)} 条" if zh else f"live now: {len(live)}"
        axes.text(0, top, names, weight="bold", size=9.5)
        rows = [(line.text, True) for line in live]
        if len(live) == 1:
            rows += [(text, False) for text in live[0].history]
        gap = min(0.95, (tall - top - 0.3) / max(len(rows), 1))
        for i, (text, holds) in enumerate(rows):
            self._draw_kept(axes, top + 0.8 + gap * i, text, holds)
        return figure

    def _draw_said(self, axes: Axes, y: float, text: str, action: str | None) -> None:
        shown = style.INK if action not in (None, "undone") else "#A3ADBB"
        axes.text(0, y, style.shorten(text, 66), size=8.5, va="center", color=shown)
        if action:
            layer, words = _ACTIONS[action]
            fill = style.colour(layer)
            box = {"boxstyle": "round,pad=0.28", "facecolor": fill, "edgecolor": "none"}
            axes.text(
                100,
                y,
                words[self.figure_lang == "zh"],
                size=8,
                ha="right",
                va="center",
                color=style.ink(fill),
                bbox=box,
            )

    def _draw_kept(self, axes: Axes, y: float, text: str, holds: bool) -> None:
        """Draw a live record in bold, or a wording that its history keeps."""
        if holds:
            axes.plot(1, y, "s", ms=6, color=style.colour("profile"))
            axes.text(3.2, y, style.shorten(text, 70), size=9, va="center", weight="bold")
        else:
            word = "历史" if self.figure_lang == "zh" else "history"
            note = f"{word}  {style.shorten(text, 68)}"
            axes.text(3.2, y, note, size=8, va="center", color=style.MUTED)


def _place(index: int, pair: Pair) -> tuple[float, float]:
    """Return where a pair is drawn: spread over its row in steps that never cluster."""
    return pair.cosine, RELATIONS.index(pair.relation) - 0.36 + 0.72 * (index * 0.618034 % 1)


@cache
def _told(tell: Any, said: tuple[str, ...], score: float, undo: bool) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = tell(said, score, undo)
    return steps

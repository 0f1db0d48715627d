"""The decay explorer: what age leaves of each memory, and which come in on day n (R33, R90)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Decay, Durable
from ..layers.keyword import Keywords
from ..layers.semantic import relevance
from ..mitigations.contamination import CURVES, Fade
from ..models.embedding import get_embedder
from . import style
from .dated import Remembered, remembered
from .explorer import Control, Explorer, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["KIND_LAYERS", "Aged", "DecayData", "DecayExplorer"]

KIND_LAYERS = {
    "fact": "summary",
    "preference": "profile",
    "request": "state",
    "commitment": "tools",
    "event": "recent",
    "emotion": "past",
}
"""Kind of memory -> the layer whose colour it has in figures."""
_KINDS: Mapping[str, Words] = {
    "fact": ("fact", "事实"),
    "preference": ("preference", "偏好"),
    "request": ("request", "请求"),
    "commitment": ("promise", "承诺"),
    "event": ("event", "事件"),
    "emotion": ("feeling", "情绪"),
}
_FADING = ("emotion", "event", "preference")
_DAYS = (*range(15), 17, 19, 21, 24, 28, 31, 35, 42, 50, 60, 75, 90, 120)
_HALF_LIVES = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 180, 365)
_SHOWN = 9  # memories in the lower panel


@dataclass(frozen=True)
class Aged:
    """One memory on the day looked at.

    Attributes
    ----------
    memory : Remembered
        What it says.
    relevance : float
        To the question, before age is counted; 0 to 1.
    fade : float
        What age has left of it, 0 to 1.
    expired, comes_in : bool
        Whether its time is over; whether a search would return it.
    """

    memory: Remembered
    relevance: float
    fade: float
    expired: bool
    comes_in: bool

    @property
    def score(self) -> float:
        """Relevance times what age has left."""
        return self.relevance * self.fade


@dataclass(frozen=True)
class DecayData:
    """A story's memories on one day.

    Attributes
    ----------
    day : int
        Days since the story began.
    aged : tuple of Aged
        What had been said by then, in the order it was said.
    weights : dict
        Kind -> what age leaves of its relevance on each of `days`.
    days : tuple of int
        Ages in days.
    min_score : float
        From which a memory comes in.
    question : str
        What is asked.
    """

    day: int
    aged: tuple[Aged, ...]
    weights: Mapping[str, tuple[float, ...]]
    days: tuple[int, ...]
    min_score: float
    question: str

    @property
    def comes_in(self) -> tuple[Aged, ...]:
        """What a search returns."""
        return tuple(one for one in self.aged if one.comes_in)


class DecayExplorer(Explorer):
    """Half-lives, curve and lifetimes → which memories come in on day n.

    Parameters
    ----------
    data : list of Record or dict, pandas.DataFrame, str or pathlib.Path, optional
        Memories as `ctxlab.lab.remembered` takes them (``text``, ``kind``, ``day``); None: the
        built-in story.

    Examples
    --------
    >>> explorer = DecayExplorer(lang="en")
    >>> old, now = explorer.compute(day=28), explorer.compute(day=0)
    >>> [any(one.memory.kind == "emotion" for one in x.comes_in) for x in (now, old)]
    [True, False]
    """

    title: ClassVar[Words] = ("Decay: what comes in on day n", "衰减：第 n 天还会想起什么")
    size = (5.6, 4.5)

    def load(self, data: Any) -> None:
        """Take memories."""
        told = remembered(data, self.lang)
        self.memories = tuple(sorted(told, key=lambda memory: memory.day))
        self._relevance: dict[tuple[str, int], tuple[float, ...]] = {}

    @property
    def controls(self) -> tuple[Control, ...]:
        """Day, curve, half-lives, uses, the two switches, and the question."""
        usual = Decay()
        curves: tuple[Words, ...] = (
            ("exponential", "指数"),
            ("power law", "幂律"),
            ("ACT-R (use renews)", "ACT-R（用则更新）"),
        )
        names: Mapping[str, Words] = {
            "emotion": ("feeling half-life", "情绪半衰期"),
            "event": ("event half-life", "事件半衰期"),
            "preference": ("prefer. half-life", "偏好半衰期"),
        }
        lasts = tuple((f"{d} day{'s' * (d > 1)}", f"{d} 天") for d in _HALF_LIVES)
        asked = self.say("What about my heater?", "我的取暖器怎么样了？")
        return (
            Control("day", ("day", "第几天"), _DAYS, 28, live=True),
            Control("curve", ("curve", "曲线"), CURVES, usual.curve, captions=curves, menu=True),
            *(
                Control(kind, words, _HALF_LIVES, int(usual.half_life_days[kind]), True, lasts)
                for kind, words in names.items()
            ),
            Control("uses", ("used since", "期间用过几次"), (0, 1, 2, 3, 5, 10, 20), 0, live=True),
            Control("fading", ("age counts", "计入年龄"), (False, True), True),
            Control("expiry", ("memories expire", "记忆会过期"), (False, True), True),
            Control("question", ("question", "问题"), (asked,), asked, typed=True),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: nothing fades or expires. Fixed: the defaults; both four weeks on."""
        return {"broken": {"fading": False, "expiry": False}, "fixed": {}}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return curve, half-lives, the switch, and no lifetimes if nothing expires."""
        s = self.completed(settings)
        found = {
            "decay.curve": s["curve"],
            "decay.half_life_days": {kind: float(s[kind]) for kind in _FADING},
            "mitigations.contamination": s["fading"],
        }
        return found if s["expiry"] else {**found, "durable.ttl_days": {}}

    # ------------------------------------------------------------------ computing

    def compute(self, **settings: Any) -> DecayData:
        """Weigh what was said by the day looked at."""
        s = self.completed(settings)
        half_lives = {kind: float(s[kind]) for kind in _FADING}
        fade = Fade(Decay(curve=s["curve"], half_life_days=half_lives), s["fading"])
        ttl = Durable().ttl_days if s["expiry"] else {}
        floor = get_embedder("use").min_score
        told = sum(memory.day <= s["day"] for memory in self.memories)
        aged = []
        for memory, close in zip(self.memories, self._to(s["question"], told), strict=False):
            age = s["day"] - memory.day
            left = _left(fade, memory.kind, [age], s["uses"])[0]
            expired = age >= ttl.get(memory.kind, float("inf"))
            comes_in = not expired and close * left >= floor
            aged.append(Aged(memory, close, left, expired, comes_in))
        return DecayData(
            day=s["day"],
            aged=tuple(aged),
            weights={k: _left(fade, k, _DAYS, s["uses"]) for k in (*_FADING, "fact")},
            days=_DAYS,
            min_score=floor,
            question=s["question"],
        )

    def _to(self, question: str, told: int) -> tuple[float, ...]:
        """Return the relevance to a question of the first `told` memories, as a search scores it.

        Words are weighed by their rarity among what is there, so it depends on what else was said.
        """
        if (question, told) not in self._relevance:
            memories = self.memories[:told]
            texts = [memory.topic_text for memory in memories]
            model = get_embedder("use")  # caches its vectors
            cosine = model.encode(texts) @ model.encode([question])[0]
            found = relevance(cosine, Keywords(texts)(question)[1]) if texts else []
            self._relevance[question, told] = tuple(
                float(worked_out) if memory.relevance is None else memory.relevance
                for memory, worked_out in zip(memories, found, strict=True)
            )
        return self._relevance[question, told]

    # ------------------------------------------------------------------ saying and drawing

    def readout(self, data: DecayData) -> str:
        """Say what comes in, and what has become of the latest feeling."""
        say, inside = self.say, data.comes_in
        over = sum(one.expired for one in data.aged)
        text = say(
            f"Day {data.day}: {len(inside)} of {len(data.aged)} memories reach "
            f"{data.min_score:.2f} and come in; {over} expired.",
            f"第 {data.day} 天：{len(data.aged)} 条记忆中有 {len(inside)} 条达到 "
            f"{data.min_score:.2f}、进入上下文；{over} 条已过期。",
        )
        felt = [one for one in data.aged if one.memory.kind == "emotion"]
        if not felt:
            return text
        one = max(felt, key=lambda felt: felt.relevance)
        age, left = data.day - one.memory.day, f"{one.fade:.0%}"
        if one.expired:
            fate = say("has expired", "已过期")
        elif one.comes_in:
            fate = say("still comes in", "仍会进来")
        else:
            fate = say("stays out", "留在外面")
        return text + say(
            f" A feeling {age:.0f} days old keeps {left} of its weight and {fate}.",
            f"{age:.0f} 天前的情绪还剩 {left} 的分量，{fate}。",
        )

    def draw(self, data: DecayData) -> Figure:
        """Draw what age leaves of each kind, and the memories by score."""
        with style.use():
            figure, (curves, bars) = style.panels(self.size, (1.0, 1.75), (0.68,), 0.5)
            self._draw_curves(curves, data)
            self._draw_memories(bars, data)
        return figure

    def _draw_curves(self, axes: Axes, data: DecayData) -> None:
        zh = self.figure_lang == "zh"
        for kind, weights in data.weights.items():
            hue = style.colour(KIND_LAYERS[kind])
            name = _KINDS[kind][zh]
            if kind == "fact":
                name = "事实、请求、承诺" if zh else "fact, request, promise"
            axes.plot(data.days, [100 * w for w in weights], color=hue, lw=1.8, label=name)
        axes.axvline(data.day, color=style.INK, lw=1.4)
        axes.set(xlim=(0, data.days[-1]), ylim=(0, 106), yticks=(0, 50, 100))
        axes.set_ylabel("剩余分量 %" if zh else "weight left, %")
        axes.set_xlabel("距离说出的天数" if zh else "days since it was said", labelpad=1)
        axes.grid(True, axis="y")
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 0.97), ncols=4, handlelength=1.4)

    def _draw_memories(self, axes: Axes, data: DecayData) -> None:
        # Each keeps its row while the day moves, so that its bar is seen to shrink.
        best = sorted(data.aged, key=lambda one: -one.relevance)[:_SHOWN]
        zh, shown = self.figure_lang == "zh", [one for one in data.aged if one in best]
        for row, one in enumerate(shown):
            hue = style.colour(KIND_LAYERS[one.memory.kind])
            # The hollow part is what age has taken.
            axes.barh(row, one.relevance, height=0.78, color="none", edgecolor=hue, lw=0.9)
            strength = 0.6 if one.comes_in else 0.18
            axes.barh(row, one.score, height=0.78, color=hue, alpha=strength)
            ink = style.INK if one.comes_in else style.MUTED
            note = ("  （已过期）" if zh else "  (expired)") if one.expired else ""
            text = style.shorten(one.memory.text, 78 - len(note)) + note
            axes.text(0.008, row + 0.02, text, va="center", size=7.5, color=ink)
            mark = "✓" if one.comes_in else "✗"
            axes.text(-0.075, row, mark, va="center", size=8, color=ink, family=["DejaVu Sans"])
            where: dict[str, Any] = {"ha": "right", "va": "center", "color": style.MUTED}
            axes.text(-0.012, row, f"{one.score:.2f}", size=7.5, **where)
        style.behind(axes, data.min_score)
        end = max([0.7, *(one.relevance + 0.05 for one in shown)])
        axes.set(xlim=(-0.08, end), ylim=(min(len(self.memories), _SHOWN) - 0.45, -0.55), yticks=())
        axes.set_xticks([tick / 10 for tick in range(0, int(end * 10) + 1, 1)])
        axes.spines["left"].set_visible(False)
        query = style.shorten(data.question, 44)
        asked = f"第 {data.day} 天：「{query}」" if zh else f"day {data.day}: “{query}”"
        axes.set_title(asked, pad=3)
        axes.set_xlabel(
            "得分＝相关度 × 剩余分量（空心：被年龄拿走的；竖线：最低分）"
            if zh
            else "score = relevance × weight left (hollow: taken by age; line: least score)"
        )


def _left(fade: Fade, kind: str, ages: Any, uses: int) -> tuple[float, ...]:
    """Return what age leaves at each of `ages`, used that often at even intervals since."""
    import numpy as np

    age = np.asarray(ages, dtype=float)
    half, lasting = np.full(age.shape, fade.half_life(kind)), fade.lasting(kind)
    # A feeling isn't renewed by being looked at: the rule of the shelf that a search ranks.
    times = np.full(age.shape, uses * (lasting > 0))
    weights: list[float] = fade(age, half, lasting, times, age / (times + 1)).tolist()
    return tuple(weights)

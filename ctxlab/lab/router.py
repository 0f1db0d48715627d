"""The router explorer: a message and its counters → mode, reasons, the nearest flip (R60)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Config
from ..context.budget import BudgetPlan
from ..context.fitted_router import FittedRouter
from ..context.routing import RouteDecision, Router
from ..engine import SYSTEM_PROMPT
from ..messages import text_of
from ..tokens import TokenCounter
from . import style
from .budget import round_sizes
from .explorer import Control, Explorer, Words
from .samples import TOOLS, conversation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["RouterData", "RouterExplorer"]

# A mode has the colour of what it carries: dialogue, summary, passages of the past.
_LAYER = {"EXHAUSTIVE": "recent", "SUMMARY": "summary", "RETRIEVAL": "past"}
_TURNS = (1, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
_ROWS: tuple[tuple[Words, bool, bool], ...] = (  # fits, refers back
    (("fits", "装得下"), True, False),
    (("doesn't fit", "装不下"), False, False),
    (("refers, fits", "提到，装得下"), True, True),
    (("refers, doesn't", "提到，装不下"), False, True),
)
# A router says its reasons in English; these are all the forms they take.
_LIKE = re.compile(r"(?:, )?like: [^()]*(?=\))")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_CHINESE = tuple(
    (re.compile(pattern), chinese)
    for pattern, chinese in (
        (
            r"the message refers to the past \(([^()]+), like: (.+?)\)",
            r"这句话提到以前：\1，像“\2”",
        ),
        (r"the message refers to the past \(like: (.+?)\)", r"这句话提到以前，像“\1”"),
        (r"the message refers to the past \((.+?)\)", r"这句话提到以前：\1"),
        (r"the message refers to the past", "这句话提到以前"),
        (r"(\d+) turns, over (\d+)", r"\1 轮，超过 \2"),
        (r"(\d+) turns, under (\d+)", r"\1 轮，少于 \2"),
        (r"(\d+) turns, and all of them fit", r"\1 轮，全装得下"),
        (r"(\d+) turns don't fit word for word", r"\1 轮，原文装不下"),
        (
            r"(\d+) tool calls in this turn, over (\d+): the last result .*",
            r"本轮 \1 次工具调用，超过 \2：每个工具只留最后结果，目标保留",
        ),
        (r"at (\d+) turns this would be (\w+)", r"到 \1 轮就会是 \2"),
        (r"without (?:the|a) reference to the past this would be (\w+)", r"不提以前就会是 \1"),
        (r"with a reference to the past this would be (\w+)", r"提到以前就会是 \1"),
        (r"a reference to the past would make this (\w+)", r"提到以前就会是 \1"),
        (r"if the history (?:did not fit|fitted) this would be (\w+)", r"装得下与否一变就是 \1"),
        (r"no change within (\d+) turns gives another mode than (\w+)", r"\1 轮之内怎么变都是 \2"),
        (r"fitted: (\w+) was needed in (\S+) of such cases", r"拟合：这类情形 \2 需要 \1"),
        (r"for it against (\w+): ", r"相对 \1 的依据："),
        (r"long and refers back", "又长又提到以前"),
        (r"refers back", "提到以前"),
        (r"log turns", "轮数"),
        (r"\bfits\b", "装得下"),
    )
)


@dataclass(frozen=True)
class RouterData:
    """A decision, and all the others that the same settings lead to.

    Attributes
    ----------
    decision : RouteDecision
        For the turn looked at.
    at : int
        That turn, from 1.
    message : str
        What is asked in it.
    modes : tuple of str
        Mode of each turn of the conversation.
    scores : tuple of float
        How much each turn's message leans on earlier talk, 0 to 1.
    refers : tuple of bool
        Whether that counts as a reference.
    tokens : tuple of int
        Tokens of system prompt, tools and whole history at each turn.
    limit : int
        Tokens that input may take.
    map : tuple of tuple of str
        Mode by row of the map (fits or not, refers back or not) and turn from 1.
    """

    decision: RouteDecision
    at: int
    message: str
    modes: tuple[str, ...]
    scores: tuple[float, ...]
    refers: tuple[bool, ...]
    tokens: tuple[int, ...]
    limit: int
    map: tuple[tuple[str, ...], ...]

    @property
    def unfit(self) -> int:
        """Turns whose whole history is asked for although it doesn't fit."""
        pairs = zip(self.modes, self.tokens, strict=True)
        return sum(mode == "EXHAUSTIVE" and size > self.limit for mode, size in pairs)


class RouterExplorer(Explorer):
    """Message and counters → how this session's history is carried, and what would flip it.

    Parameters
    ----------
    data : str, pathlib.Path or list of dict, optional
        A JSONL file or OpenAI-style messages; None for the longest built-in session.

    Notes
    -----
    The message typed in takes the place of the conversation's own at that turn. A router that was
    fitted to logs is handed to an engine in code (``router=``); the thresholds are the rules'.

    Examples
    --------
    >>> explorer = RouterExplorer(lang="en")
    >>> explorer.compute(turn=12).decision.mode
    'EXHAUSTIVE'
    >>> explorer.compute(turn=12, message="Back to the plan we agreed on").decision.mode
    'RETRIEVAL'
    """

    title: ClassVar[Words] = (
        "Router: how the history is carried",
        "路由：历史怎么带上",
    )
    lines: ClassVar[int] = 3

    def load(self, data: Any) -> None:
        """Take a conversation; weigh each of its requests once."""
        talk = [m for m in conversation(data, self.lang) if m["role"] != "system"]
        counter = TokenCounter()
        base = counter.count_message({"role": "system", "content": SYSTEM_PROMPT})
        base += counter.count_tools(TOOLS)
        asked = [i for i, m in enumerate(talk) if m["role"] == "user"] or [len(talk) - 1]
        sizes = [counter.count_message(m) for m in talk]
        self._tokens = tuple(base + sum(sizes[: i + 1]) for i in asked)
        self._asked = tuple(text_of(talk[i].get("content")) for i in asked)
        whole = self._tokens[-1]
        self._windows = round_sizes(whole * 0.35, whole * 4) or (whole * 2,)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Message, turn, tool calls and window; the rules' thresholds; rules or fitted weights."""
        usual = Config().routing
        last = len(self._asked)
        turns = tuple(range(1, last + 1))
        window = min(self._windows, key=lambda size: abs(size * 0.8 - self._tokens[-1] * 0.75))
        kinds: tuple[Words, ...] = (("rules", "规则"), ("fitted", "拟合"))
        words: dict[str, Words] = {
            "full_below": ("all under, turns", "少于几轮全带"),
            "summary_over": ("sum up over", "超过几轮摘要"),
            "retrieval_over": ("search over", "超过几轮检索"),
        }
        thresholds = (
            Control(name, label, _TURNS, getattr(usual, name), live=True)
            for name, label in words.items()
        )
        return (
            Control("message", ("your message", "换一句话"), ("",), "", typed=True),
            Control("turn", ("turn", "轮次"), turns, min(last, 25), live=True),
            Control("calls", ("tool calls", "工具调用"), tuple(range(9)), 0, live=True),
            Control("window", ("window, tok.", "窗口（词元）"), self._windows, window, live=True),
            *thresholds,
            Control("router", ("router", "路由器"), ("rules", "fitted"), "rules", captions=kinds),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: whatever happens, all of the history. Fixed: the usual thresholds."""
        plain = [turn for turn, text in enumerate(self._asked, 1) if not _weigh(text)[0]]
        at = {"turn": plain[-1] if plain else len(self._asked), "window": self._windows[0]}
        never = dict.fromkeys(("full_below", "summary_over", "retrieval_over"), _TURNS[-1])
        return {"broken": {**at, **never}, "fixed": at}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return window and thresholds."""
        s = self.completed(settings)
        names = ("full_below", "summary_over", "retrieval_over")
        return {"budget.window": s["window"]} | {f"routing.{name}": s[name] for name in names}

    def compute(self, **settings: Any) -> RouterData:
        """Decide for every turn, and for each place of the map."""
        s = self.completed(settings)
        config = Config().with_(self.changes(**s))
        router = Router(config.routing)
        if s["router"] == "fitted":
            router = FittedRouter.load(config=config.routing)
        limit = BudgetPlan(config.budget.window, config.budget.shares).input_limit
        asked, at = list(self._asked), s["turn"]
        tokens = list(self._tokens)
        if s["message"].strip():
            spare = _size(s["message"]) - _size(asked[at - 1])
            asked[at - 1] = s["message"]
            tokens[at - 1 :] = [size + spare for size in tokens[at - 1 :]]
        found = [_weigh(text) for text in asked]
        last = max(len(asked), 60)
        chart = tuple(_modes(router, fits, back, last) for _, fits, back in _ROWS)
        rows = [_row(size <= limit, back) for size, (back, _, _) in zip(tokens, found, strict=True)]
        refers, _, cues = found[at - 1]
        return RouterData(
            decision=router(at, tokens[at - 1] <= limit, refers, s["calls"], cues),
            at=at,
            message=asked[at - 1],
            modes=tuple(chart[row][turn] for turn, row in enumerate(rows)),
            scores=tuple(score for _, score, _ in found),
            refers=tuple(refers for refers, _, _ in found),
            tokens=tuple(tokens),
            limit=limit,
            map=chart,
        )

    def readout(self, data: RouterData) -> str:
        """Say what was decided, why, and what would flip it."""
        decision, size = data.decision, data.tokens[data.at - 1]
        quoted = data.message if len(data.message) <= 40 else data.message[:39] + "…"
        reasons = self._told("; ".join(decision.reasons))
        flip = self._told(decision.nearest_flip)
        text = self.say(
            f"Turn {data.at}, “{quoted}”: {decision.mode} ({reasons}). Nearest flip: {flip}.",
            f"第 {data.at} 轮「{quoted}」：{decision.mode}（{reasons}）。最近的翻转：{flip}。",
        )
        if decision.mode == "EXHAUSTIVE" and size > data.limit:
            text += self.say(
                f" All {size:,} tokens are asked for, {data.limit:,} fit: the oldest turns go.",
                f"要带全部 {size:,} 个词元，只装得下 {data.limit:,}：最早的轮次会被丢下。",
            )
        return text

    def _told(self, text: str) -> str:
        # The sentence that a message is like may be in the other language: no help to the reader.
        text = _LIKE.sub(
            lambda m: m[0] if (_CJK.search(m[0]) is None) == (self.lang == "en") else "", text
        )
        text = text.replace(" ()", "")
        if self.lang == "zh":
            for pattern, chinese in _CHINESE:
                text = pattern.sub(chinese, text)
        return text

    # ------------------------------------------------------------------ drawing

    def draw(self, data: RouterData) -> Figure:
        """Draw the map of decisions, and the conversation's turns with their modes."""
        with style.use():
            heights, gaps = (1.3, 1.15, 0.5), (0.34, 0.1)
            figure, (chart, sizes, scores) = style.panels(self.size, heights, gaps, 1.0)
            self._draw_map(chart, data)
            self._draw_tokens(sizes, data)
            self._draw_scores(scores, data)
        return figure

    def _draw_map(self, axes: Axes, data: RouterData) -> None:
        zh = self.figure_lang == "zh"
        for row, modes in enumerate(data.map):
            fills = [style.colour(_LAYER[mode]) for mode in modes]
            style.columns(axes, [0.86] * len(modes), fills, 1, row + 0.07, 0.9)
        features = data.decision.features
        row = _row(features["fits"], features["refers_back"])
        axes.plot(data.at, row + 0.5, "o", ms=8, mfc="white", mec=style.INK, mew=2)
        axes.set(xlim=(0.3, len(data.map[0]) + 0.7), ylim=(4, 0), yticks=(0.5, 1.5, 2.5, 3.5))
        axes.set_yticklabels([words[zh] for words, _, _ in _ROWS])
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", pad=1)
        axes.spines["left"].set_visible(False)
        from matplotlib.patches import Patch

        keys = [Patch(facecolor=style.colour(layer), label=mode) for mode, layer in _LAYER.items()]
        look = {"handlelength": 1.0, "handleheight": 1.0, "columnspacing": 1.1}
        axes.legend(handles=keys, loc="lower left", bbox_to_anchor=(-0.02, 0.98), ncols=3, **look)

    def _draw_tokens(self, axes: Axes, data: RouterData) -> None:
        zh = self.figure_lang == "zh"
        fills = [style.colour(_LAYER[mode]) for mode in data.modes]
        style.columns(axes, data.tokens, fills, 1)
        top = max(*data.tokens, data.limit) * 1.12
        axes.axhline(data.limit, color=style.INK, ls="--", lw=1)
        axes.axvline(data.at, color=style.INK, lw=1.2)
        note = "输入上限" if zh else "input limit"
        style.note(axes, note, (1, data.limit), (0, 2.5), size=7.5)
        axes.set(xlim=(0.3, len(data.map[0]) + 0.7), ylim=(0, top))
        axes.set_ylabel("全部，词元" if zh else "all, tokens")
        axes.tick_params(axis="x", labelbottom=False, length=0)
        style.tokens_axis(axes.yaxis, 3)

    def _draw_scores(self, axes: Axes, data: RouterData) -> None:
        zh = self.figure_lang == "zh"
        past, plain = style.colour("past"), style.colour("reserve")
        fills = [past if refers else plain for refers in data.refers]
        style.columns(axes, data.scores, fills, 1)
        axes.axvline(data.at, color=style.INK, lw=1.2)
        axes.set(xlim=(0.3, len(data.map[0]) + 0.7), ylim=(0, 1.05), yticks=(0, 1))
        axes.set_ylabel("提到" if zh else "refers")
        axes.set_xlabel(
            "轮次（下：这句话多大程度上提到以前；粉：算作提到）"
            if zh
            else "turn (below: how much its message leans on earlier talk; pink: counts)"
        )


@cache
def _modes(router: Router, fits: bool, refers: bool, turns: int) -> tuple[str, ...]:
    every = range(1, turns + 1)
    if not isinstance(router, FittedRouter):
        return tuple(router(turn, fits, refers).mode for turn in every)
    # Without its search for the nearest flip, which takes a millisecond each time.
    chances = [router.probabilities(turn, fits, refers) for turn in every]
    return tuple(max(router.classes, key=chance.__getitem__) for chance in chances)


def _row(fits: bool, refers: bool) -> int:
    return 2 * refers + (not fits)


def _size(text: str) -> int:
    return TokenCounter().count(text)


@cache
def _weigh(text: str) -> tuple[bool, float, tuple[str, ...]]:
    """Ask once per text whether it refers back: a few milliseconds each."""
    from ..language.references import refers_back

    found = refers_back(text)
    return found.value, found.score, found.cues

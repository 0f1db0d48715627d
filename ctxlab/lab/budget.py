"""The budget explorer: a window and its shares, and what a long session loses to them (R51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Config, Shares
from ..context.budget import LAYERS, SECTIONS, BudgetPlan
from ..engine import SYSTEM_PROMPT
from ..tokens import TokenCounter
from . import style
from .explorer import Control, Explorer, Words
from .playback import Snapshot, play
from .samples import TOOLS, conversation, named_facts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BudgetData", "BudgetExplorer", "round_sizes"]

_REMEMBERED = 64  # played sessions, so that scrubbing through one costs a drawing only


@dataclass(frozen=True)
class BudgetData:
    """What the settings lead to.

    Attributes
    ----------
    plan : BudgetPlan
        The window and its division.
    turns : tuple of Snapshot
        What the request of each turn saw.
    at : int
        The turn looked at.
    appended : tuple of int
        Tokens of each request if everything were appended for ever.
    facts : dict
        Number the customer named -> turn.
    """

    plan: BudgetPlan
    turns: tuple[Snapshot, ...]
    at: int
    appended: tuple[int, ...]
    facts: Mapping[str, int]

    @property
    def now(self) -> Snapshot:
        """The request looked at."""
        return self.turns[self.at]

    def count(self, fate: str) -> int:
        """Return how many turns so far met that fate."""
        return sum(self.now.fate(turn) == fate for turn in range(self.at + 1))


def round_sizes(low: float, high: float) -> tuple[int, ...]:
    """Return round token counts between two bounds, in even proportions.

    Examples
    --------
    >>> round_sizes(900, 2_100)
    (1000, 1200, 1500, 2000)
    """
    steps = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
    sizes = [int(step * 10**power) for power in range(2, 7) for step in steps]
    return tuple(size for size in sizes if low <= size <= high)


class BudgetExplorer(Explorer):
    """Window and shares → where the tokens go, turn by turn, and what is lost.

    Parameters
    ----------
    data : str, pathlib.Path or list of dict, optional
        A JSONL file or OpenAI-style messages; None for the longest built-in session.

    Examples
    --------
    >>> explorer = BudgetExplorer(lang="en")
    >>> data = explorer.compute(turn=10)
    >>> data.now.total <= data.plan.input_limit
    True
    """

    title: ClassVar[Words] = (
        "Token budget: what one request can hold",
        "词元预算：一次请求装得下什么",
    )

    def load(self, data: Any) -> None:
        """Take a conversation."""
        self.messages = conversation(data, self.lang)
        counter = TokenCounter()
        prompt = {"role": "system", "content": SYSTEM_PROMPT}
        base = counter.count_messages([prompt], TOOLS)
        asked = [i for i, m in enumerate(self.messages) if m["role"] == "user"]
        sizes = [counter.count_message(m) for m in self.messages]
        self._appended = tuple(base + sum(sizes[: i + 1]) for i in asked)
        turn_of = {i: turn for turn, i in enumerate(asked)}
        self._facts = {f: turn_of[i] for f, i in named_facts(self.messages).items()}
        self._played: dict[str, tuple[Snapshot, ...]] = {}
        whole = self._appended[-1]
        self._windows = round_sizes(whole * 0.2, whole * 2.5) or (whole * 2,)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Turn, window and four shares; recent dialogue has the rest."""
        usual, last = Shares(), len(self._appended) - 1
        aim = max(self._windows[0], self._appended[-1] * 0.65)
        tight = max(window for window in self._windows if window <= aim)

        def share(name: str, words: Words, values: range) -> Control:
            return Control(name, words, tuple(values), round(getattr(usual, name) * 100))

        return (
            Control("turn", ("turn", "轮次"), tuple(range(last + 1)), last // 2, live=True),
            Control("window", ("window, tokens", "窗口（词元）"), self._windows, tight),
            share("system", ("system, %", "系统 %"), range(16)),
            share("memory", ("memory, %", "记忆与摘要 %"), range(36)),
            share("tools", ("tools, %", "工具与检索 %"), range(20)),
            share("reserve", ("reserve, %", "预留 %"), range(31)),
            Control("state", ("numbers in task state", "号码写入任务状态"), (False, True), False),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: a small window, no memory, no reserve. Fixed: R51's shares and task state.

        Both look at the same turn: one at which the broken settings lost a number.
        """
        broken = {"window": self._windows[1], "memory": 0, "reserve": 0}
        fair = next((w for w in self._windows if w >= self._appended[-1] * 0.8), self._windows[-1])
        turns = self.compute(**broken).turns
        lost = [t.turn for t in turns if any(self._gone(fact, t) for fact in self._facts)]
        turn = lost[len(lost) // 2] if lost else len(turns) - 1
        return {
            "broken": {**broken, "turn": turn},
            "fixed": {"window": fair, "turn": turn, "state": True},
        }

    def _gone(self, fact: str, request: Snapshot) -> bool:
        return request.turn >= self._facts[fact] and fact not in request.visible

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the window and all five shares."""
        s = self.completed(settings)
        percent = {name: s[name] for name in SECTIONS if name != "recent"}
        percent["recent"] = 100 - sum(percent.values())
        shares = {name: percent[name] / 100 for name in SECTIONS}
        return {"budget.window": s["window"], "budget.shares": shares}

    def compute(self, **settings: Any) -> BudgetData:
        """Play the session under the settings (once each) and look at one turn."""
        s = self.completed(settings)
        config = Config().with_(self.changes(**s))
        # A number in the task state is what an agent's own code would write there.
        state = {f"number_{i}": fact for i, fact in enumerate(self._facts) if s["state"]}
        key = f"{config.to_toml()}{state}"
        if key not in self._played:
            if len(self._played) >= _REMEMBERED:
                self._played.pop(next(iter(self._played)))
            self._played[key] = play(self.messages, config, TOOLS, self._facts, state)
        plan = BudgetPlan(config.budget.window, config.budget.shares)
        return BudgetData(plan, self._played[key], s["turn"], self._appended, self._facts)

    def readout(self, data: BudgetData) -> str:
        """Say how full the request is, what became of the turns and of the numbers named."""
        now, plan, say = data.now, data.plan, self.say
        if now.error:
            return say(
                f"Turn {now.turn}: no request. {now.error}", f"第 {now.turn} 轮：{now.error}"
            )
        words, told, gone = (data.count(fate) for fate in ("recent", "summary", "dropped"))
        room, turns = plan.window - now.total, "turn" if words == 1 else "turns"
        text = say(
            f"Turn {now.turn}: {now.total:,} of {plan.window:,} tokens, {room:,} left for the "
            f"reply; {words} {turns} word for word, {told} in the summary, {gone} gone.",
            f"第 {now.turn} 轮：窗口 {plan.window:,} 个词元中用去 {now.total:,}，剩 {room:,} "
            f"供回复；{words} 轮保留原文，{told} 轮在摘要中，{gone} 轮已丢失。",
        )
        named = [fact for fact, turn in data.facts.items() if turn <= now.turn]
        lost = [fact for fact in named if fact not in now.visible]
        if lost:
            missing = ", ".join(lost)
            text += say(f" The model can't see {missing} any more.", f"模型已看不到 {missing}。")
        elif named:
            text += say(f" It still sees {', '.join(named)}.", f"仍能看到 {'、'.join(named)}。")
        return text

    def draw(self, data: BudgetData) -> Figure:
        """Draw this request's window, the whole session's requests, and the fate of each turn."""
        with style.use():
            figure, (window, session, fates) = style.panels(
                self.size, (1.0, 2.8, 0.36), (0.5, 0.28)
            )
            self._draw_window(window, data)
            self._draw_session(session, data)
            self._draw_fates(fates, data)
        return figure

    def _draw_window(self, axes: Axes, data: BudgetData) -> None:
        lang, plan = self.figure_lang, data.plan
        for row, parts in enumerate((data.now.used, plan.allotted)):
            at = 0
            for name, tokens in parts.items():
                fill = style.colour(name)
                faint = {"alpha": 0.4} if row else {"edgecolor": "white", "lw": 0.8}
                axes.barh(row, tokens, left=at, height=0.82, color=fill, **faint)
                if tokens > plan.window * 0.06:
                    where = (at + tokens / 2, row - 0.03)
                    dark = style.INK if row else style.ink(fill)
                    axes.text(*where, f"{tokens:,}", ha="center", va="center", color=dark, size=8)
                at += tokens
        axes.axvline(plan.input_limit, color=style.INK, lw=1.2)
        axes.set(xlim=(0, plan.window), ylim=(-0.5, 1.5), yticks=(0, 1))
        axes.set_yticklabels(("已用", "分配") if lang == "zh" else ("used", "allotted"))
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        style.tokens_axis(axes.xaxis)
        if lang == "zh":
            title = f"第 {data.at} 轮：{data.now.total:,} / {plan.window:,} 词元"
        else:
            title = f"turn {data.at}: {data.now.total:,} of {plan.window:,} tokens"
        axes.set_title(title, pad=4)

    def _draw_session(self, axes: Axes, data: BudgetData) -> None:
        lang, plan, count = self.figure_lang, data.plan, len(data.turns)
        layers = [name for name in LAYERS if any(t.used.get(name) for t in data.turns)]
        heights = [[t.used.get(name, 0) for t in data.turns] for name in layers]
        fills = [style.colour(name) for name in layers]
        axes.axhspan(plan.input_limit, plan.window, color=style.colour("reserve"), lw=0, zorder=0)
        if layers:
            axes.stackplot(range(count), heights, colors=fills, step="mid", lw=0)
        # The baseline that every chat loop starts with: nothing is ever left out.
        axes.plot(data.appended, color=style.COLOURS["dropped"], ls=":", lw=1.8)
        axes.axvline(data.at, color=style.INK, lw=1.2)
        axes.set(ylim=(0, plan.window * 1.15), xlim=(-0.5, count - 0.5))
        axes.set_ylabel("词元" if lang == "zh" else "tokens")
        axes.tick_params(axis="x", labelbottom=False, length=0)
        style.tokens_axis(axes.yaxis)
        above = {"loc": "lower left", "bbox_to_anchor": (-0.01, 0.97), "ncols": 9}
        if len(layers) > 4:  # with the task state the usual type would run over the edge
            above |= {"fontsize": 7.2, "columnspacing": 0.75, "handletextpad": 0.3}
        lines = {"全部追加" if lang == "zh" else "append all": style.COLOURS["dropped"]}
        style.legend(axes, [*layers, "reserve"], lang, lines, **above)

    def _draw_fates(self, axes: Axes, data: BudgetData) -> None:
        zh, count = self.figure_lang == "zh", len(data.turns)
        fates = [data.now.fate(turn) for turn in range(count)]
        style.columns(axes, [1] * count, [style.colour(fate) for fate in fates])
        axes.plot(data.at, -0.16, marker="^", color=style.INK, ms=5, clip_on=False)
        for fact, turn in data.facts.items():
            if turn <= data.at:
                seen = fact in data.now.visible
                ok = ("仍可见" if seen else "已看不到") if zh else ("in sight" if seen else "lost")
                hue = style.colour("summary" if seen else "dropped")
                side = "left" if turn < count * 0.7 else "right"
                axes.text(turn, 1.28, f"{fact} {ok}", ha=side, size=8, color=hue, weight="bold")
        axes.set(ylim=(0, 1), xlim=(-0.5, count - 0.5), yticks=())
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(
            "轮次（蓝：原文；绿：在摘要中；红：已丢失）"
            if zh
            else "turn (blue: word for word; green: in the summary; red: gone)"
        )

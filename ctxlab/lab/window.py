"""The window explorer: cut by tokens, or by counting messages, and what each breaks (R11, R12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Shares
from ..context.window import CountWindow, TokenWindow
from ..messages import Message, check_messages, text_of
from ..tokens import TokenCounter
from ..turns import Turns
from . import style
from .budget import round_sizes
from .explorer import Control, Explorer, Words
from .samples import conversation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Cut", "WindowData", "WindowExplorer"]

_SHOWN = 64  # messages in the upper panel: more would be thinner than a pixel pair


@dataclass(frozen=True)
class Cut:
    """What one policy would send: messages from `first` on.

    Attributes
    ----------
    first : int
        Index of the first message sent.
    tokens : int
        Tokens of what is sent.
    faults : tuple of str
        What a provider would reject.
    """

    first: int
    tokens: int
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class WindowData:
    """Both policies at every request of a conversation.

    Attributes
    ----------
    sizes, kinds : tuple
        Tokens and kind (``"said"`` or ``"tool"``) of each message.
    requests : tuple of int
        Index of the last message of each request.
    cuts : dict
        ``"count"`` and ``"tokens"`` -> one `Cut` per request.
    at : int
        The request looked at.
    policy : str
        The policy in use.
    budget : int
        Tokens that dialogue may take.
    """

    sizes: tuple[int, ...]
    kinds: tuple[str, ...]
    requests: tuple[int, ...]
    cuts: Mapping[str, tuple[Cut, ...]]
    at: int
    policy: str
    budget: int

    def over(self, policy: str) -> int:
        """Return how many requests exceed the budget."""
        return sum(cut.tokens > self.budget for cut in self.cuts[policy])

    def illegal(self, policy: str) -> int:
        """Return how many requests a provider would reject."""
        return sum(bool(cut.faults) for cut in self.cuts[policy])


class WindowExplorer(Explorer):
    """Token budget against message count, request by request, with the tool pairs at risk.

    Parameters
    ----------
    data : str, pathlib.Path or list of dict, optional
        A JSONL file or OpenAI-style messages; None for the longest built-in session.

    Examples
    --------
    >>> data = WindowExplorer(lang="en").compute(messages=10)
    >>> data.illegal("tokens"), data.over("tokens")
    (0, 0)
    """

    title: ClassVar[Words] = (
        "Rolling window: by tokens or by messages",
        "滚动窗口：按词元还是按条数",
    )

    def load(self, data: Any) -> None:
        """Take a conversation, without its system messages: no window touches those."""
        found = conversation(data, self.lang)
        self.messages = [message for message in found if message["role"] != "system"]
        self._counter = TokenCounter()
        # A request is what precedes each assistant message, and the last message if it's a user's.
        roles = [message["role"] for message in self.messages]
        follows = [*roles[1:], "assistant"]
        self._requests = tuple(
            i
            for i, (role, after) in enumerate(zip(roles, follows, strict=True))
            if role in ("user", "tool") and after == "assistant"
        )
        sizes = [self._counter.count_message(message) for message in self.messages]
        self._budgets = round_sizes(max(sizes) * 1.5, sum(sizes) * 0.8) or (max(sizes) * 2,)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Policy, message count, token budget, a pasted text, and the request looked at."""
        policies: tuple[Words, ...] = (("token budget", "词元预算"), ("message count", "消息条数"))
        counts = (2, 4, 6, 8, 10, 12, 16, 20, 24, 30, 40)
        middle = self._budgets[len(self._budgets) // 2]
        request = tuple(range(len(self._requests)))
        return (
            Control(
                "policy",
                ("window by", "窗口依据"),
                ("tokens", "count"),
                "tokens",
                captions=policies,
            ),
            Control("budget", ("budget, tokens", "预算（词元）"), self._budgets, middle, live=True),
            Control("messages", ("last messages", "最近条数"), counts, 12, live=True),
            Control("paste", ("paste, tokens", "粘贴（词元）"), (0, 100, 200, 400, 800), 0),
            Control("request", ("request", "请求"), request, len(request) - 1, live=True),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: by count, at the first request that it breaks. Fixed: the same by tokens."""
        trouble = {"messages": 12, "paste": 400}
        cuts = self.compute(**trouble).cuts["count"]
        at = next((i for i, cut in enumerate(cuts) if cut.faults), len(cuts) - 1)
        return {
            "broken": {**trouble, "policy": "count", "request": at},
            "fixed": {**trouble, "policy": "tokens", "request": at},
        }

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the window whose dialogue share is the budget."""
        budget = self.completed(settings)["budget"]
        return {"budget.window": max(64, round(budget / Shares().recent))}

    def compute(self, **settings: Any) -> WindowData:
        """Cut the conversation both ways at every request."""
        s = self.completed(settings)
        messages = self._with_paste(s["paste"])
        sizes = [self._counter.count_message(message) for message in messages]
        by_tokens = self._by_tokens(messages, s["budget"])
        by_count = self._by_count(messages, sizes, s["messages"])
        kinds = ("tool" if m["role"] == "tool" or m.get("tool_calls") else "said" for m in messages)
        return WindowData(
            sizes=tuple(sizes),
            kinds=tuple(kinds),
            requests=self._requests,
            cuts={"tokens": tuple(by_tokens), "count": tuple(by_count)},
            at=s["request"],
            policy=s["policy"],
            budget=s["budget"],
        )

    def _with_paste(self, tokens: int) -> list[dict[str, Any]]:
        """Let the customer paste a long text two thirds through: their own words, repeated."""
        messages = [dict(message) for message in self.messages]
        if not tokens:
            return messages
        users = [m for m in messages if m["role"] == "user"]
        words = "\n".join(text_of(m.get("content")) for m in users)
        size = max(self._counter.count(words), 1)
        text = (words + "\n") * (tokens // size + 1)
        target = users[len(users) * 2 // 3]
        target["content"] = text[: len(text) * tokens // max(self._counter.count(text), 1)]
        return messages

    def _by_tokens(self, messages: Sequence[dict[str, Any]], budget: int) -> list[Cut]:
        turns, cuts = Turns(self._counter), []
        wanted = set(self._requests)
        for i, message in enumerate(messages):
            turns.append(Message.of(message))
            if i in wanted:
                *earlier, current = turns.all
                kept = TokenWindow(max(budget - current.tokens, 0))(earlier)
                first = turns.all[kept.first].entries[0].seq
                cuts.append(Cut(first, kept.tokens + current.tokens))
        return cuts

    def _by_count(
        self, messages: Sequence[dict[str, Any]], sizes: Sequence[int], count: int
    ) -> list[Cut]:
        window, cuts = CountWindow(count), []
        for end in self._requests:
            sent = window(messages[: end + 1])
            first = end + 1 - len(sent)
            cuts.append(Cut(first, sum(sizes[first : end + 1]), tuple(check_messages(sent))))
        return cuts

    def readout(self, data: WindowData) -> str:
        """Say what is sent at this request, and what both policies broke in the whole talk."""
        cut, say = data.cuts[data.policy][data.at], self.say
        sent, total = data.requests[data.at] + 1 - cut.first, len(data.requests)
        over, bad = data.over(data.policy), data.illegal(data.policy)
        text = say(
            f"Request {data.at}: {sent} messages, {cut.tokens:,} tokens of {data.budget:,}. "
            f"In all {total} requests: {over} over budget, {bad} with a broken tool pair.",
            f"请求 {data.at}：发送 {sent} 条消息，{cut.tokens:,} 个词元，预算 {data.budget:,}。"
            f"全部 {total} 次请求中：{over} 次超预算，{bad} 次拆散工具调用。",
        )
        if cut.faults:
            text += say(
                f" A provider rejects this one: {cut.faults[0]}.",
                f"服务商会拒绝这一次：{len(cut.faults)} 处调用与结果不成对。",
            )
        return text

    def draw(self, data: WindowData) -> Figure:
        """Draw the messages with both windows, and the tokens of every request."""
        with style.use():
            figure, (bars, lanes, line) = style.panels(
                self.size, (1.5, 0.75, 1.45), (0.07, 0.52), 0.8
            )
            self._draw_messages(bars, lanes, data)
            self._draw_requests(line, data)
        return figure

    def _draw_messages(self, bars: Axes, lanes: Axes, data: WindowData) -> None:
        zh, end = self.figure_lang == "zh", data.requests[data.at]
        start = max(0, end + 1 - _SHOWN)
        shown = range(start, end + 1)
        chosen = data.cuts[data.policy][data.at]
        fills = []
        for i in shown:
            hue = style.colour("tools" if data.kinds[i] == "tool" else "recent")
            fills.append(hue if i >= chosen.first else style.colour("reserve"))
        style.columns(bars, [data.sizes[i] for i in shown], fills, start)
        top = max(data.sizes[i] for i in shown) * 1.1
        limits = (start - 0.5, start + max(len(shown), 24) - 0.5)
        bars.set(xlim=limits, ylim=(0, top), ylabel="词元" if zh else "tokens")
        bars.tick_params(axis="x", labelbottom=False, length=0)
        style.tokens_axis(bars.yaxis, 3)
        bars.set_title(
            "消息（浅蓝：工具调用与结果；红：被拆散）"
            if zh
            else "messages (light blue: tool call and result; red: pair cut apart)",
            pad=4,
        )
        names = ("按条数", "按词元") if zh else ("by count", "by tokens")
        for row, policy in enumerate(("count", "tokens")):
            cut = data.cuts[policy][data.at]
            kept = ["recent" if i >= cut.first else "reserve" for i in shown]
            hues = [style.colour(layer) for layer in kept]
            if cut.faults and cut.first >= start:
                hues[cut.first - start] = style.colour("dropped")
            strength = 1.0 if policy == data.policy else 0.45
            style.columns(lanes, [0.84] * len(hues), hues, start, row + 0.08, strength)
        lanes.set(xlim=limits, ylim=(0, 2), yticks=(0.5, 1.5))
        lanes.set_yticklabels(names)
        lanes.tick_params(axis="y", length=0)
        lanes.spines["left"].set_visible(False)

    def _draw_requests(self, axes: Axes, data: WindowData) -> None:
        zh, count = self.figure_lang == "zh", len(data.requests)
        looks = {
            "count": ("按条数", "by count", "profile"),
            "tokens": ("按词元", "by tokens", "recent"),
        }
        peak = data.budget
        for policy, (chinese, english, layer) in looks.items():
            sent = [cut.tokens for cut in data.cuts[policy]]
            peak = max(peak, *sent)
            bold = 1.8 if policy == data.policy else 1.0
            name = chinese if zh else english
            axes.plot(sent, color=style.colour(layer), lw=bold, drawstyle="steps-mid", label=name)
        bad = [i for i, cut in enumerate(data.cuts["count"]) if cut.faults]
        axes.plot(
            bad,
            [peak * 1.16] * len(bad),
            "x",
            color=style.colour("dropped"),
            ms=5,
            mew=1.6,
            label="被拒绝" if zh else "rejected",
        )
        axes.axhline(data.budget, color=style.INK, ls="--", lw=1, label="预算" if zh else "budget")
        axes.axvline(data.at, color=style.INK, lw=1.2)
        axes.set(xlim=(-0.5, count - 0.5), ylim=(0, peak * 1.3), ylabel="词元" if zh else "tokens")
        axes.set_xlabel("请求" if zh else "request")
        style.tokens_axis(axes.yaxis, 3)
        axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 0.96), ncols=4, handlelength=1.4)

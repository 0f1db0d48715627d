"""One customer, three sessions: how the layers fill, and what each request is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..clock import ManualClock
from ..engine import ContextEngine
from . import style
from .explorer import Control, Explorer, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Moment", "StoryExplorer"]

_START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_DAYS = (0, 3, 24)  # since the first session
_SHOWN = 6  # memories that the drawing has room for
_USER, _AGENT = "customer:U001", "support"
Session = Sequence[tuple[str, str]]  # what the customer said, and the reply

_SAID: dict[str, tuple[Session, ...]] = {
    "en": (
        (
            ("Hi, my heater from order K92264 turns itself off.", "Sorry! Is the vent free?"),
            ("The vent is clear. Please write to me, I never pick up calls.", "Noted: in writing."),
            ("So what now?", "I will refund you by March 9."),
        ),
        (
            ("Any news about my refund?", "It is on its way, by March 9 as promised."),
            ("I've moved. My address is 12 Elm Road, Leeds.", "I've updated your address."),
        ),
        (
            ("Hello, I need a part for the heater.", "For order K92264? Of course."),
            ("Yes. Where will you send it?", "To 12 Elm Road, Leeds, and I'll write to you."),
        ),
    ),
    "zh": (
        (
            ("你好，订单K92264的取暖器老是自己关机。", "抱歉！出风口通畅吗？"),
            ("出风口没堵。有事给我发短信，我从来不接电话。", "好的，以后用短信联系。"),
            ("那现在怎么办？", "我会在3月9日前给您退款。"),
        ),
        (
            ("我的退款有消息了吗？", "在路上了，3月9日前到账。"),
            ("我搬家了，新地址是杭州西湖区文三路12号。", "已为您更新收货地址。"),
        ),
        (
            ("你好，我想给取暖器配个零件。", "是订单K92264那台吗？可以的。"),
            ("对，会寄到哪里？", "寄到杭州西湖区文三路12号，发短信通知您。"),
        ),
    ),
}


@dataclass(frozen=True)
class Moment:
    """What stood where when one message came in.

    Attributes
    ----------
    session, turn : int
        From 1.
    day : int
        Days since the first session.
    said : str
        The customer's message.
    talk : int
        Turns of this session so far, the current one included.
    memories : tuple of str
        What long-term memory held of this customer, the newest last.
    used : dict
        Ledger layer -> tokens of the request.
    """

    session: int
    turn: int
    day: int
    said: str
    talk: int
    memories: tuple[str, ...]
    used: Mapping[str, int]


class StoryExplorer(Explorer):
    """A customer who comes back twice; with and without being recognised.

    Parameters
    ----------
    data : sequence of sequence of tuple, optional
        Sessions of (what the customer said, reply); None for the built-in story.

    Examples
    --------
    >>> story = StoryExplorer(lang="en")
    >>> story.compute(step=0).memories
    ()
    """

    title: ClassVar[Words] = (
        "One customer, three sessions: the layers fill",
        "一位客户，三次来访：记忆逐层填充",
    )
    size: ClassVar[tuple[float, float]] = (6.6, 4.0)

    def load(self, data: Any) -> None:
        """Take sessions."""
        self.sessions: Sequence[Session] = data or _SAID[self.lang]

    @property
    def controls(self) -> tuple[Control, ...]:
        """The message, and whether the customer is recognised."""
        steps = tuple(range(sum(map(len, self.sessions))))
        captions = tuple(
            (f"session {s}, no. {t}", f"第 {s} 次，第 {t} 条")
            for s, session in enumerate(self.sessions, 1)
            for t in range(1, len(session) + 1)
        )
        return (
            Control("step", ("message", "消息"), steps, steps[-1], live=True, captions=captions),
            Control("known", ("customer is recognised", "认得这位客户"), (False, True), True),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Without and with an identity: only with one is anything remembered."""
        return {"broken": {"known": False}, "fixed": {"known": True}}

    @cached_property
    def _played(self) -> dict[bool, tuple[Moment, ...]]:
        return {known: self._play(known) for known in (True, False)}

    def _play(self, known: bool) -> tuple[Moment, ...]:
        clock, found = ManualClock(_START), []
        with ContextEngine("sqlite://", clock=clock, system_prompt=_PROMPT[self.lang]) as engine:
            for n, session in enumerate(self.sessions):
                day = _DAYS[n] if n < len(_DAYS) else 30 * n
                clock.set(_START + timedelta(days=day))
                open_ = engine.open_session(user_id="U001" if known else None, agent=_AGENT)
                for turn, (said, reply) in enumerate(session, 1):
                    context = open_.prepare(said)
                    used = {row.layer: row.tokens for row in context.ledger.rows if row.tokens}
                    held = engine.memory.profile(entity=_USER, agent=_AGENT, limit=50)
                    texts = tuple(r.text for r in sorted(held, key=lambda r: (r.created, r.text)))
                    found.append(Moment(n + 1, turn, day, said, turn, texts, used))
                    open_.commit(reply)
                    engine.flush()
                    clock.advance(timedelta(minutes=1))
                open_.end()
        return tuple(found)

    def compute(self, **settings: Any) -> Moment:
        """Return the moment of a message."""
        given = self.completed(settings)
        found: Moment = self._played[given["known"]][given["step"]]
        return found

    def draw(self, data: Moment) -> Figure:
        """Draw the three layers, and below them the request."""
        zh = self.figure_lang == "zh"
        with style.use():
            made = style.figure(*self.size)
            made.set_layout_engine("none")
            top = (
                f"第 {data.session} 次来访（第 {data.day} 天）"
                if zh
                else (f"Session {data.session}, day {data.day}")
            )
            made.text(0.02, 0.955, top, weight="bold", size=10.5)
            quote = f"「{data.said}」" if zh else f"“{data.said}”"
            made.text(0.02, 0.9, style.shorten(quote, 92), size=9, color=style.MUTED)
            self._session(made.add_axes((0.02, 0.40, 0.30, 0.41)), data, zh)
            self._memory(made.add_axes((0.35, 0.40, 0.63, 0.41)), data, zh)
            self._request(made.add_axes((0.02, 0.13, 0.96, 0.13)), data, zh)
        return made

    @staticmethod
    def _room(axes: Axes, title: str) -> None:
        axes.set(xlim=(0, 1), ylim=(0, _SHOWN), xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=True, color=style.HAIR)
        axes.set_title(title, size=9)

    def _session(self, axes: Axes, data: Moment, zh: bool) -> None:
        self._room(axes, "本次会话" if zh else "this session")
        for n in range(data.talk):
            fill = style.colour("recent")
            y = _SHOWN - 1 - n * 1.0
            axes.barh(
                y + 0.42, 0.92, 0.7, 0.04, color=fill, alpha=1.0 if n + 1 == data.talk else 0.55
            )
            words = f"第 {n + 1} 轮" if zh else f"turn {n + 1}"
            axes.text(0.5, y + 0.42, words, ha="center", va="center", color="#FFFFFF", size=8.5)

    def _memory(self, axes: Axes, data: Moment, zh: bool) -> None:
        self._room(axes, "长期记忆" if zh else "long-term memory")
        if not data.memories:
            empty = "还没有" if zh else "nothing yet"
            axes.text(0.5, _SHOWN / 2, empty, ha="center", va="center", color=style.MUTED)
        more = len(data.memories) - _SHOWN
        if more > 0:
            said = f"另有 {more} 条" if zh else f"{more} older ones"
            axes.text(1, _SHOWN + 0.12, said, ha="right", va="bottom", size=8, color=style.MUTED)
        for n, text in enumerate(reversed(data.memories[-_SHOWN:])):
            y = _SHOWN - 1 - n
            axes.barh(y + 0.42, 0.012, 0.7, 0.012, color=style.colour("profile"))
            axes.text(0.04, y + 0.42, style.shorten(text, 66), va="center", size=8)

    def _request(self, axes: Axes, data: Moment, zh: bool) -> None:
        lang = "zh" if zh else "en"
        total, left = sum(data.used.values()), 0
        title = f"这一次请求：{total:,} 词元" if zh else f"this request: {total:,} tokens"
        axes.set_title(title, size=9)
        for layer, tokens in data.used.items():
            axes.barh(0, tokens, 0.8, left, color=style.colour(layer), edgecolor="#FFFFFF")
            left += tokens
        axes.set(xlim=(0, max(total, 1)), ylim=(-0.5, 0.5), yticks=[], xticks=[])
        for side in axes.spines.values():
            side.set_visible(False)
        style.legend(
            axes, list(data.used), lang, loc="upper center", bbox_to_anchor=(0.5, -0.05), ncols=6
        )

    def readout(self, data: Moment) -> str:
        """Say what this request is made of."""
        total = sum(data.used.values())
        remembered = sum(data.used.get(x, 0) for x in ("profile", "past", "conclusion"))
        count = len(data.memories)
        held = "1 statement" if count == 1 else f"{count} statements"
        return self.say(
            f"Session {data.session}, day {data.day}, message {data.turn}. The customer says: "
            f"“{data.said}” Long-term memory holds {held}; "
            f"{remembered:,} of this request's {total:,} tokens come from earlier sessions.",
            f"第 {data.session} 次来访（第 {data.day} 天），第 {data.turn} 条消息。"
            f"客户说：「{data.said}」"
            f"长期记忆里有 {count} 条；本次请求 {total:,} 个词元中，"
            f"有 {remembered:,} 个来自以前的会话。",
        )

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Nothing of this story is a setting."""
        return {}


_PROMPT = {"en": "You are a support agent for a shop.", "zh": "你是一家商店的客服。"}

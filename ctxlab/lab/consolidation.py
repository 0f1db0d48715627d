"""The consolidation explorer: what of several sessions is made to last, and why (R100)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from ..clock import ManualClock
from ..config import Durable
from ..errors import DataError
from ..layers.memory import Memory
from ..occurrences import Fact, find_facts
from . import style
from .explorer import Control, Explorer, Words
from .statements import story

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SESSIONS", "ConsolidationData", "ConsolidationExplorer", "Draft"]

SESSIONS = {
    "en": (
        (
            "Please always ship with DHL",
            "My address is 12 Maple Street, Springfield",
            "I'm so angry about this delay!",
        ),
        ("Use DHL for my parcels, please", "Please find out where order A1029 is"),
        ("Always send it by DHL", "I prefer email to phone calls"),
        ("I prefer email to phone calls.", "The kettle arrived with a dent"),
    ),
    "zh": (
        ("以后都用顺丰寄", "我的地址是杭州西湖区某某路12号", "拖了这么久，我真的很生气！"),
        ("寄件请一直用顺丰", "帮我查一下订单A1029到哪了"),
        ("我的件都走顺丰", "我习惯用邮件联系"),
        ("我习惯用邮件联系。", "水壶到货时磕了个坑"),
    ),
}
"""What one customer said in four sessions."""

_ENTITY, _AGENT = "customer:story", "support"
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SHOWN = 9  # rows: more would be too thin to read
_REASONS: dict[str, Words] = {
    "said": ("said often enough", "说的次数够了"),
    "core": ("a core field", "核心业务字段"),
    "confirmed": ("confirmed", "客户确认过"),
    "feeling": ("a feeling fades", "情绪会消退"),
    "task": ("a task, until it's done", "任务，办完为止"),
    "once": ("not said often enough", "说的次数不够"),
    "agent": ("said by an agent alone", "只有客服说过"),
    "later": ("contradicted later", "后来被推翻"),
}


@dataclass(frozen=True)
class Draft:
    """One statement that sessions made, and whether it is to last.

    Attributes
    ----------
    text, kind : str
        What the record says, and its kind.
    sessions : tuple of int
        Sessions in which it was said, from 0.
    turns : int
        In how many turns.
    admitted : bool
        Whether it becomes core memory.
    reason : str
        Why, or why not: ``said core confirmed``, ``feeling task once agent later``.
    """

    text: str
    kind: str
    sessions: tuple[int, ...]
    turns: int
    admitted: bool
    reason: str


@dataclass(frozen=True)
class ConsolidationData:
    """What a pass over the first sessions would do.

    Attributes
    ----------
    sessions, every : int
        Sessions looked over, and sessions there are.
    times : int
        Turns that must say a thing.
    limit : int
        Records that a profile shows.
    drafts : tuple of Draft
        The admitted first, then by how often they were said.
    """

    sessions: int
    every: int
    times: int
    limit: int
    drafts: tuple[Draft, ...]

    @property
    def admitted(self) -> tuple[Draft, ...]:
        """Drafts that become core memory."""
        return tuple(draft for draft in self.drafts if draft.admitted)


class ConsolidationExplorer(Explorer):
    """Sessions and a rule → which statements last, which fade, which are only tasks.

    Parameters
    ----------
    data : list of list, optional
        What one customer said, a list of statements a session (texts, or dicts with ``text``),
        oldest first; None for the built-in four sessions.

    Notes
    -----
    With `times` at 2 and core fields counted the verdicts are those of ``ctxlab consolidate``;
    other values show what other rules would do.

    Examples
    --------
    >>> data = ConsolidationExplorer(lang="en").compute()
    >>> [draft.text for draft in data.admitted][0]
    'Please always ship with DHL'
    """

    title: ClassVar[Words] = (
        "Consolidation: what is made to last",
        "巩固：什么该长久留下",
    )

    def load(self, data: Any) -> None:
        """Take sessions."""
        if data is not None and (isinstance(data, str) or not isinstance(data, Sequence)):
            raise DataError(f"sessions: expected a list of lists of texts, got {data!r:.60}")
        given = SESSIONS[self.lang] if data is None else data
        if any(isinstance(said, str) for said in given):
            raise DataError("sessions: expected a list of texts for each session, not bare texts")
        self.sessions = tuple(story(said) for said in given)
        if not self.sessions:
            raise DataError("sessions: at least one is needed")

    @property
    def controls(self) -> tuple[Control, ...]:
        """Sessions looked over, how often is enough, core fields, and the profile's length."""
        many = tuple(range(1, len(self.sessions) + 1))
        core = ("core fields count once", "核心字段一次就算")
        return (
            Control("sessions", ("sessions", "会话数"), many, many[-1], live=True),
            Control("times", ("said, turns", "说过几轮"), (1, 2, 3, 4), 2, live=True),
            Control("core", core, (False, True), True),
            Control(
                "limit",
                ("profile, records", "画像条数"),
                tuple(range(1, 11)),
                Durable().profile_limit,
                live=True,
            ),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: everything said lasts, in a short profile. Fixed: R100's rule."""
        return {"broken": {"times": 1, "limit": 3}, "fixed": {}}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the profile's length; how often is enough isn't a setting of an engine."""
        return {"durable.profile_limit": self.completed(settings)["limit"]}

    def compute(self, **settings: Any) -> ConsolidationData:
        """Draft from the first sessions, and judge each draft."""
        s = self.completed(settings)
        drafts = [
            _judge(fact, s["times"], s["core"]) for fact in _facts(self.sessions[: s["sessions"]])
        ]
        drafts.sort(key=lambda d: (not d.admitted, -d.turns, d.sessions, d.text))
        return ConsolidationData(
            s["sessions"], len(self.sessions), s["times"], s["limit"], tuple(drafts)
        )

    def readout(self, data: ConsolidationData) -> str:
        """Say how many last, what would have lasted without being said again, and what's shown."""
        kept = data.admitted
        once = sum(draft.turns < 2 and draft.reason == "said" for draft in kept)
        shown = min(len(kept), data.limit)
        sessions = "session" if data.sessions == 1 else "sessions"
        return self.say(
            f"After {data.sessions} {sessions}: {len(data.drafts)} drafts; core memory takes "
            f"{len(kept)}, {once} of them said only once. The profile has room for {data.limit} "
            f"and shows {shown}.",
            f"{data.sessions} 次会话之后：{len(data.drafts)} 条草稿，{len(kept)} 条成为核心记忆，"
            f"其中 {once} 条只说过一次；画像最多 {data.limit} 条，显示 {shown} 条。",
        )

    def draw(self, data: ConsolidationData) -> Figure:
        """Draw who said what when, and what becomes of it."""
        with style.use():
            figure, (axes,) = style.panels(self.size, (1.0,), (), 0.12)
            rows = data.drafts[:_SHOWN]
            count = max(len(rows), 6)
            axes.set(xlim=(0, 100), ylim=(count + 1.2, -0.2))
            axes.axis("off")
            zh = self.figure_lang == "zh"
            for n in range(data.every):
                hue = style.INK if n < data.sessions else "#A3ADBB"
                axes.text(_x(n, data.every), 0.3, str(n + 1), ha="center", size=8.5, color=hue)
            axes.text(0, 0.3, "会话" if zh else "session", size=8.5, color=style.MUTED)
            title = f"结局（画像 {data.limit} 条）" if zh else f"becomes (profile: {data.limit})"
            axes.text(70, 0.3, title, size=8.5, color=style.MUTED)
            for y, draft in enumerate(rows, 1):
                place = sum(d.admitted for d in rows[: y - 1])
                self._draw_row(axes, y + 0.25, draft, data, draft.admitted and place < data.limit)
        return figure

    def _draw_row(
        self, axes: Axes, y: float, draft: Draft, data: ConsolidationData, shown: bool
    ) -> None:
        zh = self.figure_lang == "zh"
        fill = style.colour("profile") if draft.admitted else style.colour("reserve")
        ink = style.INK if draft.admitted else style.MUTED
        axes.text(0, y, style.shorten(draft.text, 38), size=8.5, va="center", color=ink)
        for n in range(data.every):
            said = n in draft.sessions
            hue, size = (fill, 7.0) if said else (style.HAIR, 2.5)
            axes.plot(_x(n, data.every), y, "o", ms=size, color=hue, mew=0)
        reason = _REASONS[draft.reason][zh]
        box = {"boxstyle": "round,pad=0.25", "facecolor": fill, "edgecolor": "none"}
        if draft.admitted and not shown:
            box |= {"facecolor": "none", "edgecolor": fill}
        axes.text(70, y, reason, size=8, va="center", bbox=box, color=style.INK)


def _x(session: int, every: int) -> float:
    return 46 + 20 * (session + 0.5) / every


@cache
def _facts(sessions: tuple[tuple[str, ...], ...]) -> tuple[Fact, ...]:
    """Write what was said, a session every three days, and find in which turns each was said."""
    clock = ManualClock(_START)
    memory = Memory("sqlite://", clock=clock)
    for n, said in enumerate(sessions):
        clock.advance(timedelta(days=3))
        for k, text in enumerate(said):
            clock.advance(timedelta(minutes=1))
            source = {"type": "extracted", "session_id": f"{n}", "message_ids": (f"{n}/{k}",)}
            memory.write(text, entity=_ENTITY, agent=_AGENT, source=source)
    return tuple(find_facts(memory, _ENTITY))


def _judge(fact: Fact, times: int, core: bool) -> Draft:
    """Decide as R100 does, with another number of times and core fields or without them."""
    admitted, why = fact.judge()
    reason = {
        "a feeling fades": "feeling",
        "a task is followed until it is done": "task",
        "contradicted later": "later",
    }.get(why, "")
    if not reason:
        fills = why.endswith("is a core business field") or _core(fact)
        if len(fact.turns) >= times:
            admitted, reason = True, "said"
        elif fact.confirmed:
            admitted, reason = True, "confirmed"
        elif core and fills:
            admitted, reason = True, "core"
        else:
            admitted, reason = False, "once" if fact.turns else "agent"
    # Said again in the same words, a record keeps only the time: the session isn't known any more.
    named = {int(session) for session, _ in fact.turns if session.isdigit()}
    named |= {_session_at(turn) for session, turn in fact.turns if not session}
    return Draft(
        fact.record.text, fact.record.kind, tuple(sorted(named)), len(fact.turns), admitted, reason
    )


def _core(fact: Fact) -> bool:
    """Whether it would be admitted as a core field if it had been said once."""
    turns = set(list(fact.turns)[:1])
    return Fact(fact.record, fact.keys, turns).judge()[1].endswith("is a core business field")


def _session_at(time: str) -> int:
    return (datetime.fromisoformat(time) - _START) // timedelta(days=3) - 1

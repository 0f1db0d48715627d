"""Which turns stay word for word: by tokens, newest first, tool pairs whole (R11 to R13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ..errors import BudgetError
from ..messages import Message
from ..tokens import TokenCounter
from ..turns import Entry, Turn

__all__ = ["CountWindow", "Kept", "TokenWindow", "age_note", "mark_stale", "truncate"]

_MIN_RESULT_TOKENS = 64  # a tool result cut below this says nothing


@dataclass(slots=True)
class Kept:
    """What a window kept: turns from `first` on, and the newest that is out, if one is."""

    first: int
    tokens: int
    stop: Turn | None = None

    @property
    def reason(self) -> str:
        """Why the rest is out."""
        if self.stop is None:
            return "all fit"
        return f"turn {self.stop.index} ({self.stop.tokens:,} tokens) was the first that didn't fit"


@dataclass(frozen=True)
class TokenWindow:
    """Newest turns first; stop at the first that doesn't fit (R11).

    A turn is kept or dropped whole, so a call never loses its result (R12) and the list opens
    with a user message, as every provider wants.

    Parameters
    ----------
    limit : int
        Tokens for dialogue before the current turn.

    Examples
    --------
    >>> from ctxlab.turns import Turns
    >>> said = [{"role": "user", "content": text} for text in ("one " * 50, "two")]
    >>> talk = Turns.of(said)
    >>> TokenWindow(limit=20)(talk.all).first
    1
    """

    limit: int

    def __call__(self, turns: Sequence[Turn], oldest: int = 0) -> Kept:
        """Choose among ``turns[oldest:]``; returns the index of the first kept turn."""
        left, first = self.limit, len(turns)
        while first > oldest:
            turn = turns[first - 1]
            if turn.tokens > left:
                return Kept(first, self.limit - left, turn)
            first -= 1
            left -= turn.tokens
        return Kept(first, self.limit - left)


@dataclass(frozen=True)
class CountWindow:
    """The last `messages` messages, whatever they weigh. Here to show why it's worse (R11).

    It can exceed any budget, and it cuts between a call and its result.

    Examples
    --------
    >>> said = [{"role": "user", "content": text} for text in "ab"]
    >>> CountWindow(messages=1)(said)
    [{'role': 'user', 'content': 'b'}]
    """

    messages: int

    def __call__(self, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return system messages and the last `messages` others."""
        system = [m for m in messages if m.get("role") == "system"]
        talk = [m for m in messages if m.get("role") != "system"]
        return system + (talk[-self.messages :] if self.messages > 0 else [])


@dataclass(slots=True)
class Current:
    """The current turn as it will be sent, with what was left out of it."""

    entries: list[Entry]
    tokens: int
    dropped: list[tuple[Entry, str]] = field(default_factory=list)
    cut: list[tuple[Entry, int]] = field(default_factory=list)  # entry, tokens before


@dataclass(frozen=True)
class CurrentTurn:
    """Fit the turn in progress: the user message always, then units, newest first.

    Parameters
    ----------
    limit : int
        Tokens for the current turn.
    max_tool_calls : int
        Beyond it, of each tool only the last result stays, with the goal (R60).
    """

    limit: int
    max_tool_calls: int = 3

    def __call__(self, turn: Turn, counter: TokenCounter) -> Current:
        """Choose units.

        Raises
        ------
        BudgetError
            If the user message, or the newest unit even with its results cut short, can't fit.
        """
        opens = turn.entries[:1]
        if len(turn.entries) == 1 and opens[0].tokens <= self.limit and turn.plain:
            return Current(opens, turn.tokens)  # nearly all: a message, nothing done about it yet
        head, *rest = turn.units() or [[]]
        if head and head[0].message.role != "user":
            head, rest = [], [head, *rest]
        result = Current(list(head), sum(e.tokens for e in head))
        if result.tokens > self.limit:
            raise BudgetError(
                "recent",
                "the current user message",
                result.tokens,
                result.tokens - self.limit,
                "Shorten it, keep the long part outside and quote from it, or raise budget.window.",
            )
        units = self._last_of_each_tool(rest, result) if turn.calls > self.max_tool_calls else rest
        kept: list[list[Entry]] = []
        for i, unit in enumerate(reversed(units)):
            size = sum(e.tokens for e in unit)
            if i == 0 and result.tokens + size > self.limit:
                unit = self._cut_results(unit, self.limit - result.tokens, counter, result)
                size = sum(e.tokens for e in unit)
            if result.tokens + size > self.limit:
                older = [e for u in reversed(units[: len(units) - i]) for e in u]
                result.dropped += [(e, "R11: newer steps of this turn fill it") for e in older]
                break
            kept.append(unit)
            result.tokens += size
        result.entries += [entry for unit in reversed(kept) for entry in unit]
        return result

    @staticmethod
    def _last_of_each_tool(units: list[list[Entry]], result: Current) -> list[list[Entry]]:
        last: dict[str, int] = {}
        for i, unit in enumerate(units):
            for call in unit[0].message.tool_calls:
                last[call.name] = i
        keep = []
        for i, unit in enumerate(units):
            calls = unit[0].message.tool_calls
            if calls and all(last[call.name] > i for call in calls):
                reason = f"R60: a later result of {calls[0].name} stands"
                result.dropped += [(entry, reason) for entry in unit]
            else:
                keep.append(unit)
        return keep

    @staticmethod
    def _cut_results(
        unit: list[Entry], limit: int, counter: TokenCounter, result: Current
    ) -> list[Entry]:
        """Shorten the longest results of the newest unit until it fits (R53, last resort)."""
        unit = list(unit)
        excess = sum(e.tokens for e in unit) - limit
        results = [i for i, e in enumerate(unit) if e.message.role == "tool"]
        for i in sorted(results, key=lambda i: -unit[i].tokens):
            if excess <= 0:
                break
            before = unit[i]
            goal = max(before.tokens - excess, _MIN_RESULT_TOKENS)
            unit[i] = truncate(before, goal, counter)
            excess -= before.tokens - unit[i].tokens
            result.cut.append((unit[i], before.tokens))
        if excess > 0:
            part = "the newest tool results" if results else "the newest message of this turn"
            tokens = sum(e.tokens for e in unit)
            raise BudgetError(
                "tools" if results else "recent",
                part,
                tokens,
                excess,
                "Shorten them at the tool, offer fewer calls at once, or raise budget.window.",
            )
        return unit


def truncate(entry: Entry, limit: int, counter: TokenCounter) -> Entry:
    """Return the entry with its text cut to about `limit` tokens, saying what is missing."""
    text = entry.message.text
    note = _CUT[_language(text)].format(total=entry.tokens)
    keep = len(text) * max(limit, 1) // max(entry.tokens, 1)
    while True:
        cut = entry.message.with_(content=text[:keep] + note)
        shorter = Entry.of(entry.seq, cut, counter)
        if shorter.tokens <= limit or keep == 0:
            return shorter
        # Text isn't evenly dense: shrink in proportion, and always by something.
        keep = min(keep - 1, keep * limit // shorter.tokens)


_CUT = {
    "en": "… [cut here: the whole result had {total:,} tokens and is kept in the store]",
    "zh": "……［此处截断：完整结果共 {total:,} 个词元，已存档］",
}
_STALE = {
    "en": "[result of a query {age} ago; may be out of date]\n",
    "zh": "［{age}前的查询结果，可能已过时］\n",
}
_AGES = (
    (timedelta(days=1), {"en": "{} day(s)", "zh": "{} 天"}, 1),
    (timedelta(hours=1), {"en": "{} hour(s)", "zh": "{} 小时"}, 1),
    (timedelta(minutes=1), {"en": "{} minutes", "zh": "{} 分钟"}, 5),
)


def age_note(age: timedelta, language: str = "en") -> str:
    """Say how old a tool result is, in steps that change rarely so that the count is cached.

    Examples
    --------
    >>> age_note(timedelta(minutes=7)).strip()
    '[result of a query 5 minutes ago; may be out of date]'
    """
    for unit, words, step in _AGES:
        if age >= unit:
            count = max(int(age / unit) // step * step, 1)
            return _STALE[language].format(age=words[language].format(count))
    return _STALE[language].format(age=_AGES[-1][1][language].format(1))


def mark_stale(entry: Entry, now: datetime, fresh: timedelta, counter: TokenCounter) -> Entry:
    """Return a tool result marked with its age if it's older than `fresh` (R72)."""
    message = entry.message
    if message.time is None or now - message.time < fresh:
        return entry
    note = age_note(now - message.time, _language(message.text))
    content: Any = note + message.text
    if isinstance(message.content, tuple):
        content = ({"type": "text", "text": note.strip()}, *message.content)
    return Entry.of(entry.seq, Message(**{**_fields(message), "content": content}), counter)


def _fields(message: Message) -> dict[str, Any]:
    return {name: getattr(message, name) for name in Message.__slots__}


def _language(text: str) -> str:
    return "zh" if any("\u4e00" <= ch <= "\u9fff" for ch in text[:2000]) else "en"

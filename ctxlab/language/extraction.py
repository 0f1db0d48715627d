"""`cx.extract`: what of a conversation must outlive it (R30, R36).

In order: leave out what isn't said by the two parties, put slips right, drop what is hypothetical,
secret or about somebody else, label each sentence, keep what tells something about the customer,
and retell it so that it stands alone. Nothing is stored here; drafts go through the write rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ctxlab.language.attributes import find_attribute, find_value, key_literals
from ctxlab.language.dates import resolve_dates
from ctxlab.language.exclusions import (
    ends_idle,
    glue,
    leave_out,
    own_words,
    says_nothing,
    withdraws,
)  # fmt: skip
from ctxlab.language.labelling import StatementLabel, label_many
from ctxlab.language.numerals import numerals
from ctxlab.language.repairs import repairs
from ctxlab.language.retelling import echoes, is_fragment, retell, strip_fillers
from ctxlab.language.sensitive import Finding, scan_many
from ctxlab.language.text import sentence_spans, sentences
from ctxlab.messages import Message, text_of

__all__ = ["YES", "Draft", "extract"]

_MAX_CHARS = 4_000  # of one message: a paste is no statement


@dataclass(frozen=True)
class Draft:
    """A memory proposed from a conversation.

    Attributes
    ----------
    text : str
        One full sentence in the third person, in the language of the conversation.
    kind : str
        "fact", "preference", "request", "commitment", "event" or "emotion".
    attribute, value : str or None
        The slot it fills and what with; ``value`` occurs in ``text``.
    message_ids : tuple of str
        Where it was said; a message without an id goes by its index in the list.
    confidence : float
        Calibrated chance that ``kind`` is right, 0 to 1.
    actionability, audience : str
        As in `StatementLabel`.
    """

    text: str
    kind: str
    attribute: str | None
    value: str | None
    message_ids: tuple[str, ...]
    confidence: float
    actionability: str = "actionable"
    audience: str = "shared"


@dataclass(frozen=True)
class _Said:
    """A message by one of the two parties, put right."""

    id: str
    agent: bool
    text: str
    when: datetime | None
    raw: str = ""  # as it was said
    menders: tuple[str, ...] = ()  # messages that put it right

    def ids(self, sentence: str) -> tuple[str, ...]:
        """Name the messages that a sentence of it rests on."""
        return (self.id,) if sentence in self.raw else (self.id, *self.menders)


@dataclass
class _Unit:
    """A sentence that may become a draft; short ones that follow are joined to it."""

    said: _Said
    text: str
    spoken: str  # the same with dates as said, which is how the heads know them
    question: str = ""
    confirmed: bool = False
    ids: tuple[str, ...] = ()
    label: StatementLabel = field(default=StatementLabel("chitchat", "historical", "shared", 0.0))


def extract(
    messages: Iterable[Mapping[str, Any] | Message], now: datetime | None = None, tz: str = "UTC"
) -> list[Draft]:
    """Draft the memories that a conversation gives rise to.

    Parameters
    ----------
    messages : iterable of dict or Message
        OpenAI-style messages, oldest first. Only what the customer and the agent said is read:
        no system prompt, injected memory or tool result.
    now : datetime, optional
        Aware: the time of messages that carry none. Without it their dates stay as said.
    tz : str
        Zone of the conversation; a time that has an offset other than UTC keeps its own.

    Returns
    -------
    list of Draft
        In the order of saying, without repeats.

    Examples
    --------
    >>> from datetime import UTC
    >>> said = "Cancel order A1092. Sorry, A1029. I'll pay on Friday."
    >>> talk = [{"role": "user", "content": said}]
    >>> for draft in extract(talk, now=datetime(2026, 3, 18, tzinfo=UTC)):
    ...     print(draft.kind, "|", draft.text)
    request | The customer asked: Cancel order A1029.
    commitment | The customer will pay on 2026-03-20 (A1029).
    """
    said = list(_said(messages, now, tz))
    fixed, by = repairs([s.text for s in said], [not s.agent for s in said])
    turns = [
        replace(s, text=text, raw=s.text, menders=tuple(said[i].id for i in sorted(later)))
        for s, text, later in zip(said, fixed, by, strict=True)
    ]
    units = _units(turns)
    for speaker in (False, True):
        own = [unit for unit in units if unit.said.agent == speaker]
        spoken = [f"{u.question} {u.spoken}".strip() for u in own]
        found = label_many(spoken, "agent" if speaker else "customer") if own else []
        for unit, label in zip(own, found, strict=True):
            unit.label = label
    kept = [unit for unit in units if _worth(unit)]
    return _drafts(_anchored(kept))


# Reading messages


def _said(
    messages: Iterable[Mapping[str, Any] | Message], now: datetime | None, tz: str
) -> Iterator[_Said]:
    for index, given in enumerate(messages):
        fields = given if isinstance(given, Mapping) else _fields(given)
        role = fields.get("role")
        if role not in ("user", "assistant"):
            continue
        text = own_words(_text(fields.get("content")), role == "assistant")[:_MAX_CHARS]
        given_id = fields.get("id")
        when = _time(fields.get("time"), tz) or _time(now, tz)
        yield _Said(
            given_id if isinstance(given_id, str) else str(index), role == "assistant", text, when
        )


def _fields(given: object) -> dict[str, Any]:
    return {name: getattr(given, name, None) for name in ("role", "content", "id", "time")}


def _text(content: Any) -> str:
    try:
        return text_of(content)
    except (AttributeError, TypeError):  # parts that are no dicts: nothing anyone said
        return ""


def _time(given: Any, tz: str) -> datetime | None:
    """Read a time in the zone it was said in; none if it can't be told."""
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given)
        except ValueError:
            return None
    if not isinstance(given, datetime) or given.utcoffset() is None:
        return None
    try:
        return given.astimezone(ZoneInfo(tz)) if not given.utcoffset() else given
    except (ValueError, OverflowError, OSError):  # an unknown zone, or the end of the calendar
        return given


# Cutting into sentences that are worth a look

_OFFER = re.compile(
    r"anything else|can I help|how (?:can|may)|which|what|when|where|who|其他|别的|还有什么|哪"
    r"|什么|几|多少",
    re.I,
)
_NO = re.compile(r"(?:no|nope|never mind|there is|不用|没有|不是)\b[^,，]{0,3}$", re.I)
YES = re.compile(
    r"(?:yes|yeah|yep|correct|right|exactly|that's right|对|是的?|没错|嗯+|可以"
    r"|好)(?:[\s,.，。!！]|$)",
    re.I,
)


def _units(turns: Sequence[_Said]) -> list[_Unit]:
    units: list[_Unit] = []
    questions = [_question(turns, index) for index in range(len(turns))]
    # All together: a scan embeds what it reads.
    found = scan_many([*questions, *(said.text for said in turns)])
    for index, said in enumerate(turns):
        question = questions[index]
        asked = leave_out(question, True, found[index]) if question else ""
        fresh = _of_message(said, found[len(turns) + index])
        if not said.agent and withdraws(strip_fillers(said.text)):
            # What a passing curiosity was told is nothing about the customer.
            units = [u for u in units if u.said is not turns[index - 1]] if index else units
        if said.agent and index and ends_idle(turns[index - 1].text):
            fresh = [unit for unit in fresh if _PROMISE.search(unit.text)]
        first = fresh[0] if fresh else None
        if first and asked and is_fragment(first.text) and not _NO.match(first.text):
            first.question = resolve_dates(asked, said.when) if said.when else asked
            first.ids = (turns[index - 1].id, *first.ids)
        if asked and YES.match(said.text) and not _OFFER.search(asked):
            text = resolve_dates(asked, said.when) if said.when else asked
            units.append(_Unit(said, text, asked, "", True, (turns[index - 1].id, said.id)))
        units += fresh
    return units


_ENDS = " .。!！?？"


_PROMISE = re.compile(r"\b(?:i|we)(?:'ll| will)\b|我[^，。]{0,6}给您|会给您|\d{4}-\d\d-\d\d", re.I)


def _of_message(said: _Said, found: Sequence[Finding]) -> list[_Unit]:
    fresh: list[_Unit] = []
    for start, end in sentence_spans(said.text):
        within = [
            replace(f, start=max(0, f.start - start), end=min(end, f.end) - start)
            for f in found
            if f.start < end and f.end > start
        ]
        spoken = leave_out(said.text[start:end], said.agent, within)
        text = resolve_dates(spoken, said.when) if said.when else spoken
        if text and fresh and not said.agent and is_fragment(text):
            last, joint = fresh[-1], glue(text)
            last.text = f"{last.text.rstrip(_ENDS)}{joint}{text}"
            last.spoken = f"{last.spoken.rstrip(_ENDS)}{joint}{spoken}"
            last.ids = tuple(dict.fromkeys((*last.ids, *said.ids(said.text[start:end]))))
        elif text:
            ids = said.ids(said.text[start:end])
            fresh.append(_Unit(said, text, spoken, ids=ids))
    return fresh


def _question(turns: Sequence[_Said], index: int) -> str:
    """Give the question that the agent asked just before, if the customer speaks now."""
    if index == 0 or turns[index].agent or not turns[index - 1].agent:
        return ""
    asked = [s for s in sentences(turns[index - 1].text) if s.rstrip().endswith(("?", "？"))]
    polite = re.search(r"(?:请|麻烦)[^。]*(?:提供|报|告诉|留|说)[^。]*", turns[index - 1].text)
    return asked[-1] if asked else polite[0] if polite else ""


# Choosing


_ULTIMATUM = re.compile(
    r"\b(?:leav(?:e|ing)|cancel+ing|lawyer|commission|ombudsman|board of|papers|press|going to"
    r"|i'm (?:off|done|with))\b"
    r"|投诉|曝光|消协|工信部|律师|媒体|热线|小红书|换|差评|搬到", re.I)  # fmt: skip


def _worth(unit: _Unit) -> bool:
    """Decide whether a sentence tells something that an agent would miss later."""
    body = strip_fillers(unit.text)
    asks = body.endswith(("?", "？"))
    if unit.confirmed or unit.question:
        return bool(re.search(r"\w", body)) and not says_nothing(body)
    kind, hard = _kind(unit), _hard(body)
    if unit.said.agent:
        if asks:
            return False
        named = bool(_ID.search(body)) or bool(re.search(r"\d{4}-\d\d-\d\d", body))
        told = kind in ("event", "fact", "request") and bool(_YOURS.search(body) or numerals(body))
        told = told and len(body) > 6
        return named or told or (kind == "commitment" and len(body) > 6)
    if (not hard and _BARE.fullmatch(body)) or _GUESS.match(unit.text):
        return False
    if kind == "emotion":
        return bool(_ULTIMATUM.search(body))
    if kind == "chitchat":
        return hard and not asks
    if _IF.search(body) and (unit.label.scores.get("chitchat", 0.0) >= 0.15 or _WOULD.search(body)):
        return False
    general = kind == "request" and not hard and _GENERAL.search(body) and not _MINE.search(body)
    return len(body) >= 4 and not general


def _kind(unit: _Unit) -> str:
    """Take the label, unless it is of no use and another kind is nearly as likely."""
    scores = unit.label.scores
    useful = {k: scores.get(k, 0.0) for k in _USEFUL}
    best = max(useful, key=lambda k: useful[k])
    if unit.label.kind in ("chitchat", "emotion") and useful[best] >= _NEARLY:
        return best
    return unit.label.kind


_YOURS = re.compile(
    r"\byou(?:r|'re|'ve)?\b|\bI(?:'ve| see| have)\b|您|已|查到|确认|请.{2,}(?:证|单|书|票|表|照"
    r"|件|材料)",
    re.I,
)
# "Is it 24.90?": what the answer confirms may be kept, the guess may not.
_GUESS = re.compile(
    r"(?:(?:so|and|but|wait|oh),? )?(?:is|was|are) (?:it|that|this|they|those)\b[^!?]{0,40}\?\s*$"
    r"|(?:是不是|是|就)[^，。我]{1,12}[吗吧?？]+$",
    re.I,
)
_BARE = re.compile(
    r"(?:there|it|that|this|they|he|she|i) (?:is|was|are|does|did|do|has|will|can)(?:n't| not)?"
    r"|not that .{1,24}|[A-Za-z']+(?: [a-z']+)?|.",
    re.I,
)  # "There is", "Can": an answer, no statement
_USEFUL = ("commitment", "request", "preference", "fact", "event")
_NEARLY = 0.15
_IF = re.compile(r"\bif\b|如果|要是|假如|万一|若是|倘若|的话", re.I)
_WOULD = re.compile(r"\b(?:would|could|might)\b|'d\b|[吗？?]", re.I)
_GENERAL = re.compile(
    r"[?？]$|[吗呢嘛]$|多不多|有没有|多少|问一下|哪个|^(?:do|does|is|are|what|how)\b", re.I
)
_MINE = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b|我|俺|咱|帮|给|单", re.I)


def _hard(text: str) -> bool:
    """Tell whether a text holds what can't be guessed: an id, an amount, a date, a name."""
    found = key_literals(text)
    return any(re.search(r"\d{2}|[$£€¥元块]|[A-Z]\w+ [A-Z]", literal) for literal in found)


# Making sentences stand alone


_ID = re.compile(
    r"(?<![A-Za-z0-9-])(?:[A-Z]{1,5}-?\d[\dA-Z-]*\d|[a-z]{2}\d{5,}|\d{5,}"
    r"|\d+-\d+-\d+)(?![A-Za-z0-9-])"
)

_NO_ID = re.compile(r"\d{4}-\d\d(?:-\d\d)?|1[3-9]\d{9}")  # a date, a mobile number


def _anchored(units: list[_Unit]) -> list[_Unit]:
    """Name the one id that a conversation is about in sentences that speak of it without one."""
    found = (i for u in units if not u.said.agent for i in _ID.findall(u.text))
    ids = list(dict.fromkeys(i for i in found if not _NO_ID.fullmatch(i)))
    if len(ids) != 1:
        return units
    # The unit that names it, not a message: mending slips may have put the id together.
    source = next(u for u in units if not u.said.agent and ids[0] in u.text).said
    for unit in units:
        if (
            unit.label.kind in ("request", "commitment", "event")
            and ids[0] not in unit.text + unit.question
        ):
            chinese = bool(re.search(r"[\u3400-\u9fff]", unit.text))
            body = unit.text.rstrip(" .。!！?？")
            unit.text = f"{body}（{ids[0]}）" if chinese else f"{body} ({ids[0]})"
            unit.ids = tuple(dict.fromkeys((*unit.ids, source.id)))
    return units


def _drafts(units: list[_Unit]) -> list[Draft]:
    drafts: list[Draft] = []
    seen: set[str] = set()
    known = ""
    for unit in units:
        kind = _kind(unit)
        if kind == "chitchat" or (unit.question and kind == "emotion"):
            kind = "fact"
        if unit.said.agent and kind != "commitment":
            kind = "event"
        text = retell(unit.text, kind, unit.said.agent, unit.question, unit.confirmed)
        literals = key_literals(unit.text) + [n.digits for n in numerals(unit.text)]
        echo = unit.said.agent and kind != "commitment" and echoes(unit.text, literals, known)
        plain = re.sub(r"\W", "", text).lower()
        if echo or plain in seen:
            continue
        seen.add(plain)
        known += text + " ".join(n.digits for n in numerals(text))
        attribute = find_attribute(text)
        answer = text.rpartition("客户答：")[2] if unit.question else text
        answer = answer.rpartition("customer answered: ")[2] or answer
        value = find_value(answer, attribute)
        drafts.append(Draft(text, kind, attribute, value, unit.ids, unit.label.confidence,
                            unit.label.actionability, unit.label.audience))  # fmt: skip
    return drafts

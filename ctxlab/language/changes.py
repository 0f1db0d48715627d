"""What a customer changes in few words: "go with the navy instead" says of what only before (R30).

A slip (`repairs`) was never meant; this was, until it changed. Either way what holds is the earlier
sentence with the new value in it: "I need 40 chairs", then "we only need 30 in the end", is a need
of 30 chairs. A new value of another sort than any before it changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ctxlab.language.sides import cue_patterns
from ctxlab.language.values import values_in

__all__ = ["change", "changes", "put_in_place"]

_LEAD = (
    r"\W*(?:(?:actually|sorry|hmm+|oh|ah|wait|no|right|ok(?:ay)?|so|and|but|well|on reflection"
    r"|on second thoughts?|you know what|come to think of it|i've had a (?:re)?think"
    r"|sorry to mess you about)\b[\s,.…-]*)*"
)
_V = r"((?:[^,.;!?，。！？]|(?<=\d)[.,](?=\d)){1,28}?)"
_AFTER = (
    r"(?: (?:instead|now|after all|in the end|then|please|same (?:time|day|place)"
    r"|(?:rather than|instead of|if (?:you|that|it))[^,.]*))"
)
_ELSE = r"(?: (?:instead|now|after all|in the end|(?:rather than|instead of)[^,.]*))"
_WHY = r"(?:[,;] [^.?!,;]{1,40})?"  # "it's the 14th now, the flight got moved"
_TURN = r"(?:make|change|move|switch|swap)"
_CHOOSE = r"(?:do|have|take|go for|go with)"  # says of a choice, not that it is another one
_TO = r"(?: (?:it|that|them|this))?(?: (?:to|for|into))? "
_ENGLISH = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:or )?(?:can|could|shall) (?:we|i|you) (?:please )?{_TURN}{_TO}{_V}{_AFTER}*"
    rf"|or (?:can|could|shall) (?:we|i|you) (?:please )?{_CHOOSE}{_TO}{_V}{_AFTER}*"
    rf"|(?:please |let's |better |rather |(?:i|we)(?:'d rather|'ll) "
    rf"|(?:can|could|shall) (?:i|we|you) )?"
    rf"(?:{_TURN}|{_CHOOSE}){_TO}{_V}{_AFTER}*{_ELSE}{_AFTER}*"
    rf"|(?:please |let's |better |can (?:we|you) )?make (?:it|that) {_V}{_AFTER}*"
    rf"|(?:it's|it is|it'll be|that's|we're|we are|we'll be|there(?:'s| are|'ll be)"
    rf"|(?:i|we) (?:only |just )?(?:need|want)) (?:now |only |just |actually )*"
    rf"{_V}{_AFTER}*{_ELSE}{_AFTER}*"
    rf"|(?:i|we) (?:can|could) (?:go|stretch)(?: up)? to {_V}{_AFTER}*"
    rf"|{_V} is (?:all|the most|my limit|our limit|as much as|as far as)[^,.;!?]{{0,30}}"
    rf"|{_V} instead(?: please)?"
    rf"){_WHY}\W*\Z",
    re.IGNORECASE,
)
_ZH_LEAD = (
    r"\W*(?:(?:不好意思|抱歉|那个|哦|嗯|呃|对了|我?想了想|刚?商量了?(?:一下)?|还是|要不|那|最后"
    r"|后来|现在|麻烦)[，,\s]*)*"
)
_ZH_V = r"([^，。！？,?!]{1,16}?)"
_CHINESE = re.compile(
    rf"{_ZH_LEAD}(?:"
    rf"(?:[^，。]{{2,8}}[，,])?(?:能不能|能|可以|可不可以|帮我)?[改换变调](?:成|到|为|作)?{_ZH_V}"
    rf"(?:了|吧|吗|行吗|可以吗|同一时间|好了)*"
    rf"|[只就](?:要|需要|有){_ZH_V}(?:了|吧|就够了?|就行了?)*"
    rf"|{_ZH_V}(?:也行|也可以|好了|算了)"
    rf")\W*\Z"
)
# "Still 39, please" 还是39吧: what follows is a choice, if nothing else was said of two.
_ZH_STILL = re.compile(
    rf"\W*(?:不好意思|嗯|呃|想了想)?[，,\s]*(?:还是|要不|算了|那就?|最多)[，,]?[要用选来走]?"
    rf"{_ZH_V}(?:吧|好了|得了)\W*\Z|\W*[要用选来走]?{_ZH_V}吧\W*\Z"
)
_ADDS = re.compile(
    r"\b(?:also|another|as well|more|plus|extra|too|add|both)\b|还有|另外|再|也要|加|都", re.I
)
_NO_UNIT = frozenset("in on at now instead please after for of then same to and the if us".split())
_LIGHT = re.compile(r"\b(?:the|an?|about|around|at|on|for|of|it|in)\b|[的个位]", re.I)
_DAY = re.compile(r"(?:the )?\d{1,2}(?:st|nd|rd|th)|\d{1,2}[号日]")
_ASKED = re.compile(
    r"^(?!.*\b(?:can|could|would|may|will) (?:i|we|you)\b|.*[能可帮请]).*[?？]\W*\Z", re.I
)
_QUESTION = re.compile(r"[?？]|[吗呢][。.]?\s*\Z|几[点个位]|什么时候|哪[天个]")
# A flat's number or an age is no count that changes.
_NUMBERED = re.compile(
    r"\b(?:flat|apt|apartment|unit|number|no\.?|room|floor|gate|aged?|is|turned|since|until|row) "
    r"(?:the )?\Z",
    re.I,
)
_ORDER = re.compile(
    r" ?(?:years?|yrs?|months?|y/?o\b|[- ]year)|(?:st|nd|rd|th)\b|[楼层号栋室岁年月级路弄]"
)
_FEW = 2  # words beside a value; with more it is about something else
_BACK = 8  # messages of the customer's among which what changes is sought
_SHORT = 70  # characters; who says more says of what
_CLASSES = frozenset({"colour", "channel", "payment", "tier", "daypart", "size", "seat", "side"})
_SORTS = frozenset({"day", "time", "money", "percent", "count"})


class _Piece(NamedTuple):
    """A value in a text: its span, its sort and what it is, and what it counts if that is said."""

    start: int
    end: int
    sort: str
    norm: str
    unit: str = ""


def changes(text: str) -> bool:
    """Tell whether a customer's message may change something said before in few words.

    Examples
    --------
    >>> changes("hmm, go with the navy instead"), changes("I need 40 chairs")
    (True, False)
    >>> changes("还是蓝色的吧"), changes("改成十位吧"), changes("我要40把椅子")
    (True, True, False)
    """
    return _new(text) is not None


def change(texts: Sequence[str], mine: Sequence[bool]) -> tuple[int, str, str] | None:
    """Find what the last message changes.

    Parameters
    ----------
    texts : sequence of str
        The messages of a dialogue up to the one looked at.
    mine : sequence of bool
        Whether the customer said each.

    Returns
    -------
    tuple of int, str, str, or None
        The number of the message that changes, the words that no longer hold in it, and those that
        take their place.

    Examples
    --------
    >>> change(["I need 40 chairs", "40, noted.", "we only need 30 in the end"], [1, 0, 1])
    (0, '40', '30')
    """
    said = _new(texts[-1])
    if said is None:
        return None
    pieces = list(_pieces(said))
    if len(pieces) != 1:  # "Wednesday at 4" changes two things: it is told by itself
        return None
    new, answered = pieces[0], "" if mine[-2:-1] == [True] else "".join(texts[-2:-1])
    before = [n for n in range(len(texts) - 1) if mine[n]][-_BACK:]
    for n in reversed(before):
        pieces = list(_pieces(texts[n]))
        alike = [p for p in pieces if p.sort == new.sort]
        if not alike and new.sort == "count" and not new.unit:
            alike = [p for p in pieces if p.sort == "money"]  # "$500", then "make it 650"
        if not alike:
            continue
        if _ASKED.search(texts[n]):
            return None  # "How big is the 10?", then "I'll have the 15": that's a choice
        old = alike[0]
        same = old.norm == new.norm or (new.unit and old.unit and new.unit != old.unit)
        fixed = old.sort == "count" and (
            _NUMBERED.search(texts[n][: old.start]) or _ORDER.match(texts[n][old.end :])
        )
        # What answers a question of the agent's says of what was asked.
        asked = _QUESTION.search(answered) and texts[n][old.start : old.end] not in answered
        if len(alike) > 1 or same or fixed or asked:
            return None
        was, now = texts[n][old.start : old.end], said[new.start : new.end]
        return n, was, _in_full(now, was)
    return None


def _in_full(now: str, was: str) -> str:
    """Give a value what it leaves unsaid: a currency, a month ("the 12th of May", "the 14th")."""
    if re.fullmatch(r"\d[\d,.]*", now):
        return re.sub(r"\d[\d,.]*", now, was, count=1)
    if day := _DAY.fullmatch(now):
        return _DAY.sub(day[0], was, count=1) if _DAY.search(was) else now
    return now


def put_in_place(texts: list[str], turn: int, mine: Sequence[bool]) -> None:
    """Put what a message changes into the sentence that it changes, and into its echoes.

    Examples
    --------
    >>> said = ["I need 40 chairs", "40, noted.", "we only need 30 in the end"]
    >>> put_in_place(said, 2, [True, False, True])
    >>> said
    ['I need 30 chairs', '30, noted.', '']
    """
    found = change(texts[: turn + 1], mine) if mine[turn] else None
    if found is None:
        return
    at, old, new = found
    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])", re.IGNORECASE)
    for index in range(at, turn):
        if index == at or not mine[index]:
            texts[index] = word.sub(lambda _: new, texts[index], count=1)
    texts[turn] = ""


def _new(text: str) -> str | None:
    """Return the words of a message that name what holds from now on."""
    if len(text) > _SHORT or _ADDS.search(text):
        return None
    for form in (_ENGLISH, _CHINESE, _ZH_STILL):
        found = form.match(text)
        said = next(filter(None, found.groups()), "") if found else ""
        if piece := next(_pieces(said), None):
            rest = _LIGHT.sub("", said[: piece.start] + said[piece.end :])
            if len(re.findall(r"[A-Za-z']+|[\u4e00-\u9fff]", rest)) <= _FEW:
                return said
    return None


def _pieces(text: str) -> Iterator[_Piece]:
    for value in values_in(text):
        if value.sort in _SORTS:
            unit = re.match(r" ?([a-z]{2,}|[\u4e00-\u9fff])", text[value.end :])
            counted = unit[1] if unit and unit[1] not in _NO_UNIT else ""
            yield _Piece(value.start, value.end, value.sort, value.norm, counted)
    for label, pattern in cue_patterns()["choices"].items():
        sort, _, norm = label.partition(" ")
        if sort in _CLASSES and (found := pattern.search(text)):
            end = found.end() + (text[found.end() : found.end() + 1] == "色")
            yield _Piece(found.start(), end, sort, norm)

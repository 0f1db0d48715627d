"""Whether a day is spoken of as past or to come: which of two Thursdays is meant (R30)."""

from __future__ import annotations

import re

from ctxlab.language.terms import PAST_FORMS

__all__ = ["SENTENCE", "around", "is_past", "is_surely_past"]

# "You said the 5th" says nothing of when the 5th is.
_OF_PLANS = frozenset("am is are told said gave given chose chosen thought meant".split())
# In such a sentence a day without a year or a week is the last one, not the next.
_PAST = re.compile(
    rf"\b(?:(?:{'|'.join(sorted(PAST_FORMS - _OF_PLANS))})|didn't|never|since|"
    # What is done to an appointment says nothing of when it is: "I've cancelled Thursday".
    r"(?!(?:re)?(?:booked|scheduled|arranged)|cancel+ed|moved|swap+ed|switched|postponed|reserved"
    r"|pencil+ed)\w{3,}ed|(?:job|invoice|order|charge|fee|visit|receipt) (?:from"
    r"|dated))\b|(?<![约订定排算对除为罢极])了(?!解)|[来到收]过|没(?:来|到|收|发|退|寄|送|回|给|动静|消息)"
    r"|[付交下寄发取办签换领退开装]的(?:钱|款|单|货|件|卡|约|证|票|费|合同|押金|[订定]金)|收的|刮|挖|扣的|买的"
    r"|拍的|讲好|当时",
    re.I,
)
_FUTURE = re.compile(
    r"\b(?:will|shall|going to|until|till|by|need|want|please|let's|send|can)\b|'ll\b"
    r"|[要会将]|改[到成]|之?前[要把给]?|安排|预计|起|(?<![申邀聘])请(?![假客求教])|麻烦|帮我|务必|记得",
    re.I,
)
# What was bought or booked lies ahead: "I bought tickets for the 21st", 「订了21号的票」.
_FOR_DAY = re.compile(
    r"\b(?:tickets?|seats?|tables?|rooms?|reservations?|appointments?|flights?|lessons?|class(?:es)?"
    r"|sessions?|viewings?|slots?)\b(?:(?!\b(?:\w{3,}ed|paid|came|sent|was|were)\b)[^.;,!?，。；！？]){0,60}\Z",
    re.I,
)
_REACH = 400  # characters before and after a day
_NEAR = 80  # characters before a day in which that stands
_OF_DAY = re.compile(r"\s?的(?:票|房|位|座|课|车|场|演出|航班|班次|号|预约)")
SENTENCE = re.compile(r"[.!?](?=\s)|[;。！？；\n]")  # the dot of £46.99 ends nothing
_CLAUSE = re.compile(r"[.!?,](?=\s)|[;。！？；，、\n]")


def is_past(text: str, match: re.Match[str]) -> bool:
    r"""Tell whether a date in a text is spoken of as past.

    Go by the clause around a date; where that leaves it open, by the sentence. What was
    bought or booked lies ahead: "I bought tickets for the 21st".

    Examples
    --------
    >>> said = "They charged me on the 3rd; I'll call on the 5th"
    >>> [is_past(said, match) for match in re.finditer(r"the \d\w+", said)]
    [True, False]
    """
    ahead = _FOR_DAY.search(text, max(0, match.start() - _NEAR), match.start())
    if ahead or _OF_DAY.match(text, match.end()):
        return False
    said = [_told(text, match, mark) for mark in (_CLAUSE, SENTENCE)]
    return next((past for past in said if past is not None), False)


def is_surely_past(text: str, match: re.Match[str]) -> bool:
    """Tell whether the clause itself speaks of the past, not only the sentence around it.

    Examples
    --------
    >>> said = "航班改了，31号到"
    >>> day = re.search("31号", said)
    >>> is_past(said, day), is_surely_past(said, day)
    (True, False)
    """
    return is_past(text, match) and _told(text, match, _CLAUSE) is True


def _told(text: str, match: re.Match[str], mark: re.Pattern[str]) -> bool | None:
    """Whether the part around a date tells of the past; None if it leaves that open."""
    part = text[slice(*around(text, *match.span(), mark))]
    past, future = bool(_PAST.search(part)), bool(_FUTURE.search(part))
    return past if past != future else None


def around(text: str, start: int, end: int, mark: re.Pattern[str]) -> tuple[int, int]:
    """Return the span of the part of a text that holds a span; `mark` ends a part.

    It reaches no further than people do in a sentence: a list of a thousand days is none.
    """
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    ends = [m.end() for m in mark.finditer(text, low, high)]
    return (
        max((e for e in ends if e <= start), default=low),
        min((e for e in ends if e >= end), default=high),
    )

"""Whether a day is spoken of as past or to come: which of two Thursdays is meant (R30).

"Found it: your fitting is on Monday" has a past tense and a Monday to come, "She said she'd ring
Monday. She didn't." the reverse. Rules see the words; a fitted head weighs them by where they stand
to the day. It also knows what is no day at all: 「三号场」, "the Tuesday batch".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ctxlab.language.heads import load_head
from ctxlab.language.keeping import kept
from ctxlab.language.terms import PAST_FORMS

__all__ = ["AHEAD", "NO_DAY", "SENTENCE", "SURE", "Told", "around", "looks", "surroundings", "told"]

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
_REACH = 200  # characters before and after a day
_NEAR = 80  # characters before a day in which that stands
_OF_DAY = re.compile(r"\s?的(?:票|房|位|座|课|车|场|演出|航班|班次|号|预约)")
SENTENCE = re.compile(r"[.!?](?=\s)|[;。！？；\n]")  # the dot of £46.99 ends nothing
_CLAUSE = re.compile(r"[.!?,](?=\s)|[;。！？；，、\n]")
_TOKEN = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d+|[\u3400-\u9fff]|[^\w\s]")
# What carries a clause's grammar; verbs only by their form.
_SIGN = re.compile(
    rf"\b(?:(?P<ed>{'|'.join(sorted(PAST_FORMS - _OF_PLANS))}|\w{{3,}}ed)"
    r"|(?P<pro>i|we|he|she|they|you|it|nobody|no one)"
    r"|will|shall|going to|is|are|am|was|were|be|been|have|has|had|should|would|could|can|may|must"
    r"|not|since|till|until|by|for|from|if|when|before|after|said|told|still|yet|already|now|due"
    r"|meant|supposed)\b|(?:'ll|'ve|'d|n't|'s|'re|'m)\b"
    r"|已经?|刚刚?|才|就|过(?![来去户期敏后程于])|了(?!解)|着(?!急)|的|没|不|要|会|将|能|可以|得|是|在|到|前|后"
    r"|起|那[天次趟顿]|说好?|答应|约|定|订|改|等|如果|要是|好|完|给|把|被|来|去|请|麻烦"
)
_SIGNS = 5
_SIDE = 10  # tokens on each side that are read by their place
_WORD = re.compile(r"[a-z]{4,}")


class Told(NamedTuple):
    """How a day is spoken of: chances, 0 to 1, that it is past, to come, and no day at all."""

    past: float
    ahead: float
    none: float


AHEAD = Told(0.0, 1.0, 0.0)
"""Of a day that no tense could change, such as tomorrow."""
SURE = 0.3  # by so much past and to come differ, or the nearer of two days is meant
NO_DAY = 0.75  # chance from which words that could name a day name none


def told(text: str, start: int, end: int) -> Told:
    r"""Weigh how a text speaks of the day that a span of it names.

    Examples
    --------
    >>> said = "They charged me on the 3rd; I'll call on the 5th"
    >>> [told(said, *m.span()).past > 0.5 for m in re.finditer(r"the \d\w+", said)]
    [True, False]
    """
    known = _known(text)
    if (start, end) not in known:
        known[start, end] = _weigh(text, start, end)
    return known[start, end]


@kept(most=1_024)
def _known(text: str) -> dict[tuple[int, int], Told]:
    """Return what is known of a text's days: it is read by several rules in turn."""
    return {}


def _weigh(text: str, start: int, end: int) -> Told:
    import numpy as np

    head = load_head("tense")
    dense = np.array([looks(text, start, end)], np.float32)
    row = head.probabilities(dense, [surroundings(text, start, end)])[0]
    by = dict(zip(head.classes, row.tolist(), strict=True))
    return Told(by["past"], by["ahead"], by["none"])


def looks(text: str, start: int, end: int) -> list[float]:
    """Describe how words of tense and of booking stand to a day: one number a feature."""
    found: list[float] = []
    for mark in (_CLAUSE, SENTENCE):
        first, last = around(text, start, end, mark)
        for signs in (_PAST, _FUTURE):
            found += [
                float(signs.search(text, first, start) is not None),
                float(signs.search(text, end, last) is not None),
            ]
    word = text[start:end]
    return [
        *found,
        float(_FOR_DAY.search(text, max(0, start - _NEAR), start) is not None),
        float(_OF_DAY.match(text, end) is not None),
        float(re.search(r"\d", word) is not None),
        float(word[:1] > "z"),
    ]


def surroundings(text: str, start: int, end: int) -> list[str]:
    """List what stands around a day: by place in its clause, and what the sentence says besides."""
    first, last = around(text, start, end, _CLAUSE)
    low, high = around(text, start, end, SENTENCE)
    left, right = _tokens(text[first:start]), _tokens(text[end:last])
    found = []
    for side, words in (("<", left[::-1][:_SIDE]), (">", right[:_SIDE])):
        found += [f"{side}{n}{' '.join(words[:n])}" for n in (1, 2, 3) if len(words) >= n]
        found += [f"{side}edge"] * (not words)
        found += _grams(side, words)
    found += _skeleton(text[first:start], text[end:last])
    found += _grams("before", _tokens(text[low:first])[-2 * _SIDE :])
    found += _grams("after", _tokens(text[last:high])[: 2 * _SIDE])
    found += _grams("next", _tokens(text[high : high + _NEAR])[:_SIDE])
    return list(dict.fromkeys(found))


def _skeleton(left: str, right: str) -> list[str]:
    """List the bare grammar of a clause around its day, three signs at a time."""
    signs = [*_signs(left)[-_SIGNS:], "@", *_signs(right)[:_SIGNS]]
    at = [f"={''.join(signs[i : i + n])}" for n in (2, 3, 4) for i in range(len(signs) - n + 1)]
    return [*at, f"={' '.join(signs)}"]


def _signs(text: str) -> list[str]:
    return [m.lastgroup or m[0] for m in _SIGN.finditer(text.lower())]


def _grams(side: str, words: Sequence[str]) -> list[str]:
    endings = [f"{side}-{word[-2:]}" for word in words if _WORD.fullmatch(word)]
    pairs = [f"{side}{one} {two}" for one, two in pairwise(words)]
    return [*(f"{side}{word}" for word in words), *pairs, *endings]


def _tokens(text: str) -> list[str]:
    return ["0" if t.isdigit() else t for t in _TOKEN.findall(text.lower())]


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

"""What is said beside the point: suppositions, hearsay, samples, rivals' prices, small print.

None of it tells anything about the customer, though it is full of numbers and names that look as
if it did. The signs are grammatical (an unreal conditional, a subject that is somebody else, a
quotation and where it is from), so that they hold for any trade. ``asides.json`` lists them, as
alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = [
    "beside_spans",
    "general",
    "idle",
    "resumes",
    "rivals",
    "small_print",
    "supposed",
    "turned_down",
    "withdrawn",
]


@cache
def _signs(name: str) -> re.Pattern[str]:
    return re.compile("|".join(words_beside(__file__)[name]), re.IGNORECASE)


def supposed(sentence: str) -> tuple[int, int] | None:
    """Give the span of a sentence that only supposes, in characters.

    A conditional counts if it is unreal or if its outcome is asked for; a request or a threat
    under a condition is meant.

    Examples
    --------
    >>> supposed("Fine, and had I known I'd have flown."), supposed("If it's late, please call me.")
    ((6, 37), None)
    >>> supposed("要是我买两件能便宜点吗？"), supposed("要是还扣我就打12315")
    ((0, 12), None)
    """
    if never := _signs("zh_never").search(sentence):
        given = _signs("zh_if").search(sentence)
        return min(m.start() for m in (never, given) if m), len(sentence)
    if given := _signs("zh_if").search(sentence):
        return _chinese(sentence, given.start())
    if fancy := _signs("en_fancy").search(sentence):
        # "I'd have waited": the condition that stands before it goes along.
        early = _signs("en_if").search(sentence)
        start = min(fancy.start(), early.start() if early else len(sentence))
        rest = sentence[start:]
        return start + len(rest) - len(rest.lstrip(" ,.;")), len(sentence)
    return _conditional(sentence)


def _chinese(sentence: str, start: int) -> tuple[int, int] | None:
    rest = sentence[start:]
    meant = _signs("zh_do").search(rest)
    mused = _signs("zh_fancy").match(rest) or any(
        _signs(name).search(rest) for name in ("zh_asks", "zh_dream")
    )
    return (start, len(sentence)) if mused and not meant else None


def _conditional(sentence: str) -> tuple[int, int] | None:
    given = _signs("en_if").search(sentence)
    # What an agent is asked to do holds under a condition; what they would pay is only mused on.
    if given is None or _signs("en_asked").search(sentence):
        return None
    before, rest = sentence[: given.start()], sentence[given.start() :]
    asks = sentence.rstrip().endswith("?")
    would = _signs("would").search
    if not (asks or would(sentence) or _signs("en_unreal").search(rest)):
        return None
    main = would(before) or (asks and "," not in before)
    return (0 if main else given.start()), len(sentence)


def resumes(clause: str) -> bool:
    """Tell whether a clause leaves a supposition and comes back to the matter.

    Examples
    --------
    >>> resumes("anyway, send it on"), resumes("and then some")
    (True, False)
    """
    return _signs("resumes").search(clause) is not None


def idle(clause: str) -> bool:
    """Tell whether a clause says that what was asked is of no consequence.

    Examples
    --------
    >>> idle("Not that we have one."), idle("我就好奇，我又不考"), idle("not that one, the other")
    (True, True, False)
    """
    return _signs("idle").search(clause) is not None


def withdrawn(text: str) -> bool:
    """Tell whether a text opens by taking back what was asked before.

    Examples
    --------
    >>> withdrawn("No no, leave it."), withdrawn("算了不买了"), withdrawn("算了，就29的吧")
    (True, True, False)
    """
    return _signs("withdrawn").search(text[:60]) is not None


def turned_down(clause: str) -> str:
    """Name the day that a clause says won't do, as said; empty if there is none.

    Examples
    --------
    >>> turned_down("Tuesday's no good"), turned_down("周五不行"), turned_down("Tuesday is fine")
    ('tuesday', '周五', '')
    """
    found = _signs("turned_down").search(clause)
    return next((day.lower() for day in found.groups() if day), "") if found else ""


_ASKS = re.compile(r"[?？]\W*$|[吗呢么嘛不没]\W*$|多[不没少]|几[号点时个家]|哪[个种款]|多久|来着")
_EVERYBODY = re.compile(r"\b(?:most people|do you lot|you ever|is it true|it ever)\b", re.I)
_NUMBERED = re.compile(r"[A-Za-z]*\d[\dA-Za-z-]{3,}")


def general(sentence: str) -> bool:
    """Tell whether a question is about the trade as such, and nothing of the customer's.

    Examples
    --------
    >>> general("Do you guys do motorcycles?"), general("Do you have my parcel?")
    (True, False)
    >>> general("会员日是每月几号来着"), general("我的单几号到")
    (True, False)
    """
    asks = _ASKS.search(sentence) and not _NUMBERED.search(sentence)
    mine = _signs("ours").search(sentence) and not _EVERYBODY.search(sentence)
    return bool(asks and not mine and _signs("general").search(sentence))


def beside_spans(sentence: str) -> list[tuple[int, int]]:
    """Give the spans that quote, give a sample, pass on hearsay or tell of rivals, in characters.

    Examples
    --------
    >>> beside_spans('your flyer says "kids under 12 go free"'), beside_spans("拼多多一箱才29")
    ([(0, 39)], [(0, 6)])
    >>> beside_spans("发票抬头写「外公七十」"), beside_spans("put 'Lorne Physio' on it")
    ([], [])
    """
    return [match.span() for match in _signs("beside").finditer(sentence)]


def rivals(clause: str) -> bool:
    """Tell whether another house made the customer an offer: it is known, to their agent alone.

    Examples
    --------
    >>> rivals("Dobson's quoted me 240"), rivals("you quoted me 240"), rivals("Dobson's is 240")
    (True, False, False)
    >>> rivals("电信那边给我报的是899"), rivals("你们给我报的是899"), rivals("电信才899")
    (True, False, False)
    """
    return _signs("rival").search(clause) is not None


def small_print(clause: str) -> bool:
    """Tell whether an agent's clause is a rule, an advertisement or somebody else's case.

    Examples
    --------
    >>> small_print("Our change fee is normally $75"), small_print("I've moved your booking")
    (True, False)
    """
    rule = _signs("small_print").search(clause) is not None
    return rule and _signs("for_you").search(clause) is None

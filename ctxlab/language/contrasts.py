"""A wrong value beside the right one: "the label says 41, it should be 14" (R30).

Who puts something right often names what is wrong: what a form shows, what was typed by mistake,
what it isn't. Only the right value is worth a memory. That a clause holds a wrong one is told by
its grammar and by its neighbour: it shows or denies a value, and the clause beside it states
another of the same form. "Not by phone" and "the page says it was delivered" state no such value
and stay. The words are in ``contrasts.json``, as alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from ctxlab.language.text import clause_spans
from ctxlab.language.values import values_in
from ctxlab.language.wordlists import words_beside

__all__ = ["righted"]


@cache
def _each(name: str) -> tuple[re.Pattern[str], ...]:
    lists = words_beside(__file__)
    flags = 0 if name == "cased_denied" else re.IGNORECASE

    def filled(form: str) -> re.Pattern[str]:
        return re.compile(
            re.sub(r"\{([a-z]+)\}", lambda m: f"(?:{lists['forms'][m[1]]})", form), flags
        )

    return tuple(map(filled, lists[name]))


@cache
def _signs(name: str) -> re.Pattern[str]:
    return re.compile("|".join(sign.pattern for sign in _each(name)), re.IGNORECASE)


def righted(text: str, by_agent: bool = False) -> str:
    """Leave out of a message the values that it says are wrong.

    Of an agent's only what is denied beside the right one: "£104 rather than £78".

    Examples
    --------
    >>> righted("The invoice shows 250, it should be 205.")
    'The invoice should be 205.'
    >>> righted("You have me as Mrs Brand. I'm Dr Brandt."), righted("I'm on Premium, not Basic.")
    ("I'm Dr Brandt.", "I'm on Premium.")
    >>> righted("面单上写的是常熟，可我在常州。"), righted("我买的不是经典款，是运动款。")
    ('可我在常州。', '我买的是运动款。')
    >>> righted("Call me, not my wife."), righted("页面显示已签收，我没收到。")
    ('Call me, not my wife.', '页面显示已签收，我没收到。')
    """
    if by_agent:
        return _undenied(text)
    text = _unexchanged(_signs("taken_back").sub("", _DOUBTED.sub(_settled, text)))
    text = _undenied(text)
    for _ in range(_MOST):
        mended = _unshown(_without_former(text))
        if mended == text:
            break
        text = mended
    return text.strip()


_MOST = 4  # wrong values in one message


def _unshown(text: str) -> str:
    """Leave out the first clause that shows a wrong value, if the next states the right one."""
    for (start, end), (begin, stop) in pairwise(_clauses(text)):
        wrong, right = text[start:end], text[begin:stop]
        shown = _signs("shown").search(wrong)
        strong = _signs("should").match(right)
        if not shown or _signs("meant").search(wrong):
            # The other way round: "It was meant to be 8. The form has 3."
            if _turned(wrong, right):
                return _joined(text[:begin], text[stop:])
            continue
        if not (strong or (_signs("states").match(right) and _alike(wrong[shown.end() :], right))):
            continue
        # "The invoice shows 250, it should be 205": what it is about goes on to the right one.
        subject = wrong[: shown.start()].rstrip()
        carried = strong and strong["it"] is not None and _signs("subject").fullmatch(subject)
        lead = text[:start] + (subject if carried else "")
        rest = text[begin + (len(strong["it"]) if carried and strong else 0) :].lstrip(" ,，")
        glue = " " if carried and lead[-1:].isascii() and lead else ""
        return f"{lead}{glue}{rest}"
    return text


# "2207, or was it 2270. Yes, 2270."
_ID = r"[A-Za-z]*-?\d[A-Za-z\d-]*"
_DOUBTED = re.compile(
    rf"(?P<a>{_ID})[,，]? ?(?:or (?:was|is) it|or maybe|还是) ?(?P<b>{_ID})[^,.，。？?\d]{{0,6}}"
    rf"[,.，。？?] ?(?:yes|yeah|yep|right|对|嗯)[,，]? ?(?:it's |it (?:is|was) |是)?(?P<c>{_ID})",
    re.IGNORECASE,
)


def _settled(found: re.Match[str]) -> str:
    said = (found["a"], found["b"])
    return next((value for value in said if value.endswith(found["c"])), found[0])


def _without_former(text: str) -> str:
    """Leave out the clause that gives an old value, beside one that gives the new."""
    spans = _clauses(text)
    for index, (start, end) in enumerate(spans):
        clause = text[start:end]
        if not _signs("former").search(clause) or _signs("latter").search(clause):
            continue
        near = [text[slice(*s)] for s in spans[max(0, index - 2) : index + 3] if s[0] != start]
        near = [beside for beside in near if not _signs("former").search(beside)]
        new = any(_signs("latter").search(beside) for beside in near)
        if new and any(_alike(clause, beside) for beside in near):
            return _joined(text[:start], text[end:])
    return text


def _joined(before: str, after: str) -> str:
    """Put together what stands around a clause left out."""
    before, after = before.rstrip(" ,，;；"), after.lstrip(" ,，.。;；!！")
    return f"{before}{_glue(before, after)}{after}" if before and after else before or after


def _glue(before: str, after: str) -> str:
    if before[-1] in ".。!！?？":
        return " " if before[-1].isascii() else ""
    return "，" if _HAN.search(before[-1] + after[0]) else ", "


def _unexchanged(text: str) -> str:
    """Leave out "from X" of "from X to Y": what holds is Y."""
    for sign in _each("exchange"):
        while (
            (found := sign.search(text))
            and _alike(found["a"], found["b"])
            and not _ROUTE.search(text, 0, found.start())
            and not _of_days(text, found)
        ):
            text = text[: found.start()] + text[found.end() :]
    return text


def _of_days(text: str, found: re.Match[str]) -> bool:
    """Whether it is a stretch of days or hours: "from 8 to 15 May", unless something is moved."""
    ends = _STRETCH.match(text, found.end()) and found["a"].isdigit()
    return bool(ends) and not _MOVED.search(text, 0, found.start())


_STRETCH = re.compile(
    r"to \d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|to \d{1,2} ?(?:[ap]\.?m\b|o'clock)",
    re.IGNORECASE,
)
_MOVED = re.compile(r"\b(?:mov|chang|switch|swap|shift|push|bring|brought|put)\w*\b", re.IGNORECASE)
# "The flight from Cork to Leeds" goes from one to the other; nothing was exchanged.
_ROUTE = re.compile(
    r"\b(?:flights?|trains?|trips?|bus(?:es)?|coach|tickets?|rides?|journeys?|routes?|transfers?"
    r"|ferry|crossing|drive|shipment|parcel|leg|connection|fly(?:ing)?|travel+ing|goes|going)\s*\Z",
    re.IGNORECASE,
)


def _undenied(text: str) -> str:
    """Leave out "not X" beside a Y of the same form."""
    for sign in (*_each("denied"), *_each("cased_denied")):
        while found := next(filter(_opposed, sign.finditer(text)), None):
            start, end = found.span("no")
            text = text[:start] + text[end:]
    return _unset(text)


_BESIDE = re.compile(
    r"[,，]? ?\b(?:and |but )?(?:not|rather than|instead of) (?:(?:on|at|the|in|for|to|by) ){0,2}\Z"
    r"|[，,] ?(?:而)?(?:不是|别|不要|不)(?:按|在|到|寄|送|去|发|走|约|打)?\Z",
    re.IGNORECASE,
)
_REST = re.compile(r"(?:号|日|点|元|块)?(?=\s*(?:[,.;!?，。；！？]|$))")
_GAP = 30  # characters before a value in which its denial stands


def _unset(text: str) -> str:
    """Leave out "not X" at the end of a clause, if the sentence has another value of X's sort."""
    if not _DENIES.search(text):
        return text
    for value in reversed(values_in(text)):
        no = _BESIDE.search(text, max(0, value.start - _GAP), value.start)
        stop = value.end - (text[value.end - 1] == ".")  # "25 July." may be "25 Jul."
        rest = _REST.match(text, stop)
        if not (no and rest):
            continue
        begin = max((text.rfind(mark, 0, no.start()) for mark in ".。!！?？\n"), default=-1) + 1
        others = [v for v in values_in(text[begin : no.start()]) if v.sort == value.sort]
        if others and all(v.norm != value.norm for v in others):
            text = text[: no.start()] + text[rest.end() :]
    return text


_DENIES = re.compile(r"\bnot\b|\brather than\b|\binstead of\b|不|别", re.IGNORECASE)


def _opposed(found: re.Match[str]) -> bool:
    return found["a"].lower() != found["b"].lower() and _alike(found["a"], found["b"])


def _turned(right: str, wrong: str) -> bool:
    shown = _signs("shown").search(wrong)
    if not shown or _signs("meant").search(wrong) or _signs("states").match(wrong):
        return False
    stated = _signs("should").search(right) or _signs("states").match(right)
    return bool(stated and _alike(right, wrong[shown.end() :]))


def _clauses(text: str) -> list[tuple[int, int]]:
    """Cut at commas and full stops, and before "but" and 可 within a clause."""
    spans: list[tuple[int, int]] = []
    for start, end in clause_spans(text):
        begin = start
        for cut in re.finditer(r"\s(?:but|and|when|while)\s(?=\w)", text[start:end], re.I):
            spans.append((begin, start + cut.start()))
            begin = start + cut.end()
        spans.append((begin, end))
    return spans


def _alike(a: str, b: str) -> bool:
    """Tell whether two texts hold values of one form: two numbers, two names, two of 〜款."""
    if a.strip() == b.strip():
        return False
    for form in (_MAIL, _NUMBER, _NAME):
        here, there = set(form.findall(a)), set(form.findall(b))
        if here and there:
            return bool(here - there and there - here)
    shared = set(_HAN.findall(a)) & set(_HAN.findall(b)) - _FUNCTION
    return bool(shared)


_MAIL = re.compile(r"[\w.+-]+@[\w.-]+\w")
_NUMBER = re.compile(r"[A-Za-z]*\d(?:[A-Za-z\d.,:/-]*[A-Za-z\d])?")
_NAME = re.compile(r"(?<![\w'])(?!I\b|I'|Mrs?\b|Ms\b|Dr\b)[A-Z][\w-]*")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_FUNCTION = frozenset(
    "的是我你您他她它们了在不要想会能有没这那一个上下着过也都就又再还很吗呢吧啊可但叫姓住"
)

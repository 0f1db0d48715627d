"""Turns that let something go: an idle question, what was asked before, a day that won't do."""

from __future__ import annotations

import re

from ctxlab.language.asides import general, idle, supposed, turned_down, withdrawn
from ctxlab.language.attributes import key_literals
from ctxlab.language.exclusions import asks, statement_spans
from ctxlab.language.numerals import numerals
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.text import clause_spans

__all__ = ["ends_idle", "recants", "without_declined"]


def ends_idle(text: str) -> bool:
    """Tell whether a turn ends on what is of no consequence: the answer is no fact about anyone.

    Examples
    --------
    >>> ends_idle("I'm in 3B. What if I fail?"), ends_idle("Do you have lockers?")
    (True, True)
    """
    spans = statement_spans(strip_fillers(text)) or [(0, 0)]
    if len(spans) > 1 and _adds_nothing(strip_fillers(text)[slice(*spans[-1])]):
        spans.pop()
    last = strip_fillers(text)[slice(*spans[-1])]
    passing = general(last) and len(spans) == 1  # else the answer is to the rest as well
    # "We might come again at Easter" asks for nothing, so that the answer is to what stood before.
    mused = bool(supposed(last)) and (asks(last) or _WONDERS.search(last) is not None)
    return mused or idle(last) or withdrawn(last) or passing


def _adds_nothing(sentence: str) -> bool:
    """Tell whether a sentence only trails the one before: "no hurry", "like 3 grand?"."""
    guess = sentence.rstrip().endswith(("?", "？"))
    brief = len(sentence) <= _BRIEF if re.search(r"[\u4e00-\u9fff]", sentence) else False
    brief = brief or (sentence.isascii() and len(sentence.split()) <= _FEW)
    return _AFTERTHOUGHT.fullmatch(sentence) is not None or (guess and brief)


_WONDERS = re.compile(
    r"\b(?:what|how|whether|(?:would|could|does|do|is|are) (?:you|it|that|they|i|we))\b"
    r"|怎么|咋|多少|几[点天号]|什么|哪|能不能|会不会|行不行",
    re.IGNORECASE,
)
_BRIEF, _FEW = 5, 3  # characters, words
_SHORT = 12  # characters in which nothing new is asked for
_AFTERTHOUGHT = re.compile(
    r"\W*(?:no (?:hurry|rush)|just (?:asking|checking)|not (?:now|yet)|for later|only asking"
    r"|thanks|cheers|lol|haha|不急|不着急|随便|没事|谢谢|哈+)\W*",
    re.IGNORECASE,
)


def recants(text: str) -> bool:
    """Tell whether a turn begins by letting go of what was asked in the one before.

    Examples
    --------
    >>> recants("Just curious. Bye!"), recants("Bye! Just curious.")
    (True, False)
    >>> recants("Which is the quietest, out of interest?")
    False
    """
    first = text[slice(*(statement_spans(text) or [(0, 0)])[0])]
    # "Which is the best, out of interest?" is idle itself, not what was asked before it.
    return withdrawn(text) or (idle(first) and not (asks(first) and len(first) > _SHORT))


def without_declined(text: str, offered: str) -> tuple[str, list[str]]:
    """Leave out the clauses that turn down a day just offered; name the days as well.

    Examples
    --------
    >>> without_declined("Tuesday's no good, I'm away. Friday?", "Tuesday at 9?")
    ('Friday?', ['tuesday'])
    """
    days: list[str] = []
    spans = clause_spans(text)
    for n, (start, end) in reversed(list(enumerate(spans))):
        stop = end
        if n + 1 < len(spans) and _WONT_DO.fullmatch(text[slice(*spans[n + 1])]):
            stop = spans[n + 1][1]  # 「周二我们有直播，不行」
        day = turned_down(text[start:stop])
        named = _as_said(day, offered.lower()) if day else ""
        if named:
            days.append(named)
            other = _DAY.search(text, start + text[start:stop].lower().find(day) + len(day), stop)
            rest = text[stop:].lstrip(" ,，.。;；")
            text = text[:start] + (text[other.start() :] if other else _after_reason(rest))
    return text, days


_DAY = re.compile(
    r"(?:(?:下?周|星期|礼拜)[一二三四五六日天]|(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日])"
    r"(?![^，。]{0,4}(?:不|没))"
)
_WONT_DO = re.compile(r"(?:就|也|都|可能)?(?:不行|不方便|没空|来不了|去不了|不得行)\W*")


def _as_said(day: str, offered: str) -> str:
    """Give a day as an offer names it: 二号 was offered as 3月2号; empty if it wasn't offered."""
    if day in offered:
        return day
    number = next((n.digits for n in numerals(day)), "")
    found = re.search(rf"(?<!\d){number}[号日]", offered) if number else None
    return found[0] if found else ""


_REASON = re.compile(
    r"(?:(?:because|as|since|cos|sorry,?) )?(?:i|we|he|she|they|my \w+|it)"
    r"(?:'s|'ve|'m|'re| is| am| are| have| has|'ll be| will be| work| works)\b"
    r"|(?:因为|那天|我们?|[他她]|家里|孩子|娃)[^，。]{0,6}(?:要|得|有|在|去|上班)",
    re.IGNORECASE,
)


def _after_reason(rest: str) -> str:
    """Leave out why a day won't do: "I've got the dentist", if it names nothing else."""
    span = next(iter(clause_spans(rest)), None)
    if span is None or span[0] or span[1] == len(rest):
        return rest
    reason = rest[: span[1]]
    bare = not key_literals(reason) and not re.search(r"\d|\bbut\b", reason)
    told = _REASON.match(reason) and bare and not re.search(r"[A-Z]\w+ [A-Z]", reason)
    return rest[span[1] :].lstrip(" ,，.。;；") if told else rest

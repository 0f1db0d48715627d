"""Turns that let something go: an idle question, what was asked before, a day that won't do."""

from __future__ import annotations

import re

from ctxlab.language.asides import general, idle, supposed, turned_down, withdrawn
from ctxlab.language.exclusions import statement_spans
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
    return bool(supposed(last)) or idle(last) or withdrawn(last) or passing


def _adds_nothing(sentence: str) -> bool:
    """Tell whether a sentence only trails the one before: "no hurry", "like 3 grand?"."""
    guess = sentence.rstrip().endswith(("?", "？"))
    brief = len(sentence) <= _BRIEF if re.search(r"[\u4e00-\u9fff]", sentence) else False
    brief = brief or (sentence.isascii() and len(sentence.split()) <= _FEW)
    return _AFTERTHOUGHT.fullmatch(sentence) is not None or (guess and brief)


_BRIEF, _FEW = 5, 3  # characters, words
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
    """
    first = text[slice(*(statement_spans(text) or [(0, 0)])[0])]
    return withdrawn(text) or idle(first)


def without_declined(text: str, offered: str) -> tuple[str, list[str]]:
    """Leave out the clauses that turn down a day just offered; name the days as well.

    Examples
    --------
    >>> without_declined("Tuesday's no good, I'm away. Friday?", "Tuesday at 9?")
    ("I'm away. Friday?", ['tuesday'])
    """
    days: list[str] = []
    for start, end in reversed(clause_spans(text)):
        day = turned_down(text[start:end])
        if day and day in offered.lower():
            days.append(day)
            text = text[:start] + text[end:].lstrip(" ,，.。;；")
    return text, days

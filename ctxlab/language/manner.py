"""How a clause is said: of whom, of when, how surely, and whether it grants, asks or turns down.

A value's clause may be of the customer, of somebody else, of last year, of what would be if. Each
cue here is a small closed class of words (pronouns, kin, tenses, modals, negation, verbs of saying,
of settling, of pricing), Chinese and English, as alternatives of a regular expression in
``manner.json``. They decide nothing by themselves: the heads of `weighing` weigh them.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.keeping import kept
from ctxlab.language.wordlists import words_beside

__all__ = ["CUES", "cues"]


@cache
def _signs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists = words_beside(__file__)
    return tuple(
        (name, re.compile("|".join(forms), re.IGNORECASE)) for name, forms in lists.items()
    )


CUES = (
    "me", "you", "third", "kin", "others", "past", "before", "ahead", "maybe", "given", "not",
    "asks", "wants", "settled", "choice", "rate", "rule", "says", "mends", "but", "feels", "why",
    "file", "person", "grants", "declines", "lasting", "fault",
)  # fmt: skip
"""Names of the cues, in order."""


@kept(most=4_096)
def cues(text: str) -> tuple[float, ...]:
    """Tell for each of `CUES` whether a text has it: 1 or 0.

    Examples
    --------
    >>> named = lambda text: [name for name, has in zip(CUES, cues(text)) if has]
    >>> named("my neighbour paid less"), named("那个太贵了不要")
    (['me', 'others', 'past', 'rate'], ['past', 'not', 'rate', 'declines'])
    """
    return tuple(float(sign.search(text) is not None) for _, sign in _signs())

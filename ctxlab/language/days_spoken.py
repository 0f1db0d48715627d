"""The day that a talk was last about, which a bare "the 19th" is near to (R30)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import zip_longest

from ctxlab.language.dates import find_dates
from ctxlab.language.hearing import Said

__all__ = ["Spoken", "days_spoken_of"]

_STILL = 6  # turns in which a day that was named is still the one spoken of
Spoken = tuple[date | None, bool]


def days_spoken_of(turns: Sequence[Said]) -> list[Spoken]:
    """Give for each turn the last day named before it, which "the 19th" in it is near to.

    And whether by its weekday: then "Thursday" is that one.
    """
    found: list[Spoken] = []
    about: Spoken = (None, False)
    since = 0
    for said, reply in zip_longest(turns, turns[1:]):
        told = reply is not None and reply.agent != said.agent and _month_given(said, reply)
        found.append((told, False) if told else about if since <= _STILL else (None, False))
        since += 1
        for mention in reversed(find_dates(said.text, said.when)) if said.when else ():
            if len(mention.iso) == 10:
                weekday = _WEEKDAY.search(said.text, mention.start, mention.end) is not None
                about, since = (date.fromisoformat(mention.iso), weekday), 1
                break
    return found


def _month_given(said: Said, reply: Said) -> date | None:
    """Give the day of a bare "the 16th" that the reply names with its month: "16 May is free"."""
    bare = {m[1] or m[2] for m in _BARE_DAY.finditer(said.text)}
    for mention in find_dates(reply.text, reply.when) if bare and reply.when else ():
        words = reply.text[mention.start : mention.end]
        if len(mention.iso) == 10 and _MONTH.search(words):
            day = date.fromisoformat(mention.iso)
            if str(day.day) in bare:
                return day
    return None


_BARE_DAY = re.compile(
    r"(?<![\d.:/-])(\d{1,2})(?:st|nd|rd|th|[号號日])(?!\w)|(?<=\bthe )(\d{1,2})\b"
)
_MONTH = re.compile(r"[a-z]{3,}|月|/", re.I)
_WEEKDAY = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|周|星期|礼拜", re.I
)

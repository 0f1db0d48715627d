"""How each form of a day is resolved: a weekday, "the 20th", 「下个月五号」, "in two weeks" (R30).

Each handler gives a day, the text of a month or a year, or None where that can't be told for sure.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from ctxlab.language.numerals import numerals

__all__ = ["BARE", "Anchor", "Resolve", "calendar_day", "handler", "month_on"]


@dataclass(frozen=True)
class Anchor:
    """What a date is resolved against: the day of saying, the past or not, a day just spoken of.

    `sure`: whether the words tell past from to come. `again`: whether the words point back
    to the day spoken of ("the Friday", 「那个周五」); `named`: whether that was by its weekday.
    `odds`: how much likelier the tense is than the other.
    """

    today: date
    past: bool
    about: date | None = None
    sure: bool = True
    again: bool = False
    named: bool = False
    odds: float = 5.0


Resolve = Callable[[re.Match[str], Anchor], "date | str | None"]

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")  # not of the calendar module, which
_MONTHS = (  # speaks the language of the machine
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip


def _shift(days: int) -> Resolve:
    return lambda match, at: at.today + timedelta(days=days)


def _weekday(at: Anchor, day: int, which: str) -> date:
    """Resolve a day of the week. Weeks begin on Monday: "next Friday" is in the next one."""
    today = at.today
    monday = today - timedelta(days=today.weekday())
    if which in ("next", "last"):
        return monday + timedelta(days=day + (7 if which == "next" else -7))
    if at.about and at.about > today and not at.past and which == "":
        same = at.about + timedelta(days=day - at.about.weekday())
        if same <= today or 0 < (same + timedelta(days=7) - at.about).days <= _SOON:
            same += timedelta(days=7)  # after Saturday the 7th "the Monday" is the 9th
        if at.again or (at.named and same == at.about):
            return same
    ahead = (day - today.weekday()) % 7
    if at.past and which == "":
        return today - timedelta(days=(today.weekday() - day) % 7 or 7)
    return today + timedelta(days=ahead or (0 if which == "this" else 7))


_SOON = 3  # days


def _en_weekday(match: re.Match[str], at: Anchor) -> date:
    word = match["day"].lower()
    day = next(i for i, name in enumerate(_DAYS) if word.startswith(name))
    groups = match.groupdict()
    which = (groups.get("which") or "").lower().removeprefix("coming").strip()
    if groups.get("week"):  # "Friday week" is a week after the coming Friday
        return _weekday(Anchor(at.today, False), day, "this") + timedelta(days=7)
    if groups.get("nextweek"):
        which = "next"
    return _weekday(at, day, which)


def _zh_weekday(match: re.Match[str], at: Anchor) -> date | None:
    if match["day"] == "末":
        return None
    day = "一二三四五六日天".index(match["day"]) % 8
    day = min(day, 6)
    which = match["which"] or ""
    monday = at.today - timedelta(days=at.today.weekday())
    weeks = which.count("下") - which.count("上")
    if weeks:
        return monday + timedelta(days=day + 7 * weeks)
    if which:
        return monday + timedelta(days=day)
    near = at.about is not None and at.about > at.today + timedelta(days=6)
    return _weekday(at, day, "" if at.past or near else "this")


def _count(sign: int) -> Resolve:
    def resolve(match: re.Match[str], at: Anchor) -> date | None:
        count, unit = _number(match["n"]), match["unit"].lower()
        if unit[0] in "m月":
            return month_on(at.today, sign * int(count), at.today.day) if count >= 1 else (
                at.today + timedelta(days=sign * 15)
            )  # fmt: skip
        if unit[0] in "y年":
            return month_on(at.today, sign * 12 * int(count), at.today.day)
        days = count * (7 if unit[0] in "w周星礼" else 1)
        return at.today + timedelta(days=sign * int(days))

    return resolve


def month_on(today: date, months: int, day: int | None) -> date:
    """Move by months; a day beyond the end of a month is its last."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, last if day is None else min(day, last))


def _day_of_month(match: re.Match[str], at: Anchor) -> date | None:
    """Resolve "the 20th": the coming one, or the last one where the talk is of the past."""
    day = int(_number(match["d"]))
    if at.about and (near := _near(at.about, day)) and (near <= at.today) == at.past:
        return near
    if not at.sure:  # "my flight was changed, the 31st": the nearer of the two
        either = [found for past in (True, False) if (found := _beside(at.today, day, past))]
        return min(either, key=lambda found: abs((found - at.today).days), default=None)
    return _beside(at.today, day, at.past)


def _near(about: date, day: int) -> date | None:
    """Give the day of that number in the month of another, or after it at a month's end."""
    first = about.replace(day=1)
    if day < about.day - _BACK:
        first = month_on(first, 1, 1)
    return (
        first.replace(day=day) if day <= calendar.monthrange(first.year, first.month)[1] else None
    )


_BACK = 15  # days: after "30 June" the 3rd is in July, and after "20 June" the 18th in June


def _beside(today: date, day: int, past: bool) -> date | None:
    step = -1 if past else 1
    for months in range(0, 12 * step, step):
        first = month_on(today, months, 1)
        if day <= calendar.monthrange(first.year, first.month)[1]:
            found = first.replace(day=day)
            if (found <= today) if past else (found >= today):
                return found
    return None


def calendar_day(match: re.Match[str], at: Anchor) -> date:
    """Resolve a day and a month: in the year said, else the nearest that suits the tense."""
    groups = match.groupdict()
    name, year = groups["m"].lower(), groups.get("y")
    month = next((i for i, m in enumerate(_MONTHS, 1) if name.startswith(m)), 0) or int(
        _number(name)
    )
    ends = groups.get("end") is not None
    day = 31 if ends else int(_number(groups["d"]))
    years = [at.today.year + step for step in (-1, 0, 1)]
    if year:
        named = {"今": 0, "明": 1, "去": -1, "后": 2, "前": -2}.get(year[0])
        years = [int(year[:4]) if named is None else at.today.year + named]
    lasts = [(y, calendar.monthrange(y, month)[1]) for y in years]
    days = [date(y, month, min(day, last)) for y, last in lasts if ends or day <= last]
    # Towards the tense counts as nearer; yet "16 September" said on the 14th is never last year's.
    against = (at.odds, 1)
    return min(days, key=lambda d: abs((d - at.today).days) * against[(d <= at.today) == at.past])


def _named_month(match: re.Match[str], at: Anchor) -> date | str | None:
    """Resolve "next month", 「下个月五号」, 「月底」."""
    groups = match.groupdict()
    which = (groups["which"] or "").lower()
    months = {"next": 1, "last": -1}.get(which, which.count("下") - which.count("上"))
    if groups.get("end"):
        return month_on(at.today, months, None)
    if groups.get("d"):
        return month_on(at.today, months, int(_number(groups["d"])))
    return month_on(at.today, months, 1).isoformat()[:7]


def _named_year(match: re.Match[str], at: Anchor) -> date | str:
    word = (match["which"] or "").lower()
    year = at.today.year + {"next": 1, "明": 1, "last": -1, "去": -1, "前": -2}.get(word, 0)
    return date(year, 12, 31) if match.groupdict().get("end") else str(year)


def _number(word: str) -> float:
    if word.isdecimal():
        return int(word)
    if word.lower() in ("a", "an", "one"):
        return 1
    read = numerals(word + ("个" if word[0] > "z" else ""))
    if not read:
        raise ValueError(word)
    return float(read[0].digits)


BARE = (_day_of_month, _en_weekday, _zh_weekday)


def handler(name: str) -> Resolve:
    """Return what resolves the forms of one name in ``dates.json``."""
    kind, _, days = name.rpartition(" ")
    if kind in ("shift", "count"):
        return (_shift if kind == "shift" else _count)(int(days))
    return {
        "weekday": _en_weekday, "zh weekday": _zh_weekday, "calendar": calendar_day,
        "month end": calendar_day, "day": _day_of_month, "month": _named_month,
        "year": _named_year,
    }[name]  # fmt: skip

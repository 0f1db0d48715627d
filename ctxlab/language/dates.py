"""Dates said relatively ("next Friday", 「下周三」), resolved against the time of saying.

A memory outlives the day it was made on: "tomorrow" read next week is wrong, an ISO date is not.
Only days, months and years that can be told for sure are resolved; times of day stay as said, and
so does what repeats ("every Friday") or is vague ("soon", 「过两天」).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from ctxlab.language.numerals import numerals
from ctxlab.language.recurrence import is_monthly, repeats
from ctxlab.language.tenses import is_past
from ctxlab.language.wordlists import words_beside

__all__ = ["DateMention", "find_dates", "resolve_dates"]


@dataclass(frozen=True)
class DateMention:
    """A date in a text.

    Attributes
    ----------
    start, end : int
        The span, in characters.
    iso : str
        ``2026-03-27``; ``2026-04`` for a month, ``2027`` for a year.
    part : str
        Part of the day the words name as well ("evening", 「晚」), else empty.
    chinese : bool
        Whether the words are Chinese.
    """

    start: int
    end: int
    iso: str
    part: str = ""
    chinese: bool = False


@dataclass(frozen=True)
class _Anchor:
    """What a date is resolved against: the day of saying, the past or not, a day just spoken of."""

    today: date
    past: bool
    about: date | None = None


_Resolve = Callable[[re.Match[str], _Anchor], "date | str | None"]

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")  # not of the calendar module, which
_MONTHS = (  # speaks the language of the machine
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip


def find_dates(text: str, when: datetime, about: date | None = None) -> list[DateMention]:
    """Find the dates that a text names, in order.

    Parameters
    ----------
    text : str
        Chinese, English or both.
    when : datetime
        When it was said, in the zone of the one who said it.
    about : date, optional
        A day that was just spoken of: a bare "the 19th" is in its month if that is ahead, and a
        bare "Tuesday" is that day if it is one.

    Examples
    --------
    >>> said = datetime(2026, 3, 18, 10, 15)
    >>> [m.iso for m in find_dates("the 19th", said, date(2026, 6, 12))]
    ['2026-06-19']
    >>> [m.iso for m in find_dates("next Friday, or the day after tomorrow", said)]
    ['2026-03-27', '2026-03-20']
    >>> [m.iso for m in find_dates("下周三，最晚月底", said)]
    ['2026-03-25', '2026-03-31']
    """
    found: list[DateMention] = []
    for pattern, resolve, chinese in _rules():
        for match in pattern.finditer(text):
            past = is_past(text, match)
            if repeats(text, *match.span()) or (not past and is_monthly(text, *match.span())):
                continue
            try:
                day = resolve(match, _Anchor(when.date(), past, about))
            except (ValueError, OverflowError):  # 31 June, or beyond the calendar
                continue
            if day is not None:
                found.append(DateMention(*match.span(), str(day), _part(match[0]), chinese))
    return _joined(text, _longest(found))


def resolve_dates(text: str, when: datetime, about: date | None = None) -> str:
    """Write the dates of a text in ISO form; all else stays. Parameters are as in `find_dates`.

    Examples
    --------
    >>> resolve_dates("I'll call tomorrow or by next Friday.", datetime(2026, 12, 31))
    "I'll call on 2027-01-01 or by 2027-01-08."
    >>> resolve_dates("后天下午三点来", datetime(2026, 2, 27))
    '2026-03-01下午三点来'
    """
    pieces: list[str] = []
    position = 0
    for mention in find_dates(text, when, about):
        before = text[position : mention.start]
        pieces += [before, _in_place(mention, text[: mention.start], text[mention.end :])]
        position = mention.end
    return "".join([*pieces, text[position:]])


def _in_place(mention: DateMention, before: str, after: str) -> str:
    """Fit an ISO date into its sentence: English wants "on" where no preposition stands."""
    if mention.chinese:
        glue = " " if re.search(r"[A-Za-z0-9]\Z", before) else ""
        ends = " " if after[:1].isdigit() else ""  # 6月2日23:10
        return f"{glue}{mention.iso}{mention.part}{ends}"
    words = f"{mention.iso} {mention.part}".strip()
    lead = re.search(r"([A-Za-z']+),?\s*\Z", before)
    bare = len(mention.iso) == 10 and not after.startswith("'s")
    if lead is None or not bare or _PREPOSITION.fullmatch(lead[1].lower()):
        return words
    return f"on {words}"


_PREPOSITION = re.compile(
    r"on|by|until|till|from|before|after|since|for|to|of|at|than|is|was|as|and|or|between|through"
    r"|around|about|past|in|the|this|that|it's|it|off|up|not"
)


_PARTS = (
    ("tonight", "evening"), ("night", "evening"), ("evening", "evening"), ("morning", "morning"),
    ("afternoon", "afternoon"), ("晚", "晚"), ("早", "早"),
)  # fmt: skip


def _part(words: str) -> str:
    return next((part for key, part in _PARTS if key in words.lower()), "")


def _longest(found: list[DateMention]) -> list[DateMention]:
    kept: list[DateMention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= other.start or mention.start >= other.end for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)


def _joined(text: str, found: list[DateMention]) -> list[DateMention]:
    """Join "Friday, 27 March" into one; the end of a range takes the month of its beginning."""
    out: list[DateMention] = []
    for mention in found:
        gap = text[out[-1].end : mention.start] if out else None
        if out and gap is not None and re.fullmatch(r"(?:,?\s*|\s*[(（])", gap):
            explicit = re.search(r"\d|[月号日]", text[mention.start : mention.end])
            iso = mention.iso if explicit else out[-1].iso
            closed = gap.endswith(("(", "（")) and text.startswith((")", "）"), mention.end)
            end = mention.end + closed
            out[-1] = DateMention(out[-1].start, end, iso, mention.part, mention.chinese)
            continue
        if (
            out
            and gap is not None
            and re.fullmatch(r"\s*(?:到|至|[-~–—]|to|until)\s*(?:the )?", gap)
        ):
            mention = _after(out[-1], mention, text)
        out.append(mention)
    return out


def _after(first: DateMention, last: DateMention, text: str) -> DateMention:
    day_only = re.fullmatch(
        r"(?:the )?\d{1,2}(?:st|nd|rd|th)|.{1,3}[号日]", text[last.start : last.end]
    )
    if len(first.iso) != 10 or len(last.iso) != 10:
        return last
    if not day_only:  # Sunday to Wednesday: the Wednesday after
        behind = (date.fromisoformat(first.iso) - date.fromisoformat(last.iso)).days
        named = re.fullmatch(r"[A-Za-z]+|(?:周|星期|礼拜).", text[last.start : last.end])
        weeks = -(-behind // 7) if named and behind > 0 else 0
        iso = str(date.fromisoformat(last.iso) + timedelta(days=7 * weeks))
        return DateMention(last.start, last.end, iso, last.part, last.chinese)
    year, month, start = map(int, first.iso.split("-"))
    day = int(last.iso[-2:])
    try:
        ends = date(year, month, day) if day >= start else _month(date(year, month, 1), 1, day)
    except ValueError:
        return last
    return DateMention(last.start, last.end, str(ends), last.part, last.chinese)


# How each form is resolved. A handler gives a day, the text of a month or year, or None.


def _shift(days: int) -> _Resolve:
    return lambda match, at: at.today + timedelta(days=days)


def _weekday(at: _Anchor, day: int, which: str) -> date:
    """Resolve a day of the week. Weeks begin on Monday: "next Friday" is in the next one."""
    today = at.today
    monday = today - timedelta(days=today.weekday())
    if which in ("next", "last"):
        return monday + timedelta(days=day + (7 if which == "next" else -7))
    ahead = (day - today.weekday()) % 7
    if at.past and which == "":
        return today - timedelta(days=(today.weekday() - day) % 7 or 7)
    return today + timedelta(days=ahead or (0 if which == "this" else 7))


def _spoken_of(at: _Anchor, day: int) -> bool:
    """Tell whether a bare weekday is that of the day just spoken of: "Tuesday works"."""
    return at.about is not None and at.about.weekday() == day and at.about >= at.today


def _en_weekday(match: re.Match[str], at: _Anchor) -> date | None:
    word = match["day"].lower()
    day = next(i for i, name in enumerate(_DAYS) if word.startswith(name))
    groups = match.groupdict()
    which = (groups.get("which") or "").lower().removeprefix("coming").strip()
    if _spoken_of(at, day) and not (which or groups.get("week") or groups.get("nextweek")):
        return at.about
    if groups.get("week"):  # "Friday week" is a week after the coming Friday
        return _weekday(_Anchor(at.today, False), day, "this") + timedelta(days=7)
    if groups.get("nextweek"):
        which = "next"
    return _weekday(at, day, which)


def _zh_weekday(match: re.Match[str], at: _Anchor) -> date | None:
    if match["day"] == "末":
        return None
    day = "一二三四五六日天".index(match["day"]) % 8
    day = min(day, 6)
    which = match["which"] or ""
    if not which and _spoken_of(at, day):
        return at.about
    monday = at.today - timedelta(days=at.today.weekday())
    weeks = which.count("下") - which.count("上")
    if weeks:
        return monday + timedelta(days=day + 7 * weeks)
    if which:
        return monday + timedelta(days=day)
    return _weekday(at, day, "this" if not at.past else "")


def _count(sign: int) -> _Resolve:
    def resolve(match: re.Match[str], at: _Anchor) -> date | None:
        count, unit = _number(match["n"]), match["unit"].lower()
        if unit[0] in "m月":
            return _month(at.today, sign * int(count), at.today.day) if count >= 1 else (
                at.today + timedelta(days=sign * 15)
            )  # fmt: skip
        if unit[0] in "y年":
            return _month(at.today, sign * 12 * int(count), at.today.day)
        days = count * (7 if unit[0] in "w周星礼" else 1)
        return at.today + timedelta(days=sign * int(days))

    return resolve


def _month(today: date, months: int, day: int | None) -> date:
    """Move by months; a day beyond the end of a month is its last."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, last if day is None else min(day, last))


def _day_of_month(match: re.Match[str], at: _Anchor) -> date | None:
    """Resolve "the 20th": the coming one, or the last one where the talk is of the past."""
    day = int(_number(match["d"]))
    if at.about and not at.past and day <= calendar.monthrange(at.about.year, at.about.month)[1]:
        near = at.about.replace(day=day)
        if near >= at.today:
            return near
    step = -1 if at.past else 1
    for months in range(0, 12 * step, step):
        first = _month(at.today, months, 1)
        if day <= calendar.monthrange(first.year, first.month)[1]:
            found = first.replace(day=day)
            if (found <= at.today) if at.past else (found >= at.today):
                return found
    return None


def _calendar_day(match: re.Match[str], at: _Anchor) -> date:
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
    return min(
        days, key=lambda d: abs((d - at.today).days) * (1 if (d <= at.today) == at.past else 5)
    )


def _named_month(match: re.Match[str], at: _Anchor) -> date | str | None:
    """Resolve "next month", 「下个月五号」, 「月底」."""
    groups = match.groupdict()
    which = (groups["which"] or "").lower()
    months = {"next": 1, "last": -1}.get(which, which.count("下") - which.count("上"))
    if groups.get("end"):
        return _month(at.today, months, None)
    if groups.get("d"):
        return _month(at.today, months, int(_number(groups["d"])))
    return _month(at.today, months, 1).isoformat()[:7]


def _named_year(match: re.Match[str], at: _Anchor) -> date | str:
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


def _handler(name: str) -> _Resolve:
    kind, _, days = name.rpartition(" ")
    if kind in ("shift", "count"):
        return (_shift if kind == "shift" else _count)(int(days))
    return {
        "weekday": _en_weekday, "zh weekday": _zh_weekday, "calendar": _calendar_day,
        "month end": _calendar_day, "day": _day_of_month, "month": _named_month,
        "year": _named_year,
    }[name]  # fmt: skip


@cache
def _rules() -> list[tuple[re.Pattern[str], _Resolve, bool]]:
    """List the forms of ``dates.json``: pattern, how to resolve it, whether it is Chinese."""
    data = words_beside(__file__)
    rules: list[tuple[re.Pattern[str], _Resolve, bool]] = []
    for language in ("en", "zh"):
        for form, name in data[language]:
            pattern = re.sub(r"\{([a-z]+)\}", lambda m: str(data["words"][m[1]]), form)
            if language == "en":
                pattern = rf"(?<![\w-])(?:{pattern})(?![\w-])"
            rules.append((re.compile(pattern, re.IGNORECASE), _handler(name), language == "zh"))
    return rules

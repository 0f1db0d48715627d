"""The day by which something is due that was said to come within so many days or hours (R30).

"Within three working days" means nothing when it is read next week; with the day beside it, it
does. What counts from something else ("within 14 days of delivery") stays as it is.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from ctxlab.language.numerals import numerals

__all__ = ["with_deadlines"]

_N = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty"
_ENGLISH = re.compile(
    rf"\b(?:within|in)(?: the next| about| under)? (?P<n>{_N}|the)[ -]"
    r"(?P<work>(?:working|business) )?(?P<unit>minutes?|mins?|hours?|hrs?|days?|weeks?)\b"
    r"(?! (?:of|from|after|before|ago|per|later|earlier|at)\b)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?P<n>\d{1,3}|[一二两三四五六七八九十半]{1,3})个?(?P<unit>工作日|分钟|小时|钟头|天|日|周|星期|礼拜)"
    r"(?:之|以)?内"
)
# What it counts from was named before it: 「签收后七天内」.
_FROM = re.compile(
    r"(?:后|之日起|起|自[^，。]{1,8}|每)\Z|\b(?:every|each|once)\s*\Z", re.IGNORECASE
)
_DAYS = {"d": 1, "w": 7, "天": 1, "日": 1, "周": 7, "星": 7, "礼": 7}
_MOST = 60  # days: what is due later is no promise but a term


def with_deadlines(text: str, when: datetime) -> str:
    """Add to a sentence the days by which what it promises is due.

    Parameters
    ----------
    text : str
        A sentence, its other dates resolved.
    when : datetime
        When it was said.

    Examples
    --------
    >>> said = datetime(2026, 12, 15, 13)
    >>> with_deadlines("You'll hear within three working days.", said)
    "You'll hear within three working days (by 2026-12-18)."
    >>> with_deadlines("二十分钟内送到908", said), with_deadlines("签收后七天内可退", said)
    ('二十分钟内（2026-12-15）送到908', '签收后七天内可退')
    """
    pieces, at = [], 0
    for form, chinese in ((_CHINESE, True), (_ENGLISH, False)):
        for match in form.finditer(text):
            due = None if _FROM.search(text, 0, match.start()) else _due(match, when)
            if due is not None:
                pieces.append((match.end(), _shown(due, match["unit"], chinese)))
    shown = ""
    for end, words in sorted(pieces):
        shown += text[at:end] + words
        at = end
    return shown + text[at:]


def _due(match: re.Match[str], when: datetime) -> date | None:
    count, unit = _count(match["n"]), match["unit"].lower()
    if count is None:
        return None
    if unit[0] in "mh" or unit in ("分钟", "小时", "钟头"):
        minutes = count * (1 if unit[0] == "m" or unit == "分钟" else 60)
        return (when + timedelta(minutes=minutes)).date()
    if unit == "工作日" or match.groupdict().get("work"):
        return _working(when.date(), int(count))
    days = int(count * _DAYS[unit[0]])
    return when.date() + timedelta(days=days) if days <= _MOST else None


def _working(day: date, count: int) -> date | None:
    """Go on by working days; holidays aren't known."""
    if count > _MOST:
        return None
    while count > 0:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def _count(word: str) -> float | None:
    if word.isdecimal():
        return int(word)
    if word.lower() in ("a", "an", "one", "the"):
        return 1
    if word == "半":
        return 0.5
    read = numerals(word + ("个" if word[0] > "z" else ""))
    return float(read[0].digits) if read else None


def _shown(due: date, unit: str, chinese: bool) -> str:
    soon = unit.lower()[0] in "mh" or unit in ("分钟", "小时", "钟头")
    if chinese:
        return f"（{due}）" if soon else f"（{due}前）"
    return f" ({due})" if soon else f" (by {due})"

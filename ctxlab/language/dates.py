"""Dates said relatively ("next Friday", 「下周三」), resolved against the time of saying.

A memory outlives the day it was made on: "tomorrow" read next week is wrong, an ISO date is not.
Only days, months and years that can be told for sure are resolved; times of day stay as said, and
so does what repeats ("every Friday") or is vague ("soon", 「过两天」).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache

from ctxlab.language.day_forms import BARE, Anchor, Resolve, calendar_day, handler, month_on
from ctxlab.language.recurrence import is_monthly, repeats
from ctxlab.language.script import simplified
from ctxlab.language.tenses import AHEAD, NO_DAY, SURE, Told, told
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


def find_dates(
    text: str, when: datetime, about: date | None = None, *, weekday: bool = False
) -> list[DateMention]:
    """Find the dates that a text names, in order.

    Parameters
    ----------
    text : str
        Chinese, English or both.
    when : datetime
        When it was said, in the zone of the one who said it.
    about : date, optional
        A day that was just spoken of: a bare "the 19th" is in its month if that is ahead, and
        "the Friday" in its week. A day that the text itself names before counts first.
    weekday : bool
        Whether that day was spoken of by its weekday: then the bare word is that day again.

    Examples
    --------
    >>> said = datetime(2026, 3, 18, 10, 15)
    >>> [m.iso for m in find_dates("the 19th", said, date(2026, 6, 12))]
    ['2026-06-19']
    >>> [m.iso for m in find_dates("I leave on 20 June and she joins me on the 27th", said)]
    ['2026-06-20', '2026-06-27']
    >>> [m.iso for m in find_dates("next Friday, or the day after tomorrow", said)]
    ['2026-03-27', '2026-03-20']
    >>> [m.iso for m in find_dates("下周三，最晚月底", said)]
    ['2026-03-25', '2026-03-31']
    """
    text = simplified(text)
    seen = [
        (match, resolve, chinese)
        for pattern, resolve, chinese in _rules()
        for match in pattern.finditer(text)
    ]
    # Beyond so many it is a calendar that somebody pasted: those stay as said.
    seen = sorted(seen, key=lambda form: form[0].start())[:_MOST]
    spans = [match.span() for match, *_ in seen]
    found: list[DateMention] = []
    full: list[tuple[int, date]] = []  # where the text names a day with its month
    # Those first, or a bare day couldn't lean on one.
    for match, resolve, chinese in sorted(seen, key=lambda form: form[1] in BARE):
        if repeats(text, *match.span()):
            continue
        spoken = _told(text, match, spans) if resolve in (*BARE, calendar_day) else AHEAD
        past = spoken.past > spoken.ahead
        if (not past and is_monthly(text, *match.span())) or spoken.none >= NO_DAY:
            continue
        near = [day for end, day in full if end <= match.start()] if resolve in BARE else []
        sure = abs(spoken.past - spoken.ahead) >= SURE
        day_before = near[-1] if near else about
        odds = min(_ODDS, max(spoken.past, spoken.ahead) / max(1e-3, min(spoken[:2])))
        at = Anchor(when.date(), past, day_before, sure, _again(text, match), weekday, odds)
        try:
            day = resolve(match, at)
        except (ValueError, OverflowError):  # 31 June, or beyond the calendar
            continue
        if day is not None:
            found.append(DateMention(*match.span(), str(day), _part(match[0]), chinese))
            if resolve is calendar_day and isinstance(day, date):
                full = sorted([*full, (match.end(), day)])
    return _joined(text, _ranged(text, _longest(found)))


_MOST = 400  # days of one text
_ODDS = 10.0  # by no more a day far off is preferred to one that is near


def _told(text: str, match: re.Match[str], spans: Sequence[tuple[int, int]]) -> Told:
    """Weigh how a day is spoken of: of a range, as its first day is."""
    start, end = match.span()
    before = _RANGE.search(text, max(0, start - 12), start)
    first = next((s for s in spans if before and s[1] == before.start()), (start, end))
    return told(text, *first)


_RANGE = re.compile(
    r"\s?(?:[-–~、]|and|or|to|till|until|through|到|至|和|或|跟)\s?(?:the )?\Z", re.I
)
# One day of a range alone has its month: "21-24 September", "Sept 21–24", 「21到24号」.
_OPENS = re.compile(
    r"(?<![\w.:/,$£€¥-])(?P<d>\d{1,2})(?:st|nd|rd|th)?\s?(?:[-–~]|到|至)\s?\Z", re.I
)
_CLOSES = re.compile(r"\s?[-–~]\s?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?![\w:%/-]|\.\d)", re.I)
_DAY_FIRST = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?: of)? ?[a-z]|\d{1,2}[号日]", re.I)
_DAY_LAST = re.compile(r"[a-z.]+ (?:\d{1,2})(?:st|nd|rd|th)?", re.I)


def _ranged(text: str, found: list[DateMention]) -> list[DateMention]:
    out: list[DateMention] = []
    for mention in found:
        words = text[mention.start : mention.end]
        opens = _DAY_FIRST.match(words) and _OPENS.search(text[: mention.start])
        closes = _DAY_LAST.fullmatch(words) and _CLOSES.match(text, mention.end)
        free = opens and not (out and out[-1].end > opens.start("d"))
        pair: list[DateMention | None] = [mention]
        if opens and free and len(mention.iso) == 10 and int(opens["d"]) < int(mention.iso[8:]):
            end = opens.end("d") + 2 * (text[opens.end("d")].lower() in "snrt")
            pair.insert(0, _same_month(mention, opens.start("d"), end, opens["d"]))
        elif closes and len(mention.iso) == 10 and int(closes["d"]) > int(mention.iso[8:]):
            pair.append(_same_month(mention, closes.start("d"), closes.end(), closes["d"]))
        out += [day for day in pair if day is not None]
    return out


def _same_month(mention: DateMention, start: int, end: int, day: str) -> DateMention | None:
    try:
        iso = date(int(mention.iso[:4]), int(mention.iso[5:7]), int(day)).isoformat()
    except ValueError:
        return None
    return DateMention(start, end, iso, "", mention.chinese)


def _again(text: str, match: re.Match[str]) -> bool:
    """Whether the words before or after a weekday point back to a day just spoken of."""
    before, after = text[max(0, match.start() - 12) : match.start()], text[match.end() :][:16]
    return bool(_POINTS.search(before) or _INSTEAD.match(after))


_POINTS = re.compile(
    r"\b(?:the|that)\s\Z|(?:那个?|那周|当周|同一?周|改[到成为]?|换[到成]?)\Z", re.I
)
_INSTEAD = re.compile(r"(?: \w+){0,2} (?:instead|of that week|that week)\b", re.I)


def resolve_dates(
    text: str, when: datetime, about: date | None = None, *, weekday: bool = False
) -> str:
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
    for mention in find_dates(text, when, about, weekday=weekday):
        before = text[position : mention.start]
        if position and not before.strip():  # 周二周四
            before = "、" if mention.chinese else ", "
        pieces += [before, _in_place(mention, text[: mention.start], text[mention.end :])]
        position = mention.end
    return "".join([*pieces, text[position:]])


def _in_place(mention: DateMention, before: str, after: str) -> str:
    """Fit an ISO date into its sentence: English wants "on" where no preposition stands."""
    if mention.chinese:
        glue = " " if re.search(r"[A-Za-z0-9]\Z", before) else ""
        ends = " " if after[:1].isdigit() else ""  # 6月2日23:10
        year = "年" if len(mention.iso) == 4 else ""
        return f"{glue}{mention.iso}{year}{mention.part}{ends}"
    words = f"{mention.iso} {mention.part}".strip()
    lead = re.search(r"([A-Za-z']+),?\s*\Z", before)
    if after.startswith("'s") or (lead and _PREPOSITION.fullmatch(lead[1].lower())):
        return words
    if len(mention.iso) == 4:
        return f"in {words}"  # "last year we did without"
    return f"on {words}" if lead and len(mention.iso) == 10 else words


_PREPOSITION = re.compile(
    r"on|by|until|till|from|before|after|since|for|to|of|at|than|is|was|as|and|or|between|through|thru|til|beyond"
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
    taken = bytearray(max((mention.end for mention in found), default=0))
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if not any(taken[mention.start : mention.end]):
            kept.append(mention)
            taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    return sorted(kept, key=lambda m: m.start)


def _joined(text: str, found: list[DateMention]) -> list[DateMention]:
    """Join "Friday, 27 March" into one; the end of a range takes the month of its beginning."""
    out: list[DateMention] = []
    for mention in found:
        gap = text[out[-1].end : mention.start] if out else None
        if out and gap is not None and re.fullmatch(r"(?:[,，]?\s*|\s*[(（])", gap):
            explicit = re.search(r"\d|[月号]|(?<![周期拜])日", text[mention.start : mention.end])
            if not explicit and not _same_weekday(out[-1].iso, mention.iso):
                out.append(mention)  # 「3月14日，周日也行」 names two days
                continue
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


def _same_weekday(iso: str, other: str) -> bool:
    days = [date.fromisoformat(one).weekday() for one in (iso, other) if len(one) == 10]
    return len(days) < 2 or days[0] == days[1]


def _after(first: DateMention, last: DateMention, text: str) -> DateMention:
    day_only = re.fullmatch(
        r"(?:the )?\d{1,2}(?:st|nd|rd|th)|.{1,3}[号日]", text[last.start : last.end]
    )
    if len(first.iso) != 10 or len(last.iso) != 10:
        return last
    words = text[last.start : last.end]
    if (
        last.iso < first.iso
        and re.search(r"(?i)[a-z]{3}.*\d|\d.*[a-z]{3}|月", words)
        and not (re.search(r"\d{4}|年", words))
    ):  # 15 March to 15 June: whatever the tense, the end comes after the beginning
        year = int(first.iso[:4]) + (last.iso[5:] < first.iso[5:])
        return replace(last, iso=f"{year}{last.iso[4:]}")
    if not day_only:  # Sunday to Wednesday: the Wednesday after
        behind = (date.fromisoformat(first.iso) - date.fromisoformat(last.iso)).days
        named = re.fullmatch(r"[A-Za-z]+|(?:周|星期|礼拜).", text[last.start : last.end])
        weeks = -(-behind // 7) if named and behind > 0 else 0
        iso = str(date.fromisoformat(last.iso) + timedelta(days=7 * weeks))
        return DateMention(last.start, last.end, iso, last.part, last.chinese)
    year, month, start = map(int, first.iso.split("-"))
    day = int(last.iso[-2:])
    try:
        ends = date(year, month, day) if day >= start else month_on(date(year, month, 1), 1, day)
    except ValueError:
        return last
    return DateMention(last.start, last.end, str(ends), last.part, last.chinese)


# What stands beside a day: no word or code, but a hyphen where another day makes it a range.
_BESIDE = {
    "calendar": (
        r"(?:(?<![\w-])|(?<=\b\d-)|(?<=\b\d\d-)"
        r"|(?<=\b\d(?:st|nd|rd|th)-)|(?<=\b\d\d(?:st|nd|rd|th)-))",
        r"(?!\w)(?!-(?!\d{1,2}(?:st|nd|rd|th)?(?![\w:%/-]|\.\d)))",
    )
}


@cache
def _rules() -> list[tuple[re.Pattern[str], Resolve, bool]]:
    """List the forms of ``dates.json``: pattern, how to resolve it, whether it is Chinese."""
    data = words_beside(__file__)
    rules: list[tuple[re.Pattern[str], Resolve, bool]] = []
    for language in ("en", "zh"):
        for form, name in data[language]:
            pattern = re.sub(r"\{([a-z]+)\}", lambda m: str(data["words"][m[1]]), form)
            if language == "en":
                # "21-24 September": what a hyphen joins to a day alone is a range.
                before, after = _BESIDE.get(name, (r"(?<![\w-])", r"(?![\w-])"))
                pattern = rf"{before}(?:{pattern}){after}"
            rules.append((re.compile(pattern, re.IGNORECASE), handler(name), language == "zh"))
    return rules

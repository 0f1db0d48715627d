"""Values that one may say for another by mistake: like codes, or quantities of one kind (R30)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from ctxlab.language.keeping import kept
from ctxlab.language.numerals import numerals

__all__ = [
    "DATED",
    "MONTHS",
    "NEAR",
    "Literal",
    "alike",
    "elsewhere",
    "ends",
    "literals",
    "partial",
    "shape",
]

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_LITERAL = re.compile(
    r"\(\d{2,5}\) ?\d{3,4}[-. ]?\d{3,4}|"
    r"[#$£€¥]?(?<![A-Za-z0-9])(?:[A-Za-z]{1,6}[-#]?)?\d(?:[A-Za-z0-9]|[-.:,/ ](?=\d)"
    r"|-(?=[A-Z]))*[%A-Za-z]?"
)
NEAR = 25
_BEFORE = re.compile(r"([A-Za-z]+|[\u4e00-\u9fff]{1,3}[路街道巷弄村苑])[\s#-]*\Z")
_STREET = re.compile(r"[路街道巷弄村苑]\Z")
_TELLING = 5  # characters of a code that is no chance beginning of another

# One value though it has several numbers: dates, and times of day with their range.
_ZH = "[0-9一二两三四五六七八九十]"
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_CLOCK = re.compile(
    rf"(?<![\w:.])(?:(?:half|quarter)(?: past| to)? {_HOUR}(?!\w)(?: o'clock)?|{_HOUR} o'clock"
    rf"|\d{{1,2}}[:.]\d\d ?(?:[ap]\.?m)?(?![\w:])|{_HOUR} ?[ap]\.?m\b)",
    re.I,
)
_MONTH = "(?:" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in MONTHS) + "|Sept)"
DATED = re.compile(
    rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b",
    re.I,
)
_DAY_ALONE = re.compile(rf"{DATED.pattern}|\d{{1,2}}(?:st|nd|rd|th)", re.I)
_COMPOUND = re.compile(
    rf"(?i:{_CLOCK.pattern})|(?i:{DATED.pattern})|{_ZH}{{1,3}}月{_ZH}{{1,3}}"
    rf"|{_ZH}{{1,3}}点半?(?:到{_ZH}{{1,3}}点半?)?"
)


@dataclass(frozen=True)
class Literal:
    """A value in a text, with the words around it, which tell what it counts or names."""

    start: int
    end: int
    text: str
    digits: str
    before: str
    unit: str

    @cached_property
    def key(self) -> str:
        """What must differ between a slip and the right value."""
        return re.sub(r"[^A-Z0-9]", "", self.text.upper()) or self.digits


def elsewhere(wrong: Literal, right: Literal) -> bool:
    """Tell whether a house's number would be put right by another street's, or by a day."""
    streets = {x.before for x in (wrong, right) if _STREET.search(x.before)}
    day = _STREET.search(wrong.before) and not right.before and _OF_DAY.match(right.unit)
    return len(streets) > 1 or bool(day)


# "号才飞", 「号下午」: what comes on a day, while a house's number ends or goes on to a building.
_OF_DAY = re.compile(r"[号日](?![楼栋幢弄院店门铺底室])[\u4e00-\u9fff]")


def ends(wrong: Literal, right: Literal) -> bool:
    """Tell whether a short code stands for the last part of a longer one, letters and digits."""
    head, gap, tail = wrong.text.rpartition(" ")
    mixed = re.search("[A-Z]", right.key) and re.search(r"\d", right.text)
    same = shape(tail) == shape(right.text) and tail != right.text
    return bool(gap and head and mixed and same)


def shape(text: str) -> str:
    """Give the form of a code: which of its characters are digits and which letters."""
    return re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", text.upper()))


def alike(wrong: Literal, right: Literal, denied: bool) -> bool:
    """Tell whether one may be a slip for the other: like codes, or quantities of one kind."""
    a, b = wrong.digits, right.digits
    if wrong.key == right.key or not a or not b:
        return False
    known = _by_form(wrong, right)
    if known is not None:
        return known
    short, long = wrong.key, right.key
    if len(short) >= _TELLING and long.startswith(short) and len(long) - len(short) <= 2:
        return bool(re.search("[A-Z]", short)) or denied  # a code whose end was left out
    if a == b:
        return False
    if len(a) >= 3 and len(b) >= 3 and wrong.text[:1].isascii():
        if len(a) == len(b):
            return sorted(a) == sorted(b) or SequenceMatcher(None, a, b).ratio() >= 0.6
        return partial(wrong, right)
    if abs(len(a) - len(b)) > 1:
        return False
    unit = wrong.unit[:1] == right.unit[:1] if right.unit > "z" else wrong.unit == right.unit
    same_kind = (unit and right.unit != "") or wrong.before == right.before != ""
    return denied or same_kind or (unit and len(a) == len(b))


def _by_form(wrong: Literal, right: Literal) -> bool | None:
    """Tell it by what form of value they are: sums, times, days, codes; None for plain numbers."""
    money = [bool(re.search("[$£€¥]", x.text)) for x in (wrong, right)]
    if any(money):
        return all(money) and abs(len(wrong.digits) - len(right.digits)) <= 1
    if _CLOCK.fullmatch(wrong.text) and _CLOCK.fullmatch(right.text):
        return True
    if DATED.fullmatch(wrong.text) or DATED.fullmatch(right.text):
        return bool(DATED.fullmatch(wrong.text) and _DAY_ALONE.fullmatch(right.text))
    shapes = [shape(x.key) for x in (wrong, right)]
    # Seats 14C and 14A; two policy numbers.
    return True if ends(wrong, right) or (shapes[0] == shapes[1] and "A" in shapes[0]) else None


def partial(wrong: Literal, right: Literal) -> bool:
    """Tell whether one is the end of the other with its digits exchanged."""
    tail = wrong.digits[-len(right.digits) :]
    return (
        3 <= len(right.digits) < len(wrong.digits)
        and tail != right.digits
        and sorted(tail) == sorted(right.digits)
        and wrong.text.replace(" ", "").endswith(tail)
    )


@kept(most=256)  # messages are held against each one after them
def literals(text: str) -> tuple[Literal, ...]:
    """List the values in a text, in order."""
    spans = [match.span() for match in _COMPOUND.finditer(text)]
    for found in ([m.span() for m in _LITERAL.finditer(text)],
                  [(n.start, n.end) for n in numerals(text)]):  # fmt: skip
        spans += [(s, e) for s, e in found if all(e <= x or s >= y for x, y in spans)]
    return tuple(_literal(text, *span) for span in sorted(spans))


def _literal(text: str, start: int, end: int) -> Literal:
    body = text[start:end]
    read = [(n.start, n.digits) for n in numerals(body)]
    digits = re.sub(r"\D", "", body) or "".join(d for _, d in read) or body
    after = re.match(r"[㐀-鿿]{1,3}|\s*[A-Za-z]+", text[end:])
    before = _BEFORE.search(text[max(0, start - NEAR) : start])
    return Literal(start, end, body, digits, before[1].lower() if before else "",
                    after[0].strip().lower() if after else "")  # fmt: skip

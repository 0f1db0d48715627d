"""Slots: the exact parts of a note, each in one normal form, so that two notes compare by value.

三月三号, "3 March" and 3/3 are one date, half a kilo is 500 g, 幺三八… is a phone number; A1029 and
A1092 are two things however near their embeddings lie.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ctxlab.language.everyday import MONTHS, everyday

__all__ = ["Slot", "SlotMatch", "match_slots", "read_slots", "slots_in"]

Value = tuple[str | float | None, ...]


@dataclass(frozen=True)
class Slot:
    """One exact part of a text.

    Attributes
    ----------
    kind : str
        ``phone id email date weekday clock money percent house flat floor building number`` or a
        dimension such as ``mass``.
    value : tuple
        The normal form: digits, (year, month, day), (minutes, half of the day known), an amount.
    text : str
        As the normalised text says it.
    start : int
        Where it stands in the normalised text, in characters.
    """

    kind: str
    value: Value
    text: str
    start: int = 0


@dataclass(frozen=True)
class SlotMatch:
    """Two texts' slots side by side.

    Attributes
    ----------
    agree, differ : tuple of (Slot, Slot)
        Old and new slots of equal value; slots of one kind that remain on both sides.
    missing, added : tuple of Slot
        Slots that only the old or only the new text has, with no counterpart to contradict.
    """

    agree: tuple[tuple[Slot, Slot], ...]
    differ: tuple[tuple[Slot, Slot], ...]
    missing: tuple[Slot, ...]
    added: tuple[Slot, ...]


# Unit words by dimension with their size in the dimension's base unit (g, mm, ml, MB, minute …).
_UNITS: dict[str, dict[str, float]] = {
    "area": {"m2|sqm|sq\\.? ?m|square met(?:re|er)s?": 1,
             "平方米?|平米|个?平(?=$|[\\s，,。、；;的左多])": 1,
             "sq\\.? ?f(?:ee)?t|square f(?:ee|oo)?t": 0.0929, "坪": 3.306, "亩": 666.7,
             "acres?": 4047, "hectares?|ha|公顷": 1e4},
    "mass": {"kg|kgs|kilos?|kilograms?|公斤|千克": 1e3, "g|grams?|克": 1, "斤": 500, "两": 50,
             "lbs?": 453.6, "oz|ounces?": 28.35, "tonnes?": 1e6},
    "length": {"mm|毫米": 1, "cm|厘米|公分": 10, "km|公里|千米": 1e6, "m|metres?|meters?|米": 1e3,
               "inch(?:es)?|寸": 25.4, "feet|foot|ft": 304.8, "miles?": 1609344},
    "volume": {"ml|毫升": 1, "l|litres?|liters?|升": 1e3, "pints?": 568, "quarts?": 1136,
               "gallons?": 4546},
    "data": {"mb|mbps|megs?|mega|m/s|兆": 1, "gb|gigs?|g流量|gbps|个g": 1e3, "tb|terabytes?": 1e6},
    "duration": {"minutes?|mins?|分钟": 1, "hours?|hrs?|个?小时|个?钟头": 60, "days?|天": 1440,
                 "weeks?|个?星期|个?礼拜|周": 10080, "months?|个月": 43800,
                 "years?|年(?!级)": 525600},
    "power": {"kw|千瓦": 1e3, "w|watts?|瓦": 1, "kva|千伏安": 1e6},
    "voltage": {"v|volts?|伏": 1},
    "current": {"a|amps?|安": 1},
    "temperature": {"°c|℃|摄氏度": 1},
    "discount": {"折": 1},
}  # fmt: skip
_SIZE = {
    kind: [(re.compile(unit), size) for unit, size in units.items()]
    for kind, units in _UNITS.items()
}
_NUM = r"(?P<n>\d+(?:\.\d+)?)"
_ISO = "inr|usd|eur|gbp|cny|rmb|hkd|twd|sgd|aud|cad|nzd|chf|jpy|krw|aed"  # currencies
_MONEY_WORD = rf"元|块钱?|圆|dollars?|bucks?|quid|pounds?|euros?|cents?|rupees?|{_ISO}"
_STREET = (
    r"(?:street|st|road|rd|avenue|ave|lane|ln|la|drive|dr|court|ct|row|close|way|quay|square|place|"
    r"terrace|crescent|boulevard|blvd)\b"
)
_MONTH = "|".join(MONTHS)
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s*(?P<y>(?:19|20)\d\d|'\d\d))?"


# "A4" and "type 2" are names; "it 9" and "for 3" are words before a number.
_NO_MODEL = (
    r"(?:it|to|of|at|on|in|is|an?|the|for|and|or|by|be|has|had|have|was|are|all|got|get|only|take|"
    r"took|make|just|with|from|need|want|paid|pay|owe|owes|over|than|then|now|my|his|her|our|she|he|"
    r"him|them|they|we|i|us|last|next|buy|gave|give|left|say|says|said|cost|till|per|not|up|out|off|"
    r"add|plus|that|this|so|but|if|as|put|keep|buys|uses|use|took|sent|send|bags?|book)"
)


def _plain(kind: str) -> Callable[[re.Match[str]], tuple[str, Value]]:
    def read(m: re.Match[str]) -> tuple[str, Value]:
        return kind, (next(g for g in m.groups() if g is not None),)

    return read


def _money(m: re.Match[str]) -> tuple[str, Value]:
    cents = m.groupdict().get("cents")  # 22 dollars 80, 三块六
    return "money", (float(f"{m['n']}.{cents}" if cents and "." not in m["n"] else m["n"]),)


def _quantity(dimension: str) -> Callable[[re.Match[str]], tuple[str, Value]]:
    def read(m: re.Match[str]) -> tuple[str, Value]:
        size = next(size for unit, size in _SIZE[dimension] if unit.fullmatch(m["unit"]))
        return dimension, (float(m["n"]) * size,)

    return read


def _date(m: re.Match[str]) -> tuple[str, Value]:
    found = m.groupdict()
    year, month, day = found.get("y"), found.get("m"), found.get("d")
    if month and not month.isdigit():
        month = str(next(i for i, name in enumerate(MONTHS, 1) if re.fullmatch(name, month)))
    full = float(year.strip("'")) + 2000 * (len(year.strip("'")) == 2) if year else None
    return "date", (full, float(month) if month else None, float(day) if day else None)


def _word(m: re.Match[str]) -> tuple[str, Value]:
    return _date(m)


def _email(m: re.Match[str]) -> tuple[str, Value]:
    return "email", (m[0],)


def _id(m: re.Match[str]) -> tuple[str, Value]:
    value = re.sub(r"[^a-z\d]", "", m[0])
    return "phone" if value.isdigit() and 7 <= len(value) <= 13 else "id", (value.upper(),)


def _plate(m: re.Match[str]) -> tuple[str, Value]:
    return "id", (re.sub(r"[·.\s]", "", m[0]).upper(),)


def _model(m: re.Match[str]) -> tuple[str, Value]:
    number = re.search(r"\d+(?:\.\d+)?", m[0])
    return "number", (float(number[0]) if number else 0.0, re.sub(r"[^a-z]", "", m[0]))


_HALF_OF_DAY = {
    "凌": 0, "早": 0, "上": 0, "a": 0, "下": 720, "傍": 720, "晚": 720, "夜": 720, "p": 720,
}  # fmt: skip


def _clock(m: re.Match[str]) -> tuple[str, Value]:
    found = m.groupdict()
    hour, rest, part = int(found["h"]), found.get("min"), (found.get("part") or "").strip()
    minutes = {"半": 30, "1刻": 15, "3刻": 45}.get(rest or "") or int(rest or 0)
    known = part[:1] in _HALF_OF_DAY and part != ""
    if known and hour <= 12:
        hour = hour % 12 + _HALF_OF_DAY[part[0]] // 60
    return "clock", (float(hour % 24 * 60 + minutes), float(known or hour > 12))


_PATTERNS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, Value]]]] = [
    (re.compile(pattern), reader)
    for pattern, reader in [
        (r"[a-z\d_.+-]+@[a-z\d-]+(?:\.[a-z]+)+", _email),
        # parts of an address
        (rf"\b(\d+)(?=/\d+ \w+ {_STREET})", _plain("flat")),
        (rf"\b(\d+[a-z]?)(?= (?:[a-z']+\.? ){{1,3}}{_STREET})", _plain("house")),
        (r"(?:flat|apt\.?|apartment|unit|suite|ste\.?|room|rm\.?)\s?#?(\d+[a-z]?)\b|#(\d+-\d+)",
         _plain("flat")),
        (r"(\d+)(?:st|nd|rd|th) (?:floor|storey)|(?:floor|level) (\d+)", _plain("floor")),
        (r"(?:block|blk\.?|building|berth|bldg) (\d+[a-z]?)\b", _plain("building")),
        (r"(\d+)(?:号楼|栋|幢|座(?!位))", _plain("building")),
        (r"(?<=单元)(\d{3,4})(?!\d)|(?<=[栋幢层楼])(\d{3,4})(?!\d)|(\d+)室", _plain("flat")),
        (r"(\d+)单元", _plain("entrance")), (r"(\d+)[楼层](?!高|建)", _plain("floor")),
        (r"(?<=[路街巷弄道里村镇坊园院段寨])(\d+)号|(\d+)号(?=\d+[栋幢楼室单层]|院)",
         _plain("house")),
        (r"(\d+)[巷弄](?!子)", _plain("lane")),
        # British postcodes, "gl6 7rd"; "b2 2nd" is none
        (r"(?<![a-z\d])[a-z]{1,2}\d[a-z\d]?\s?(?!1st|2nd|3rd|\dth)\d[abd-hjlnp-uw-z]{2}(?![a-z\d])",
         _id),
        # dates
        (r"(?P<y>\d{4})[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})[日号]?", _date),
        (r"(?:(?P<y>\d{2,4})年)?(?P<m>\d{1,2})月份?(?P<d>\d{1,2})(?:[日号]|(?![\d.:点]))", _date),
        (r"(?:(?P<y>\d{2,4})年)?(?P<m>\d{1,2})月", _date),
        (rf"\b{_DAY}(?: of)? (?P<m>{_MONTH})\b{_YEAR}", _date),
        (rf"\b(?P<m>{_MONTH})\b\.? (?:the )?{_DAY}(?![\d:])\b{_YEAR}", _date),
        (rf"\b(?P<m>{_MONTH})\b{_YEAR}(?<=\d)", _date),
        (rf"\b(?:in|for|since|until|till|by|of|the|early|late|to) (?P<m>{_MONTH})\b(?:'s)?", _word),
        (rf"\b(?!may\b)(?P<m>{_MONTH})\b", _word),
        (r"(?<![\d/])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>\d{4}|\d{2}))?(?![\d/])", _date),
        (r"(?<![\d第柜桌台机线站库座床箱门楼房])(?P<d>3[01]|[12]?\d)[号日]"
         r"(?![楼院线门桌房店机柜车仓场包位厅口窗台站库座床箱间铺])", _date),
        (r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)\b", _date),
        (r"(?<!\d)(?P<y>(?:19|20)\d\d)年|\b(?:in|since|until|till|through|to|of) (?P<y2>20\d\d)\b"
         r"(?! ?(?:euro|pound|dollar|buck|quid|point|mile|k?g\b|people|seat|credit|%))",
         lambda m: ("date", (float(m["y"] or m["y2"]), None, None))),
        # Friday and the Friday after are two days.
        (r"(?:\b(?P<which>next|following) |(?P<zh>下)个?)§(?P<d>\d)|§(?P<d2>\d) ?(?P<after>after)\b"
         r"(?! (?:\d|§|lunch|noon|work|school|dinner|breakfast|hours))",
         lambda m: ("weekday", (m["d"] or m["d2"], "next"))),
        (r"§(\d)", lambda m: ("weekday", (m[1], ""))),
        # clock times
        (r"(?P<part>凌晨|早上|早|上午|中午|下午|傍晚|晚上?|夜里)?的?(?P<h>\d{1,2})(?:点钟?|时)"
         r"(?P<min>半|[13]刻|\d{1,2}(?!\d))?", _clock),
        (r"(?<!\d)(?P<h>\d{1,2})(?:[:.](?P<min>\d\d))?\s?(?P<part>[ap])\.?m\b", _clock),
        (r"(?P<part>凌晨|早上|早|上午|中午|下午|傍晚|晚上?|夜里)?(?<!\d)(?P<h>\d{1,2}):(?P<min>\d\d)(?!\d)",
         _clock),
        (r"(?<!\d)(?P<h>\d{1,2})(?: o'clock)", _clock),
        (r"\b(?:at|before|after|until|till|from|past) (?P<h>1[0-2]|[1-9])\b"
         r"(?! ?(?:[a-z]+s|percent|%)\b)(?![\d.,-]?\d)", _clock),
        # amounts
        (rf"(?:[¥$£€₹]|\b(?:rs\.?|{_ISO}))\s?{_NUM}", _money),
        (rf"{_NUM}\s?(?:{_MONEY_WORD})(?:\s?(?P<cents>\d{{1,2}})(?!\d|[:点月]))?", _money),
        (rf"{_NUM}\s?(?:%|percent|per cent|个点)|百分之(?P<p>\d+(?:\.\d+)?)",
         lambda m: ("percent", (float(m["n"] or m["p"]),))),
        *((rf"{_NUM}\s?-?(?P<unit>{'|'.join(units)})(?![a-z])", _quantity(dimension))
          for dimension, units in _UNITS.items()),
        # names of things with digits in them
        (r"(?<![a-z\d])[a-z]{2}\d\d ?[a-z]{3}(?![a-z\d])", _id),
        (r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]\s?[a-z][·.\s]?[a-z\d]{5,6}",
         _plate),
        (r"(?<![a-z\d])[a-z]{1,5}[-_#]?\d{2,}[\da-z]*(?:[-_ ]?\d[\da-z]*|-[a-z]\b)*", _id),
        (r"(?<![a-z\d])\d+[a-z]{1,3}\d[\da-z]*(?:[- ]\d+[a-z]?)*", _id),
        (rf"(?<![a-z\d])(?!{_NO_MODEL} \d)[a-z]{{1,4}}[- ]?\d(?:\.\d+)*(?![\d%.:])"
         r"|\d+(?:\.\d+){2,}", _model),
        (r"(?<![a-z\d])(?=[a-z]+\d+[a-z]|\d+[a-z]+\d)[a-z\d]{5,}(?![a-z\d])", _id),
        (r"(?<![\d.])(?!\d+\.0(?!\d))\+?\(?\d(?:[ ()./-]{0,2}\d){6,}", _id),
        (r"(?<![\d.])\d{5,}(?!\.?\d)|(?<=尾号)\d+|(?<=尾数)\d+|(?<=号码)\d+"
         r"|(?<=ending )\d+|(?<=ends )\d+|(?<=ends in )\d+"
         r"|(?<![\d.])0\d{3}(?!\.?\d)", _id),
    ]
]  # fmt: skip
_WITHOUT_DIGITS = (_email, _word, _plate)  # what may be read where no digit stands
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s?([\u3400-\u9fff]|[a-z]+)?")


def read_slots(text: str) -> list[Slot]:
    """Read the exact parts of a text, in the order in which they stand.

    Examples
    --------
    >>> [(slot.kind, slot.value) for slot in read_slots("半公斤，三月三号送")]
    [('mass', (500.0,)), ('date', (None, 3.0, 3.0))]
    >>> [(slot.kind, slot.value) for slot in read_slots("+44 7700 900318 after half past five")]
    [('phone', ('447700900318',)), ('clock', (330.0, 0.0))]
    """
    return slots_in(everyday(text))


def slots_in(plain: str) -> list[Slot]:
    """Read the exact parts of a text that `everyday` has written out."""
    left = plain
    found: list[Slot] = []
    digits = _DIGIT.search(left) is not None
    for pattern, read in _PATTERNS:
        if not digits and read not in _WITHOUT_DIGITS:
            continue
        for match in pattern.finditer(left):
            kind, value = read(match)
            begin = match.start() + len(match[0]) - len(match[0].lstrip())
            found.append(Slot(kind, value, match[0].strip(), begin))
            # What one pattern took, no later and looser one may read again.
            left = left[: match.start()] + "\x00" * len(match[0]) + left[match.end() :]
            digits = _DIGIT.search(left) is not None
    found += [
        Slot("number", (float(m[1]), m[2] or ""), m[0].strip(), m.start())
        for m in _NUMBER.finditer(left)
    ]
    return sorted(found, key=lambda slot: slot.start)


def match_slots(old: Sequence[Slot], new: Sequence[Slot]) -> SlotMatch:
    """Compare the slots of two texts by value.

    Examples
    --------
    >>> match = match_slots(read_slots("A1029, 500 g"), read_slots("A1092, half a kilo"))
    >>> [pair[0].kind for pair in match.agree], [pair[0].kind for pair in match.differ]
    (['mass'], ['id'])
    """
    old, new = _once(old), _once(new)
    agree = [(a, b) for a in old for b in new if _same(a, b)]
    old_left = [slot for slot in old if all(slot is not a for a, _ in agree)]
    new_left = [slot for slot in new if all(slot is not b for _, b in agree)]
    differ = list(_rivals(old_left, new_left))
    missing = (slot for slot in old_left if all(slot is not a for a, _ in differ))
    added = (slot for slot in new_left if all(slot is not b for _, b in differ))
    alone = [tuple(slot for slot in left if not _article(slot)) for left in (missing, added)]
    return SlotMatch(tuple(agree), tuple(differ), *alone)


def _article(slot: Slot) -> bool:
    """Tell whether a number says no more than "a": 请一个阿姨 is 请阿姨."""
    return slot.kind == "number" and slot.value[0] == 1


def _once(slots: Sequence[Slot]) -> list[Slot]:
    """Drop what is said again: a long text may repeat a value a hundred times."""
    first: dict[tuple[str, Value], Slot] = {}
    for slot in slots:
        first.setdefault((slot.kind, slot.value), slot)
    return list(first.values())


def _rivals(old: Sequence[Slot], new: Sequence[Slot]) -> Iterator[tuple[Slot, Slot]]:
    taken: set[int] = set()
    for a in old:
        for index, b in enumerate(new):
            if index not in taken and _comparable(a, b):
                taken.add(index)
                yield a, b
                break


def _comparable(a: Slot, b: Slot) -> bool:
    kinds = {a.kind, b.kind}
    if kinds == {"number", "id"}:  # C9 and C13 are two berths, whatever they are read as
        number, name = (a, b) if a.kind == "number" else (b, a)
        letters = number.value[1]
        return bool(letters) and name.text.rstrip("0123456789") == letters
    if kinds == {"number"}:  # 25 seats and 3 rooms contradict nothing
        return a.value[1] == b.value[1] or "" in (a.value[1], b.value[1])
    return len(kinds) == 1 or kinds == {"phone", "id"}


def _same(a: Slot, b: Slot) -> bool:
    if {a.kind, b.kind} <= {"phone", "id"}:
        return _same_id(str(a.value[0]), str(b.value[0]))
    if a.kind == b.kind == "date":
        return _same_date(a.value, b.value)
    if a.kind == b.kind == "clock":
        (time_a, known_a), (time_b, known_b) = a.value, b.value
        return time_a == time_b or (
            not (known_a and known_b) and float(time_a or 0) % 720 == float(time_b or 0) % 720
        )
    if a.kind == b.kind == "weekday":
        return a.value == b.value
    if a.kind == b.kind != "number":
        x, y = a.value[0], b.value[0]
        if isinstance(x, float) and isinstance(y, float):
            # A pint is only about 568 ml; in one unit, and in money, every digit counts.
            rounded = a.kind in _UNITS and _unit(a) != _unit(b)
            # A month has thirty days or a twelfth of a year.
            slack = 0.015 if a.kind == "duration" else 0.005
            return abs(x - y) <= (slack if rounded else 1e-9) * max(abs(x), abs(y))
        return x == y
    if "number" in (a.kind, b.kind):  # "the 128 yuan" may be taken up as "that 128"
        bare, other = (a, b) if a.kind == "number" else (b, a)
        if other.kind == "number":
            return bare.value[0] == other.value[0]
        return bare.value[0] in _bare_values(other)
    return False


def _unit(slot: Slot) -> str:
    return re.sub(r"[\d.\s-]", "", slot.text)


def _bare_values(slot: Slot) -> set[float]:
    """Give the numbers by which a slot may be called without its unit."""
    if slot.kind in ("date", "clock"):
        return set()
    spoken = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", slot.text)}
    # "sixty-four ninety-nine" is read as four digits.
    return spoken | {round(number * 100) for number in spoken if slot.kind == "money"}


def _same_id(a: str, b: str) -> bool:
    if a == b:
        return True
    short, long = sorted((a, b), key=len)
    if short.isdigit() and long.isdigit() and len(short) >= 7:
        short = short.lstrip("0")  # the trunk zero goes when a country code comes
        return long.endswith(short) and len(long) - len(short) <= 4
    # A short string of digits is the tail by which people call a number.
    return len(short) in (3, 4, 5, 6) and short.isdigit() and long.endswith(short)


def _same_date(a: Value, b: Value) -> bool:
    if all(x is None or y is None or x == y for x, y in zip(a, b, strict=True)):
        return any(x is not None and x == y for x, y in zip(a, b, strict=True))
    # 12/07 is July or December, by country.
    swapped = (b[0], b[2], b[1])
    return all(x is not None and x == y for x, y in zip(a[1:], swapped[1:], strict=True)) and (
        a[0] is None or b[0] is None or a[0] == b[0]
    )

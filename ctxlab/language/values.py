"""The values that a talk names, and the sort of each: a day, a sum, a number, a name (R30).

Coarser than `slots` and wider than `attributes.key_literals`: who judges whether a value bears on
a matter must see every one of them, and needs to know no more of it than its sort.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from ctxlab.language.dates import find_dates
from ctxlab.language.exclusions import statement_spans
from ctxlab.language.keeping import kept
from ctxlab.language.numerals import numerals

__all__ = ["SORTS", "Value", "values_in"]

SORTS = ("day", "time", "money", "mail", "phone", "code", "percent", "count", "name", "quoted")
"""What a value may be. A code is a number or an id that counts nothing."""

_ZH = "零〇一二三四五六七八九十百千万两半"
_FIRST = (
    ("day", r"(?<!\d)\d{4}-\d\d(?:-\d\d)?(?![\d-])"),
    ("mail", r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
    ("quoted", r"「[^」\n]{2,40}」|『[^』\n]{2,40}』|“[^”\n]{2,60}”"
     r"|\"[^\"\n]{2,60}\"|《[^》\n]{2,30}》"),
)  # fmt: skip
_THEN = (
    ("money", r"[$£€¥₹]\s?\d[\d,]*(?:\.\d+)?k?"
     r"|(?<![\w.])\d[\d,]*(?:\.\d+)?\s?(?:元|块钱?|万元?"
     r"|(?:dollars|euros|pounds|bucks|quid|grand|rupees|cents|p)\b)"
     rf"|[{_ZH}]{{1,12}}(?:元|块钱?)|\b(?:a|[a-z]+) (?:grand|quid)\b"),
    ("percent", rf"(?<![\d.])\d+(?:\.\d+)?\s?(?:%|percent|per cent|折)"
     rf"|[{_ZH}]折|百分之[{_ZH}\d]{{1,8}}"),
    ("time", r"(?<![\w.:])\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\b\.?)?(?![\w:])"
     r"|(?<![\w.])\d{1,2}\s?[ap]\.?m\b\.?"
     rf"|(?:[上下中]午|早上?|晚上?|傍晚|凌晨)?[{_ZH}\d]{{1,3}}点(?:半|[{_ZH}\d]{{1,3}}分?|一刻)?(?:钟)?"
     r"|\b(?:noon|midnight|half (?:past )?(?:\w+)|\w+ o'clock)\b|\b\d{1,2}ish\b"),
    ("phone", r"(?<![A-Za-z0-9-])\+?\(?\d(?:[ .()-]{0,2}\d){6,13}(?![A-Za-z0-9-])"),
    ("code", r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]{0,40}\d)"
     r"(?:[A-Za-z]+[A-Za-z0-9]*[-_]?\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"
     r"|\d+[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*|\d+(?:[-_][A-Za-z0-9]+)+|\d{4,})"
     r"(?![A-Za-z0-9_-])"),
    # "55 1 8 2": a number read off digit by digit.
    ("code", r"(?<![\w.,$£€¥-])(?=(?:\d ?){4})\d{1,3}(?: \d){2,}(?![\w:%/-]|[.,]\d| \d)"),
    ("count", r"(?<![\w.])\d+(?:[.,]\d+)*"),
)  # fmt: skip
_FIRST_FORMS, _THEN_FORMS = (
    # A Chinese character is no part of the number after it: 「月付168」.
    tuple((sort, re.compile(form, re.IGNORECASE | re.ASCII)) for sort, form in forms)
    for forms in (_FIRST, _THEN)
)
_WORD = r"[A-Z][A-Za-z0-9_\u00c0-\u024f'’-]*"
_NAME = re.compile(
    rf"(?:(?:Mr|Ms|Mrs|Dr|Miss|Prof)\.? )?{_WORD}(?:&\w*)?(?: (?:& |of |and )?{_WORD})*"
)
_ZH_NAME = re.compile(
    r"(?<=[叫姓])[\u4e00-\u9fff]{1,3}(?=[,，。！!；;\s]|$|的)"
    r"|(?<=[\u4e00-\u9fff])[A-Za-z][A-Za-z+ ]{0,30}[A-Za-z+](?=[,，。]|$)"
    r"|(?<![A-Za-z])[A-Za-z][A-Za-z+ ]{0,30}[A-Za-z+](?=[\u4e00-\u9fff])"
    r"|(?<!试)(?![听问找和跟让请给个位名的])[\u4e00-\u9fff](?:医生|医师|师傅|老师|先生|女士|经理|教练|律师|护士|主任|店长|小姐|阿姨|总|哥|姐|叔)"
    r"|[小老阿][\u4e00-\u9fff](?=[,，。说那的也还家买用告交订上拿给在是])"
)
_NO_NAME = re.compile(
    r"(?:I|I['’]\w+|Ok|OK|Hi|Hello|Hey|Thanks|Thank|Yes|No|Please|And|But|So|The|It|Its|My|We|You|Your"
    r"|PM|AM|TV|ID|PIN|UK|US|USA|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March"
    r"|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug"
    r"|Sept?|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\Z"
)
_UNIT = re.compile(r"(?<=\d)(?:元|块钱?|dollars|euros|pounds|bucks|quid|rupees)\Z")
_LEADS = re.compile(
    r"(?:(?:Can|Could|Will|Would|Shall|Should|Do|Does|Did|Is|Are|Was|Were|Has|Have|If|When|Then|The|Our|My"
    r"|Your|And|But|So|For|From|With|Please|Thanks|Hi|Hello|Dear|Yes|No|That|This|Its|At|On|In|Of|As|Not"
    r"|Mine|Ask|Use|Put|Send|Booked|Done|I)\b(?!['’]) ?)+"
)
_SOME_DAY = datetime(2000, 1, 1)


@dataclass(frozen=True)
class Value:
    """A value in a text.

    Attributes
    ----------
    start, end : int
        The span, in characters.
    sort : str
        One of `SORTS`.
    norm : str
        A form in which two mentions of one value are equal.
    """

    start: int
    end: int
    sort: str
    norm: str


def values_in(text: str, when: datetime | None = None) -> tuple[Value, ...]:
    """Find the values that a text names, in order; none overlaps another.

    Parameters
    ----------
    text : str
        A message, or part of one.
    when : datetime, optional
        When it was said; without it a relative day is told from no other.

    Examples
    --------
    >>> [(v.sort, v.norm) for v in values_in("A1029 for Mr Poole: £40 by 2026-03-27")]
    [('code', 'a1029'), ('name', 'mr poole'), ('money', '40'), ('day', '2026-03-27')]
    >>> [(v.sort, v.norm) for v in values_in("姓简,十五件,下午三点半")]
    [('name', '简'), ('count', '15'), ('time', '下午三点半')]
    """
    return _read(text, (when or _SOME_DAY).date().isoformat())


@kept(most=1_024)  # a sentence is read for its own sake, and as an option, an offer, an answer
def _read(text: str, day: str) -> tuple[Value, ...]:
    found: list[Value] = []
    taken = bytearray(len(text))
    for value in _candidates(text, datetime.fromisoformat(day)):
        if value.start < value.end and not any(taken[value.start : value.end]):
            taken[value.start : value.end] = b"\1" * (value.end - value.start)
            found.append(value)
    return tuple(sorted(found, key=lambda value: value.start))


def _candidates(text: str, when: datetime) -> Iterator[Value]:
    """Yield what may be a value, the surest sort first."""
    for sort, pattern in _FIRST_FORMS:
        yield from (Value(*m.span(), sort, m[0].lower()) for m in pattern.finditer(text))
    yield from (Value(m.start, m.end, "day", m.iso) for m in find_dates(text, when))
    for sort, pattern in _THEN_FORMS:
        for m in pattern.finditer(text):
            norm = re.sub(r"[^\w.:]", "", m[0].lower()) or m[0]
            if sort == "money":  # £40, 40元 and a bare 40 are one sum
                norm = _UNIT.sub("", norm) or norm
            yield Value(*m.span(), sort, norm)
    for n in numerals(text):
        if n.by_digit or n.digits not in ("0", "1"):
            yield Value(n.start, n.end, "count", n.digits)
    starts = {start for start, _ in statement_spans(text)}
    for m in _NAME.finditer(text):
        # One word with a capital at the beginning of a sentence is any word.
        begin = m.start()
        if begin in starts and (lead := _LEADS.match(m[0])):
            begin += lead.end()  # "Can I", "Our Mr Poole"
        name = text[begin : m.end()]
        idle = _NO_NAME.match(name) or (begin in starts and " " not in name)
        if name[:1].isupper() and not idle:
            yield Value(begin, m.end(), "name", name.lower())
    yield from (Value(*m.span(), "name", m[0].lower()) for m in _ZH_NAME.finditer(text))

"""Days that come again: "every Friday", 「以后都周四」 name no single day of the calendar."""

from __future__ import annotations

import re

from ctxlab.language.tenses import SENTENCE, around

__all__ = ["is_monthly", "repeats"]

_REPEATS = re.compile(r"(?:\b(?:every|each|any|most|other|per)\s+|每个?|逢|各|只)\Z", re.I)
_ANY = re.compile(r"\ban?\s+\Z", re.I)  # "move it to a Tuesday"
_STANDS = re.compile(
    r"\s*[班课档]|\s+(?:\w+ )?(?:slots?|nights|evenings|mornings|afternoons)\b", re.I
)
# "Always on Thursday": no Thursday of the calendar, unless it says from which one on.
_LASTS = re.compile(
    r"\b(?:always|from now on|for good|going forward|in future|as a rule)\b"
    r"|以后|往后|今后|每次|固定|长期|一直",
    re.I,
)
_BEGINS = re.compile(r"\b(?:from|starting|beginning|as of)\s*(?:on )?\Z|从\Z", re.I)
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜).", re.I)
# What is paid month by month, on a day of it: "my rent is due on the 5th", 「扣款日改到15号」.
_MONTHLY = re.compile(
    r"\b(?:direct debits?|standing orders?|salary|wages|pay ?days?|rent|mortgage|"
    r"installments?|instalments?|"
    r"(?:billing|payment|due|renewal|collection) (?:day|date|cycle)|monthly|gets? paid|"
    r"(?:i|we) (?:always |usually |normally )?pay (?:\w+ ){0,3}on)\b|"
    r"账单日|还款日|扣款日|扣费日|缴费日|出账|交租日|发薪日|发工资|工资日|月供|房租|房贷|代扣|按月|月结",
    re.I,
)
_DAY = re.compile(
    r"(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)|(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日]", re.I
)
_THIS = re.compile(
    r"\b(?:this|next|last|that) (?:month|one|time|payment|installment|instalment)|"
    r"[这上下本]个?月|[这上下]次",
    re.I,
)


_PAIRED = re.compile(
    r"(?:(?:周|星期|礼拜)[一二三四五六日天]){2,}(?:早上?|上午|中午|下午|晚上?)?都?"
    r"(?:有空|有课|没课|没空|上课|休息|上班|值班|营业|开门|在(?![^，。]*[送来取]))"
)


# Several days of each week: 「每周一、周四」, 「周一、周三、周五」, "every Monday and Thursday".
_ZH_DAY = r"(?:周|星期|礼拜)[一二三四五六日天]"
_AND_DAY = rf"[、，,和跟与及]{{1,2}}(?:{_ZH_DAY}|[一二三四五六日天](?![\d月号]))"
_EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKLY = re.compile(
    rf"{_ZH_DAY}[一二三四五六日天]{{1,6}}(?![\d月号点])|每个?{_ZH_DAY}(?:{_AND_DAY})+"
    rf"|{_ZH_DAY}(?:{_AND_DAY}){{2,}}"
    rf"|\b(?:every|each) {_EN_DAY}(?:,? (?:and|or|&) {_EN_DAY}|, {_EN_DAY})+",
    re.IGNORECASE,
)
_LEAD, _REACH = 24, 80  # characters


def repeats(text: str, start: int, end: int) -> bool:
    """Tell whether the day that a span of a text names comes again and again.

    Parameters
    ----------
    text : str
        A sentence or more.
    start, end : int
        The span, in characters.

    Examples
    --------
    >>> repeats("every Friday", 6, 12), repeats("on Friday", 3, 9)
    (True, False)
    >>> repeats("以后都周四来", 3, 5), repeats("以后从周四起", 3, 5)
    (True, False)
    """
    lead = max(0, start - _LEAD)  # a message may name thousands of days
    if _REPEATS.search(text, lead, start):
        return True
    if not _WEEKDAY.fullmatch(text, start, end):
        return False
    if _ANY.search(text, lead, start) or _weekly(text, start):
        return True
    if any(_PAIRED.match(text, at) for at in (start, max(0, start - 2), max(0, start - 3))):
        return True  # 「周二周四晚上有空」: a timetable
    return bool(_STANDS.match(text, end)) or _lasts(text, start, end)


def _weekly(text: str, at: int) -> bool:
    near = _WEEKLY.finditer(text, max(0, at - _REACH), at + _REACH)
    return any(found.start() <= at < found.end() for found in near)


def is_monthly(text: str, start: int, end: int) -> bool:
    """Tell whether the day of the month that a span names is one on which money goes out.

    Examples
    --------
    >>> is_monthly("扣款日改到15号", 5, 8), is_monthly("下个月15号扣款日", 3, 6)
    (True, False)
    """
    if not _DAY.fullmatch(text, start, end):
        return False
    first, last = around(text, start, end, SENTENCE)
    return bool(_MONTHLY.search(text, first, last) and not _THIS.search(text, first, last))


def _lasts(text: str, start: int, end: int) -> bool:
    first, last = around(text, start, end, SENTENCE)
    begins = _BEGINS.search(text, first, start) or text.startswith("起", end)
    return bool(_LASTS.search(text, first, last) and not begins)

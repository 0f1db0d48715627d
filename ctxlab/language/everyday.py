"""Everyday forms written out: numbers said in words, half a kilo, a fortnight, 礼拜三, 两万.

What comes out is for comparing, never for showing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from ctxlab.language.numerals import numerals
from ctxlab.language.text import fold

__all__ = ["MONTHS", "everyday"]

MONTHS = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?",
    "aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?",
)  # fmt: skip
"""Patterns of the English months, January first."""

_READ_CHARS = 2_000
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
)
_ORDINAL = dict(zip(_ORDINALS.split(), (*range(1, 21), 30), strict=True))
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ZH = {char: number for number, char in enumerate("一二三四五六七八九", 1)} | {"两": 2}

# 12 号 is typed with and without spaces.
_SPACED = re.compile(r"(?<=\d)\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])\s+(?=\d)")

Rewrite = str | Callable[[re.Match[str]], str]


def _ordinal(m: re.Match[str]) -> str:
    return f"{(20 if m[1] == 'twenty' else 30 if m[1] else 0) + _ORDINAL[m[2]]}th"


def _year_digit(char: str) -> str:
    return str(_ZH.get(char, 0 if char in "零〇" else char))


def _times(factor: float) -> Callable[[re.Match[str]], str]:
    return lambda m: f"{float(m[1]) * factor:.1f}"


def _lakhs(m: re.Match[str]) -> str:
    return f"{float(m[1]) * 1e5 + float(m[2] or 0) * 1e3:.1f}"


_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25}


def _to_the_hour(m: re.Match[str]) -> str:
    hour = _HOURS.index(m[2]) + 1 if m[2] in _HOURS else int(m[2])
    return f"{(hour - 2) % 12 + 1}:{60 - _MINUTES[m[1]]:02d}"


def _and_a_half(m: re.Match[str]) -> str:
    whole = _ZH.get(m[1]) or m[1]
    return f"{whole}.5{m[2]}"


# Before numerals are read: what they would misread.
_FIRST: list[tuple[str, Rewrite]] = [
    # "£40 a month" is a rate, "a month" alone a duration.
    (r"(\d|\b(?:dollars?|bucks|quid|pounds?|euros?|cents|once|twice|times|hours|days))"
     r" an? (hour|day|week|month|year)\b", r"\1 per \2"),
    (r"\b(?:an|one) hour and a half\b", "90 minutes"),
    (r"\bthree quarters of an hour\b", "45 minutes"), (r"(?<!点)[三3]刻钟", "45分钟"),
    (r"\b(?:a quarter of a year|one quarter of a year)\b", "3 months"),
    (r"\bhalf a year\b", "6 months"), (r"半年(?!报|检)", "6个月"),
    (r"[一1]个?季度", "3个月"), (r"半个月", "15天"),
    (rf"\b({'|'.join(_MINUTES)})(?: minutes)? to ({'|'.join(_HOURS)}|[1-9]|1[0-2])\b",
     _to_the_hour),
    # 四升半, 一个半小时
    # "A bit", "not at all" and "not a penny" are neither an hour nor an amount.
    (r"(?<![每今昨明当前][早晚])(?<=[有早晚快慢多少大小高低好差辣甜咸淡轻重长短厚薄软硬放加给剩贵热冷松紧宽窄])一点(?![半钟前后左多到至])|"
     r"(?<![十上午晚里晨])一点(?=[也都不没儿点])", "少许"),
    # 烂一点 as well; an hour stands after a part of the day, or something happens then.
    (r"(?<![午上晚里晨天号日早夜今明昨每到从至约在是前后改定末概就要夏冬十百千零\d])(?<=[\u4e00-\u9fff])一点"
     r"(?![钟半前后多到至左整开之以来走睡起就才准去见接送取])", "少许"),
    (r"一分(?:钱)?(?=[也都不没])", "分文"),
    # 一月一结 is a rate, 每月最后一天 the end of a month.
    (r"[一1]个?(天|日|周|星期|礼拜|月|季度|季|年)[一1](?=[次结付交缴])", r"每\1"),
    (r"(每个?月|当月|这个月|本月)的?最后一天", r"\1月底"),
    # 71之3号5F
    (r"(?<=\d)之(?=\d)", "-"), (r"(?<=[号楼栋座])(\d{1,2})f(?![a-z\d])", r"\1楼"),
    (r"(?<![\w'])'(\d\d)(?![\d'%])", r"20\1"),
    (r"(?<![十百千万零点])([一二三四五六七八九两]|\d+)(公斤|斤|升|米|吨|里|天|年)半", _and_a_half),
    (r"(?<![十百千万零点])([一二三四五六七八九两]|\d+)个半(小时|钟头|月|星期|礼拜)", _and_a_half),
    (r"(?<=[一二三四五六七八九十])点零([一二三四五六七八九])", lambda m: f"点0{_ZH[m[1]]}分"),
    # 一九年的车, 一九款
    (r"(?<![\d一二三四五六七八九十零〇])([一二12])([零〇一二三四五六七八九\d])(年(?=的|款|买|产|生产|上牌)|款)",
     lambda m: f"20{_year_digit(m[1])}{_year_digit(m[2])}{m[3]}"),
    # Not before five is after five.
    (r"\b(?:not|never|nothing|don't \w+) (?:until|till|before) ", "after "),
    (r"((?:\d+|[一二三四五六七八九十两]+)[点号日]半?钟?)以?前(?:别|不要|勿|不)", r"\1后"),
    # § stands for a weekday, so that 周三两点 isn't read as thirty-two o'clock.
    (r"(?:周|星期|礼拜)([一二三四五六])", lambda m: f"§{_ZH[m[1]]} "),
    (r"(?:周|星期|礼拜)[日天]", "§7 "),
    (r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|satur|sun)days?\b|\b(tues?|thu(?:rs?)?|weds)\b",
     lambda m: f"§{_WEEKDAYS.index((m[1] or m[2])[:3]) + 1}"),
    (r"五一(?=[后前节假长放期]|劳动节|$|[，。,])", "5月1号"),
    # Holidays that are one day everywhere; a feast whose date moves is none.
    (r"国庆节?(?:[那当]天|当日)", "10月1号"), (r"元旦节?(?:[那当]天|当日)", "1月1号"),
    (r"圣诞节?(?:[那当]天|当日)", "12月25号"), (r"情人节(?:[那当]天|当日)", "2月14号"),
    (r"\bchristmas day\b", "25 december"), (r"\bnew year's day\b", "1 january"),
    (r"\bboxing day\b", "26 december"), (r"\bchristmas eve\b", "24 december"),
    (r"\bnew year's eve\b", "31 december"), (r"\bvalentine's day\b", "14 february"),
    # 隔天 may be the next day.
    (r"隔[一1]?个?(周|星期|礼拜|月)(?=[^，。]{0,3}[一1]?[次回趟送来去上]|$|[，。])", r"每2个\1"),
    (r"(?<=\d)个周", "周"),
    (r"(?<![另分\d一二三四五六七八九十])[一1]半(?=$|[，。,]|的?[钱款费价]|首付|定金|货款)", "50%"),
    (r"\bhalf (?:of )?(?:the|his|her|its|their|my) "
     r"(?=money|price|amount|bill|fee|deposit|cost|sum|total|rent|balance)", "50% of the "),
    (r"正月", "1月"), (r"腊月", "12月"), (r"(?<=月)初(?=[一二三四五六七八九十])", ""),
    (r"(?<=\d月)([一二三四五六七八九十]+)(?![一二三四五六七八九十月号日个\d])", r"\1号"),
    (r"\b(?:(twenty|thirty)[- ])?(" + "|".join(_ORDINALS.split()[3:]) + r")\b", _ordinal),
    (r"\b(?:(twenty|thirty)[- ])(first|second|third)\b", _ordinal),
    (r"(?:(?<=the )|(?<=on )|\b)()(first|second|third)(?= of (?:" + "|".join(MONTHS) + r")\b)",
     _ordinal),
    (r"\bon the ()(first|second|third)\b(?! [a-z]+day)", lambda m: f"on the {_ordinal(m)}"),
    (r"\bhalf past (\w+)", r"\1:30"), (r"\bquarter past (\w+)", r"\1:15"),
    # "Half eight" at the end, after a preposition or before the part of a day is a time.
    (rf"\bhalf ({'|'.join(_HOURS)}|[1-9]|1[0-2])(?=$|[.,;!?]"
     r"| (?:in the|on|tomorrow|tonight|today|to half|till|until)\b)"
     rf"|(?<=\b(?:at|by) )half ({'|'.join(_HOURS)}|[1-9]|1[0-2])\b",
     lambda m: f"{m[1] or m[2]}:30"),
    (r"\b(?:a )?quarter of an hour\b", "15 minutes"), (r"\bhalf an hour\b", "30 minutes"),
    (r"\bhalf a dozen\b", "6"), (r"\b(?:a|one) dozen\b", "12"),
    (r"半打(?=[^电开字听])", "6个"), (r"一打(?=[^电开字听折算扰扫包]|折叠)", "12个"),
    (r"\bhalf an? (?=[a-z])", "0.5 "),
    (r"\b(?:a )?fortnight\b", "14 days"), (r"\bnoon\b", "12:00 pm"), (r"\bmidnight\b", "0:00"),
    (r"\ba (pint|quart|gallon|kilo|litre|dollar|week|month|year|day)\b(?! from)", r"1 \1"),
    (r"\ban hour\b", "1 hour"), (r"\bone (?=[a-z])", "1 "),
    (r"一刻钟", "15分钟"), (r"千兆", "1000兆"),
    (r"一对(?=[^比]|$)", "2个"),
    # 一块二 and 两米一 leave the smaller unit unsaid.
    (r"(?<![十百千万零])([一二三四五六七八九两])([块米])([一二三四五六七八九])(?![十百千万个])",
     lambda m: f"{_ZH[m[1]]}.{_ZH[m[3]]}{m[2]}"),
    (r"仨", "3个"), (r"俩(?!人)", "2个"), (r"百分之([一二三四五六七八九])(?![十百])",
                                      lambda m: f"百分之{_ZH[m[1]]}"),
]  # fmt: skip
# After: sizes that belong to the number before them.
_THEN: list[tuple[str, Rewrite]] = [
    (r"(?<=\d),(?=(?:\d\d,)*\d{3}(?!\d))", ""),  # also 1,20,000
    (r"(\d+(?:\.\d+)?)\s?lakhs?\b(?: (\d{1,2})000(?:\.0)?\b)?", _lakhs),
    (r"(\d+(?:\.\d+)?)\s?crores?\b", _times(1e7)),
    (r"(\d+(?:\.\d+)?)\s?万", _times(1e4)),
    (r"(?<![\d.])(\d{1,3}(?:\.\d+)?)\s?(?:k|grand|thousand)\b", _times(1e3)),
    (r"(?<=[块点])([一二三四五六七八九])(?![十百个点])", lambda m: str(_ZH[m[1]])),
    (r"(?<![\d十百千])([一二三四五六七八九])(?=单元|栋|幢|号|楼|层|室|巷|G\b)",
     lambda m: str(_ZH[m[1]])),
    (r"(?<![\d十百千第])([二三四五六七八九两])(?=[只双瓶罐袋包盒套头辆根条款期口扇通路顿场名项家户笔单支把副箱吨])",
     lambda m: str(_ZH[m[1]])),
    (r"(\w+) past (\d{1,2})\b", lambda m: f"{m[2]}:{int(m[1]):02d}" if m[1].isdecimal()
     and int(m[1]) < 60 else m[0]),
    (r"(?<=[ap])\.m\b\.?", "m"),
]  # fmt: skip


def everyday(text: str) -> str:
    """Write numbers, weekdays and everyday measures in digits and plain units, in lower case.

    Examples
    --------
    >>> everyday("三千块, 三点半"), everyday("Half a kilo on the twenty-first")
    ('3000块, 3点半', '0.5 kilo on the 21th')
    """
    plain = fold(text[:_READ_CHARS]).text.lower().replace("’", "'")
    plain = _SPACED.sub("", plain)
    first, then = _compiled(_LATIN.search(plain) is not None, not plain.isascii())
    for pattern, rewrite in first:
        plain = pattern.sub(rewrite, plain)
    pieces, position = [], 0
    for numeral in numerals(plain):
        if numeral.start >= position:
            # The decimal keeps a round sum from being read as an account number.
            sum_ = not numeral.by_digit and len(numeral.digits) >= 5 and "." not in numeral.digits
            pieces += [plain[position : numeral.start], numeral.digits + ".0" * sum_]
            position = numeral.end
    plain = "".join(pieces) + plain[position:]
    for pattern, rewrite in then:
        plain = pattern.sub(rewrite, plain)
    return plain


# What every rule without a Chinese character asks for. No rule writes letters or commas into
# Chinese or Chinese into English, so that what is there at the beginning tells which may apply.
_LATIN = re.compile("[a-z',]")


@cache
def _compiled(latin: bool, chinese: bool) -> tuple[list[tuple[re.Pattern[str], Rewrite]], ...]:
    """Compile the rules that may apply to a text with such characters, when first needed.

    They are kept here, as re's own cache may be full of others.
    """
    return tuple(
        [(re.compile(p), rewrite) for p, rewrite in rules if (latin if p.isascii() else chinese)]
        for rules in (_FIRST, _THEN)
    )

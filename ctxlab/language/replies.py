"""What a customer's reply leaves of what the agent just said (R30).

"No chef, thanks" leaves nothing of the chef, "could it be ten instead of eight?" nothing of eight,
and "every six weeks" nothing of the four that were noted, once the agent says six.
"""

from __future__ import annotations

import re

from ctxlab.language.attributes import key_literals
from ctxlab.language.closeness import content
from ctxlab.language.numerals import numerals
from ctxlab.language.text import clause_spans
from ctxlab.language.values import values_in

__all__ = [
    "asks_when", "called_off", "holds_any", "picks", "put_aside", "replaced", "without",
]  # fmt: skip

_DECLINED = re.compile(
    r"(?:^|[.,;!] ?)(?:(?:nah|ok|thanks|right|well),? )?(?:no|not? (?:need|interest)\w* (?:for|in)"
    r"|i (?:don't|do not) (?:need|want)|we (?:don't|do not) (?:need|want)|without)"
    r" (?:the |an? |any |your )?(?P<en>[a-z]{3,}(?: [a-z]{3,})?)"
    r"(?=[.,;!]|$| thanks| please| for me)"
    r"|(?:^|[，。；,.]\s?)(?:不(?:要|用|需要|加|买|办)|别加|免了)"
    r"(?P<zh>(?![了谢急]|客气|担心|着急|麻烦|别的|其他|紧)[\u4e00-\u9fff]{1,6})(?<![的了])"
    r"(?=[，。；,.!！]|$)",
    re.IGNORECASE,
)
_NO_THING = frozenset(
    "idea problem worries need rush hurry thanks thank you wait sorry more longer one way that it "
    "worry bother doubt chance good use".split()
)
_ASIDE = re.compile(
    r"\b(?:instead of|rather than|and not|not) (?:at |the |on )?"
    r"(?P<en>\d[\d.:]*|[a-z]+day)\b|(?:别|不要|不是)(?:在|约|排)?(?P<zh>\d[\d:]*)(?=[点号个元张]|[，。？?吗]|$)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s?(?P<unit>[a-z]{3,}|[\u4e00-\u9fff]{1,2})", re.IGNORECASE)


_NOT_PICKED = re.compile(
    r"[?？]|[吗么呢]\W*$|\b(?:no|not|don't|can't|too|isn't|won't|why|what|how|instead|but|never)\b|n't\b"
    r"|不(?!用改|错)|太|没|贵|别|咋|为什么|怎么",
    re.IGNORECASE,
)
_PICK = 28  # characters of a clause that says no more than what it takes


def picks(offered: str, reply: str) -> frozenset[str]:
    """Name the values of an offer that a reply begins by saying again, which is to take it.

    Examples
    --------
    >>> sorted(picks("I can offer £150 off, or £20 a month.", "£150 please. In writing."))
    ['150']
    >>> picks("That would be £150.", "£150? No way."), picks("特级15800，金牌12800", "15800那个吧")
    (frozenset(), frozenset({'15800'}))
    """
    spans = clause_spans(reply)[:1]
    first = reply[slice(*spans[0])] if spans else ""
    if len(first) > _PICK or _NOT_PICKED.search(first):
        return frozenset()
    named = {value.norm for value in values_in(first)} | {n.digits for n in numerals(first)}
    return frozenset(value.norm for value in values_in(offered) if value.norm in named)


_WHEN = re.compile(
    r"\b(?:what time|when(?! i)|how (?:long|soon|late|early)|which day|what day|until when)\b|几点"
    r"|什么时[候间]|啥时候?|何时|多久|哪天|几号|几天|什么辰光",
    re.IGNORECASE,
)


def asks_when(text: str) -> bool:
    """Tell whether a turn ends by asking for a time: a bare time that answers it says something.

    Examples
    --------
    >>> asks_when("Fine. What time?"), asks_when("When I got home it was off.")
    (True, False)
    """
    spans = clause_spans(text)
    return bool(spans) and _WHEN.search(text[slice(*spans[-1])]) is not None


def put_aside(reply: str) -> list[str]:
    """Name what a reply turns down or wants otherwise: words and numbers, as said.

    Examples
    --------
    >>> put_aside("No chef. Could it be 10 instead of 8?"), put_aside("不要私厨，10点来，别8点。")
    (['chef', '8'], ['私厨', '8'])
    >>> put_aside("No problem, no rush.")
    []
    """
    found = [(m["en"] or m["zh"]).lower() for m in _DECLINED.finditer(reply)]
    things = [words for words in found if not _NO_THING & set(words.split())]
    return things + [m["en"] or m["zh"] for m in _ASIDE.finditer(reply)]


_OFF = re.compile(
    r"\b(?:don'?t|do not|no need to|no point in|instead of|rather than) (?:bother (?:to )?)?"
    r"(?P<en>send|replac|repair|ship|deliver|refund|book|exchang|post|order)(?:e|ing|ed)?"
    r"(?= (?:it|them|one|another|any|a |the )|[.,;!]|$)"
    r"|(?:别|不用|不必|不要|先别)(?:再|给我)?(?P<zh>[补换寄送改发派退订约装修])(?:[货件单])?了",
    re.IGNORECASE,
)


def called_off(reply: str) -> re.Pattern[str] | None:
    """Give the deed that a reply tells the agent not to do, as it may have been promised.

    Examples
    --------
    >>> bool(called_off("Don't send another, just refund me").search("I'll send a new lid"))
    True
    >>> bool(called_off("别补了，退我10块").search("给您补五个")), called_off("Don't ring me early")
    (True, None)
    """
    found = _OFF.search(reply)
    return re.compile(rf"\b{found['en']}" if found["en"] else found["zh"], re.I) if found else None


def replaced(said: str, reply: str, confirmed: str) -> list[str]:
    """Name the counts of an agent's turn that a reply puts others for and the next turn confirms.

    Examples
    --------
    >>> replaced("Every four weeks, 12 kg.", "Every six weeks.", "Six weeks then.")
    ['four weeks']
    >>> replaced("每四周一次", "每六周吧", "那就六周一次"), replaced("每四周一次", "好", "好的")
    (['四周'], [])
    """
    old, new, last = (_counts(text) for text in (said, reply, confirmed))
    return [
        words
        for unit, (digits, words) in old.items()
        if unit in new and new[unit][0] != digits and last.get(unit, ("",))[0] == new[unit][0]
    ]


def _counts(text: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for number in numerals(text):
        counted = _COUNTED.match(text, number.end)
        if counted:
            unit = counted["unit"].lower()
            unit = unit.removesuffix("s") if unit.isascii() else unit[0]
            end = number.end + len(unit) if not unit.isascii() else counted.end()
            found.setdefault(unit, (number.digits, text[number.start : end]))
    return found


def holds_any(text: str, marks: list[str]) -> bool:
    """Tell whether a text names any of the things or numbers; a number also as a time of day.

    Examples
    --------
    >>> holds_any("8:00 pick-up", ["8"]), holds_any("18:00 pick-up", ["8"])
    (True, False)
    """
    for mark in marks:
        if mark[0].isdigit():
            shown = re.search(rf"(?<![\d.:-]){re.escape(mark)}(?:[:.]00)?(?![\d:-])", text)
        elif len(key_literals(mark)) or mark.isascii():
            shown = re.search(rf"\b{re.escape(mark)}\b", text, re.IGNORECASE)
        else:
            shown = re.search(re.escape(mark), text)
        if shown:
            return True
    return False


def without(text: str, marks: list[str]) -> str:
    """Leave out the clauses that name any of the marks.

    Examples
    --------
    >>> without("Changed to chicken, every four weeks, next on 2026-04-29.", ["four weeks"])
    'Changed to chicken, next on 2026-04-29.'
    >>> without("Ghent, 8:00 pick-up.", ["8"]), without("8:00.", ["8"])
    ('Ghent', '')
    """
    text = _without_numbers(text, [mark for mark in marks if _CLOCKED.fullmatch(mark)])
    spans = clause_spans(text)
    gone = [span for span in spans if holds_any(text[slice(*span)], marks)]
    for start, end in reversed(gone):
        before, after = text[:start].rstrip(" ,，、;；"), text[end:].lstrip(" ,，、;；")
        ends = not before or before[-1] in ".。!！?？"
        glue = "" if not after or ends or after[0] in ".。!！?？" else _between(text[:start])
        text = before + (" " if ends and before.isascii() and before and after else glue) + after
    return text.strip() if content(text.lower()) or re.search(r"\d", text) else ""


def _without_numbers(text: str, marks: list[str]) -> str:
    """Leave out a time alone, where the clause tells more: "on 19 September at 2"."""
    for mark in marks:
        time = rf"\s?\bat {re.escape(mark)}(?:[:.]00)?(?: ?[ap]\.?m\b\.?)?(?![\d:-])"
        bare = re.escape(mark.removesuffix("点"))
        time += rf"|(?:[上下中]午|早上|晚上)?(?<![\d:.-]){bare}(?:点|:00)(?![\d半])"
        shorter = re.sub(time, "", text)
        text = shorter if key_literals(shorter) else text
    return text


_CLOCKED = re.compile(r"\d.*|[一二三四五六七八九十两]{1,3}点")


def _between(before: str) -> str:
    return before[len(before.rstrip(" ,，、;；")) :] or " "

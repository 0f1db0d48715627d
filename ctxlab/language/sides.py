"""One note taken apart, once: what a comparison needs of either side (R94).

A note is compared with every likely one that comes after it, so what depends on it alone is kept
for the next time: a bounded number of notes, in memory only, dropped whenever anything is deleted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ctxlab.language.cantonese import mandarin
from ctxlab.language.closeness import content, in_order, one_number
from ctxlab.language.everyday import MONTHS, everyday
from ctxlab.language.keeping import kept
from ctxlab.language.slots import Slot, slots_in
from ctxlab.language.synonyms import MOST_WORDS, Vocabulary, words_in
from ctxlab.language.text import clause_spans, is_cjk

__all__ = ["FACETS", "Part", "Side", "cue_patterns", "is_calendar", "side_of"]

FACETS = ("choices", "people", "places", "cities", "topics", "names")
"""What notes are compared by, as labels."""
_NONE: frozenset[str] = frozenset()
_MARKS = " .。!！?？,，;；~…"  # at the ends of a note they mean nothing
_SAYS = 2  # letters or digits; a note of fewer says nothing that could be compared
_KEPT = 2_048  # notes, a few kB each
_CLAUSES = 6  # clauses that are read one by one

_LATIN = re.compile("[a-z]")
_INNER_NAME = re.compile(r"(?<=[\w,;'’\u3400-\u9fff])\s?(?<![A-Za-z])([A-Z][A-Za-z]+)")
_ANY_NAME = re.compile(r"(?<![A-Za-z])([A-Z][A-Za-z]+)")
_CALENDAR = re.compile("|".join((*MONTHS, "(?:mon|tue|tues|wed|thu|thurs|fri|sat|sun)[a-z]*")))
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温欧康施牛樊葛邢安"
    "齐伍庞颜倪庄聂章鲁岳翟殷詹申耿关焦左柳甘祝包宁尚符舒阮柯纪梅童凌毕单裴霍涂成苗谷曲盛冉翁蓝骆路游辛欧阳靳管柴蒙佘"
)
# 别的 and 特别 negate nothing, nor do 不锈钢 and 无锡.
_ZH_NEGATION = (
    r"(?:不(?![错仅只但光然锈如妨愧久远时料]|好意思|一会|知不觉|得[不已])|没(?!错|准)|"
    r"(?<![特分级区性告个类派离识辨])别(?![的人墅克处家名致扭针样])|无(?![线锡糖论极比尘纺常烟人机数])|未(?![来必])|勿)"
)
_MAIN_NEGATION = re.compile(
    r"\bthere(?:'s| is| are| was| were)(?:n't| not| no)\b|^(?:no|nobody|none|nothing)\b|"
    r"\b(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|may|must|should)"
    r"(?:n't| not)\b|\b(?:never|cannot|won't|can't)\b|\bno (?:one|longer|more)\b|"
    r"\b(?:un|dis|de)-?(?:subscrib|regist|install|link|activat|connect|enrol|approv|continu)\w*|"
    rf"{_ZH_NEGATION}(?![同过少断止管])"
)
# Said with a negation, meant without one; and the other way round.
_AFFIRMED = re.compile(
    r"\bcan(?:'t|not) (?:stand|bear|do without|manage without|live without|wait|go without)\b|"
    r"\b(?:nobody|no one|none|nothing) (?:but|except|other than|besides)\b|"
    r"除了?[^，。]{1,10}[谁都概律人的][^，。]{0,4}[不没别](?![错同])|"
    r"\bno(?:t only| doubt| problem| trouble|\.? ?\d+)\b|"
    r"受不了|离不开|少不了|不得不|不得已|不错|没问题|没有?(?=[^，。]{1,8}不行)|(?<=[^，。])(?:就|可)?不行(?=$|[，。])"
)
_UNDONE = (
    r"\b(?:un|dis|de)-?(?:subscrib|regist|install|link|activat|connect|enrol|approv|continu)\w*"
)
_QUESTION = re.compile(
    r"[?？]|什么|怎么|怎样|如何|哪|吗|呢$|谁|多少|几[个点岁]|啥|是不是|能不能|有没有|"
    r"^(?:what|how|why|where|when|which|who|can i|do you|does|is it)\b"
)
_NEGATION = re.compile(rf"\b(?:not|no|never|without|\w+n't|cannot)\b|{_UNDONE}|{_ZH_NEGATION}")
_ZH_NAME = re.compile(
    rf"[老小阿]([{_SURNAMES}])(?![\u4e00-\u9fff]*(?:路|街|区))|([{_SURNAMES}])(?=先生|女士|小姐|经理|老师|师傅|阿姨|"
    r"奶奶|爷爷|医生|律师|教练|主任|护士|大夫|校长|队长|店长|会计|叔|姐|哥|嫂|伯|婶|总(?![共是额校]))|姓([\u4e00-\u9fff])|[「『【](.{1,20}?)[」』】]"
)


class Part:
    """A clause of a note.

    Parameters
    ----------
    text : str
        Its everyday form.

    Attributes
    ----------
    words : Vocabulary
        Its words with what they mean.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = Vocabulary(words_in(text))

    @cached_property
    def negated(self) -> bool:
        """Whether anything in it is negated."""
        return _negates(self.text)

    def negates(self, besides: Iterable[str]) -> bool:
        """Whether anything in it is negated, besides within these words."""
        if not self.negated:
            return False
        rest = self.text
        for form in besides:
            rest = rest.replace(form, " ")
        return rest == self.text or _negates(rest)


def _negates(plain: str) -> bool:
    return bool(_NEGATION.search(_AFFIRMED.sub("", plain)))


class Side:
    """A note as a comparison sees it; each part is read when it is first asked for.

    Parameters
    ----------
    text : str
        The note.

    Attributes
    ----------
    text : str
        The same in simplified characters, Cantonese words as Mandarin.
    plain : str
        Its everyday form.

    Examples
    --------
    >>> side = Side("Half a kilo for Anna, please")
    >>> side.plain, [slot.kind for slot in side.slots]
    ('0.5 kilo for anna, please', ['mass'])
    """

    def __init__(self, text: str) -> None:
        self.text = mandarin(text).replace("著", "着")
        self.plain = everyday(self.text)

    @cached_property
    def slots(self) -> list[Slot]:
        """Its exact parts."""
        return slots_in(self.plain)

    @cached_property
    def labels(self) -> dict[str, frozenset[str]]:
        """What it names, by facet; names of people are in ``names``."""
        return {
            name: frozenset(
                label
                for label, pattern in cue_patterns()[name].items()
                if pattern.search(self.plain)
            )
            if _any_cue()[name].search(self.plain)
            else _NONE
            for name in FACETS[:-1]
        }

    @cached_property
    def signs(self) -> dict[str, list[str]]:
        """Its words of change, exception, addition and so on."""
        scripts = _LATIN.search(self.plain) is not None, not self.plain.isascii()
        return {name: p.findall(self.plain) for name, p in _sign_patterns(*scripts).items()}

    @cached_property
    def said(self) -> dict[str, float]:
        """How often it has words of each sign, as a logarithm."""
        return {name: math.log1p(len(words)) for name, words in self.signs.items()}

    @cached_property
    def bare(self) -> str:
        """The everyday form without marks at its ends."""
        return " ".join(self.plain.split()).strip(_MARKS)

    @cached_property
    def blank(self) -> bool:
        """Whether it has too few letters and digits to say anything."""
        return sum(map(str.isalnum, self.bare)) < _SAYS

    @cached_property
    def inner_names(self) -> frozenset[str]:
        """Words with a capital that stand inside a sentence."""
        return frozenset(_INNER_NAME.findall(self.text))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Words with a capital, wherever they stand."""
        return frozenset(_ANY_NAME.findall(self.text))

    @cached_property
    def chinese_names(self) -> frozenset[str]:
        """Chinese names that a surname or a bracket gives away."""
        return frozenset(part for match in _ZH_NAME.findall(self.text) for part in match if part)

    @cached_property
    def negated(self) -> bool:
        """Whether anything in it is negated."""
        return _negates(self.plain)

    @cached_property
    def affirmed(self) -> bool:
        """Whether it says with a negation what is meant without: "nobody but Sam"."""
        return bool(_AFFIRMED.search(self.plain))

    @cached_property
    def main_negated(self) -> bool:
        """Whether its main clause is."""
        return bool(_MAIN_NEGATION.search(_AFFIRMED.sub("", self.plain)))

    @cached_property
    def asserted(self) -> str:
        """What stands before the first negation of a main clause; all if there is none."""
        found = _MAIN_NEGATION.search(self.plain)
        return self.plain[: found.start()] if found else self.plain

    def negates(self, besides: Iterable[str], *, main: bool) -> bool:
        """Whether anything in it, or its main clause, is negated, besides within these words."""
        within = [form for form in besides if _NEGATION.search(form) and form in self.plain]
        if not within:
            return self.main_negated if main else self.negated
        rest = self.plain
        for form in within:
            rest = rest.replace(form, " ")
        pattern = _MAIN_NEGATION if main else _NEGATION
        return bool(pattern.search(_AFFIRMED.sub("", rest)))

    @cached_property
    def asks(self) -> bool:
        """Whether it is a question."""
        return bool(_QUESTION.search(self.plain))

    @cached_property
    def chinese(self) -> bool:
        """Whether any of it is Chinese."""
        return any(map(is_cjk, self.text))

    @cached_property
    def spans(self) -> list[str]:
        """Its clauses."""
        return [self.plain[start:end] for start, end in clause_spans(self.plain)]

    @cached_property
    def parts(self) -> list[Part]:
        """Its clauses with their words."""
        return [Part(clause) for clause in self.spans]

    @cached_property
    def meant(self) -> str:
        """What is embedded of it: the everyday form with every number the same."""
        return one_number(self.plain)

    @cached_property
    def clauses(self) -> list[str]:
        """Its first clauses, as they are embedded."""
        return [one_number(clause) for clause in self.spans[:_CLAUSES]] or [self.meant]

    @cached_property
    def content(self) -> list[str]:
        """Words worth comparing."""
        return content(self.plain)

    @cached_property
    def distinct(self) -> list[str]:
        """The first forty of them, each once."""
        return list(dict.fromkeys(self.content))[:40]

    @cached_property
    def words(self) -> Vocabulary:
        """Its words with what they mean."""
        if len(self.parts) == 1:
            return self.parts[0].words
        words = (word for part in self.parts for word in part.words.words)
        return Vocabulary(list(dict.fromkeys(words))[:MOST_WORDS])

    @cached_property
    def in_order(self) -> list[str]:
        """All words as they follow each other."""
        return in_order(self.plain)


@kept(most=_KEPT)
def side_of(text: str) -> Side:
    """Take a note apart, or return it as it was taken apart before."""
    return Side(text)


def is_calendar(name: str) -> bool:
    """Whether a word with a capital is a month or a weekday."""
    return _CALENDAR.fullmatch(name) is not None


@cache
def cue_patterns() -> dict[str, dict[str, Any]]:
    """Compile the words of ``relation_cues.json`` when first needed."""
    words = {
        name: {label: _pattern(forms) for label, forms in cues.items()}
        for name, cues in _forms().items()
    }
    return words | {"cities": {city: re.compile(city) for city in _read()["cities"]}}


@cache
def _sign_patterns(latin: bool, other: bool) -> dict[str, re.Pattern[str]]:
    """Compile the words of change and so on that a note in these scripts can hold."""
    if latin and other:
        return cue_patterns()["signs"]
    return {
        name: _pattern(form for form in forms if form.isascii() is latin)
        for name, forms in _forms()["signs"].items()
    }


@cache
def _any_cue() -> dict[str, re.Pattern[str]]:
    """Compile one pattern a facet for whatever stands for any of it: most notes have nothing."""
    found = {
        name: _pattern(form for forms in cues.values() for form in forms)
        for name, cues in _forms().items()
    }
    return found | {"cities": re.compile("|".join(_read()["cities"]))}


def _forms() -> dict[str, dict[str, list[str]]]:
    """List what stands for each label, by facet."""
    raw = _read()
    choices = {
        f"{kind} {value}": forms
        for kind, values in raw["choices"].items()
        for value, forms in values.items()
    }
    signs = {name: sign["en"] + sign["zh"] for name, sign in raw["signs"].items()}
    whole = {name: raw[name] for name in ("people", "places", "topics")}
    return whole | {"signs": signs, "choices": choices}


@cache
def _read() -> dict[str, Any]:
    path = Path(__file__).with_name("relation_cues.json")
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _pattern(forms: Iterable[str]) -> re.Pattern[str]:
    given = list(forms)
    english = "|".join(form for form in given if form.isascii())
    chinese = "|".join(form for form in given if not form.isascii())
    whole = rf"(?<![a-z])(?:{english})(?![a-z])" if english else ""
    # What has no form in a script is never found in it.
    return re.compile("|".join(filter(None, (whole, chinese))) or r"(?!)")

"""What the relation head sees of two notes: slots, wording, signs, people and meaning side by side.

Meaning alone confuses what must be told apart (杭州/苏州, likes/dislikes). What tells them apart is
which parts agree, which contradict, and whether the new note says that something changed. The
words are in ``relation_cues.json``, as alternatives of regular expressions.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxlab.language.closeness import SHORT_FORMS, STOP_WORDS, meaning, wording
from ctxlab.language.everyday import MONTHS, everyday
from ctxlab.language.slots import Slot, SlotMatch, match_slots, read_slots
from ctxlab.language.text import clause_spans, is_cjk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.models.embedding import Embedder

__all__ = ["Facets", "PairReading", "read_pair"]

_GROUP = {
    "phone": "id", "id": "id", "email": "id", "date": "date", "weekday": "day", "clock": "clock",
    "money": "amount", "percent": "amount", "house": "place", "flat": "place", "floor": "place",
    "building": "place", "entrance": "place", "lane": "place", "number": "number",
}  # fmt: skip
_GROUPS = (*dict.fromkeys(_GROUP.values()), "quantity")
_CHANGE = ("standing", "ceased", "replaced", "moved", "sized", "now", "corrected", "settled")
_FACETS = ("choices", "people", "places", "cities", "topics", "names")
_CROSSED = (
    "slot:any differ", "slot:any agree", "slot:rival", "choices:differ", "people:added",
    "word:old in new", "word:parallel", "sign:polarity", "mean:cos",
)  # fmt: skip

_INNER_NAME = re.compile(r"(?<=[\w,;'’\u3400-\u9fff])\s?(?<![A-Za-z])([A-Z][A-Za-z]+)")
_ANY_NAME = re.compile(r"(?<![A-Za-z])([A-Z][A-Za-z]+)")
_CALENDAR = re.compile("|".join((*MONTHS, "(?:mon|tue|tues|wed|thu|thurs|fri|sat|sun)[a-z]*")))
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温欧康施牛樊葛邢安"
    "齐伍庞颜倪庄聂章鲁岳翟殷詹申耿关焦左柳甘祝包宁尚符舒阮柯纪梅童凌毕单裴霍涂成苗谷曲盛冉翁蓝骆路游辛欧阳靳管柴蒙佘"
)
_MAIN_NEGATION = re.compile(
    r"\bthere (?:is|are|was|were)(?:n't| not| no)\b|^(?:no|nobody|none|nothing)\b|"
    r"\b(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|may|must|should)"
    r"(?:n't| not)\b|\b(?:never|cannot|won't|can't)\b|\bno (?:one|longer|more)\b|"
    r"\b(?:un|dis|de)-?(?:subscrib|regist|install|link|activat|connect|enrol|approv|continu)\w*|"
    r"[不没别无未勿](?![错同过少断止管仅只然])"
)
# Said with a negation, meant without one; and the other way round.
_AFFIRMED = re.compile(
    r"\bcan(?:'t|not) (?:stand|bear|do without|manage without|live without|wait|go without)\b|"
    r"\bno(?:t only| doubt| problem| trouble)\b|受不了|离不开|少不了|不得不|不得已|不错|没问题|"
    r"没有?(?=[^，。]{1,8}不行)|(?<=[^，。])(?:就|可)?不行(?=$|[，。])"
)
_UNDONE = (
    r"\b(?:un|dis|de)-?(?:subscrib|regist|install|link|activat|connect|enrol|approv|continu)\w*"
)
_OWNER = re.compile(
    r"(?:(?:the )?(?:customer|guest|client)'s|(?:his|her|my|their|our|the|a))?|"
    r"[我他她]?家?的?|客户的?"
)
_WITH = re.compile(r" (?:is|will be) (?:the|in|at|home|there|also)\b|[在能会也可]")
_QUESTION = re.compile(
    r"[?？]|什么|怎么|怎样|如何|哪|吗|呢$|谁|多少|几[个点岁]|啥|是不是|能不能|有没有|"
    r"^(?:what|how|why|where|when|which|who|can i|do you|does|is it)\b"
)
_NEGATION = re.compile(rf"\b(?:not|no|never|without|\w+n't|cannot)\b|{_UNDONE}|[不没别无未勿]")
_ZH_NAME = re.compile(
    rf"[老小阿]([{_SURNAMES}])(?![\u4e00-\u9fff]*(?:路|街|区))|([{_SURNAMES}])(?=先生|女士|小姐|经理|老师|师傅|阿姨|"
    r"奶奶|爷爷|医生|叔|姐|哥|总(?![共是额校]))|姓([\u4e00-\u9fff])|[「『【](.{1,20}?)[」』】]"
)


@dataclass(frozen=True)
class Facets:
    """What two notes name of one kind (people, places, choices …), as labels.

    Attributes
    ----------
    same, missing, added : frozenset of str
        Named by both, by the old note alone, by the new note alone.
    differ : tuple of (str, str)
        An old and a new label that stand for the same slot.
    """

    same: frozenset[str]
    missing: frozenset[str]
    added: frozenset[str]
    differ: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PairReading:
    """Two notes taken apart.

    Attributes
    ----------
    slots : SlotMatch
        Exact parts, compared by value.
    facets : dict of str to Facets
        Closed choices, people, places, cities, topics and names.
    signs : dict of str to list of str
        Words of change, exception, addition … in the new note.
    flipped : bool
        Only one note negates its main clause, and the new one has no clause more to do so in.
    questions : bool
        Both ask.
    subject : str
        A person whom only one note names, as the one it is about; empty if there is none.
    features : dict of str to float
        The named inputs of the head.
    meaning : numpy.ndarray
        float32 (3 * dimension,): product, distance, and the new note's own vector.
    """

    slots: SlotMatch
    facets: dict[str, Facets]
    signs: dict[str, list[str]]
    flipped: bool
    questions: bool
    subject: str
    features: dict[str, float]
    meaning: NDArray[np.float32]

    def vector(self) -> list[float]:
        """Give the dense input of the head: features, then meaning."""
        return [*self.features.values(), *self.meaning.tolist()]


def read_pair(old: str, new: str, embedder: Embedder, *, known_slot: bool = False) -> PairReading:
    """Take two notes apart.

    Parameters
    ----------
    old, new : str
        The notes, the older first.
    embedder : Embedder
        The default one, on which the head is fitted.
    known_slot : bool
        The caller knows that both speak of one attribute.
    """
    plain_old, plain_new = everyday(old), everyday(new)
    slots = match_slots(read_slots(old), read_slots(new))
    facets = _facets(plain_old, plain_new, old, new)
    signs = {name: pattern.findall(plain_new) for name, pattern in _words()["signs"].items()}
    features = {"known slot": float(known_slot), "chinese": float(any(map(is_cjk, new)))}
    features |= _slot_features(slots) | _sign_features(plain_old, plain_new)
    for name, facet in facets.items():
        features |= {
            f"{name}:same": min(2, len(facet.same)), f"{name}:differ": min(2, len(facet.differ)),
            f"{name}:added": min(2, len(facet.added)),
            f"{name}:missing": min(2, len(facet.missing)),
        }  # fmt: skip
    # Parts that agree by value agree as words too: 5000 元 and 五千块, two spellings of a phone.
    levelled = _level(plain_old, plain_new, slots)
    words = wording(*levelled)
    both = min(words["word:old in new"], words["word:new in old"])
    features |= words | {"sign:negated overlap": features["sign:negated"] * both}
    close, vectors = meaning(plain_old, plain_new, levelled, embedder)
    features |= close
    for name in _CROSSED:
        for sign in ("changed", "once", "other"):
            features[f"{name} x {sign}"] = features[name] * features[f"sign:{sign} new"]
    plain = (plain_old, plain_new)
    flipped = sum(bool(_MAIN_NEGATION.search(_AFFIRMED.sub("", text))) for text in plain) == 1
    shorter = len(clause_spans(plain_new)) <= len(clause_spans(plain_old))
    questions = all(_QUESTION.search(text) for text in plain)
    people = facets["people"]
    subject = _subject(plain_new, people.added) or _subject(plain_old, people.missing)
    flipped = flipped and shorter
    return PairReading(slots, facets, signs, flipped, questions, subject, features, vectors)


def _level(old: str, new: str, slots: SlotMatch) -> tuple[str, str]:
    """Put one made-up word for each part that agrees by value, on both sides."""
    names: dict[int, str] = {}
    rewritten = [
        (a, b) for a, b in slots.agree if a.text != b.text and "number" != a.kind == b.kind
    ]
    for number, (a, b) in enumerate(rewritten):
        # A part may agree with several; all of them are then one.
        name = names.get(id(a)) or names.get(id(b)) or f" q{chr(97 + number % 26)}q "
        names[id(a)] = names[id(b)] = name
    levelled = []
    for text, side in ((old, 0), (new, 1)):
        agreed = {id(pair[side]): pair[side] for pair in rewritten}
        for slot in sorted(agreed.values(), key=lambda slot: -slot.start):
            text = text[: slot.start] + names[id(slot)] + text[slot.start + len(slot.text) :]
        levelled.append(text)
    return levelled[0], levelled[1]


@cache
def _words() -> dict[str, dict[str, Any]]:
    path = Path(__file__).with_name("relation_cues.json")
    raw = json.loads(path.read_text(encoding="utf-8"))
    words: dict[str, dict[str, Any]] = {
        "signs": {name: _pattern(v["en"] + v["zh"]) for name, v in raw["signs"].items()},
        "choices": {
            f"{kind} {value}": _pattern(forms)
            for kind, values in raw["choices"].items()
            for value, forms in values.items()
        },
        "cities": {city: re.compile(city) for city in raw["cities"]},
    }
    for name in ("people", "places", "topics"):
        words[name] = {label: _pattern(forms) for label, forms in raw[name].items()}
    return words


def _pattern(forms: Iterable[str]) -> re.Pattern[str]:
    english = "|".join(form for form in forms if form.isascii())
    chinese = "|".join(form for form in forms if not form.isascii())
    whole = rf"(?<![a-z])(?:{english})(?![a-z])" if english else ""
    return re.compile("|".join(filter(None, (whole, chinese))))


def _facets(plain_old: str, plain_new: str, old: str, new: str) -> dict[str, Facets]:
    found = {
        name: _compare_sets(*(
            {label for label, pattern in _words()[name].items() if pattern.search(text)}
            for text in (plain_old, plain_new)
        ))
        for name in _FACETS[:-1]
    }  # fmt: skip
    return found | {"names": _compare_sets(_names(old, new), _names(new, old))}


def _subject(note: str, people: Iterable[str]) -> str:
    """Name the relative or friend that a note opens with, of those the other note doesn't name."""
    for label in sorted(people):
        if match := _words()["people"][label].search(note):
            lead = note[: match.start()].strip()
            if _OWNER.fullmatch(lead) and not _WITH.match(note, match.end()):
                return label
    return ""


def _compare_sets(old: set[str], new: set[str]) -> Facets:
    missing, added = old - new, new - old
    # "channel email" contradicts "channel post", not "colour red"; one word is a kind of its own.
    kind = {label: label.partition(" ")[0] if " " in label else "" for label in old | new}
    differ = []
    for a in sorted(missing):
        rivals = sorted(b for b in added if kind[a] == kind[b])
        if rivals and not any(kind[a] == kind[b] for b in old & new):
            differ.append((a, rivals[0]))
    return Facets(frozenset(old & new), frozenset(missing), frozenset(added), tuple(differ))


def _names(text: str, other: str) -> set[str]:
    inner = set(_INNER_NAME.findall(text))
    # A capital that opens a sentence is a name if it also stands inside one.
    inner |= set(_ANY_NAME.findall(text)) & set(_INNER_NAME.findall(other))
    found = {name.lower() for name in inner if len(name) > 3 or not name.isupper()}
    found -= {name for name in found if _CALENDAR.fullmatch(name)}
    found |= {part for match in _ZH_NAME.findall(text) for part in match if part}
    return {SHORT_FORMS.get(name, name) for name in found} - STOP_WORDS


def _slot_features(match: SlotMatch) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in _GROUPS:
        for part in ("differ", "missing", "added", "agree"):
            first = [s if isinstance(s, Slot) else s[0] for s in getattr(match, part)]
            found[f"slot:{name} {part}"] = min(2, sum(_group(slot) == name for slot in first))
    for part in ("agree", "differ", "missing", "added"):
        found[f"slot:any {part}"] = math.log1p(len(getattr(match, part)))
    # The old value is named beside another of its kind: "the 0318 is cut off, use 0642".
    kinds = {a.kind for a, _ in match.agree}
    found["slot:rival"] = float(any(slot.kind in kinds for slot in match.added))
    return found


def _group(slot: Slot) -> str:
    return _GROUP.get(slot.kind, "quantity")


def _sign_features(old: str, new: str) -> dict[str, float]:
    found = {}
    for name, pattern in _words()["signs"].items():
        before, after = len(pattern.findall(old)), len(pattern.findall(new))
        found[f"sign:{name} old"] = math.log1p(before)
        found[f"sign:{name} new"] = math.log1p(after)
        found[f"sign:{name} more"] = float(after > before)
    found["sign:changed new"] = min(1.5, sum(found[f"sign:{name} new"] for name in _CHANGE) / 2)
    negated = [bool(_NEGATION.search(_AFFIRMED.sub("", text))) for text in (old, new)]
    found["sign:negated"] = float(negated[0] != negated[1])
    found["sign:polarity"] = float((found["sign:not old"] > 0) != (found["sign:not new"] > 0))
    return found

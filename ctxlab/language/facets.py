"""Who and what two notes name: people, places, closed choices, as labels side by side (R94).

The words are in ``relation_cues.json``; what stands for one label stands for the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from ctxlab.language.closeness import SHORT_FORMS, STOP_WORDS
from ctxlab.language.sides import FACETS, Side, cue_patterns, is_calendar

__all__ = ["Facets", "other_times", "read_facets", "read_subject"]

_OWNER = re.compile(
    r"(?:(?:the )?(?:customer|guest|client)'s|(?:his|her|my|their|our|the|a))?|"
    r"[我他她]?家?的?|客户的?|[\u4e00-\u9fff]{2,4}的|(?:mrs?\.?|ms\.?|dr\.?)? ?[a-z]+'s"
)
_WITH = re.compile(r" (?:is|will be) (?:the|in|at|home|there|also)\b|[在能会也可]")


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


_NOTHING = Facets(frozenset(), frozenset(), frozenset(), ())


def read_facets(old: Side, new: Side, crossed: Sequence[str]) -> dict[str, Facets]:
    """Compare what two notes name, by facet.

    Parameters
    ----------
    old, new : Side
        The notes.
    crossed : sequence of str
        Words of either that the other has in another form.
    """
    found = {name: _compare_sets(old.labels[name], new.labels[name]) for name in FACETS[:-1]}
    people = found["people"]
    if crossed and (people.missing or people.added):
        # 老爷子 may be called 老人 and a son a boy: neither is another person.
        renamed = _renamed(old.plain, people.missing, crossed)
        renamed |= _renamed(new.plain, people.added, crossed)
        if renamed:
            labels = (side.labels["people"] - renamed for side in (old, new))
            found["people"] = _compare_sets(*labels)
    return found | {"names": _compare_sets(_names(old, new), _names(new, old))}


def _renamed(note: str, people: Iterable[str], crossed: Sequence[str]) -> frozenset[str]:
    """Give the people whom the other note calls otherwise."""
    found = []
    for label in people:
        match = cue_patterns()["people"][label].search(note)
        if match and any(match[0] in form or form in match[0] for form in crossed):
            found.append(label)
    return frozenset(found)


_WHEN = re.compile(
    r"\b(?P<which>last|this|next|coming) (?P<unit>week|month|year|spring|summer|autumn|winter|"
    r"time|term|season|[a-z]{3,9}(?=\b)|§\d)|(?P<zh>[上这本下])个?(?P<zh_unit>周|月|星期|礼拜|学期|季度|次|回|§)|"
    r"(?P<year>[去今明后前])(?P<year_unit>年)|(?P<day>[昨今明])(?P<day_unit>[天日晚早])"
)
_DIRECTION = {"last": "-", "上": "-", "去": "-", "前": "-", "昨": "-",
              "next": "+", "coming": "+", "下": "+", "明": "+", "后": "+"}  # fmt: skip


def other_times(old: str, new: str) -> str:
    """Name what one note has last and the other next; empty if nothing.

    Examples
    --------
    >>> other_times("held last july", "to be held next july"), other_times("上周来", "上周来过")
    ('last july / next july', '')
    """
    for unit, before in (found := _times(old)).items():
        after = _times(new).get(unit)
        if after and {_DIRECTION.get(before[0], ""), _DIRECTION.get(after[0], "")} == {"-", "+"}:
            return f"{found[unit][1]} / {after[1]}"
    return ""


def _times(note: str) -> dict[str, tuple[str, str]]:
    """Give by unit which one a note names first, and how it says so."""
    found: dict[str, tuple[str, str]] = {}
    for match in _WHEN.finditer(note):
        which, unit = [group for group in match.groups() if group]
        found.setdefault(unit, (which, match[0]))
    return found


def read_subject(old: Side, new: Side, facets: dict[str, Facets]) -> str:
    """Name a person whom only one note names, or makes the one it is about; empty if none."""
    people = facets["people"]
    subject = _subject(new.plain, people.added) or _lost(old.plain, people.missing, new.plain)
    subject = subject or _other_sex(old.plain, new.plain)
    subject = subject or _recast(old.plain, new.plain, people.same)
    subject = subject or _owned(old.plain, new.plain) or _owned(new.plain, old.plain)
    return subject or _titled(old.plain, new.plain, facets["names"].same)


# Who gives the customer a thing or talks the customer round isn't who the note is about.
_TO_ME = re.compile(r"\b(?:me|us|the customer)\b|[给帮劝让叫带替](?:我|客户|咱)")


def _subject(note: str, people: Iterable[str]) -> str:
    """Name the relative or friend that a note opens with, of those the other note doesn't name."""
    for label in sorted(people):
        if match := cue_patterns()["people"][label].search(note):
            lead = note[: match.start()].strip()
            if (
                _OWNER.fullmatch(lead)
                and not _WITH.match(note, match.end())
                and not _TO_ME.search(note, match.end())
            ):
                return label
    return ""


_THE_ONE = re.compile(r"(?:the|[^\w]*)")
_PRONOUN = re.compile(r"(?:he|she|his|her|him|they|their)\b|[他她]")


def _lost(old: str, people: Iterable[str], new: str) -> str:
    """Name whom the old note opens with, unless "he" or "she" may stand for them in the new."""
    subject = _subject(old, people)
    if subject and _PRONOUN.match(new):
        match = cue_patterns()["people"][subject].search(old)
        # "His father keeps koi" may have a "he" of its own; "the tenant is away" hasn't.
        if match and _THE_ONE.fullmatch(old[: match.start()].strip()):
            return ""
    return subject


# "The neighbour is …" may say who it is; "the neighbour wants …" tells of the neighbour.
_IS = re.compile(r"(?:'s)? (?:is|was|are|who|with|and|that)\b|[,，、。]|$|[是叫姓的和]")
_NAMED = re.compile(
    r"(?:\b(?:is|are|was|called|named|by|contact)|[:：]|是|叫|由|归|[代找]) ?\S{0,6}$"
)


_ON_A_DAY = re.compile(
    r"^(?:(?:on |every |each )?§\d ?s?|[今明后每昨]天|[上下每这]?个?§\d ?)[,，]? ?|^家里的?"
)


def _recast(old: str, new: str, people: Iterable[str]) -> str:
    """Name the person whom the old note has in another part and the new one tells of."""
    for label in sorted(people):
        cue = cue_patterns()["people"][label]
        before, after = cue.search(old), cue.search(new)
        if before is None or after is None:
            continue
        lead = _ON_A_DAY.sub("", old[: before.start()].strip())
        tells = _OWNER.fullmatch(new[: after.start()].strip()) and not (
            _IS.match(new, after.end()) or _TO_ME.search(new, after.end())
        )
        if tells and not (_OWNER.fullmatch(lead) or _NAMED.search(lead)):
            return label
    return ""


_OWNED = re.compile(r"(?:the )?customer's (?=\w)|客户的")
# 客户的职业是园丁 tells of the customer.
_CUSTOMER = re.compile(r"(?:the )?customer (?=\w)|客户(?!是)")
_MOST_WORDS = 3  # that name what is the customer's
_STEPS = {"words": 2, "characters": 4}  # by which a predicate is known again


def _owned(old: str, new: str) -> str:
    """Name what is the customer's and does in one note what the customer does in the other."""
    owner, customer = _OWNED.match(new), _CUSTOMER.match(old)
    if not owner or not customer:
        return ""
    told, rest = old[customer.end() :], new[owner.end() :]
    if owner[0][-1] == "的":
        start = told[: _STEPS["characters"]]
        place = rest.find(start) if len(start) == _STEPS["characters"] else 0
        return rest[: max(0, place)]
    first, words = told.split()[: _STEPS["words"]], rest.split()
    named = range(1, _MOST_WORDS + 1) if len(first) == _STEPS["words"] else ()
    place = next((i for i in named if words[i : i + len(first)] == first), 0)
    return " ".join(words[:place])


_TITLE = r"先生|女士|太太|小姐|师傅|老师|阿姨|叔叔?|医生|经理"


def _titled(old: str, new: str, names: Iterable[str]) -> str:
    """Name Mr X whom the old note has in another part and the new one tells of."""
    for name in sorted(names):
        said = re.escape(name)
        told = re.match(rf"(?:mrs?|ms|dr)\.? {said}\b|{said}(?:{_TITLE})", new)
        lead = old.partition(name)[0].strip()
        other = re.fullmatch(r"(?:mrs?|ms|dr)?\.?", lead) is None and not _NAMED.search(lead)
        if told and other and name in old and not _IS.match(new, told.end()):
            return name
    return ""


_HE = re.compile(r"\b(?:he|his|him)\b|他(?!人|们)")
_SHE = re.compile(r"\b(?:she|hers?)\b|她")
_I = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b|[我咱]")


def _other_sex(old: str, new: str) -> str:
    """Say "he" or "she" if the old note speaks of the one and the new only of the other."""
    before = bool(_HE.search(old)), bool(_SHE.search(old))
    if before[0] == before[1]:
        return ""
    after = bool(_HE.search(new)), bool(_SHE.search(new))
    # Who says "I" says "he" of somebody else.
    if after != before[::-1] or _I.search(new) or _I.search(old):
        return ""
    return "he" if after[0] else "she"


def _compare_sets(old: Set[str], new: Set[str]) -> Facets:
    if not old and not new:
        return _NOTHING
    missing, added = old - new, new - old
    # "channel email" contradicts "channel post", not "colour red"; one word is a kind of its own.
    kind = {label: label.partition(" ")[0] if " " in label else "" for label in old | new}
    differ = []
    for a in sorted(missing):
        rivals = sorted(b for b in added if kind[a] == kind[b])
        if rivals and not any(kind[a] == kind[b] for b in old & new):
            differ.append((a, rivals[0]))
    return Facets(frozenset(old & new), frozenset(missing), frozenset(added), tuple(differ))


def _names(side: Side, other: Side) -> set[str]:
    # A capital that opens a sentence is a name if it also stands inside one.
    inner = side.inner_names | (side.capitals & other.inner_names)
    found = {name.lower() for name in inner if len(name) > 3 or not name.isupper()}
    found = {name for name in found if not is_calendar(name)} | side.chinese_names
    return {SHORT_FORMS.get(name, name) for name in found} - STOP_WORDS

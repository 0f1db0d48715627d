"""Sensitive content without a format: health, special categories, children, zh and en.

Words alone don't decide. "Blind", 聋 and "pregnant" are said of people, routers and deals, so a
trigger is weighed by what stands around it: a person it can be about, or a machine, an animal, a
product, a place or a figure of speech that takes it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxlab.language import sensitive_lexicon as lexicon
from ctxlab.language.sensitive_children import (
    ADULT_AFTER,
    ADULT_BEFORE,
    AGES,
    NAME_BEFORE_AGE,
    SCHOOL_ALONE,
    SOMEBODY,
    child_parts,
)
from ctxlab.language.sensitive_medical import named_en, named_zh
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_practice import WEAK_TRIGGERS
from ctxlab.language.sensitive_triggers import TRIGGERS
from ctxlab.language.text import clause_spans, sentence_spans

__all__ = ["MARKED", "RULED_OUT", "SIGNALS", "STRONG", "find_topics", "signals"]

STRONG = 0.6
"""A hit at or above this confidence stands by its wording alone."""
RULED_OUT = 0.1
"""Confidence of an age that is no child's, but a whisky's or a company's: no head revives it."""
_RULES = (*(rule for _, rule, *_ in TRIGGERS), "named", "child")
_SURROUNDINGS = ("person", "figure", "animal", "general", "place", "thing", "question")
SIGNALS = (
    *(f"{rule} {how}" for rule in _RULES for how in ("doubted", "bare", "of a person")),
    *_SURROUNDINGS,
    *(f"message {name}" for name in ("person", "figure", "animal", "general")),
    *(f"{rule} hinted" for _, rule, *_ in WEAK_TRIGGERS),
)
"""What the rules say of a clause, as named inputs of the second opinion."""
_MARKS = {rule: category for category, rule, *_ in (*TRIGGERS, *WEAK_TRIGGERS)} | {
    "named": "health", "child": "minor",
}  # fmt: skip
MARKED = tuple(
    _MARKS.get(name.split()[0], "") if name.split()[-1] != "doubted" else "" for name in SIGNALS
)
"""The category that each of ``SIGNALS`` speaks for; empty if it speaks for none."""
_AT_AN_END = ("question", "figure", "place")  # their patterns know where a text ends
_LONGEST = 600  # characters read at once: sentences beyond it are tables, pastes or noise


class _Patterns(NamedTuple):
    triggers: tuple[tuple[re.Pattern[str], str, str, re.Pattern[str]], ...]
    hints: tuple[tuple[re.Pattern[str], str, re.Pattern[str]], ...]
    child: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    person: re.Pattern[str]
    thing: re.Pattern[str]
    thing_before: re.Pattern[str]
    figure: re.Pattern[str]
    general: re.Pattern[str]
    animal: re.Pattern[str]
    aged: re.Pattern[str]
    kids: re.Pattern[str]
    place: re.Pattern[str]
    part: re.Pattern[str]
    beast: re.Pattern[str]
    worn: re.Pattern[str]
    subject: re.Pattern[str]


_SCRIPTS = {"en": re.compile("[A-Za-z]"), "zh": re.compile("[\u4e00-\u9fff]")}


def _frame(language: str, words: str) -> str:
    """Let a pattern begin only where a word can: most positions then cost one look ahead."""
    if language == "zh":
        return f"(?=[\u4e00-\u9fff0-9])(?:{words})"
    return f"(?<![A-Za-z0-9])(?=[A-Za-z0-9])(?:{words})s?(?![A-Za-z0-9])"


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    """Compile when first needed: doing it on import would slow every start."""
    flags = re.IGNORECASE
    kin, child = lexicon.KIN, lexicon.CHILDREN
    kin_zh, child_zh = lexicon.KIN_ZH, lexicon.CHILDREN_ZH
    person = (
        r"\b(?:i(?:'?m|'?ve|'?d|'?ll)?|my|me|mine|myself|we(?:'?re|'?ve|'?d|'?ll)?|our|us|"
        rf"s?he(?:'?s|'?d)?|him|his|her|who(?:'?s)?|they'?re|{kin}|{child})\b|[我咱俺他她]|"
        f"{kin_zh}|{child_zh}"
    )
    thing = (
        rf"\b(?:the|your|this|that|my|our|an?|new|old) (?:[\w-]+ )?(?:{lexicon.THINGS})(?:'s|s)?"
        rf"(?: \w+)?\s*\Z|\b(?:{lexicon.THINGS})(?:'s|s)?(?: (?:just|really|already|now|also|an?|"
        rf"gone|been|having|on|in|with|got|suffering from|as|"
        rf"still|has|had|is|was|of mine))*\s*\Z|(?:{lexicon.THINGS_ZH})[\u4e00-\u9fff]{{0,6}}\Z"
    )
    subject = (
        rf"(?:\b(?:i(?:'?m|'?ve)?|we(?:'?re)?|s?he'?s|my|our|his|her|as an?)\b|[我咱他她]|{kin_zh})"
    )
    return _Patterns(
        tuple(
            (_SCRIPTS[language], category, rule, re.compile(_frame(language, words), flags))
            for category, rule, *both in (*TRIGGERS, ("health", "named", named_en(), named_zh()))
            for language, words in zip(_SCRIPTS, both, strict=True)
        ),
        tuple(
            (_SCRIPTS[language], f"{rule} hinted", re.compile(_frame(language, words), flags))
            for _, rule, *both in WEAK_TRIGGERS
            for language, words in zip(_SCRIPTS, both, strict=True)
        ),
        tuple(
            (_SCRIPTS[language], re.compile(_frame(language, "|".join(parts)), flags))
            for language, parts in zip(_SCRIPTS, child_parts(), strict=True)
        ),
        re.compile(person, flags),
        re.compile(rf"\b(?:{lexicon.THINGS})s?\b|{lexicon.THINGS_ZH}", flags),
        re.compile(thing, flags),
        re.compile(lexicon.FIGURES, flags),
        re.compile(lexicon.GENERAL, flags),
        re.compile(lexicon.ANIMALS, flags),
        re.compile(lexicon.AGED_ANIMALS, flags),
        re.compile(rf"\b(?:{child}|s?he|him|her|attends?|class|pupil|{kin})\b|{child_zh}", flags),
        re.compile(lexicon.PLACES, flags),
        re.compile(lexicon.PARTS_AFTER, flags),
        re.compile(lexicon.BEASTS_BEFORE, flags),
        re.compile(lexicon.WORN_AFTER, flags),
        re.compile(subject, flags),
    )


_TAIL = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?![\u4e00-\u9fff])|(?: (?!(?:so|but|and|because|please|can|could|"
    r"will|would|if|which|when|then)\b)[\w'-]+){0,4}"
)
_QUESTION = re.compile(
    r"[?？]|[吗么呢]\Z|\b(?:how|what|which|when|where|does|do you|are there)\b", re.I
)
# "opposite the synagogue" tells the way.
_BESIDE = re.compile(
    r"\b(?:opposite|next(?: to)?|beside|behind|across(?: from)?|near(?: to)?|"
    r"(?:doors?|road|street) "
    r"(?:down|up)(?: from)?|past|round the corner(?: from)?)(?: the| an?| that| your)?(?: \w+)?"
    r"\s*\Z",
    re.IGNORECASE,
)
_ONE = re.compile(r"one (?:arm|leg|eye|hand)\b", re.IGNORECASE)
_FEAST = re.compile(lexicon.FEASTS, re.IGNORECASE)
_DATED_BY = re.compile(lexicon.DATED_BY, re.IGNORECASE)
_DATED_ZH = re.compile(lexicon.DATED_ZH)
_LEAD = 32  # characters of an English clause before a trigger that belong to what it discloses
_LEAD_ZH = 8
_NAMED = 0.7


def find_topics(text: str) -> list[Hit]:
    """Find what may disclose health, special categories or a child; hits may overlap.

    A hit below ``STRONG`` is a mention whose surroundings speak against it.
    """
    hits: list[Hit] = []
    for start, end in sentence_spans(text):
        for begin in range(start, end, _LONGEST):
            piece = text[begin : min(end, begin + _LONGEST)]
            found = [Hit(begin + h.start, begin + h.end, *h[2:]) for h in _sentence(piece)]
            hits += [_of_an_animal(hit, text) for hit in found]
    return hits


def _of_an_animal(hit: Hit, text: str) -> Hit:
    """Doubt an age whose "she" is the dog of the sentence before."""
    if hit.rule != "child" or not SOMEBODY.match(text, hit.start):
        return hit
    find, before = _patterns(), text[max(0, hit.start - _LONGEST) : hit.start]
    animal = find.animal.search(before) or find.aged.search(before)
    return hit._replace(confidence=0.3) if animal and not find.kids.search(before) else hit


def _of_a_sender(said: str, sentence: str, find: _Patterns) -> bool:
    """Tell a school that writes itself, or that a parcel goes to, from the school of a child."""
    return SCHOOL_ALONE.fullmatch(said) is not None and not find.kids.search(sentence)


def signals(
    text: str, clauses: Sequence[tuple[int, int]], hits: Sequence[Hit]
) -> list[list[float]]:
    """Tell what the rules found in each clause, and what stands around it: one number a signal.

    Parameters
    ----------
    text : str
        The normal form of a message.
    clauses : sequence of (int, int)
        Clauses of it, in characters.
    hits : sequence of Hit
        What :func:`find_topics` found in the whole of it.
    """
    find, message = _patterns(), text[:_LONGEST]
    around = {
        "person": find.person, "figure": find.figure, "animal": find.animal,
        "general": find.general, "place": find.place, "thing": find.thing,
        "question": _QUESTION,
    }  # fmt: skip
    short = len(text) <= _LONGEST
    whole = {name: around[name].search(message) is not None for name in _SURROUNDINGS}
    # What occurs nowhere in a message occurs in none of its clauses: most of it is asked once.
    asked = [name for name in _SURROUNDINGS if whole[name] or not short or name in _AT_AN_END]
    hints = [
        (name, pattern)
        for script, name, pattern in find.hints
        if script.search(text) and (not short or pattern.search(text))
    ]
    blank = dict.fromkeys(SIGNALS, 0.0)
    for name in ("person", "figure", "animal", "general"):
        blank[f"message {name}"] = float(whole[name])
    found = []
    for start, end in clauses:
        said, piece = dict(blank), text[start:end]
        for hit in hits:
            if hit.start < end and start < hit.end:
                how = "doubted" if hit.confidence < STRONG else "bare"
                name = f"{hit.rule} {'of a person' if hit.confidence > STRONG else how}"
                said |= {name: 1.0} if name in said else {}
        said |= {name: float(around[name].search(piece) is not None) for name in asked}
        for name, pattern in hints:
            said[name] = said[name] or float(pattern.search(piece) is not None)
        found.append(list(said.values()))
    return found


def _sentence(sentence: str) -> Iterator[Hit]:
    find = _patterns()
    triggers = [
        (category, rule, match)
        for script, category, rule, pattern in find.triggers
        if script.search(sentence)
        for match in pattern.finditer(sentence)
    ]
    children = [
        match
        for script, pattern in find.child
        if script.search(sentence)
        for match in pattern.finditer(sentence)
    ]
    if not triggers and not children:
        return
    clauses = clause_spans(sentence)
    person = find.person.search(sentence) is not None
    general = find.general.search(sentence) is not None
    for category, rule, match in triggers:
        start, stop = _clause_of(clauses, match)
        confidence = 0.8 if find.person.search(sentence[start:stop]) else 0.7 if person else STRONG
        against = (general and confidence < 0.8) or _speaks_against(
            category, sentence, (start, stop), match
        )
        if rule == "named":  # a dictionary knows no people
            confidence = min(confidence, _NAMED)
        span = _widen(sentence, start, stop, match)
        yield Hit(*span, category, rule, 0.3 if against else confidence)
    for match in children:
        yield _child(sentence, clauses, match, general)


def _speaks_against(
    category: str, sentence: str, clause: tuple[int, int], match: re.Match[str]
) -> bool:
    """Tell whether what stands around a trigger takes it away from people."""
    find, (start, stop) = _patterns(), clause
    if find.figure.search(sentence[start:stop]) or find.animal.search(sentence[start:stop]):
        return True
    if category == "health":
        before = sentence[start : match.start()]
        if find.thing_before.search(before) or find.beast.search(before):
            return True
        # "my hearing aid's battery" is somebody's all the same.
        part = find.part.match(sentence, match.end())
        if part and not find.person.search(sentence[start:stop]):
            return True
        # "one leg's shorter": of stilts, trousers, a table, unless somebody is spoken of.
        return _ONE.match(match[0]) is not None and not find.person.search(sentence)
    if category != "special":
        return False
    beside = _BESIDE.search(sentence, start, match.start())
    return bool(
        beside
        or find.place.match(sentence, match.end())
        or (
            (_is_a_date(sentence, match) or find.worn.match(sentence, match.end()))
            and not find.person.search(sentence[start:stop])
        )
    )


def _is_a_date(sentence: str, match: re.Match[str]) -> bool:
    """Tell a feast that only says when: "do you deliver before Diwali"."""
    if _DATED_ZH.match(sentence, match.start()):
        return True
    before = sentence[max(0, match.start() - 24) : match.start()]
    return _FEAST.fullmatch(match[0]) is not None and _DATED_BY.search(before) is not None


def _child(
    sentence: str, clauses: list[tuple[int, int]], match: re.Match[str], general: bool
) -> Hit:
    """Weigh what may show a child by what stands around it."""
    find = _patterns()
    first, last = _clause_of(clauses, match)
    nearby = sentence[max(first, match.start() - 24) : min(last, match.end() + 16)]
    animal = find.animal.search(nearby) or find.aged.search(nearby)
    against = general or animal or _of_a_sender(match[0], sentence, find)
    confidence = 0.3 if against else 0.75 if find.person.search(sentence) else STRONG
    age = match.start() + len(match[0].partition(" and ")[0])
    if ADULT_AFTER.match(sentence, age) or ADULT_BEFORE.search(
        sentence, max(0, match.start() - 24), match.start()
    ):
        confidence = RULED_OUT
    start, end = _widen(sentence, first, last, match)
    named = NAME_BEFORE_AGE.search(sentence, 0, start) if match[0][:1] in AGES else None
    return Hit(named.start("name") if named else start, end, "minor", "child", confidence)


def _clause_of(clauses: list[tuple[int, int]], match: re.Match[str]) -> tuple[int, int]:
    for start, end in clauses:
        if start <= match.start() < end:
            return start, max(end, match.end())
    return match.span()


def _widen(sentence: str, begin: int, stop: int, match: re.Match[str]) -> tuple[int, int]:
    """Take in what leads up to a trigger in its clause and the few words that complete it."""
    chinese = "\u4e00" <= sentence[match.start()] <= "\u9fff"
    left = sentence[begin : match.start()]
    start = match.start() - len(left.lstrip())
    if len(left) > (_LEAD_ZH if chinese else _LEAD):
        subjects = list(_patterns().subject.finditer(left, max(0, len(left) - 24)))
        start = begin + subjects[-1].start() if subjects else match.start()
    tail = _TAIL.match(sentence, match.end(), stop)
    return start, tail.end() if tail else match.end()

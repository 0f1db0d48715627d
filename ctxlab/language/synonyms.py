"""Words that mean the same in a note: rents, hires and 租用 are one, on and off are opposed (R94).

An embedding puts "rear" as near to "front" as to "back". What people exchange for one another when
they tell the same thing twice is a matter of usage, so it is listed: ``synonyms.txt`` has a line a
meaning, in both languages; the opposite follows after a slash. A word may have several meanings.
What has a ``~`` before it is a kind of what the line means: a poodle is a dog and so is a collie,
but a poodle is no collie.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ctxlab.language.terms import index_term
from ctxlab.language.text import is_cjk, stem

__all__ = ["MOST_WORDS", "Bridge", "Vocabulary", "Word", "bridge", "words_in"]

_TOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*|[\u3400-\u9fff]+|\d+(?:\.\d+)?")
_EN_STOP = frozenset(
    (
        "the a an is are was were be been to of in on at for from by with and or it its that this "
        "these those he she they we you i my his her their our your me him them us as customer "
        "client so do does did has have had will would can could should may there here not no any "
        "just only please then than s t m ve d ll re"
    ).split()
)
_ZH_STOP = re.compile("客户|[的了在是我他她它您你这那有个就也都和跟与把被给让吧呢啊呀嘛着过又才很]")
_WHOLE = 2  # characters of an unknown Chinese run that are taken for one word
MOST_WORDS = 40  # of a note are read


class Word(NamedTuple):
    """A word of a note: its form there, what its forms have in common, its meanings and kinds."""

    form: str
    key: str
    meanings: frozenset[int] = frozenset()
    kinds: frozenset[int] = frozenset()


class Vocabulary:
    """The words of a note with where their keys and meanings stand among them.

    Parameters
    ----------
    words : sequence of Word
        As `words_in` gives them.
    """

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.forms = [word.form for word in words]
        self.keys = {word.key: place for place, word in enumerate(words)}
        self.meanings: dict[int, list[int]] = {}
        self.kinds: dict[int, list[int]] = {}
        for place, word in enumerate(words):
            for meaning in word.meanings:
                self.meanings.setdefault(meaning, []).append(place)
            for kind in word.kinds:
                self.kinds.setdefault(kind, []).append(place)

    def like(self, word: Word) -> Iterator[int]:
        """Yield where words stand that are the same, mean the same, or are a kind of it."""
        if word.key in self.keys:
            yield self.keys[word.key]
        for meaning in word.meanings:
            yield from self.meanings.get(meaning, ())
            yield from self.kinds.get(meaning, ())
        for kind in word.kinds:
            yield from self.meanings.get(kind, ())


_Entry = tuple[frozenset[int], frozenset[int]]  # meanings, kinds


@dataclass(frozen=True)
class _Lexicon:
    english: dict[tuple[str, ...], _Entry]
    chinese: dict[str, _Entry]
    opposite: dict[int, frozenset[int]]
    longest: tuple[int, int]  # words of an English entry, characters of a Chinese one


@cache
def _lexicon() -> _Lexicon:
    meanings: tuple[dict[Any, set[int]], dict[Any, set[int]]] = ({}, {})
    opposite: dict[int, frozenset[int]] = {}
    text = Path(__file__).with_name("synonyms.txt").read_text("utf-8")
    number = 0
    for line in text.splitlines():
        sides = line.split(" / ")
        ids = range(number, number + len(sides))
        number += len(sides)
        for meaning, forms in zip(ids, sides, strict=True):
            opposite[meaning] = frozenset(ids) - {meaning}
            for form in forms.split(","):
                bare = form.removeprefix("~")
                key = tuple(map(_base, _TOKEN.findall(bare))) if bare.isascii() else bare
                meanings[bare != form].setdefault(key, set()).add(meaning)
    found = {
        key: (frozenset(meanings[0].get(key, ())), frozenset(meanings[1].get(key, ())))
        for key in meanings[0] | meanings[1]
    }
    english = {key: entry for key, entry in found.items() if isinstance(key, tuple)}
    chinese = {key: entry for key, entry in found.items() if isinstance(key, str)}
    longest = max(map(len, english)), max(map(len, chinese))
    return _Lexicon(english, chinese, opposite, longest)


def _base(word: str) -> str:
    return index_term(stem(word))


def words_in(plain: str) -> tuple[Word, ...]:
    """Cut an everyday form into words worth comparing, each once; numbers are left to slots.

    Examples
    --------
    >>> [word.form for word in words_in("she gave up smoking, 要退订套餐")]
    ['gave up smoking', '要', '退订', '套餐']
    """
    found: list[Word] = []
    tokens = _TOKEN.findall(plain)
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if is_cjk(token[0]):
            found += _chinese(token)
            place += 1
        else:
            taken, word = _english(tokens, place)
            place += taken
            found += word
    return tuple(dict.fromkeys(found))[:MOST_WORDS]


def _english(tokens: list[str], place: int) -> tuple[int, list[Word]]:
    """Read the longest entry that begins here, else one word."""
    lexicon = _lexicon()
    keys = [_base(token) for token in tokens[place : place + lexicon.longest[0]]]
    for length in range(len(keys), 0, -1):
        if entry := lexicon.english.get(tuple(keys[:length])):
            form = " ".join(tokens[place : place + length])
            return length, [Word(form, " ".join(keys[:length]), *entry)]
    bare = tokens[place].split("'")[0]
    if bare in _EN_STOP or bare[0].isdigit():
        return 1, []
    return 1, [Word(bare, _base(bare))]


def _chinese(run: str) -> Iterator[Word]:
    """Cut a run of characters, the longest entry first; what is between is taken as it is."""
    lexicon = _lexicon()
    place = begin = 0
    while place < len(run):
        for length in range(min(lexicon.longest[1], len(run) - place), 0, -1):
            form = run[place : place + length]
            if entry := lexicon.chinese.get(form):
                yield from _unknown(run[begin:place])
                yield Word(form, form, *entry)
                place = begin = place + length
                break
        else:
            place += 1
    yield from _unknown(run[begin:])


def _unknown(run: str) -> Iterator[Word]:
    for piece in filter(None, _ZH_STOP.split(run)):
        short = len(piece) <= _WHOLE
        parts = [piece] if short else [piece[i : i + 2] for i in range(len(piece) - 1)]
        yield from (Word(part, part) for part in parts)


@dataclass(frozen=True)
class Bridge:
    """What two notes have in common when words that mean the same count as one.

    Attributes
    ----------
    lost, fresh : tuple of Word
        Words of the old and of the new note that the other has in no form.
    crossed : tuple of str
        Forms of either note that the other has in another form.
    opposed : tuple of str
        Forms of lost and fresh words that mean the opposite of each other.
    features : dict of str to float
        Inputs of the head.
    """

    lost: tuple[Word, ...]
    fresh: tuple[Word, ...]
    crossed: tuple[str, ...]
    opposed: tuple[str, ...]
    features: dict[str, float]


def bridge(old: Vocabulary, new: Vocabulary, texts: tuple[str, str]) -> Bridge:
    """Compare the words of two notes by what they mean.

    Parameters
    ----------
    old, new : Vocabulary
        Their words.
    texts : (str, str)
        The everyday forms, in which an unknown Chinese word may stand inside a longer one.

    Examples
    --------
    >>> notes = "hires the van by the day", "rents a red lorry daily"
    >>> found = bridge(*[Vocabulary(words_in(note)) for note in notes], notes)
    >>> [word.form for word in found.lost], [word.form for word in found.fresh]
    ([], ['red'])
    """
    crossed_old, lost = _cover(old, new, texts[1])
    crossed_new, fresh = _cover(new, old, texts[0])
    opposed = tuple(dict.fromkeys(_opposed(lost, fresh)))
    log = math.log1p
    a = 1 - len(lost) / max(1, len(old.words))
    b = 1 - len(fresh) / max(1, len(new.words))
    features = {
        "same:old": a, "same:new": b, "same:least": min(a, b), "same:both": a * b,
        "same:lost": log(len(lost)), "same:fresh": log(len(fresh)),
        "same:none lost": float(not lost), "same:none fresh": float(not fresh),
        "same:strange": log(min(len(lost), len(fresh))),
        "same:crossed old": log(len(crossed_old)), "same:crossed new": log(len(crossed_new)),
        "same:known lost": log(sum(bool(word.meanings) for word in lost)),
        "same:known fresh": log(sum(bool(word.meanings) for word in fresh)),
        "same:opposed": float(bool(opposed)),
    }  # fmt: skip
    crossed = (*crossed_old, *crossed_new)
    return Bridge(tuple(lost), tuple(fresh), crossed, opposed, features)


def _opposed(lost: Sequence[Word], fresh: Sequence[Word]) -> Iterator[str]:
    opposite = _lexicon().opposite
    for word in lost:
        against = frozenset().union(*(opposite[meaning] for meaning in word.meanings))
        for other in fresh if against else ():
            if other.meanings & against:
                yield from (word.form, other.form)


def _cover(note: Vocabulary, other: Vocabulary, text: str) -> tuple[list[str], list[Word]]:
    """Part words into forms that the other note has otherwise, and what it hasn't at all."""
    crossed, lost = [], []
    for word in note.words:
        inside = len(word.key) > 1 and not word.key.isascii() and word.key in text
        if inside or word.key in other.keys:
            continue
        if next(other.like(word), None) is not None:
            crossed.append(word.form)
        else:
            lost.append(word)
    return crossed, lost

"""How near two notes lie: by their words, in order and out of it, and by their meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ctxlab.language.synonyms import Bridge, Vocabulary, Word, bridge
from ctxlab.language.text import is_cjk, stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.language.sides import Side
    from ctxlab.models.embedding import Embedder

__all__ = [
    "SHORT_FORMS", "STOP_WORDS", "Vectors", "Wording", "content", "in_order", "meaning",
    "one_number", "read_wording",
]  # fmt: skip

_FUNCTION_WORDS = (
    "the a an is are was were be been to of in on at for from by with and or it its that this "
    "these those he she they we you i my his her their our your me him them us as customer client "
    "so do does did has have had will would can could should may there here not no any just only "
    "please then than s t m ve d ll re"
)
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_ZH_STOP = re.compile(
    "客户|[的了在是我他她它们您你这那有个就也都和跟与把被给让吧呢啊呀嘛着过又才很]"
)
_SAME = 0.999  # cosine of a word with itself
_ALIGNED = 300  # words read by the alignment, whose cost grows with their square
SHORT_FORMS = {
    "rd": "road", "st": "street", "dr": "drive", "ste": "suite", "ave": "avenue", "ln": "lane",
    "la": "lane", "blk": "block", "apt": "flat", "apartment": "flat", "blvd": "boulevard",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]+|\d+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|\d+(?:\.\d+)?")


def content(text: str) -> list[str]:
    """List words worth comparing: English stems, Chinese character bigrams, numbers."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if is_cjk(word[0]):
            for piece in filter(None, _ZH_STOP.split(word)):
                found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        elif (bare := word.split("'")[0]) not in STOP_WORDS:
            found.append(stem(SHORT_FORMS.get(bare, bare)))
    return found


def one_number(text: str) -> str:
    """Write every number as 0: slots compare numbers exactly, and meaning is of words.

    So two notes that differ in a number alone are embedded once.

    Examples
    --------
    >>> one_number("2.5 kg for order a1029")
    '0 kg for order a0'
    """
    return _NUMBER.sub("0", text)


@dataclass(frozen=True)
class Wording:
    """Two notes by their words.

    Attributes
    ----------
    old, new : Side
        The notes.
    features : dict of str to float
        What recurs, and what an alignment leaves over.
    rest : (str, str)
        What neither repeats of the other, without function words.
    bridge : Bridge
        What they share when words that mean the same are one.
    """

    old: Side
    new: Side
    features: dict[str, float]
    rest: tuple[str, str]
    bridge: Bridge

    def to_embed(self) -> Iterator[str]:
        """Yield the texts whose vectors `meaning` asks for."""
        yield from map(one_number, self.rest)
        for side in (self.old, self.new):
            yield from (side.meant, *side.clauses, *side.words.forms)


def read_wording(old: Side, new: Side, levelled: tuple[str, str]) -> Wording:
    """Compare the words of two notes.

    Parameters
    ----------
    old, new : Side
        The notes.
    levelled : (str, str)
        Their everyday forms, with one word for what agrees by value.
    """
    same = levelled == (old.plain, new.plain)
    bags = (old.content, new.content) if same else (content(levelled[0]), content(levelled[1]))
    rows = (old.in_order, new.in_order) if same else (in_order(levelled[0]), in_order(levelled[1]))
    match = SequenceMatcher(None, *rows, autojunk=False)
    found = bridge(old.words, new.words, (old.plain, new.plain))
    own = _tokens(found.lost), _tokens(found.fresh)
    features = _shared(*bags) | _aligned(*rows, match, own) | found.features
    return Wording(old, new, features, _rest(*rows, match), found)


def _shared(a: list[str], b: list[str]) -> dict[str, float]:
    """Tell how many words recur, wherever they stand."""
    log = math.log1p
    once_a, once_b = set(a), set(b)
    both = once_a & once_b
    return {
        "word:old in new": len(both) / max(1, len(once_a)),
        "word:new in old": len(both) / max(1, len(once_b)),
        "word:both": log(len(both)),
        "word:old only": log(len(once_a - both)),
        "word:new only": log(len(once_b - both)),
        "word:text old in new": _share(a, both), "word:text new in old": _share(b, both),
        "word:first kept": float(bool(a) and a[0] in both),
        "word:last kept": float(bool(a) and a[-1] in both),
        "word:first moved": _moved(a, b, both) + _moved(b, a, both),
    }  # fmt: skip


def _moved(words: list[str], other: list[str], both: set[str]) -> float:
    """Tell how far into the other note stands what a note begins with: who did it, or to whom."""
    return other.index(words[0]) / len(other) if words and words[0] in both else 0.0


def _tokens(words: Iterable[Word]) -> set[str]:
    return {token for word in words for token in _TOKEN.findall(word.form)}


def _aligned(
    old: list[str], new: list[str], match: SequenceMatcher[str], own: tuple[set[str], set[str]]
) -> dict[str, float]:
    """Tell what an alignment keeps in place, exchanges, inserts and leaves out."""
    log = math.log1p
    edits = {"replace": [0, 0, 0], "insert": [0, 0, 0], "delete": [0, 0, 0], "equal": [0, 0, 0]}
    for kind, i, j, k, m in match.get_opcodes():
        edit = edits[kind]
        edit[0] += 1
        edit[1] += j - i
        edit[2] += m - k
    swaps, swapped_old, swapped_new = edits["replace"]
    ratio = match.ratio()
    # One part exchanged in a sentence that else stays: another thing, not another wording.
    parallel = swaps == 1 and ratio > 0.5 and abs(swapped_old - swapped_new) <= 2
    parts = list(_swapped(old, new, match)) if parallel else []
    parallel = any(given and taken and not given | taken <= _INTRODUCES for given, taken in parts)
    # A word for another of the same meaning may be an exchange, and one of one's own is.
    strange = parallel and any(_own(*part, own) for part in parts)
    return {
        "word:ratio": ratio, "word:parallel": float(parallel),
        "word:parallel ratio": ratio * parallel, "word:exchanged": ratio * strange,
        "word:swaps": log(swaps), "word:swapped old": log(swapped_old),
        "word:swapped new": log(swapped_new),
        "word:inserted": log(edits["insert"][2]), "word:deleted": log(edits["delete"][1]),
        "word:longer": math.log((len(new) + 1) / (len(old) + 1)),
        "word:length": log(len(old)),
        "word:prefix": float(old[:2] == new[:2]),
        "word:suffix": float(old[-2:] == new[-2:]),
        "word:turned round": float(_turned_round(old, new)),
    }  # fmt: skip


_EITHER_WAY = frozenset(
    "and or with plus vs meets met married is are was were = 和 跟 与 同 或 及 是 为".split()
)


_WHOM = {"him": "he", "them": "they", "me": "i", "us": "we"}  # who owes whom


def _turned_round(old: list[str], new: list[str]) -> bool:
    """Tell whether two parts changed places around what stands between: who did what to whom."""
    old, new = ([_WHOM.get(word, word) for word in words] for words in (old, new))
    if old == new or sorted(old) != sorted(new):
        return False
    first = next(i for i, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])
    last = next(i for i in range(1, len(old)) if old[-i] != new[-i])
    a, b = old[first : len(old) - last + 1], new[first : len(new) - last + 1]
    for cut in range(1, len(a) - 1):
        for end in range(cut + 1, len(a)):
            between = a[cut:end]
            if b == a[end:] + between + a[:cut]:
                return not _EITHER_WAY.issuperset(between)
    return False


_INTRODUCES = frozenset("地 址 家 住 位 于 处 address lives live living resides home".split())


def _swapped(
    old: list[str], new: list[str], match: SequenceMatcher[str]
) -> Iterator[tuple[set[str], set[str]]]:
    """Give the words of its own that either side gives up: "his" for "the" is no exchange.

    Nor is one way to introduce an address for another: 家住 and 地址.
    """
    for kind, i, j, k, m in match.get_opcodes():
        if kind == "replace":
            given, taken = set(old[i:j]) - set(new), set(new[k:m]) - set(old)
            yield given - STOP_WORDS, taken - STOP_WORDS


def _own(given: set[str], taken: set[str], own: tuple[set[str], set[str]]) -> bool:
    """Tell whether words exchanged are more than two ways to say it: "leaks", "is leaking"."""
    return all(
        any(word in words or word[0].isdigit() or word.endswith("'s") for word in side)
        for side, words in zip((given, taken), own, strict=True)
    )


def _share(words: list[str], both: set[str]) -> float:
    """Tell how much recurs when numbers don't count: 25 a day for meals, 25 a day for fares."""
    bare = {word for word in words if not word[0].isdigit()}
    return len(bare & both) / max(1, len(bare))


def in_order(text: str) -> list[str]:
    """List the words in order, Chinese by character."""
    return [SHORT_FORMS.get(word, word) for word in _TOKEN.findall(text)[:_ALIGNED]]


class Vectors:
    """Vectors of texts by the text, made in one batch; each text goes to the model once."""

    def __init__(self, embedder: Embedder, texts: Iterable[str]) -> None:
        self._row = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._vectors = embedder.encode(list(self._row))

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32 (texts, dimension)."""
        return self._vectors[[self._row[text] for text in texts]]


def meaning(words: Wording, vectors: Vectors) -> tuple[dict[str, float], NDArray[np.float32]]:
    """Compare meanings: of the whole, of clauses, and of the words that the other side lacks."""
    import numpy as np

    old, new = words.old, words.new
    a, b, rest_old, rest_new = vectors([old.meant, new.meant, *map(one_number, words.rest)])
    clauses_old, clauses_new = vectors(old.clauses), vectors(new.clauses)
    clauses = clauses_old @ clauses_new.T
    found = {
        "mean:cos": float(a @ b), "mean:old clause": float((clauses_old @ b).max()),
        "mean:new clause": float((clauses_new @ a).max()),
        "mean:new clause min": float((clauses_new @ a).min()),
        "mean:clause pair": float(clauses.max()),
        "mean:old covered": float(clauses.max(axis=1).min()),
        "mean:new covered": float(clauses.max(axis=0).min()),
    }  # fmt: skip
    # What one side doesn't repeat, against the whole and the rest of the other.
    whole = [float(not part) for part in words.rest]  # nothing left over is fully covered
    found |= {
        "rest:old": float(rest_old @ b) + whole[0], "rest:new": float(rest_new @ a) + whole[1],
        "rest:cos": float(rest_old @ rest_new) + max(whole),
        "rest:none": float(whole[0] and whole[1]),
    }  # fmt: skip
    found |= _soft(old.words, new.words, vectors)
    return found, np.concatenate([a * b, np.abs(a - b), b])


def _rest(a: list[str], b: list[str], match: SequenceMatcher[str]) -> tuple[str, str]:
    left: tuple[list[str], list[str]] = ([], [])
    for kind, i, j, k, m in match.get_opcodes():
        if kind != "equal":
            left[0].extend(a[i:j])
            left[1].extend(b[k:m])
    old_rest, new_rest = (
        "".join(w if is_cjk(w[0]) else f" {w} " for w in words if w not in STOP_WORDS).strip()
        for words in left
    )
    return old_rest, new_rest


def _soft(old: Vocabulary, new: Vocabulary, vectors: Vectors) -> dict[str, float]:
    """Match words by meaning, so that "phone" covers "call"."""
    import numpy as np

    if old.words and new.words:
        cosines = vectors(old.forms) @ vectors(new.forms).T
        for i, word in enumerate(old.words):
            for j in new.like(word):
                cosines[i, j] = 1
    else:
        cosines = np.zeros((1, 1), np.float32)
    best_old, best_new = cosines.max(axis=1), cosines.max(axis=0)
    rest_old, rest_new = best_old < _SAME, best_new < _SAME
    rest = cosines[rest_old][:, rest_new]
    if not rest.size:
        rest = np.zeros((1, 1), np.float32)
    means = float(best_old.sum()) / len(best_old), float(best_new.sum()) / len(best_new)
    return {
        "soft:old mean": means[0], "soft:old min": float(best_old.min()),
        "soft:new mean": means[1], "soft:new min": float(best_new.min()),
        "soft:old lost": math.log1p(float((best_old < 0.5).sum())),
        "soft:new fresh": math.log1p(float((best_new < 0.5).sum())),
        "soft:rest": float(rest.max()), "soft:rest old": float(rest.max(axis=1).min()),
    }  # fmt: skip

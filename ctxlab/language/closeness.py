"""How near two notes lie: by their words, in order and out of it, and by their meaning."""

from __future__ import annotations

import math
import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from ctxlab.language.text import clause_spans, is_cjk, stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.models.embedding import Embedder

__all__ = ["SHORT_FORMS", "STOP_WORDS", "meaning", "wording"]

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
_ALIGNED = 300  # words read by the alignment, whose cost grows with their square
SHORT_FORMS = {
    "rd": "road", "st": "street", "dr": "drive", "ste": "suite", "ave": "avenue", "ln": "lane",
    "la": "lane", "blk": "block", "apt": "flat", "apartment": "flat", "blvd": "boulevard",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]+|\d+(?:\.\d+)?")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|\d+(?:\.\d+)?")


def _content(text: str) -> list[str]:
    """List words worth comparing: English stems, Chinese character bigrams, numbers."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if is_cjk(word[0]):
            for piece in filter(None, _ZH_STOP.split(word)):
                found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        elif (bare := word.split("'")[0]) not in STOP_WORDS:
            found.append(stem(SHORT_FORMS.get(bare, bare)))
    return found


def wording(old: str, new: str) -> dict[str, float]:
    """Compare the words of two normalised texts: what recurs, and what an alignment leaves over."""
    log = math.log1p
    a, b = _content(old), _content(new)
    both = set(a) & set(b)
    found = {
        "word:old in new": len(both) / max(1, len(set(a))),
        "word:new in old": len(both) / max(1, len(set(b))),
        "word:both": log(len(both)),
        "word:old only": log(len(set(a) - both)),
        "word:new only": log(len(set(b) - both)),
        "word:text old in new": _share(a, both), "word:text new in old": _share(b, both),
        "word:first kept": float(bool(a) and a[0] in both),
        "word:last kept": float(bool(a) and a[-1] in both),
    }  # fmt: skip
    words_old, words_new = _sequence(old), _sequence(new)
    match = SequenceMatcher(None, words_old, words_new, autojunk=False)
    edits = {"replace": [0, 0, 0], "insert": [0, 0, 0], "delete": [0, 0, 0], "equal": [0, 0, 0]}
    for kind, i, j, k, m in match.get_opcodes():
        edits[kind] = [x + y for x, y in zip(edits[kind], (1, j - i, m - k), strict=True)]
    swaps, swapped_old, swapped_new = edits["replace"]
    # One part exchanged in a sentence that else stays: another thing, not another wording.
    parallel = swaps == 1 and match.ratio() > 0.5 and abs(swapped_old - swapped_new) <= 2
    return found | {
        "word:ratio": match.ratio(), "word:parallel": float(parallel),
        "word:parallel ratio": match.ratio() * parallel,
        "word:swaps": log(swaps), "word:swapped old": log(swapped_old),
        "word:swapped new": log(swapped_new),
        "word:inserted": log(edits["insert"][2]), "word:deleted": log(edits["delete"][1]),
        "word:longer": math.log((len(words_new) + 1) / (len(words_old) + 1)),
        "word:length": log(len(words_old)),
        "word:prefix": float(words_old[:2] == words_new[:2]),
        "word:suffix": float(words_old[-2:] == words_new[-2:]),
    }  # fmt: skip


def _share(words: list[str], both: set[str]) -> float:
    """Tell how much recurs when numbers don't count: 25 a day for meals, 25 a day for fares."""
    bare = {word for word in words if not word[0].isdigit()}
    return len(bare & both) / max(1, len(bare))


def _sequence(text: str) -> list[str]:
    """List the words in order, Chinese by character."""
    return [SHORT_FORMS.get(word, word) for word in _TOKEN.findall(text)[:_ALIGNED]]


def meaning(
    old: str, new: str, levelled: tuple[str, str], embedder: Embedder
) -> tuple[dict[str, float], NDArray[np.float32]]:
    """Compare meanings: of the whole, of clauses, and of the words that the other side lacks."""
    import numpy as np

    parts = [_clauses(old), _clauses(new), _distinct(old), _distinct(new)]
    no_digits = [re.sub(r"\d+", "", text) for text in (old, new)]
    rest = _rest(*levelled)
    flat = [old, new, *no_digits, *rest, *(text for part in parts for text in part)]
    vectors = embedder.encode(flat)
    ends = np.cumsum([6, *map(len, parts)])
    a, b = vectors[0], vectors[1]
    clauses_old, clauses_new, words_old, words_new = (
        vectors[start:end] for start, end in pairwise(ends)
    )
    clauses = clauses_old @ clauses_new.T
    found = {
        "mean:cos": float(a @ b), "mean:cos no digits": float(vectors[2] @ vectors[3]),
        "mean:old clause": float((clauses_old @ b).max()),
        "mean:new clause": float((clauses_new @ a).max()),
        "mean:new clause min": float((clauses_new @ a).min()),
        "mean:clause pair": float(clauses.max()),
        "mean:old covered": float(clauses.max(axis=1).min()),
        "mean:new covered": float(clauses.max(axis=0).min()),
    }  # fmt: skip
    # What one side doesn't repeat, against the whole and the rest of the other.
    whole = [float(not part) for part in rest]  # nothing left over is fully covered
    found |= {
        "rest:old": float(vectors[4] @ b) + whole[0], "rest:new": float(vectors[5] @ a) + whole[1],
        "rest:cos": float(vectors[4] @ vectors[5]) + max(whole),
        "rest:none": float(whole[0] and whole[1]),
    }  # fmt: skip
    found |= _soft(parts[2], parts[3], words_old @ words_new.T)
    return found, np.concatenate([a * b, np.abs(a - b), b])


def _rest(old: str, new: str) -> tuple[str, str]:
    a, b = _sequence(old), _sequence(new)
    left: tuple[list[str], list[str]] = ([], [])
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind != "equal":
            left[0].extend(a[i:j])
            left[1].extend(b[k:m])
    old_rest, new_rest = (
        "".join(w if is_cjk(w[0]) else f" {w} " for w in words if w not in STOP_WORDS).strip()
        for words in left
    )
    return old_rest, new_rest


def _soft(old: list[str], new: list[str], cosines: NDArray[np.float32]) -> dict[str, float]:
    """Match words by meaning, so that "phone" covers "call"."""
    import numpy as np

    if not cosines.size:
        cosines = np.zeros((1, 1), np.float32)
    best_old, best_new = cosines.max(axis=1), cosines.max(axis=0)
    rest_old = [i for i, word in enumerate(old) if word not in new]
    rest_new = [i for i, word in enumerate(new) if word not in old]
    rest = cosines[np.ix_(rest_old, rest_new)] if rest_old and rest_new else np.zeros((1, 1))
    return {
        "soft:old mean": float(best_old.mean()), "soft:old min": float(best_old.min()),
        "soft:new mean": float(best_new.mean()), "soft:new min": float(best_new.min()),
        "soft:old lost": math.log1p(float((best_old < 0.5).sum())),
        "soft:new fresh": math.log1p(float((best_new < 0.5).sum())),
        "soft:rest": float(rest.max()), "soft:rest old": float(rest.max(axis=1).min()),
    }  # fmt: skip


def _clauses(text: str) -> list[str]:
    return [text[start:end] for start, end in clause_spans(text)][:6] or [text]


def _distinct(text: str) -> list[str]:
    return list(dict.fromkeys(_content(text)))[:40]

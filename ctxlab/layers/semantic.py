"""Layer three: an entity's live memories, ranked by meaning and by words (R40 to R44).

Filters come before ranking: no limit of k is ever spent on a record that may not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..types import Hit, Record
from .nearest import Nearest
from .shelf import Readable, Shelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .glimpse import Glimpse

__all__ = ["Query", "compare", "rank", "relevance"]

_FIRST = 64  # rows asked of an index to begin with
_WIDER = 4  # factor, when a row that wasn't among them could still be better
_SORTED = 256  # scores that are sorted as quickly as the best of them are picked
_EXACT = 1 - 1e-9  # what dividing and multiplying may be off by
_SCAN = 8  # beyond one row in so many, comparing all is as quick

# Fitted on support checks (zh, en) and LongMemEval questions over 50 records each. Words shared
# close part of the gap that meaning leaves; with none shared, relevance is the cosine, so that an
# embedder's own minimum keeps its meaning. Recall@5 on the English questions: cosine 0.93, BM25
# 0.87, per-query standardised sum 0.95, this 0.96; unlike that sum it is defined for one record.
_STEEP = 3.0
_WORDS = 0.4
# Of LongMemEval's 68 pairs of an old statement and the one that changes it, the newer comes first
# in 45 without this, in 51, 54 and 57 if it may have 0.9, 0.8 or 0.7 of the older one's relevance.
_NEAR = 0.8
_ALIKE = 0.5
KEYWORD_MIN = 0.3
"""Minimum score of keyword search: about an eighth of the question's words, weighed by rarity."""


def relevance(cosine: Any, cover: Any) -> Any:
    """Return calibrated relevance in [0, 1] from a cosine and the share of words held.

    Parameters
    ----------
    cosine : float or array, optional
        None: by words alone.
    cover : float or array, optional
        None: by meaning alone.

    Examples
    --------
    >>> float(relevance(0.4, 0.0)), round(float(relevance(0.4, 0.5)), 2)
    (0.4, 0.59)
    """
    import numpy as np

    if cosine is not None:  # not by `clip`, which takes as long as fifty rows' cosines
        cosine = np.minimum(np.maximum(cosine, 0.0), 1.0)
    if cover is None:
        return cosine
    words = 1 - np.exp(-_STEEP * np.asarray(cover, dtype=float))
    if cosine is None:
        return words
    return 1 - (1 - cosine) * (1 - _WORDS * words)


@dataclass(slots=True)  # not frozen, which would double the time to make one
class Query:
    """A question to one entity's memories.

    Attributes
    ----------
    text : str, optional
        For keywords.
    vector : ndarray, optional
        Unit vector, for meaning.
    mode : str
        ``hybrid``, ``dense`` or ``keyword``.
    k : int
        Hits at most.
    min_score : float
        Least score of a hit, 0 to 1.
    now : int
        Microseconds.
    source_weights : mapping
        Factor of what comes from a type of source; 1 for one it doesn't name.
    heaviest : float
        The highest of them, 1 at least.
    """

    text: str | None
    vector: NDArray[np.float32] | None
    mode: str
    k: int
    min_score: float
    now: int
    source_weights: Mapping[str, float]
    heaviest: float = 1.0


@dataclass(slots=True)
class _Scored:
    """Rows of a shelf with all that their scores come from, each (n,)."""

    rows: NDArray[np.int64] | None  # None: all of them, in order
    cosine: Any
    bm25: Any
    cover: Any
    fade: Any
    score: Any


_Found = tuple[float, str, int, int, Record]  # minus the score, id, place, row, record


def rank(
    shelf: Shelf, query: Query, readable: Readable, nearest: Nearest | None = None
) -> list[Hit]:
    """Return the best readable records, best first; none if none is good enough (R40).

    Parameters
    ----------
    readable : Readable
        Which rows of the shelf may be returned.
    nearest : Nearest, optional
        The index beside the shelf; None: every readable row is compared.
    """
    words = None
    if query.mode != "dense" and query.text is not None:
        words = shelf.keywords()(query.text)
    if nearest is not None and query.mode != "keyword" and query.vector is not None:
        scored = _by_index(shelf, query, readable.mask, nearest, words)
        if scored is not None:
            return _hits(shelf, query, scored)
    return compare(shelf, query, readable, words)


def compare(
    shelf: Shelf | Glimpse, query: Query, readable: Readable, words: Any = None
) -> list[Hit]:
    """Return the best readable records by comparing all; `words`: what keywords say of each."""
    rows = readable.rows
    if not len(rows):
        return []
    every = len(rows) == len(shelf.rows)
    return _hits(shelf, query, _score(shelf, query, None if every else rows, words))


def _by_index(
    shelf: Shelf, query: Query, readable: NDArray[np.bool_], nearest: Nearest, words: Any
) -> _Scored | None:
    """Score what an index finds near and words find, wide enough that no other row can win.

    A row outside has at most the last one's cosine and the last one's share of words, and age only
    takes (the bound of Fagin's threshold algorithm). None: compare all.
    """
    import numpy as np

    assert query.vector is not None
    n, limit = max(_FIRST, 8 * query.k), int(np.count_nonzero(readable)) // _SCAN
    while n <= limit:
        found = nearest(shelf, query.vector, n, readable)
        if found is None:
            return None
        rows, least, held = found[0], float(found[1][-1]), None
        if words is not None:
            worded, held = _most_words(words[1], readable, n)
            rows = np.union1d(rows, worded)
        scored = _score(shelf, query, rows, words)
        bound = float(relevance(least, held))
        wanted = 4 * query.k  # as many as `_hits` looks at
        if bound < query.min_score or np.partition(scored.score, -wanted)[-wanted] >= bound:
            return scored
        n *= _WIDER
    return None


def _most_words(cover: Any, readable: NDArray[np.bool_], n: int) -> tuple[Any, float]:
    """Return the readable rows that hold most of the question's words, and the least they hold."""
    import numpy as np

    rows = np.flatnonzero((cover > 0) & readable)
    if len(rows) <= n:
        return rows, 0.0
    rows = rows[np.argpartition(-cover[rows], n)[:n]]
    return rows, float(cover[rows].min())


def _score(shelf: Shelf | Glimpse, query: Query, rows: Any, words: Any) -> _Scored:
    """Score rows of a shelf; None: all of them, which needs no copies."""
    cosine: Any = None
    bm25 = cover = None
    if query.mode != "keyword" and query.vector is not None:
        cosine = _cosines(shelf, query.vector, rows)
    if words is not None:
        bm25, cover = words if rows is None else (array[rows] for array in words)
    # By meaning alone the cosine's order is relevance's; `_hits` cuts what little is out of range.
    score = cosine if words is None else relevance(cosine, cover)
    fade = shelf.fade(query.now, slice(None) if rows is None else rows)
    return _Scored(rows, cosine, bm25, cover, fade, score if fade is None else score * fade)


def _cosines(shelf: Shelf | Glimpse, vector: NDArray[np.float32], rows: Any) -> Any:
    matrix = shelf.matrix
    if not matrix.shape[1]:  # no vector was ever stored: similar to nothing
        import numpy as np

        return np.zeros(len(matrix) if rows is None else len(rows), dtype=np.float32)
    if rows is None:  # `dot`: for so few rows "@" itself takes a third of the time
        return matrix.dot(vector)
    if _SCAN * len(rows) < len(matrix):
        return matrix[rows].dot(vector)
    return matrix.dot(vector)[rows]


def _hits(shelf: Shelf | Glimpse, query: Query, scored: _Scored) -> list[Hit]:
    """Return the best of the scored rows as hits."""
    k, least, weights = query.k, query.min_score, query.source_weights
    best, plainly = _best(scored.score, 4 * k)  # its source can't lift what is far down
    rows = best if scored.rows is None else scored.rows[best].tolist()
    if not isinstance(shelf, Shelf):
        shelf.fetch(rows[:k])
    found: list[_Found] = []
    floor, made = max(least, 1e-9), shelf.made
    for i, row in zip(best, rows, strict=True):
        plain = plainly[i]
        if plain < floor:
            break
        record = made.get(row) or shelf.record(row)
        # Where it comes from orders what is relevant; it makes nothing irrelevant (R34).
        score = (plain if plain < 1 else 1.0) * weights.get(record.source.type, 1.0)
        found.append((-score if score > least else -least, record.id, i, row, record))
        if len(found) >= k:  # no source could lift what is below: reading it costs more than this
            worst = max(found) if len(found) == k else sorted(found)[k - 1]
            floor = max(floor, -worst[0] * _EXACT / query.heaviest)
    found.sort()  # no two have one id
    matrix = shelf.matrix
    if matrix.shape[1] and len(found) > 1:
        _newer_first(found, lambda a, b: float(matrix[a] @ matrix[b]))
    if scored.score is scored.cosine:
        return [
            Hit(record, -minus, plainly[i], None, place, "dense")
            for place, (minus, _, i, _, record) in enumerate(found[:k], 1)
        ]
    return [
        Hit(record, -minus, *_shares(scored, i, place, least))
        for place, (minus, _, i, _, record) in enumerate(found[:k], 1)
    ]


def _shares(
    scored: _Scored, i: int, place: int, floor: float
) -> tuple[float | None, float | None, int, str, float]:
    """Return what else a hit tells: cosine, bm25, rank, found_by, fade."""
    cosine = None if scored.cosine is None else float(scored.cosine[i])
    fade = 1.0 if scored.fade is None else float(scored.fade[i])
    if scored.cover is None:
        return cosine, None, place, "dense", fade
    by = _found_by(cosine, float(scored.cover[i]), floor)
    return cosine, float(scored.bm25[i]), place, by, fade


def _newer_first(found: list[_Found], cosine: Callable[[int, int], float]) -> None:
    """Put a statement before older ones that are alike and hardly more relevant (R94).

    How well words fit a question doesn't tell which of two statements of one thing still holds. A
    score stays what it is; only the order changes.
    """
    before = found[0]
    for one in found:
        if one[4].updated > before[4].updated:
            break
        before = one
    else:
        return  # none is newer than what stands before it
    for at in range(1, len(found)):
        minus, _, _, i, record = found[at]
        place = at
        for earlier in range(at - 1, -1, -1):
            other, _, _, j, older = found[earlier]
            if minus > _NEAR * other:  # both are negative
                break
            if record.updated > older.updated and cosine(i, j) >= _ALIKE:
                place = earlier
        found.insert(place, found.pop(at))


def _best(score: NDArray[np.float64], n: int) -> tuple[list[int], list[float] | dict[int, float]]:
    """Return the places of the `n` highest scores, best first, and score by place.

    Of two alike the later comes first.
    """
    if len(score) <= _SORTED:
        return score.argsort(kind="stable").tolist()[: -n - 1 : -1], score.tolist()
    n = min(n, len(score))
    rows = score.argpartition(-n)[-n:]
    rows.sort()
    rows = rows[score[rows].argsort(kind="stable")[::-1]]
    best: list[int] = rows.tolist()
    return best, dict(zip(best, score[rows].tolist(), strict=True))


def _found_by(cosine: float | None, cover: float, floor: float) -> str:
    """Say which of the two would have found it, or contributed most if neither alone."""
    if cosine is None:
        return "keyword"
    by_meaning, by_words = cosine >= floor, cover > 0
    return "both" if by_meaning and by_words else "keyword" if by_words else "dense"

"""Keyword search: BM25 over one entity's own texts, words and Chinese bigrams alike (R43)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = tuple[NDArray[np.uint32], NDArray[np.float32]]

__all__ = ["Keywords"]

_K1, _B = 1.2, 0.75  # the usual ones; Robertson and Zaragoza 2009


class Keywords:
    """BM25 statistics of a list of texts.

    They come from one entity's texts only, so no score tells anything about another's. A text can
    be put in or replaced at the cost of its own words.

    Examples
    --------
    >>> words = Keywords(["parcel is in transit", "prefers text messages"])
    >>> scores, cover = words("where is the parcel")
    >>> scores.argmax(), scores[1]
    (np.int64(0), np.float32(0.0))
    >>> words.put(0, "", before="parcel is in transit")
    >>> words("where is the parcel")[0].max()
    np.float32(0.0)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        # Word -> the places that hold it, and how often each does. Two arrays, because a heavy
        # account has millions of such pairs.
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._sizes = array("f")  # words of each text
        self._weights: dict[str, Weights] = {}  # of words asked for, until something changes
        self.count = 0
        self._total = 0.0
        for i, text in enumerate(texts):
            self.put(i, text)

    def put(self, i: int, text: str, before: str = "") -> None:
        """Set the text at a place; `before` is what stood there, ``""`` is nothing."""
        from ..language.terms import index_terms

        self._weights.clear()
        self._sizes.extend([0.0] * (i + 1 - len(self._sizes)))
        if before:
            for term in dict.fromkeys(index_terms(before)):
                rows, times = self._postings[term]
                at = rows.index(i)
                del rows[at], times[at]
        terms = index_terms(text) if text else []
        for term, n in Counter(terms).items():
            rows, times = self._postings.setdefault(term, (array("I"), array("I")))
            rows.append(i)
            times.append(n)
        self.count += bool(terms) - (self._sizes[i] > 0)
        self._total += len(terms) - self._sizes[i]
        self._sizes[i] = len(terms)

    def _weigh(self, term: str) -> Weights | None:
        import numpy as np

        if term not in self._weights:
            if not (found := self._postings.get(term)) or not found[0]:
                return None
            rows = np.array(found[0], dtype=np.uint32)
            times = np.array(found[1], dtype=np.float32)
            size = np.array(self._sizes, dtype=np.float32)[rows]
            norm = _K1 * (1 - _B + _B * size / max(self._total / max(self.count, 1), 1.0))
            weight = self._idf(len(rows)) * times * (_K1 + 1) / (times + norm)
            self._weights[term] = (rows, weight.astype(np.float32))
        return self._weights[term]

    def _idf(self, holding: int) -> float:
        import math

        return math.log(1 + (self.count - holding + 0.5) / (holding + 0.5))

    def __call__(self, query: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return BM25 scores (n,) and the share of the query's terms each text holds (n,).

        The share weighs a term by its rarity, so it is comparable between entities of any size
        where a sum of BM25 is not.
        """
        import numpy as np

        from ..language.terms import query_terms

        scores = np.zeros(len(self._sizes), dtype=np.float32)
        held = np.zeros(len(self._sizes), dtype=np.float32)
        whole = 0.0
        for term in query_terms(query):
            found = self._weigh(term)
            idf = self._idf(0 if found is None else len(found[0]))
            whole += idf
            if found is not None:
                rows, weight = found
                scores[rows] += weight
                held[rows] += idf
        return scores, held / max(whole, 1e-9)

"""Keyword search: BM25 over one entity's own texts, words and Chinese bigrams alike (R43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Keywords"]

_K1, _B = 1.2, 0.75  # the usual ones; Robertson and Zaragoza 2009


class Keywords:
    """BM25 statistics of a list of texts.

    They come from one entity's texts only, so no score tells anything about another's.

    Examples
    --------
    >>> words = Keywords(["parcel is in transit", "prefers text messages"])
    >>> scores, cover = words("where is the parcel")
    >>> scores.argmax(), scores[1]
    (np.int64(0), np.float32(0.0))
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        from ..language.text import tokenize

        postings: dict[str, list[tuple[int, int]]] = {}
        lengths = []
        for i, text in enumerate(texts):
            terms = tokenize(text)
            lengths.append(len(terms))
            for term, n in Counter(terms).items():
                postings.setdefault(term, []).append((i, n))
        size = np.array(lengths, dtype=np.float32)
        norm = _K1 * (1 - _B + _B * size / max(float(size.mean()) if len(size) else 1.0, 1.0))
        self.count = len(size)
        self._postings: dict[str, tuple[NDArray[np.intp], NDArray[np.float32]]] = {}
        for term, found in postings.items():
            rows = np.array([i for i, _ in found])
            times = np.array([n for _, n in found], dtype=np.float32)
            weight = self._idf(len(found)) * times * (_K1 + 1) / (times + norm[rows])
            self._postings[term] = (rows, weight.astype(np.float32))

    def _idf(self, holding: int) -> float:
        import math

        return math.log(1 + (self.count - holding + 0.5) / (holding + 0.5))

    def __call__(self, query: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return BM25 scores (n,) and the share of the query's terms each text holds (n,).

        The share weighs a term by its rarity, so it is comparable between entities of any size
        where a sum of BM25 is not.
        """
        import numpy as np

        from ..language.text import tokenize

        scores = np.zeros(self.count, dtype=np.float32)
        held = np.zeros(self.count, dtype=np.float32)
        whole = 0.0
        for term in dict.fromkeys(tokenize(query)):
            rows, weight = self._postings.get(term, (None, None))
            idf = self._idf(0 if rows is None else len(rows))
            whole += idf
            if rows is not None and weight is not None:
                scores[rows] += weight
                held[rows] += idf
        return scores, held / max(whole, 1e-9)

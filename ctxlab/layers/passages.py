"""Past conversation by passage: a few turns each, found by meaning and by words (R46).

A passage is what one digest covers. The index only grows, so a turn costs what it adds.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .semantic import relevance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Passage", "PassageHit", "Passages"]

_COMMON = 0.5  # share of passages from which a word is no longer looked up


@dataclass(frozen=True, slots=True)
class Passage:
    """Messages `first` to `last` of a session, as one text."""

    session_id: str
    first: int
    last: int
    text: str
    time: datetime


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that a search found; `score` is calibrated relevance, 0 to 1."""

    passage: Passage
    score: float
    cosine: float | None
    cover: float


@dataclass
class Passages:
    """An index over passages that only grows.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> when = datetime(2026, 1, 1, tzinfo=UTC)
    >>> index = Passages()
    >>> index.add(Passage("s1", 0, 3, "the blue desk was scratched", when))
    >>> index.add(Passage("s1", 4, 6, "invoice sent by mail", when))
    >>> [hit.passage.first for hit in index.search("which desk?", None, k=2, min_score=0.2)]
    [0]
    """

    rows: list[Passage] = field(default_factory=list)
    _postings: dict[str, array[int]] = field(default_factory=dict, repr=False)
    _matrix: Any = field(default=None, repr=False)

    def add(self, passage: Passage, vector: NDArray[np.float32] | None = None) -> None:
        """Add one passage, with its unit vector (dimension,) if there is an embedder."""
        import numpy as np

        from ..language.text import tokenize

        row = len(self.rows)
        for term in dict.fromkeys(tokenize(passage.text)):
            self._postings.setdefault(term, array("q")).append(row)
        self.rows.append(passage)
        if vector is None:
            return
        if self._matrix is None:
            self._matrix = np.zeros((16, len(vector)), dtype=np.float32)
        while row >= len(self._matrix):  # doubling: adding stays cheap however many there are
            self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
        self._matrix[row] = vector

    def search(
        self,
        query: str,
        vector: NDArray[np.float32] | None,
        k: int = 3,
        min_score: float = 0.3,
        before: int | None = None,
    ) -> list[PassageHit]:
        """Return the best passages, best first.

        Parameters
        ----------
        query : str
            The question.
        vector : ndarray, optional
            Its unit vector (dimension,).
        k : int
            Passages at most.
        min_score : float
            Least relevance, 0 to 1.
        before : int, optional
            Only passages that end before this message (those after it are in the window).
        """
        import numpy as np

        if not self.rows:
            return []
        cover = self._cover(query)
        cosine = None
        if vector is not None and self._matrix is not None:
            cosine = self._matrix[: len(self.rows)] @ vector
        score = relevance(cosine, cover)
        hits: list[PassageHit] = []
        for i in np.argsort(-score, kind="stable"):
            if score[i] < min_score or len(hits) == k:
                break
            if before is None or self.rows[i].last < before:
                near = None if cosine is None else float(cosine[i])
                hits.append(PassageHit(self.rows[i], float(score[i]), near, float(cover[i])))
        return hits

    def latest(self) -> Passage | None:
        """Return the passage added last."""
        return self.rows[-1] if self.rows else None

    def _cover(self, query: str) -> NDArray[np.float32]:
        """Return the share of the query's terms, weighed by rarity, that each passage holds."""
        import numpy as np

        from ..language.text import tokenize

        n = len(self.rows)
        held, whole = np.zeros(n, dtype=np.float32), 0.0
        for term in dict.fromkeys(tokenize(query)):
            rows = self._postings.get(term)
            holding = len(rows) if rows is not None else 0
            rarity = math.log(1 + (n - holding + 0.5) / (holding + 0.5))
            whole += rarity
            # A word that most passages hold tells them apart by nothing, and costs the most.
            if rows is not None and holding <= _COMMON * max(n, 8):
                held[np.array(rows)] += rarity
        return held / max(whole, 1e-9)


def excerpt(text: str, query: str, limit: int) -> str:
    """Cut a passage to the sentences that bear most on the query, in their order.

    Parameters
    ----------
    limit : int
        Characters.
    """
    from ..language.text import sentences, tokenize

    if len(text) <= limit:
        return " ".join(text.split())
    wanted = set(tokenize(query))
    said: Sequence[str] = sentences(text)
    # A sentence with an id or amount in it is worth another shared word.
    value = [len(wanted & set(tokenize(s))) + any(map(str.isdigit, s)) for s in said]
    order = sorted(range(len(said)), key=lambda i: (-value[i], i))
    chosen, left = [], limit
    for i in order:
        if len(said[i]) <= left:
            chosen.append(i)
            left -= len(said[i]) + 1
    return " ".join(said[i] for i in sorted(chosen)) or said[order[0]][:limit]

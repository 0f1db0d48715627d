"""Past conversation by passage: a few turns each, found by meaning and by words (R46).

A passage is what one digest covers, or a single message. The index only grows, so a turn costs
what it adds. Two numbers come with a hit: `score` says whether it bears on the question at all,
`standing` which of those that do comes first.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..language.keeping import kept
from .semantic import relevance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Passage", "PassageHit", "Passages", "Standing", "search_together"]

_COMMON = 0.5  # share of passages from which a word is no longer looked up
_FEW = 8  # passages, of which all may hold a word that tells
_QUESTION = ("?", "？", "吗", "呢")
_NOWHERE = array("q"), array("q")


@dataclass(frozen=True, slots=True)
class Passage:
    """Messages `first` to `last` of a session, as one text; `speaker` if only one speaks."""

    session_id: str
    first: int
    last: int
    text: str
    time: datetime
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that a search found.

    Attributes
    ----------
    score : float
        Calibrated relevance, 0 to 1, of its own or lent by a neighbour; `min_score` applies to it.
    cosine : float, optional
        Of query and passage, -1 to 1.
    cover : float
        Share of the query's words that it holds, weighed by rarity, 0 to 1.
    standing : float
        What hits are ordered by, in standard deviations over all passages searched.
    """

    passage: Passage
    score: float
    cosine: float | None
    cover: float
    standing: float = 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How passages are ordered: weights in standard deviations of the keyword score.

    Parameters
    ----------
    k1, b : float
        Of BM25.
    meaning : float
        Weight of the cosine, standardised, beside BM25, standardised.
    neighbour : float
        What the passage before and the one after lend; those two away lend half.
    answer : float
        What a question lends to the passage that answers it, on top.
    asks : float
        Taken off a passage that only asks.
    speaker : float
        For a passage of whom the question names, if it doesn't name everybody.
    short : int
        Terms up to which a passage leans on its neighbours in full; one twice as long by half.

    Notes
    -----
    A short turn says little by itself: "the one ending in 8842" means something after "which
    account?". A long one stands alone, and smoothing would only blur it: on LongMemEval, whose
    turns are ten times as long as LoCoMo's, recall falls if turns lean regardless of length. The
    weights are round numbers between what suits the two sets; ``tests/benchmarks/locomo.py
    --held-out`` chooses them without the conversation that is measured, for comparison, and
    ``evals.locomo(path, weights=…)`` measures others.
    """

    k1: float = 0.9
    b: float = 0.6
    meaning: float = 0.8
    neighbour: float = 0.45
    answer: float = 0.3
    asks: float = 0.6
    speaker: float = 2.5
    short: int = 30


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
    >>> [hit.passage.first for hit in index.search("which desk?", None, k=1, min_score=0.2)]
    [0]
    """

    rows: list[Passage] = field(default_factory=list)
    weights: Standing = field(default_factory=Standing)
    _postings: dict[str, tuple[array[int], array[int]]] = field(default_factory=dict, repr=False)
    _speakers: set[str] = field(default_factory=set, repr=False)
    _ends: array[int] = field(default_factory=lambda: array("q"), repr=False)
    _traits: Any = field(default=None, repr=False)  # length, asks, follows the row before
    _matrix: Any = field(default=None, repr=False)

    def add(self, passage: Passage, vector: NDArray[np.float32] | None = None) -> None:
        """Add one passage, with its unit vector (dimension,) if there is an embedder.

        Passages of one session are added in their order: neighbours are told by it.
        """
        row = len(self.rows)
        terms = _counted(passage.text)
        for term, times in terms.items():
            if (found := self._postings.get(term)) is None:
                found = self._postings[term] = array("q"), array("q")
            found[0].append(row)
            found[1].append(times)
        follows = row > 0 and self.rows[-1].session_id == passage.session_id
        asks = passage.text.rstrip("\"'”」）) \n").endswith(_QUESTION)
        self.rows.append(passage)
        self._ends.append(passage.last)
        self._speakers |= {passage.speaker} - {""}
        self._traits = _grown(self._traits, row, 3)
        self._traits[row] = terms.total(), asks, follows
        if vector is not None:
            self._matrix = _grown(self._matrix, row, len(vector))
            self._matrix[row] = vector

    def search(
        self,
        query: str,
        vector: NDArray[np.float32] | None,
        k: int = 3,
        min_score: float = 0.3,
        before: int | None = None,
        mode: str = "hybrid",
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
        mode : str
            ``hybrid``, ``dense`` or ``keyword``.
        """
        return search_together([(self, before)], query, vector, k, min_score, mode)

    def holding(self, word: str) -> list[Passage]:
        """Return the passages that hold a word or an id, oldest first; costs what it finds."""
        plain = word.lower()
        if plain.isascii() and plain.isalnum() and not plain.isalpha():  # most ids: one term
            lists = [self._postings.get(plain, _NOWHERE)[0]]
        else:
            from ..language.terms import index_terms

            lists = [self._postings.get(term, _NOWHERE)[0] for term in index_terms(word)]
        if not lists or not all(lists):
            return []
        places = sorted(set(lists[0]).intersection(*lists[1:]))
        return [self.rows[i] for i in places if word in self.rows[i].text]

    def tells(self, term: str) -> bool:
        """Whether a term of an index tells these passages apart: not if most of them hold it."""
        return len(self._postings.get(term, _NOWHERE)[0]) <= _COMMON * max(len(self.rows), _FEW)

    def latest(self, such: Callable[[str], object] = bool) -> Passage | None:
        """Return the latest session's last passage whose text is `such`."""
        last = self.rows[-1].session_id if self.rows else ""
        return next((r for r in self.rows[::-1] if r.session_id == last and such(r.text)), None)

    def _cosine(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return cosines (rows,); a passage without a vector is similar to nothing."""
        import numpy as np

        found = np.zeros(len(self.rows), dtype=np.float32)
        if self._matrix is not None:
            held = self._matrix[: len(self.rows)]
            found[: len(held)] = held @ vector
        return found


@kept(most=2_048)  # each session of a customer indexes what earlier ones said
def _counted(text: str) -> Counter[str]:
    """Count the terms that a text is found by."""
    from ..language.terms import index_terms

    return Counter(index_terms(text))


def _grown(table: Any, row: int, width: int) -> Any:
    """Return a table (rows, width) that has the row; doubling: adding stays cheap."""
    import numpy as np

    if table is None:
        table = np.zeros((16, width), dtype=np.float32)
    while row >= len(table):
        table = np.concatenate([table, np.zeros_like(table)])
    return table


def search_together(
    parts: Sequence[tuple[Passages, int | None]],
    query: str,
    vector: NDArray[np.float32] | None,
    k: int = 3,
    min_score: float = 0.3,
    mode: str = "hybrid",
) -> list[PassageHit]:
    """Search several indexes as if they were one: their standings are comparable.

    Parameters
    ----------
    parts : sequence of (Passages, int or None)
        Each with the message that its passages must end before, if any.
    query, vector, k, min_score, mode
        As for ``Passages.search``.
    """
    import numpy as np

    parts = [(index, before) for index, before in parts if index.rows]
    if not parts:
        return []
    indexes = [index for index, _ in parts]
    starts = np.cumsum([0, *(len(index.rows) for index in indexes)])
    found = _Signals.of(indexes, starts, query, vector, mode)
    limits = [2**62 if before is None else before for _, before in parts]
    early = [np.array(x._ends) < limit for x, limit in zip(indexes, limits, strict=True)]
    good = np.flatnonzero((found.score >= min_score) & np.concatenate(early))
    best = good[np.argsort(-found.standing[good], kind="stable")][:k]
    part = np.searchsorted(starts, best, side="right") - 1
    return [
        PassageHit(
            indexes[at].rows[i - starts[at]],
            float(found.score[i]),
            None if found.cosine is None else float(found.cosine[i]),
            0.0 if found.cover is None else float(found.cover[i]),
            float(found.standing[i]),
        )
        for i, at in zip(best.tolist(), part.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Signals:
    """What is known of each passage (n,) with respect to a question."""

    score: NDArray[np.float64]
    standing: NDArray[np.float64]
    cosine: NDArray[np.float32] | None
    cover: NDArray[np.floating] | None

    @classmethod
    def of(
        cls,
        indexes: Sequence[Passages],
        starts: NDArray[np.int64],
        query: str,
        vector: NDArray[np.float32] | None,
        mode: str,
    ) -> _Signals:
        import numpy as np

        w = indexes[0].weights
        traits = np.concatenate([index._traits[: len(index.rows)] for index in indexes])
        length, asks, _ = traits.T
        cosine = cover = None
        standing = np.zeros(len(length))
        if mode != "keyword" and vector is not None:
            cosine = np.concatenate([index._cosine(vector) for index in indexes])
            standing += w.meaning * _standard(cosine)
        if mode != "dense" or cosine is None:
            bm25, cover = _words(indexes, starts, query, length, w)
            standing += _standard(bm25)
        lean = np.minimum(1.0, w.short / np.maximum(length, 1))
        standing += lean * _lent(standing, traits, w)
        standing += w.speaker * _spoken(indexes, query) - w.asks * asks * lean
        own = relevance(cosine, cover)
        # What a question lends makes relevant too: the answer to it rarely repeats it.
        asked = (w.neighbour + w.answer) * lean * _preceding(own, traits)
        return cls(np.maximum(own, asked), standing, cosine, cover)


def _words(
    indexes: Sequence[Passages],
    starts: NDArray[np.int64],
    query: str,
    length: NDArray[np.float32],
    w: Standing,
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return BM25 (n,) and the share of the query's terms, weighed by rarity, each holds (n,)."""
    import numpy as np

    from ..language.terms import query_terms

    n = len(length)
    whole = 0.0
    rows, times = array("q"), array("q")  # the lists of all terms, end to end: one sum for all
    runs: list[tuple[int, int, float]] = []  # of each list: length, first row of its index, rarity
    for term in query_terms(query):
        lists = [index._postings.get(term, _NOWHERE) for index in indexes]
        holding = sum(len(where) for where, _ in lists)
        rarity = math.log(1 + (n - holding + 0.5) / (holding + 0.5))
        whole += rarity
        # A word that most passages hold tells them apart by nothing, and costs the most.
        if holding <= _COMMON * max(n, _FEW):
            for (where, counts), start in zip(lists, starts.tolist(), strict=False):
                rows.extend(where)
                times.extend(counts)
                runs.append((len(where), start, rarity))
    if not rows:
        return np.zeros(n), np.zeros(n)
    sizes, first, weight = (np.array(column) for column in zip(*runs, strict=True))
    at = np.array(rows) + np.repeat(first, sizes)
    rarities, often = np.repeat(weight, sizes), np.array(times)
    norm = w.k1 * (1 - w.b + w.b * length / max(float(length.mean()), 1.0))
    gain = rarities * often / (often + norm[at])
    held = np.bincount(at, weights=rarities, minlength=n)
    score = (w.k1 + 1) * np.bincount(at, weights=gain, minlength=n)
    return score, held / max(whole, 1e-9)


def _standard(x: NDArray[Any]) -> NDArray[np.float64]:
    return (x - x.mean()) / max(float(x.std()), 1e-6)  # type: ignore[no-any-return]


def _lent(
    standing: NDArray[np.float64], traits: NDArray[np.float32], w: Standing
) -> NDArray[np.float64]:
    """Return what neighbours of the same session lend each passage (n,)."""
    import numpy as np

    follows = traits[:, 2]
    out = np.zeros_like(standing)
    if len(standing) > 1:
        near = follows[1:]
        out[1:] += near * (w.neighbour + w.answer * traits[:-1, 1]) * standing[:-1]
        out[:-1] += near * w.neighbour * standing[1:]
    if len(standing) > 2:
        near = follows[1:-1] * follows[2:]
        out[2:] += near * w.neighbour / 2 * standing[:-2]
        out[:-2] += near * w.neighbour / 2 * standing[2:]
    return out


def _preceding(own: NDArray[np.float64], traits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the relevance of the question that each passage follows (n,), 0 if it follows none."""
    import numpy as np

    return np.append(0.0, own[:-1] * traits[:-1, 1] * traits[1:, 2])


def _spoken(indexes: Sequence[Passages], query: str) -> NDArray[np.float64] | float:
    """Return 1 for passages of those whom the question names (n,), unless it names everybody."""
    import numpy as np

    from ..language.text import tokenize

    speakers = set().union(*(index._speakers for index in indexes))
    if not speakers:
        return 0.0
    asked = set(tokenize(query))
    named = {who for who in speakers if (said := set(tokenize(who))) and said <= asked}
    if not named or named == speakers:
        return 0.0
    return np.array([row.speaker in named for index in indexes for row in index.rows], float)

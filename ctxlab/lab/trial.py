"""Labelled searches tried out: what a minimum score lets in, for any embedder (R41)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from ..layers.keyword import Keywords
from ..layers.semantic import relevance
from ..models.embedding import CachedEmbedder, Embedder, Signature, get_embedder

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["GRID", "MODES", "Point", "Trial", "letters"]

GRID = tuple(round(i * 0.02, 2) for i in range(46))
"""Minimum scores from 0 to 0.9."""
MODES = ("dense", "keyword", "hybrid")
_BUCKETS = 1_024  # of the letter embedder


def letters() -> CachedEmbedder:
    """Return a baseline that knows no meaning: counts of one to three letters, hashed.

    Examples
    --------
    >>> a, b = letters().encode(["order late", "late order"])
    >>> bool(a @ b > 0.9)
    True
    """
    import numpy as np

    def encode(texts: list[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), _BUCKETS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            spaced = f" {' '.join(text.lower().split())} "
            grams = (spaced[i : i + n] for n in (1, 2, 3) for i in range(len(spaced) - n + 1))
            places = [crc32(gram.encode("utf-8", "replace")) % _BUCKETS for gram in grams]
            row += np.bincount(places, minlength=_BUCKETS)
        return rows

    return CachedEmbedder(Signature("letters", _BUCKETS, "1"), encode)


@dataclass(frozen=True)
class Point:
    """What one minimum score leads to.

    Attributes
    ----------
    min_score : float
        The minimum.
    precision : float
        Share of what comes in that is relevant; 1 if nothing does.
    recall : float
        Share of what is relevant that comes in.
    silence : float
        Share of the questions without an answer that get none; 1 if there are none.
    hits : int
        How many memories come in.
    """

    min_score: float
    precision: float
    recall: float
    silence: float
    hits: int

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


class Trial:
    """Labelled searches, scored as the memory would score them.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `ctxlab.lab.searches` returns them, or some of their questions.
    embedders : sequence of str or Embedder
        ``"use"``, ``"letters"``, ``"minilm"``, a model's name or folder, or your own; each is
        loaded when it's first needed.

    Attributes
    ----------
    labels : ndarray
        Whether each pair is relevant (n,).
    groups : list of ndarray
        Rows of each question.
    answered : list of bool
        Whether a question has an answer.

    Examples
    --------
    >>> from ctxlab.lab.labelled import searches
    >>> trial = Trial(searches(lang="en"))
    >>> loose, strict = trial.curve(trial.score(), limits=(0.1, 0.3))
    >>> loose.recall > strict.recall, loose.precision < strict.precision
    (True, True)
    """

    def __init__(
        self, pairs: pd.DataFrame, embedders: Sequence[str | Embedder] = ("use", "letters")
    ) -> None:
        self.pairs = pairs.reset_index(drop=True)
        self._models = {e if isinstance(e, str) else e.signature.name: e for e in embedders}
        self._scores: dict[tuple[str, str, bool], NDArray[np.float64]] = {}
        self.labels = self.pairs["relevant"].to_numpy(dtype=bool)
        self._asked = self.pairs["asked"].to_numpy()
        self.groups = list(self.pairs.groupby("asked").indices.values())
        self.answered = [bool(self.labels[rows].any()) for rows in self.groups]

    @property
    def embedders(self) -> tuple[str, ...]:
        """Names of the embedders."""
        return tuple(self._models)

    def at_hand(self, name: str) -> bool:
        """Whether an embedder is loaded, or needs no loading."""
        return name == "letters" or not isinstance(self._models[name], str)

    def embedder(self, name: str) -> Embedder:
        """Return an embedder, loaded on first use."""
        found = self._models[name]
        if isinstance(found, str):
            found = self._models[name] = letters() if found == "letters" else get_embedder(found)
        return found

    def score(
        self, embedder: str = "use", mode: str = "dense", topic: bool = True
    ) -> NDArray[np.float64]:
        """Return the score of each pair (n,), computed once.

        Parameters
        ----------
        embedder : str
            Name of one of the embedders.
        mode : str
            ``dense``, ``keyword`` or ``hybrid``, as `Memory.search` knows them.
        topic : bool
            Whether a memory is embedded with its topic before it, as `Memory` does.
        """
        key = ("" if mode == "keyword" else embedder, mode, topic)
        if key not in self._scores:
            cosine = cover = None
            if mode != "keyword":
                cosine = self._cosine(embedder, topic)
            if mode != "dense":
                cover = self._cover(topic)
            # As the memory ranks, but for the clip: below zero the columns should tell apart.
            score = cosine if cover is None else relevance(cosine, cover)
            assert score is not None
            self._scores[key] = score.astype(float)
        return self._scores[key]

    def _texts(self, topic: bool) -> list[str]:
        rows = zip(self.pairs["topic"], self.pairs["text"], strict=True)
        return [f"{about}: {text}" if topic and about else text for about, text in rows]

    def _cosine(self, name: str, topic: bool) -> NDArray[np.float32]:
        model = self.embedder(name)
        asked, told = model.encode(list(self.pairs["query"])), model.encode(self._texts(topic))
        found: NDArray[np.float32] = (asked * told).sum(axis=1)
        return found

    def _cover(self, topic: bool) -> NDArray[np.float32]:
        """Share of the question's words that each memory holds, among those it competes with."""
        import numpy as np

        texts, cover = self._texts(topic), np.zeros(len(self.pairs), dtype=np.float32)
        for rows in self.groups:
            query = str(self.pairs["query"].iat[int(rows[0])])
            cover[rows] = Keywords([texts[i] for i in rows])(query)[1]
        return cover

    def rank(self, score: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return each pair's place (n,) among those of its question, 1 for the best."""
        import numpy as np

        order = np.lexsort((-score, self._asked))
        asked = self._asked[order]
        first = np.concatenate([[0], np.flatnonzero(np.diff(asked)) + 1])
        starts = np.repeat(first, np.diff([*first, len(asked)]))
        rank = np.empty(len(score), dtype=np.int64)
        rank[order] = np.arange(len(score)) - starts + 1
        return rank

    def curve(
        self, score: NDArray[np.float64], k: int = 5, limits: Sequence[float] = GRID
    ) -> tuple[Point, ...]:
        """Return what each minimum in `limits` leads to, with `k` hits at most per question."""
        import numpy as np

        kept = np.where(self.rank(score) <= k, score, -np.inf)
        best = np.array([kept[rows].max() for rows in self.groups])
        empty = best[~np.array(self.answered)]
        right = np.sort(kept[self.labels])
        every = np.sort(kept)
        points = []
        for limit in limits:
            # Both are sorted, so what reaches the limit is a tail.
            hits = len(every) - int(np.searchsorted(every, limit))
            good = len(right) - int(np.searchsorted(right, limit))
            points.append(
                Point(
                    limit,
                    good / hits if hits else 1.0,
                    good / len(right) if len(right) else 1.0,
                    float((empty < limit).mean()) if len(empty) else 1.0,
                    hits,
                )
            )
        return tuple(points)

"""Evidence recall: of what answers a question, how much does a search bring back? (R115).

Reading the answers plays no part: a question goes in, passages come out, and the evidence that
the set names is looked for among them, by count (recall at k) and under a token budget.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..layers.keyword import Keywords
from ..layers.passages import Passage, Passages, Standing
from ..tokens import TokenCounter

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from ..models.embedding import Embedder

__all__ = ["RIVALS", "Haystack", "Question", "evidence_recall"]

_SYSTEM = "ctxlab"
RIVALS = ("bm25", "cosine", "recent", "random")
"""Plain baselines: BM25 alone, cosine alone, the newest first, and a seeded shuffle."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category, and the units that hold its evidence."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Haystack:
    """What is searched, and what is asked of it.

    Attributes
    ----------
    name : str
        Of the conversation.
    passages : list of Passage
        In the order of their times.
    units : list of str
        For each passage what it counts as: a turn, or the session it is part of.
    """

    name: str
    passages: list[Passage]
    units: list[str]
    questions: list[Question]


@dataclass
class _Search:
    """One haystack, indexed once; each system and mode ranks the same passages."""

    stack: Haystack
    embedder: Embedder | None
    weights: Standing
    index: Passages = field(init=False)
    vectors: NDArray[np.float32] | None = field(init=False)

    def __post_init__(self) -> None:
        texts = [passage.text for passage in self.stack.passages]
        self.vectors = None if self.embedder is None else self.embedder.encode(texts)
        self.index = Passages(weights=self.weights)
        for n, passage in enumerate(self.stack.passages):
            self.index.add(passage, None if self.vectors is None else self.vectors[n])
        self.words = Keywords(texts)
        self.rows = {id(passage): n for n, passage in enumerate(self.stack.passages)}

    def __call__(self, system: str, mode: str, question: str, k: int) -> list[int]:
        """Return passages by number, best first; `k` are enough."""
        import numpy as np

        count = len(self.stack.passages)
        if system == "recent":
            return list(range(count - 1, -1, -1))
        if system == "random":
            return random.Random(question).sample(range(count), count)
        vector = self._vector(question) if mode != "keyword" else None
        if system == _SYSTEM:
            hits = self.index.search(question, vector, min(k, count), 0.0, mode=mode)
            return [self.rows[id(hit.passage)] for hit in hits]
        if system == "bm25":
            score = self.words(question)[0]
        else:
            assert self.vectors is not None and vector is not None
            score = self.vectors @ vector
        return [int(n) for n in np.argsort(-score, kind="stable")]

    def _vector(self, question: str) -> NDArray[np.float32] | None:
        return None if self.embedder is None else self.embedder.encode([question])[0]


def evidence_recall(
    stacks: Sequence[Haystack],
    *,
    ks: Sequence[int] = (5, 10, 25),
    budgets: Sequence[int] = (500, 2000),
    modes: Sequence[str] = ("keyword", "dense", "hybrid"),
    rivals: Sequence[str] = RIVALS,
    embedder: Any = "auto",
    weights: Standing | None = None,
    overall: Callable[[str], bool] = lambda category: True,
    progress: bool = False,
) -> pd.DataFrame:
    """Rank each haystack for each of its questions, and look for the evidence.

    Parameters
    ----------
    stacks : sequence of Haystack
    ks : sequence of int
        Units taken, 1 or more.
    budgets : sequence of int
        Tokens of the passages taken, best first, up to the first that doesn't fit.
    modes : sequence of str
        Of ctxlab's passage search: ``keyword``, ``dense``, ``hybrid``.
    rivals : sequence of str
        Baselines out of `RIVALS`.
    embedder : str, Embedder or None
        As for ``Memory``; with None only words are searched.
    weights : Standing, optional
        How ctxlab orders passages; default: as it ships.
    overall : callable
        Whether a category counts in the rows "overall".
    progress : bool
        Show a bar.

    Returns
    -------
    pandas.DataFrame
        ``system mode category k budget recall n``: the mean share of a question's evidence found,
        0 to 1, among `n` questions; `k` or `budget` (tokens) is missing where the other holds.

    Raises
    ------
    DataError
        If there is no question with evidence, or a mode, rival, k or budget isn't possible.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> when = datetime(2026, 1, 1, tzinfo=UTC)
    >>> said = ["Which desk do you mean?", "The blue one", "Thanks"]
    >>> passages = [Passage("s1", n, n, text, when) for n, text in enumerate(said)]
    >>> asked = [Question("what colour is the desk?", "single", frozenset(["t1"]))]
    >>> stack = Haystack("one", passages, ["t0", "t1", "t2"], asked)
    >>> table = evidence_recall([stack], ks=(2,), budgets=(), rivals=("recent",), embedder=None)
    >>> table.loc[table["system"] == "ctxlab", "recall"].tolist()
    [1.0, 1.0]
    """
    import pandas as pd
    from tqdm import tqdm

    from ..models.embedding import get_embedder

    model = None if embedder is None else get_embedder(embedder)
    runs = _runs(modes, rivals, model)
    _check(ks, budgets, stacks)
    counter, rows = TokenCounter(), list[tuple[Any, ...]]()
    total = sum(len(stack.questions) for stack in stacks)
    with tqdm(total=total, desc="questions", unit="", disable=not progress) as bar:
        for stack in stacks:
            search = _Search(stack, model, weights or Standing())
            sizes = [counter.count(p.text) for p in stack.passages] if budgets else []
            alone = len(set(stack.units)) == len(stack.units) and not budgets
            enough = max(ks, default=0) if alone else len(stack.units)
            for question in stack.questions:
                for system, mode in runs:
                    order = search(system, mode, question.text, enough)
                    found = [stack.units[n] for n in order]
                    for k, budget, units in _taken(found, order, sizes, ks, budgets):
                        share = len(units & question.evidence) / len(question.evidence)
                        rows.append((system, mode, question.category, k, budget, share))
                bar.update()
    columns = ["system", "mode", "category", "k", "budget", "recall"]
    return _summed(pd.DataFrame(rows, columns=columns), overall)


def _runs(
    modes: Sequence[str], rivals: Sequence[str], model: Embedder | None
) -> list[tuple[str, str]]:
    for name, known in ((modes, ("keyword", "dense", "hybrid")), (rivals, RIVALS)):
        for value in name:
            if value not in known:
                raise DataError(f"{value!r} is not one of {', '.join(known)}")
    searched = {"bm25": "keyword", "cosine": "dense"}
    runs = [(_SYSTEM, mode) for mode in modes] + [(r, searched.get(r, "none")) for r in rivals]
    return [run for run in runs if model is not None or run[1] in ("keyword", "none")]


def _check(ks: Sequence[int], budgets: Sequence[int], stacks: Sequence[Haystack]) -> None:
    for number in (*ks, *budgets):
        if not isinstance(number, int) or number < 1:
            raise DataError(f"k and budgets are whole numbers from 1, got {number!r:.80}")
    if not any(stack.questions for stack in stacks):
        raise DataError("no question names evidence that is in its conversation")


def _taken(
    found: list[str], order: list[int], sizes: list[int], ks: Sequence[int], budgets: Sequence[int]
) -> Iterator[tuple[int | None, int | None, set[str]]]:
    """Yield the units that each k, and each budget, takes."""
    distinct = list(dict.fromkeys(found))
    for k in ks:
        yield k, None, set(distinct[:k])
    for budget in budgets:
        left, count = budget, 0
        for n in order:
            left -= sizes[n]
            if left < 0:
                break
            count += 1
        yield None, budget, set(found[:count])


def _summed(frame: pd.DataFrame, overall: Callable[[str], bool]) -> pd.DataFrame:
    import pandas as pd

    counted = frame[frame["category"].map(overall)].assign(category="overall")
    both = pd.concat([counted, frame], ignore_index=True)
    both = both.astype({"k": "Int64", "budget": "Int64"})
    keys = ["system", "mode", "category", "k", "budget"]
    table = both.groupby(keys, sort=False, dropna=False)["recall"]
    return table.agg(recall="mean", n="count").reset_index()


def passages_of(
    session: str, turns: Iterable[tuple[str, str]], time: Any, start: int = 0
) -> list[Passage]:
    """Return one passage a turn from (speaker, text); numbered from `start`."""
    return [
        Passage(session, n, n, f"{who}: {text}" if who else text, time, who)
        for n, (who, text) in enumerate(turns, start)
    ]

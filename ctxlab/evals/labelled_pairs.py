"""Labelled pairs: a question, a text, and whether the text bears on it (R41, R123)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..layers.keyword import Keywords
from ..layers.semantic import relevance

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from ..models.embedding import Embedder

__all__ = ["read_pairs", "read_table", "score_pairs"]

_YES = {"1", "true", "yes", "y", "relevant", "same", "是"}
_NO = {"0", "false", "no", "n", "irrelevant", "different", "否"}


def read_pairs(data: Any) -> pd.DataFrame:
    """Return labelled pairs as ``query text relevant``.

    Parameters
    ----------
    data : pandas.DataFrame, str, pathlib.Path or sequence of (str, str, bool)
        A table, a ``.csv`` or ``.jsonl`` file, or triples. Pairs of notes (``old``, ``new`` and
        ``relation``, as ``cx.load_support(…).pairs``) will do: all but ``distinct`` bear on each
        other.

    Raises
    ------
    DataError
        If a column is missing, a label is neither true nor false, or only one label occurs.

    Examples
    --------
    >>> read_pairs([("where is it?", "held at customs", True), ("where?", "likes tea", 0)]).shape
    (2, 3)
    """
    import pandas as pd

    if isinstance(data, str | Path):
        frame = read_table(data)
    elif isinstance(data, pd.DataFrame):
        frame = data
    else:
        rows = [tuple(row) for row in data]
        if any(len(row) != 3 for row in rows):
            raise DataError("labelled pairs: each is (query, text, relevant)")
        frame = pd.DataFrame(rows, columns=["query", "text", "relevant"])
    if {"old", "new", "relation"} <= set(frame):
        same = frame["relation"] != "distinct"
        frame = frame.assign(query=frame["new"], text=frame["old"], relevant=same)
    for name in ("query", "text", "relevant"):
        if name not in frame:
            raise DataError(f"labelled pairs: no column {name!r}; there are {list(frame)}")
    frame = frame[["query", "text", "relevant"]].reset_index(drop=True)
    for name in ("query", "text"):
        if not frame[name].map(lambda cell: isinstance(cell, str) and bool(cell.strip())).all():
            raise DataError(f"labelled pairs: a blank cell in column {name!r}")
    frame["relevant"] = [_truth(value) for value in frame["relevant"]]
    if frame["relevant"].nunique() < 2:
        raise DataError(
            f"{len(frame)} labelled pairs with one label between them: a threshold parts two"
        )
    return frame


def read_table(path: str | Path) -> pd.DataFrame:
    """Return a table from a ``.csv`` or ``.jsonl`` file.

    Raises
    ------
    DataError
        If it can't be read.
    """
    import pandas as pd

    path = Path(path)
    try:
        if path.suffix == ".jsonl":
            return pd.read_json(path, lines=True)
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}; expected CSV with a header, or JSONL") from error


def _truth(value: Any) -> bool:
    word = str(value).strip().lower().removesuffix(".0")  # numbers with gaps are read as floats
    if word not in _YES | _NO:
        raise DataError(f"labelled pairs: relevant is {value!r}, neither true nor false")
    return word in _YES


def score_pairs(
    queries: Sequence[str], texts: Sequence[str], model: Embedder | None, mode: str
) -> NDArray[np.float64]:
    """Return the calibrated relevance of each pair (n,), as a search in that mode would.

    Parameters
    ----------
    queries, texts : sequence of str
        As many of each.
    model : Embedder or None
    mode : str
        ``dense``, ``keyword`` or ``hybrid``; words are weighed by how rare they are in all texts.
    """
    import numpy as np

    cosine = cover = None
    if mode != "keyword" and model is not None:
        cosine = (model.encode(queries) * model.encode(texts)).sum(axis=1)
    if mode != "dense" or cosine is None:
        held = dict.fromkeys(texts)
        place = {text: n for n, text in enumerate(held)}
        words = Keywords(list(held))
        cover = np.array(
            [words(query)[1][place[text]] for query, text in zip(queries, texts, strict=True)]
        )
    return np.asarray(relevance(cosine, cover), dtype=float)

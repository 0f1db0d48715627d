"""Measure `cx.compare` on other people's pairs (R94, R115).

The public sets speak of other things than customers, so they test one side only: what merges must
be the same, and a contradiction must never merge.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ctxlab.errors import DataError
from ctxlab.language.comparing import compare

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["lcqmc", "sick"]

Pair = tuple[str, str, str]


def lcqmc(path: str | Path, limit: int | None = None) -> pd.DataFrame:
    """Measure merges on LCQMC, Chinese question pairs labelled same (1) or different (0).

    Parameters
    ----------
    path : str or Path
        A split as tab-separated ``question, question, label``; yours, ctxlab ships none.
    limit : int, optional
        Pairs to read, evenly spread over the file; all by default (about 10 ms each).

    Returns
    -------
    pandas.DataFrame
        One row a label: ``label n merged share``, and ``precision`` of merging, the share of "1"
        among all that merged.

    Raises
    ------
    DataError
        If a line isn't of that form.
    """
    frame = _merged(_read(path, (0, 1, 2)), limit)
    merged = frame["merged"].sum()
    same = frame.loc[frame["label"] == "1", "merged"].sum()
    return frame.assign(precision=same / merged if merged else float("nan"))


def sick(path: str | Path, limit: int | None = None) -> pd.DataFrame:
    """Measure merges on SICK, English sentence pairs with entailment labels.

    Parameters
    ----------
    path : str or Path
        ``SICK_train.txt`` as published, with its header; yours, ctxlab ships none.
    limit : int, optional
        Pairs to read, evenly spread over the file; all by default.

    Returns
    -------
    pandas.DataFrame
        One row a label: ``label n merged share``. The share of CONTRADICTION should be near 0.

    Raises
    ------
    DataError
        If a line isn't of that form.
    """
    return _merged([pair for pair in _read(path, (1, 2, 4)) if pair[2].isupper()], limit)


def _read(path: str | Path, columns: tuple[int, int, int]) -> list[Pair]:
    found: list[Pair] = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) <= max(columns):
            raise DataError(f"{Path(path).name} line {number} has {len(cells)} columns: is it TSV?")
        found.append((cells[columns[0]], cells[columns[1]], cells[columns[2]].strip()))
    return found


def _merged(pairs: Iterable[Pair], limit: int | None) -> pd.DataFrame:
    import pandas as pd

    every = list(pairs)
    step = max(1, len(every) // limit) if limit else 1
    rows = [(label, compare(a, b).merges) for a, b, label in every[::step][:limit]]
    frame = pd.DataFrame(rows, columns=["label", "merges"])
    counts = frame.groupby("label")["merges"].agg(n="count", merged="sum").reset_index()
    return counts.assign(share=counts["merged"] / counts["n"])

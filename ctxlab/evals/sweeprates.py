"""Reading a sweep: one rate or mean per run, with its interval (R114)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..errors import DataError
from .intervals import wilson

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["sweep_rates"]

_Z = 1.959964  # of a two-sided 95 % interval


def sweep_rates(table: pd.DataFrame, value: str = "passed") -> pd.DataFrame:
    """Reduce a sweep to one row per run: the mean of a column, with its 95 % interval.

    Parameters
    ----------
    table : DataFrame
        As `sweep` returns it.
    value : str
        Column to average: of truth values, with Wilson's interval; of numbers, with the normal one
        over the suite's rows.

    Returns
    -------
    DataFrame
        ``run``, ``factor``, the swept settings, ``n``, ``mean``, ``low`` and ``high``; ``error``
        if the run has no result.

    Raises
    ------
    DataError
        There is no such column, or it holds text.

    Examples
    --------
    >>> import pandas as pd
    >>> from ctxlab.evals.sweeping import sweep
    >>> def suite(config):
    ...     return pd.DataFrame({"passed": [True, config.semantic.k > 4]})
    >>> rates = sweep_rates(sweep(None, {"semantic.k": [3]}, suite))
    >>> rates[["factor", "semantic.k", "n", "mean"]].values.tolist()
    [['base', 5, 2, 1.0], ['semantic.k', 3, 2, 0.5]]
    """
    import pandas as pd

    if value not in table or value in ("run", "factor", "error"):
        raise DataError(f"no column {value!r} to average; there are {', '.join(table.columns)}")
    settings = _settings(table)
    rows = []
    for number, part in table.groupby("run", sort=True):
        first = part.iloc[0]
        values = part[value].dropna().tolist()
        head = {"run": number, "factor": first["factor"], **{s: first[s] for s in settings}}
        rows.append({**head, **_interval(values, value), "error": first["error"]})
    return pd.DataFrame(rows)


def _settings(table: pd.DataFrame) -> list[str]:
    """Name the swept settings: dotted, so that no suite's column can be taken for one."""
    names = list(table.columns)
    return [name for name in names[2:-1] if "." in name]


def _interval(values: list[Any], name: str) -> dict[str, float]:
    n = len(values)
    if n == 0:
        return {"n": 0, "mean": math.nan, "low": math.nan, "high": math.nan}
    if all(isinstance(v, bool) for v in values):
        low, high = wilson(sum(values), n)
        return {"n": n, "mean": sum(values) / n, "low": low, "high": high}
    if not all(isinstance(v, int | float) for v in values):
        raise DataError(f"{name}: text has no mean")
    mean = math.fsum(values) / n
    spread = math.fsum((v - mean) ** 2 for v in values) / max(n - 1, 1)
    half = _Z * math.sqrt(spread / n)
    return {"n": n, "mean": mean, "low": mean - half, "high": mean + half}

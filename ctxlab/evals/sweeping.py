"""Sweeps: change one setting at a time, measure, and see what it does (R114).

Runs are independent, so they go through joblib: one process by default, several with ``n_jobs``,
a Dask cluster inside ``joblib.parallel_config(backend="dask")``. Whoever runs them, the table is
the same, row by row and bit by bit: each run sees one BLAS thread, results are put in the order of
the plan, and what differs from machine to machine (times) is left out.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Config
from ..context.budget import BudgetPlan
from ..errors import ConfigError, DataError
from .sweepcache import Rows, SweepCache, code_version, name_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LogSuite", "NamedSuite", "SweepWarning", "sweep"]

Suite = Callable[[Config], "pd.DataFrame"]


class SweepWarning(UserWarning):
    """A grid makes many runs; the text says how many."""


@dataclass(frozen=True)
class NamedSuite:
    """One of ``evals.run_suite``'s suites, played by ctxlab with the configuration of a run.

    Parameters
    ----------
    name : str
        ``simple``, ``medium``, ``hard``, ``endurance`` or ``all``.
    lang : str
        ``zh`` or ``en``.
    users : tuple of str, optional
        Only the checks of these customers.
    """

    name: str = "hard"
    lang: str = "zh"
    users: tuple[str, ...] | None = None

    def __call__(self, config: Config) -> pd.DataFrame:
        """Run it, within the budget that the configuration leaves for input."""
        from .suites import run_suite
        from .systems import CtxLab

        limit = BudgetPlan(config.budget.window, config.budget.shares).input_limit
        system = CtxLab(config)
        return run_suite(system, self.name, self.lang, users=self.users, budget=limit)


@dataclass(frozen=True)
class LogSuite:
    """A log, replayed: what each request takes, and whether it fits (R113).

    Parameters
    ----------
    path : str or Path
        What ``evals.replay`` reads.
    format : str
        As for ``evals.replay``.
    """

    path: str | Path
    format: str = "auto"

    def __call__(self, config: Config) -> pd.DataFrame:
        """Replay it: ``conversation request route tokens left_out passed``.

        ``passed``: a list was made, it is within budget, and every provider takes it.
        """
        from .replaying import replay

        frame = replay(self.path, config, format=self.format, counts=()).to_frame()
        sound = (frame["error"] == "") & (frame["faults"] == "")
        frame["passed"] = sound & (frame["total"] <= frame["limit"]).fillna(False).astype(bool)
        frame["tokens"] = frame["total"]
        wanted = ["conversation", "request", "route", "tokens", "left_out", "passed"]
        return frame[wanted]

    def fingerprint(self) -> str:
        """Return a digest of the file, so that a cache never takes a changed log for the old."""
        return hashlib.blake2s(Path(self.path).read_bytes(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class _Run:
    """One configuration of the plan."""

    factor: str  # the setting that was changed; "base" or "grid"
    swept: Mapping[str, Any]  # every swept setting and its value in this run
    config: Config


def sweep(
    base_config: Config | None,
    factors: Mapping[str, Sequence[Any]],
    suite: str | Path | Suite = "hard",
    *,
    lang: str = "zh",
    grid: bool = False,
    n_jobs: int | None = None,
    cache: str | Path | None = None,
    retries: int = 1,
    drop: Sequence[str] = ("ms",),
    progress: bool = False,
) -> pd.DataFrame:
    """Run a suite on many configurations, by default changing one setting at a time.

    Parameters
    ----------
    base_config : Config or None
        What the other settings are; default ``Config()``.
    factors : dict
        Dotted setting -> values to try, for example ``{"semantic.min_score": [0.2, 0.3, 0.4]}``.
    suite : str, Path or callable
        Name of one of ``run_suite``'s; a `Path` to a log that is replayed; or any picklable
        ``callable(config) -> DataFrame`` of plain values (text, numbers, truth values).
    lang : str
        Language of a named suite.
    grid : bool
        Try every combination instead. The number of runs is the product; a `SweepWarning` says it.
    n_jobs : int, optional
        Processes. Default: what ``joblib.parallel_config`` says around the call, else one.
    cache : path, optional
        Folder of finished runs. A sweep that was interrupted, or is widened, runs only what is
        missing there. A run is found again as long as configuration, suite, code and data are the
        same.
    retries : int
        How often a run that fails is tried again before it is named in the table.
    drop : sequence of str
        Columns of the suite to leave out because they differ from one run to the next.
    progress : bool
        Show a bar on standard error, if that is a terminal.

    Returns
    -------
    DataFrame
        One row per run and row of the suite, in the order of the plan: ``run`` (from 0; the base
        is 0), ``factor`` (the setting changed; ``"base"``, or ``"grid"``), one column per swept
        setting with its value in that run, the suite's columns, and ``error`` (empty, or why a run
        has no result).

    Raises
    ------
    ConfigError
        A setting doesn't exist, or a value is out of range; before anything is run.
    DataError
        A worker of a cluster has another version of ctxlab, or the code changed meanwhile.

    Examples
    --------
    >>> import pandas as pd
    >>> def suite(config):
    ...     return pd.DataFrame({"tokens": [config.budget.window // 2], "passed": [True]})
    >>> table = sweep(None, {"budget.window": [4000, 8000], "semantic.k": [3]}, suite)
    >>> table[["budget.window", "semantic.k", "tokens"]].values.tolist()
    [[32000, 5, 16000], [4000, 5, 2000], [8000, 5, 4000], [32000, 3, 16000]]
    >>> table["factor"].tolist()
    ['base', 'budget.window', 'budget.window', 'semantic.k']
    """
    plan = _plan(base_config or Config(), factors, grid)
    run = _suite(suite, lang)
    store = SweepCache(Path(cache), name_of(run)) if cache is not None else None
    todo = {_key(step.config): step.config for step in plan}  # equal configurations run once
    done: dict[str, Rows] = {}
    for key, config in todo.items() if store else ():
        found = store.read(config) if store else None
        if found is not None:
            done[key] = found
    missing = {key: config for key, config in todo.items() if key not in done}
    for key, result in _parallel(run, missing, n_jobs, retries, tuple(drop), progress):
        done[key] = result
        if store is not None and not result.get("error"):
            store.write(todo[key], result)
    return _frame(plan, [done[_key(step.config)] for step in plan])


def _suite(given: str | Path | Suite, lang: str) -> Suite:
    if isinstance(given, str):
        return NamedSuite(given, lang)
    if isinstance(given, Path):
        return LogSuite(given)
    if not callable(given):
        raise ConfigError(f"suite: expected a name, a Path or a callable, got {given!r:.80}")
    return given


# ---------------------------------------------------------------------- the plan


def _plan(base: Config, factors: Mapping[str, Sequence[Any]], grid: bool) -> list[_Run]:
    """List the runs; every configuration is made here, so a wrong value stops all of it."""
    for name, values in factors.items():
        if isinstance(values, str) or not isinstance(values, Iterable) or not list(values):
            raise ConfigError(f"{name}: expected a list of values to try, got {values!r:.80}")
    now = {name: _setting(base, name) for name in factors}
    plan = [_Run("base", now, base)]
    if grid:
        combinations = list(product(*factors.values()))
        warnings.warn(
            f"a grid over {len(factors)} settings makes {len(combinations):,} runs and the base; "
            f"one setting at a time makes {sum(map(len, factors.values())):,}",
            SweepWarning,
            stacklevel=3,
        )
        for values in combinations:
            change = dict(zip(factors, values, strict=True))
            plan.append(_Run("grid", change, base.with_(change)))
    else:
        for name, values in factors.items():
            plan += [_Run(name, now | {name: v}, base.with_({name: v})) for v in values]
    return plan


def _setting(config: Config, dotted: str) -> Any:
    value: Any = config.model_dump()
    for part in dotted.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ConfigError(f"{dotted}: there is no such setting")
        value = value[part]
    return value


def _key(config: Config) -> str:
    return json.dumps(config.model_dump(mode="json"), sort_keys=True)


# ---------------------------------------------------------------------- running it


def _parallel(
    suite: Suite,
    configs: Mapping[str, Config],
    n_jobs: int | None,
    retries: int,
    drop: tuple[str, ...],
    progress: bool,
) -> Iterator[tuple[str, Rows]]:
    """Give results as they come, so that what is finished is stored before the rest is."""
    from joblib import Parallel, delayed
    from tqdm import tqdm

    version = code_version()
    jobs = (delayed(_attempt)(key, c, suite, retries, drop, version) for key, c in configs.items())
    results = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(jobs)
    stale = 0
    for key, result in tqdm(
        results, total=len(configs), unit="run", disable=None if progress else True
    ):
        if result is None:
            stale += 1
        else:
            yield key, result
    if stale:
        raise DataError(
            f"{stale} runs met other code than this process has: give all machines the same "
            "ctxlab, and restart what was started before the code changed"
        )


def _attempt(
    key: str, config: Config, suite: Suite, retries: int, drop: tuple[str, ...], version: str
) -> tuple[str, Rows | None]:
    """Run once, and again if it fails, in whatever process joblib chose; not with other code."""
    from threadpoolctl import threadpool_limits

    if code_version() != version:
        return key, None
    said = ""
    for _ in range(retries + 1):
        try:
            # The last bit of a product hangs on the number of threads that share it.
            with threadpool_limits(limits=1):
                return key, _packed(suite(config), drop)
        except Exception as error:  # whatever it is, the other runs go on
            said = f"{type(error).__name__}: {error}"
    return key, {"columns": [], "rows": [{}], "error": said}


def _packed(frame: pd.DataFrame, drop: tuple[str, ...]) -> Rows:
    """Turn a suite's table into plain values, the same from memory, a cache or another machine."""
    kept = [name for name in frame.columns if name not in drop]
    rows = frame[kept].itertuples(index=False, name=None)
    names = [str(name) for name in kept]
    return {
        "columns": names,
        "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in rows],
    }


def _plain(value: Any) -> Any:
    import numpy as np
    import pandas as pd

    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool | int | float | str):
        return value
    raise DataError(
        f"a suite's table holds {type(value).__name__} {value!r:.60}: give text, numbers and truth "
        "values only"
    )


def _frame(plan: Sequence[_Run], results: Sequence[Rows]) -> pd.DataFrame:
    import pandas as pd

    columns = dict.fromkeys(name for result in results for name in result["columns"])
    clash = sorted({"run", "factor", "error", *plan[0].swept} & set(columns))
    if clash:
        raise DataError(f"the suite's columns {', '.join(clash)} are the sweep's own: rename them")
    rows = [
        {
            "run": number,
            "factor": run.factor,
            **run.swept,
            **dict.fromkeys(columns),
            **row,
            "error": result.get("error", ""),
        }
        for number, (run, result) in enumerate(zip(plan, results, strict=True))
        for row in result["rows"]
    ]
    return pd.DataFrame(rows, columns=["run", "factor", *plan[0].swept, *columns, "error"])

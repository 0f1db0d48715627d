"""Suites: the same conversations and the same questions to every memory system (R110, R111).

What a system would show a model is judged first, word by word and without any model: the right
order number is in sight, the private remark isn't. A model's reply can be judged beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..config import Config
from ..context.budget import BudgetPlan
from ..errors import DataError
from ..models.chat import Chat
from ..tokens import TokenCounter
from .intervals import wilson
from .judging import judge, row_of
from .playing import Event, check_rows, endurance_rows, play, script_of, worlds
from .systems.baselines import FlatVectors, FullHistory, NoMemory, RollingSummary, RollingWindow
from .systems.layered import CtxLab
from .systems.protocol import SystemSpec

if TYPE_CHECKING:
    import pandas as pd

    from ..datasets import SupportDataset

__all__ = ["SUITES", "every_system", "run_suite", "summarise", "validation_table"]

SUITES = ("simple", "medium", "hard", "endurance")
Row = dict[str, Any]


def every_system(config: Config | None = None) -> list[SystemSpec]:
    """Return ctxlab and the naive baselines; other people's libraries are added by hand.

    Examples
    --------
    >>> [spec.name for spec in every_system()][:2]
    ['no memory', 'full history']
    """
    return [
        NoMemory(),
        FullHistory(),
        RollingWindow(),
        RollingSummary(),
        FlatVectors(),
        CtxLab(config or Config()),
    ]


def run_suite(
    systems: SystemSpec | Sequence[SystemSpec] | None = None,
    suite: str = "hard",
    lang: str = "zh",
    *,
    data: SupportDataset | None = None,
    checks: Iterable[Mapping[str, Any]] | pd.DataFrame | None = None,
    users: Sequence[str] | None = None,
    budget: int | None = None,
    chat: Chat | None = None,
    jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Play the support conversations to memory systems, and judge what each would show a model.

    Parameters
    ----------
    systems : spec or sequence of specs, optional
        See ``evals.systems``; default: all that need no further package.
    suite : str
        ``"simple"`` (up to 10 turns), ``"medium"`` (up to 50, with changes of mind), ``"hard"``
        (across sessions, or longer), ``"endurance"`` (along sessions of 20 turns and more, asked
        every five) or ``"all"``.
    lang : str
        ``"zh"`` or ``"en"``.
    data : SupportDataset, optional
        Default: the checked-in set; ``cx.make_support(…, seed=…)`` makes one nobody has seen.
    checks : rows, optional
        Your own instead of the suite's, with the columns that `datasets/README.md` describes.
    users : sequence of str, optional
        Only checks of these customers.
    budget : int, optional
        Tokens that input may use; default what the default window leaves for it.
    chat : callable, optional
        A model; its reply to each context is then judged too.
    jobs : int
        Processes, or threads, or what joblib's backend makes of it. Results don't depend on it.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    pandas.DataFrame
        One row a system and check, in the order of both. ``system lang suite check name sign
        scenario question expected actual passed layer expected_layer tokens ms missing leaked over
        faults route expected_route route_right why``, and with a `chat` ``reply reply_passed``.
        ``passed``: all that must be there is, nothing that must not, the list is legal and within
        the budget. ``layer``: what supplied it. ``route_right`` is None where a system has no
        routes.

    Raises
    ------
    DataError
        No such suite, or no check is left to ask.

    Examples
    --------
    >>> frame = run_suite(FullHistory(), "simple", "en", users=["U001"])
    >>> frame[["check", "passed", "layer"]].values.tolist()
    [['C001', True, 'recent'], ['C002', True, 'recent']]
    """
    import pandas as pd
    from joblib import Parallel, delayed
    from tqdm import tqdm

    from ..datasets import load_support

    data = data or load_support(lang)
    specs = _specs(systems)
    rows = _rows(data, suite, checks, users)
    limit = BudgetPlan(Config().budget.window).input_limit if budget is None else budget
    scripts = [script_of(data, group, rows) for group in worlds(data, {r["user_id"] for r in rows})]
    tasks = [(spec, script) for spec in specs for script in scripts]
    todo = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_play)(spec, script, limit, chat) for spec, script in tasks
    )
    done: list[Row] = []
    with tqdm(total=len(tasks), desc="worlds", disable=not progress) as bar:
        for (spec, _), found in zip(tasks, todo, strict=True):
            done += [{"system": spec.name, "lang": data.lang, **row} for row in found]
            bar.update()
    place = {row["check_id"]: n for n, row in enumerate(rows)}
    order = {spec.name: n for n, spec in enumerate(specs)}
    done.sort(key=lambda row: (order[row["system"]], place[row["check"]]))
    return pd.DataFrame(done)


def _specs(systems: SystemSpec | Sequence[SystemSpec] | None) -> list[SystemSpec]:
    if systems is None:
        return every_system()
    specs = list(systems) if isinstance(systems, Sequence) else [systems]
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not names:
        raise DataError(f"systems: {twice or 'none'}; give each a name of its own")
    return specs


def _rows(
    data: SupportDataset,
    suite: str,
    checks: Iterable[Mapping[str, Any]] | pd.DataFrame | None,
    users: Sequence[str] | None,
) -> list[Row]:
    if suite not in (*SUITES, "all"):
        raise DataError(f"no suite {suite!r}; there are {', '.join(SUITES)} and all")
    if checks is not None:
        given = checks.to_dict("records") if hasattr(checks, "to_dict") else checks
        rows = [{str(key): value for key, value in row.items()} for row in given]
    else:
        rows = [] if suite == "endurance" else check_rows(data, suite)
        rows += endurance_rows(data) if suite in ("endurance", "all") else []
    if users is not None:
        rows = [row for row in rows if row["user_id"] in users]
    if not rows:
        raise DataError(f"no check of suite {suite!r} for users {users}: nothing to ask")
    return rows


def _play(spec: SystemSpec, script: Sequence[Event], budget: int, chat: Chat | None) -> list[Row]:
    """Play one world to one fresh system; runs in whatever process joblib chooses."""
    counter = TokenCounter()
    system = spec.open()
    try:
        return [
            row_of(check, seen, judge(check, seen, budget, counter), ms, chat)
            for check, seen, ms in play(system, script, budget)
        ]
    finally:
        system.close()


# ---------------------------------------------------------------------- tables


def summarise(
    frame: pd.DataFrame, by: Sequence[str] = ("system", "lang", "suite"), confidence: float = 0.95
) -> pd.DataFrame:
    """Sum a suite's rows up, each share with Wilson's interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_suite` returned, or several of them one below the other.
    by : sequence of str
        Columns to group by.
    confidence : float
        Coverage of the interval.

    Returns
    -------
    pandas.DataFrame
        `by`, then ``n passed low high`` (share of checks that passed, with its interval),
        ``held`` (share whose context holds all that must be there), ``clean`` (share without
        anything forbidden), ``routed`` (share of right routes, where there are any), ``tokens``
        (mean a context) and ``ms`` (median).

    Examples
    --------
    >>> frame = run_suite([NoMemory(), FullHistory()], "simple", "en", users=["U001"])
    >>> summarise(frame)[["system", "n", "passed", "held"]].values.tolist()
    [['no memory', 2, 0.0, 0.0], ['full history', 2, 1.0, 1.0]]
    """
    import pandas as pd

    rows = []
    for key, part in frame.groupby(list(by), sort=False):
        n, right = len(part), int(part["passed"].sum())
        low, high = wilson(right, n, confidence)
        routed = part["route_right"].dropna()
        rows.append(
            {
                **dict(zip(by, key, strict=True)),
                "n": n,
                "passed": right / n,
                "low": low,
                "high": high,
                "held": float((part["missing"] == 0).mean()),
                "clean": float((part["leaked"] == 0).mean()),
                "routed": float(routed.mean()) if len(routed) else float("nan"),
                "tokens": float(part["tokens"].mean()),
                "ms": float(part["ms"].median()),
            }
        )
    return pd.DataFrame(rows)


def validation_table(frame: pd.DataFrame, system: str | None = None) -> pd.DataFrame:
    """Show question, expected, actual and which layer supplied it, one line a check (R110).

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_suite` returned.
    system : str, optional
        Only this one.
    """
    part = frame if system is None else frame[frame["system"] == system]
    columns = ["check", "question", "expected", "actual", "passed", "layer", "expected_layer"]
    return part[([] if system else ["system"]) + columns].reset_index(drop=True)

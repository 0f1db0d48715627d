"""``ctxlab eval``: the suites and the failure bench from the command line (R95, R110)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .config import Config
from .errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from .evals.systems import SystemSpec

__all__ = ["evaluate"]

_SYSTEMS = "ctxlab none history window summary vectors mem0 langgraph".split()
_USUAL = [name for name in _SYSTEMS if name not in ("mem0", "langgraph")]
_LANGS = {"zh": ["zh"], "en": ["en"], "both": ["zh", "en"]}


def evaluate(
    what: Annotated[
        str, typer.Argument(help="simple, medium, hard, endurance, all, or failures.")
    ] = "simple",
    lang: Annotated[str, typer.Option(help="zh, en or both.")] = "both",
    system: Annotated[
        list[str] | None, typer.Option(help=f"Of {', '.join(_SYSTEMS)}; repeat for several.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Settings of ctxlab, TOML.")] = None,
    budget: Annotated[int | None, typer.Option(help="Tokens that input may use.")] = None,
    size: Annotated[int, typer.Option(help="Of the failure bench: more customers.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    validation: Annotated[bool, typer.Option(help="Print every check.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write every check or case here.")] = None,
) -> None:
    """Ask memory systems what they remember, or provoke them until they fail."""
    if lang not in _LANGS:
        raise DataError(f"--lang {lang}: zh, en or both")
    specs = _specs(system or _USUAL, Config() if config is None else Config.load(config))
    run = _failures if what == "failures" else _suite
    rows, tables = run(what, _LANGS[lang], specs, budget, size, jobs)
    for table in tables:
        typer.echo(table.to_string(index=False, na_rep="–", float_format=lambda x: f"{x:,.2f}"))
        typer.echo()
    if validation and what != "failures":
        from .evals.suites import validation_table

        typer.echo(validation_table(rows).to_string(index=False))
    if csv is not None:
        rows.to_csv(csv, index=False)
        typer.echo(f"wrote {csv}")


Result = tuple["pd.DataFrame", list["pd.DataFrame"]]


def _suite(
    what: str,
    langs: Sequence[str],
    specs: Sequence[SystemSpec],
    budget: int | None,
    size: int,
    jobs: int,
) -> Result:
    import pandas as pd

    from .evals.suites import run_suite, summarise

    bar = sys.stderr.isatty()
    parts = [run_suite(specs, what, lang, budget=budget, jobs=jobs, progress=bar) for lang in langs]
    rows = pd.concat(parts, ignore_index=True)
    return rows, [summarise(rows, ("suite", "system", "lang"))]


def _failures(
    what: str,
    langs: Sequence[str],
    specs: Sequence[SystemSpec],
    budget: int | None,
    size: int,
    jobs: int,
) -> Result:
    from .evals.failures import failure_cases, failure_rates

    rows = failure_cases(specs, lang=langs, size=size, jobs=jobs, progress=sys.stderr.isatty())
    rates = failure_rates(rows)
    wide = rates.pivot(index="failure", columns="system", values="rate").reset_index()
    return rows, [rates, wide]


def _specs(names: Sequence[str], config: Config) -> list[SystemSpec]:
    from .evals import systems

    known: dict[str, Callable[[], Any]] = {
        "ctxlab": lambda: systems.CtxLab(config),
        "none": lambda: systems.NoMemory(),
        "history": lambda: systems.FullHistory(),
        "window": lambda: systems.RollingWindow(),
        "summary": lambda: systems.RollingSummary(),
        "vectors": lambda: systems.FlatVectors(),
        "mem0": lambda: systems.Mem0(),
        "langgraph": lambda: systems.LangGraphStore(),
    }
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DataError(f"--system {unknown[0]}: choose of {', '.join(known)}")
    return [known[name]() for name in names]

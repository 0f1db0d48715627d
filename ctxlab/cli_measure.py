"""``ctxlab fit-threshold, review, suggest``: thresholds from labelled pairs and verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .config import Config
from .errors import StoreError

__all__ = ["fit_threshold", "review", "suggest"]

Settings = Annotated[
    Path | None, typer.Option("--config", help="Settings, e.g. ctxlab.toml.", show_default=False)
]


def fit_threshold(
    pairs: Annotated[Path, typer.Argument(help="CSV or JSONL: query, text, relevant.")],
    embedder: Annotated[str, typer.Option(help="auto, minilm, a model's name or folder.")] = "auto",
    mode: Annotated[str, typer.Option(help="hybrid, dense or keyword.")] = "hybrid",
    precision: Annotated[float | None, typer.Option(help="Hold this precision, 0 to 1.")] = None,
    beta: Annotated[float, typer.Option(help="Else the highest F-beta.")] = 1.0,
    config: Settings = None,
    out: Annotated[Path | None, typer.Option(help="Write the settings here, TOML.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve here, PNG or SVG.")] = None,
) -> None:
    """Fit the minimum score of a search on labelled pairs."""
    from .evals.thresholds import fit_threshold as fit

    base = Config() if config is None else Config.load(config)
    found = fit(pairs, embedder, mode=mode, precision=precision, beta=beta)
    typer.echo(str(found))
    if out is not None:
        found.save(out, base)
        typer.echo(f"wrote {out}")
    if plot is not None:
        found.plot().savefig(plot)
        typer.echo(f"wrote {plot}")


def review(
    database: Annotated[str, typer.Argument(help="A SQLite file, or a database URL.")],
    out: Annotated[Path, typer.Argument(help="The table to fill in, CSV.")],
    n: Annotated[int, typer.Option(help="Rows of each kind.")] = 20,
    agent: Annotated[str, typer.Option(help="The role that reviews.")] = "support",
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
    embedder: Annotated[str, typer.Option(help="The model that made the vectors.")] = "auto",
    config: Settings = None,
) -> None:
    """Draw profiles, summaries and contexts into a table for review."""
    from .evals.review import VERDICTS, sample_for_review
    from .layers.memory import Memory

    url = database if "://" in database else f"sqlite:///{database}"
    if "://" not in database and not Path(database).is_file():
        raise StoreError(f"there is no file {database}; name the database of a ContextEngine")
    settings = Config() if config is None else Config.load(config)
    with Memory(url, embedder=embedder, config=settings) as memory:
        table = sample_for_review(memory, n, agent=agent, seed=seed, path=out)
    typer.echo(f"wrote {len(table)} rows to {out}: fill in verdict ({', '.join(VERDICTS)})")


def suggest(
    verdicts: Annotated[Path, typer.Argument(help="A review table with verdicts, CSV.")],
    config: Settings = None,
) -> None:
    """Print which settings and rules the verdicts speak against; nothing is changed."""
    from .evals.suggesting import suggest as run

    table = run(verdicts, None if config is None else Config.load(config))
    for row in table.to_dict("records"):
        typer.secho(f"{row['action']}: {row['topic']}", bold=True)
        if row["setting"]:
            proposed = "" if row["proposed"] is None else f" -> {row['proposed']}"
            typer.echo(f"  {row['setting']}: {row['now']}{proposed}")
        rate = f"{row['rate']:.0%} ({row['low']:.0%} to {row['high']:.0%}) of {row['n']}"
        typer.echo(f"  {row['reason']}\n  evidence: {rate}: {row['examples']}")
    if table.empty:
        typer.echo("nothing speaks for a change")

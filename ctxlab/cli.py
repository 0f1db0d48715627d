"""The command line: ``ctxlab replay, eval, lab, data, inspect, sweep, consolidate, erase, …``."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from .cli_eval import evaluate
from .cli_measure import fit_threshold, review, suggest
from .config import Config
from .errors import CtxlabError, DataError, MissingExtra, StoreError

if TYPE_CHECKING:
    import pandas as pd

    from .evals.replaying import Replay
    from .storage.store import Store

__all__ = ["app"]


class _Told(TyperGroup):
    """Errors a user can mend are one line on standard error, not a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader of a pipe left: click ends quietly
        except (CtxlabError, OSError) as error:
            typer.echo(f"ctxlab: {error}", err=True)
            raise typer.Exit(1) from error


app = typer.Typer(
    cls=_Told,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A laboratory for context and memory of customer-support LLM agents.",
)

Settings = Annotated[
    Path | None, typer.Option("--config", help="Settings, e.g. ctxlab.toml.", show_default=False)
]
Database = Annotated[str, typer.Argument(help="A SQLite file, or a database URL.")]


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="The log: JSON lines, JSON, or a zip of one.")],
    window: Annotated[int | None, typer.Option(help="Context window in tokens.")] = None,
    compare_window: Annotated[int | None, typer.Option(help="A second window beside it.")] = None,
    config: Settings = None,
    compare_config: Annotated[Path | None, typer.Option(help="Settings of the second.")] = None,
    format: Annotated[str, typer.Option(help="auto, openai, tau or crosswoz.")] = "auto",
    csv: Annotated[Path | None, typer.Option(help="Write every request here.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with charts here.")] = None,
    conversation: Annotated[
        str | None, typer.Option(help="Print this one, or 'all'; default the first.")
    ] = None,
) -> None:
    """Fit logged conversations into a token budget, request by request."""
    from .evals.replaying import replay as run

    first = _settings(config, window)
    second = None
    if compare_window is not None or compare_config is not None:
        second = _settings(compare_config or config, compare_window or window)
    result = run(file, first, second, format=format, progress=True)
    _print_requests(result, conversation)
    _print_comparison(result)
    if csv is not None:
        result.to_csv(csv)
        typer.echo(f"wrote {csv}")
    if html is not None:
        result.to_html(html, title=f"Replay of {file.name}")
        typer.echo(f"wrote {html}")


@app.command()
def lab(
    folder: Annotated[Path | None, typer.Argument(help="Default: ctxlab's notebooks.")] = None,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
    port: Annotated[int | None, typer.Option(help="Port of the server.")] = None,
) -> None:
    """Open JupyterLab on the notebooks."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise MissingExtra("jupyterlab", "lab")
    place = folder or Path(__file__).resolve().parent.parent / "notebooks"
    if not place.is_dir():
        raise DataError(
            f"no notebooks at {place}: they come with a checkout of ctxlab; name their folder"
        )
    command = [sys.executable, "-m", "jupyterlab", str(place)]
    command += [] if browser else ["--no-browser"]
    command += [] if port is None else [f"--port={port}"]
    raise typer.Exit(subprocess.call(command))


@app.command()
def data(
    write: Annotated[bool, typer.Option("--write", help="Write the checked-in sets anew.")] = False,
    out: Annotated[Path | None, typer.Option(help="Make a set of your own in this folder.")] = None,
    lang: Annotated[str, typer.Option(help="Of your own set: zh or en.")] = "zh",
    customers: Annotated[int, typer.Option(help="Of your own set.")] = 50,
    seed: Annotated[int, typer.Option(help="Of your own set.")] = 7,
) -> None:
    """Verify the support data (default), write it anew, or make a set of your own."""
    from . import datasets

    if out is not None:
        files = datasets.make_support(lang, customers, seed).save(out)
        typer.echo(f"wrote {len(files)} files to {out}; cx.load_support({lang!r}, folder) reads it")
        return
    home = datasets.data_dir()
    if write:
        for language in ("zh", "en"):
            datasets.make_support(language).save(home / "support" / language)
        datasets.write_manifest(home)
    with tempfile.TemporaryDirectory() as scratch:
        wrong, checked = [], 0
        for language in ("zh", "en"):
            fresh = datasets.make_support(language).save(Path(scratch) / language)
            for path in fresh:
                known = home / "support" / language / path.name
                checked += 1
                if not known.is_file() or known.read_bytes() != path.read_bytes():
                    wrong.append(f"{language}/{path.name}")
    if wrong:
        raise DataError(f"{', '.join(wrong)} differ from what the seed gives: ctxlab data --write")
    typer.echo(f"{checked} files in {home / 'support'}: each is what its seed gives, byte for byte")


@app.command()
def inspect(
    database: Database,
    session: Annotated[str | None, typer.Option(help="Look into this session.")] = None,
    last: Annotated[int, typer.Option(help="Sessions, or contexts of one session.")] = 20,
    config: Settings = None,
) -> None:
    """Show a database's sessions; of one session, its state and its last contexts."""
    from .storage import conversations as sql
    from .storage.overview import list_sessions

    store = _open(database)
    try:
        with store.read() as connection:
            if session is None:
                _print_sessions(list_sessions(connection, last))
                return
            row = sql.session_row(connection, session)
            if row is None:
                raise StoreError(f"no session {session!r} in {database}; ctxlab inspect lists them")
            state = sql.state_rows(connection, row["entity"], session)
            said = sql.messages_from(connection, row["entity"], session)
    finally:
        store.close()
    _print_sessions([{**row, "messages": len(said), "tokens": sum(m["tokens"] for m in said)}])
    for slot in state:
        typer.echo(f"state  {slot['key']} = {slot['value']!r}, written in turn {slot['turn']}")
    typer.echo("state  (empty)" if not state else "")
    _print_contexts(said, last, _settings(config, None))


@app.command()
def sweep(database: Database, config: Settings = None) -> None:
    """Close stale sessions and remove what has expired; safe to run from any scheduler."""
    from .engine import ContextEngine

    store = _open(database)
    store.close()
    with ContextEngine(store.url, config=_settings(config, None), embedder=None) as engine:
        for what, count in engine.sweep().items():
            typer.echo(f"{what.replace('_', ' ')}: {count}")


@app.command()
def consolidate(
    database: Database,
    entity: Annotated[str | None, typer.Option(help="Only this one, e.g. customer:U001.")] = None,
    embedder: Annotated[str, typer.Option(help="The model that made the vectors.")] = "auto",
    config: Settings = None,
) -> None:
    """Make lasting what finished sessions said for good; safe to run from any scheduler."""
    from .engine import ContextEngine

    store = _open(database)
    store.close()
    settings = _settings(config, None)
    with ContextEngine(store.url, config=settings, embedder=embedder) as engine:
        report = engine.consolidate(entity, progress=sys.stderr.isatty())
    typer.echo(f"finished sessions gone through: {report.sessions}")
    typer.echo(f"drafted: {report.drafted}")
    typer.echo(f"admitted: {report.admitted}")
    for reason, count in report.skipped.items():
        typer.echo(f"skipped, {reason}: {count}")


@app.command()
def erase(
    database: Database,
    entity: Annotated[str, typer.Argument(help="Whose data, e.g. customer:U001.")],
    by: Annotated[str, typer.Option(help="Who asks for it.")],
    reason: Annotated[str, typer.Option(help="Why; it is audited.")],
) -> None:
    """Delete all data of an entity, and print the certificate of what was searched."""
    from .layers.memory import Memory

    store = _open(database)
    store.close()
    with Memory(store.url, embedder=None) as memory:
        certificate = memory.erase(entity, by=by, reason=reason)
    for table, count in certificate.counts.items():
        typer.echo(f"{table}: {count} deleted")
    searched = sum(certificate.searched.values())
    typer.echo(f"{certificate.pieces:,} pieces of it looked for in {searched:,} bytes")
    typer.echo(f"residue: {certificate.residue}")
    typer.echo(f"out of reach: {'; '.join(certificate.out_of_reach)}")
    typer.echo(f"certificate: {certificate.digest}")
    if certificate.residue:
        raise typer.Exit(1)


@app.command()
def backup(
    database: Database,
    copy: Annotated[Path, typer.Argument(help="The new file; an existing one is kept.")],
) -> None:
    """Copy a SQLite database while it is in use, and check the copy."""
    store = _open(database)
    try:
        size = store.backup(copy)
    finally:
        store.close()
    typer.echo(f"wrote {copy}, {size:,} bytes, checked")


app.command("eval")(evaluate)
for measure in (fit_threshold, review, suggest):
    app.command()(measure)


@app.command()
def tune_index(
    save: Annotated[Path, typer.Argument(help="Settings to write it to.")] = Path("ctxlab.toml"),
    sizes: Annotated[str, typer.Option(help="Vectors to try.")] = "1000,3000,10000,30000",
    dimension: Annotated[int, typer.Option(help="Of a vector.")] = 512,
    recall: Annotated[float, typer.Option(help="Share of the best ten to find.")] = 0.99,
    timings: Annotated[Path | None, typer.Option(help="Write the times here.")] = None,
) -> None:
    """Measure exact and approximate search on this machine, and set where an index pays."""
    from .evals.tuning import parse_sizes
    from .evals.tuning import tune_index as measure

    config = Config.load(save) if save.exists() else Config()
    tried = parse_sizes(sizes)
    found = measure(tried, dimension, recall, progress=sys.stderr.isatty())
    typer.echo(found.to_frame().to_string(index=False, float_format=lambda x: f"{x:,.3f}"))
    if timings is not None:
        found.save(timings)
    found.apply(config).save(save)
    reached = "" if found.reached else f" (none paid up to {tried[-1]:,})"
    typer.echo(f"index.crossover = {found.crossover:,}{reached}, {found.kind}, in {save}")


# ---------------------------------------------------------------------- what the commands share


def _settings(path: Path | None, window: int | None) -> Config:
    config = Config() if path is None else Config.load(path)
    return config if window is None else config.with_({"budget.window": window})


def _open(database: str) -> Store:
    """Open a database that exists; a misspelt name must not make an empty one."""
    from .storage.overview import is_ours
    from .storage.store import Store

    url = database if "://" in database else f"sqlite:///{database}"
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        if not path.is_file():
            raise StoreError(f"there is no file {path}; name the database of a ContextEngine")
        if not is_ours(path):
            raise StoreError(f"{path} is not a database of ctxlab")
    return Store(url)


def _print_sessions(rows: list[dict[str, Any]]) -> None:
    if not rows:
        typer.echo("no sessions")
        return
    import pandas as pd

    table = pd.DataFrame(
        {
            "session": row["id"],
            "user": row["user_id"] or "(anonymous)",
            "agent": row["agent"],
            "started": f"{row['started']:%Y-%m-%d %H:%M}",
            "active": f"{row['active']:%Y-%m-%d %H:%M}",
            "ended": row["end_reason"] or "open",
            "messages": row["messages"] or 0,
            "tokens": row["tokens"] or 0,
        }
        for row in rows
    )
    typer.echo(table.to_string(index=False))


def _print_contexts(said: list[Any], last: int, config: Config) -> None:
    """Rebuild the last contexts from the raw messages: contexts themselves aren't stored (R1)."""
    from .evals.replaying import replay as run

    if not any(row["body"]["role"] == "user" for row in said):
        typer.echo("no user message yet: no context was needed")
        return
    messages = [{**row["body"], "id": row["id"], "time": row["time"]} for row in said]
    result = run(messages, config)
    typer.echo("contexts, rebuilt from the raw messages alone:")
    for line in _request_lines(result.to_frame().tail(last), result.limits):
        typer.echo(line)


def _print_requests(result: Replay, wanted: str | None) -> None:
    frame = result.to_frame()
    names = list(frame["conversation"].unique())
    if wanted not in (None, "all", *names):
        known = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise DataError(f"no conversation {wanted!r} in the log; there are {known}")
    shown = names if wanted == "all" else [wanted or names[0]]
    for name in shown:
        for config, label in result.labels.items():
            typer.secho(f"\nConversation {name} · {label}", bold=True)
            part = frame[(frame["conversation"] == name) & (frame["config"] == config)]
            for line in _request_lines(part, result.limits):
                typer.echo(line)
    if len(shown) < len(names):
        rest = len(names) - len(shown)
        typer.echo(f"\n{rest} more conversation(s): --conversation ID or all, --csv, --html")


_COLUMNS = ("turn", "route", "system", "memory", "tools", "recent", "total", "used", "left out")


def _request_lines(rows: pd.DataFrame, limits: dict[str, int]) -> list[str]:
    """Lay out requests: tokens by section in columns, what was left out and why below."""
    form = "{:<10} {:<10} {:>6} {:>7} {:>7} {:>7} {:>7} {:>5} {:>9}"
    lines = [form.format(*_COLUMNS)]
    for row in rows.to_dict("records"):
        turn = f"{row['turn']}{' tools' if row['after'] == 'tools' else ''}"
        if row["error"]:
            lines += [f"{turn:<10} refused", *_wrapped(row["error"])]
            continue
        memory = sum(row[layer] for layer in ("profile", "conclusion", "summary", "state"))
        tools = row["tool_definitions"] + row["past"]
        sections = (row["system"], memory, tools, row["recent"], row["total"])
        used = f"{row['total'] / limits[row['config']]:.0%}"
        counts = [f"{count:,}" for count in sections]
        lines.append(form.format(turn, row["route"][:10], *counts, used, f"{row['left_out']:,}"))
        if row["dropped"]:
            lines += _wrapped(f"{row['dropped']}: {row['why']}")
        if row["faults"]:
            lines += _wrapped(f"FAULT {row['faults']}")
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 78, initial_indent="           ", subsequent_indent="           ")


def _print_comparison(result: Replay) -> None:
    from .evals.page import claim

    summary = result.summary()
    table = summary.rename(columns={name: str(name).replace("_", " ") for name in summary})
    typer.secho("\nComparison", bold=True)
    typer.echo(table.to_string(index=False, na_rep="–", float_format=lambda x: f"{x:,.2f}"))
    conversations = result.to_frame()["conversation"].nunique()
    typer.echo("\n" + textwrap.fill(claim(summary, conversations), 88))

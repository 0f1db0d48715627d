"""The suites and the failure bench for every system, both languages: a JSON file and a table.

``python tests/benchmarks/suites.py [--out FILE] [--readme] [--size N] [--jobs N] …`` takes some
minutes a system. ``--out`` is where the figures go, by default ``book/results/suites.json``;
``--readme`` puts the table that they give into README.md, and ``--table`` does only that.
Systems whose packages aren't installed are left out, and said to be.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.failures import FAILURES
from ctxlab.evals.lengthening import lengthen
from ctxlab.evals.systems import (
    CtxLab,
    FlatVectors,
    FullHistory,
    LangGraphStore,
    Mem0,
    NoMemory,
    RollingSummary,
    RollingWindow,
)

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "book" / "results" / "suites.json"
SYSTEMS = (
    NoMemory(),
    FullHistory(),
    RollingWindow(),
    RollingWindow(messages=20),
    RollingSummary(),
    FlatVectors(),
    LangGraphStore(),
    Mem0(),
    CtxLab(),
)
# The failure modes in four columns; every one is in the JSON by itself.
GROUPS = {
    "leaks": "contamination, privacy, erasure, cross-agent, cross-user",
    "stale, repeated": "stale facts, stale tools, irrelevant past, duplicates, pollution",
    "broken": "overflow, orphan tools, boundary forgery",
    "lost": "scale, summary loss",
}
MARKS = ("<!-- results: written by tests/benchmarks/suites.py -->", "<!-- /results -->")
# Earlier conversations that each customer is given, and customers whose hard checks are all asked
# in a new session: within one, its own turns go word for word, whatever went before.
LONG = {"sessions": [0, 8, 16], "turns": 12, "customers": 12}


def installed(systems: Iterable[Any]) -> list[Any]:
    """Return the systems that can be opened here."""
    found = []
    for spec in systems:
        try:
            spec.open().close()
            found.append(spec)
        except cx.MissingExtra as error:
            sys.stderr.write(f"{spec.name} is left out: {error}\n")
    return found


def measure(systems: Sequence[Any], args: argparse.Namespace) -> dict[str, Any]:
    """Run what was asked for; each part prints how long it took."""
    out: dict[str, Any] = {"versions": versions(), "size": args.size, "failure_seed": 101}
    if "suites" in args.only:
        frames = [
            timed(f"suites {lang}", evals.run_suite, systems, "all", lang, jobs=args.jobs)
            for lang in args.langs
        ]
        rows = pd.concat(frames)
        table = evals.summarise(rows, ("suite", "system", "lang"))
        out["suites"] = records(table.drop(columns="ms"))  # times are this machine's
        misses = rows[~rows["passed"] & (rows["system"] == "ctxlab")]
        misses = misses.groupby(["lang", "suite", "name"]).size().rename("n").reset_index()
        out["missed_by_ctxlab"] = records(misses)
    if "failures" in args.only:
        cases = timed(
            "failures", evals.failure_cases, systems, None, args.langs,
            size=args.size, jobs=args.jobs,
        )  # fmt: skip
        out["failures"] = records(evals.failure_rates(cases, ("system", "failure", "lang")))
    if "long" in args.only:
        out["long"] = records(long_lives(systems, args))
        out["long_lives"] = LONG
    return out


def merged(parts: Iterable[Path]) -> dict[str, Any]:
    """Put the files of several runs together, in the order of `SYSTEMS`."""
    out: dict[str, Any] = {}
    for path in parts:
        for key, value in json.loads(path.read_text("utf-8")).items():
            if isinstance(value, list):
                out[key] = out.get(key, []) + value
            elif out.setdefault(key, value) != value:
                raise SystemExit(f"{path}: {key} is {value}, but {out[key]} in the files before")
    place = {spec.name: n for n, spec in enumerate(SYSTEMS)}
    for rows in out.values():
        if isinstance(rows, list):
            rows.sort(key=lambda row: place.get(row.get("system"), -1))
    return out


def long_lives(systems: Sequence[Any], args: argparse.Namespace) -> pd.DataFrame:
    """Ask the hard checks of a few customers after more and more conversations.

    Full history shows every word that was ever said to this customer, so it holds every key fact:
    what is compared is how many tokens ctxlab needs of that, and how many facts it still holds.
    """
    some = [spec for spec in systems if spec.name in ("full history", "ctxlab")]
    parts = []
    for lang in args.langs:
        data = cx.load_support(lang)
        users = returning(data, LONG["customers"])
        for sessions in LONG["sessions"]:
            longer = lengthen(data, sessions, LONG["turns"], users)
            what = f"long lives {lang}, {sessions} more"
            rows = timed(what, evals.run_suite, some, "hard", data=longer, users=users)
            parts.append(rows.assign(sessions=sessions))
    by = ("system", "lang", "sessions")
    return evals.summarise(pd.concat(parts), by).drop(columns="ms")


def returning(data: cx.SupportDataset, count: int) -> list[str]:
    """Return the first customers whose hard checks are all asked in a new session."""
    hard = data.checks[data.checks["difficulty"] == "hard"]
    new = hard.groupby("user_id")["new_session"].all()
    return sorted(new[new].index)[:count]


def timed(what: str, run: Any, *given: Any, **more: Any) -> Any:
    begin = time.perf_counter()
    result = run(*given, progress=sys.stderr.isatty(), **more)
    sys.stderr.write(f"{what}: {time.perf_counter() - begin:.0f} s\n")
    return result


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as JSON has them: rounded, and null for what isn't a number."""
    rows: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", double_precision=4))
    return rows


def versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0]}
    for package in ("ctxlab", "mem0ai", "langgraph", "langchain-core"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


# ---------------------------------------------------------------------- the table in README.md


def headline(results: Mapping[str, Any]) -> str:
    """Return the README's table: what the JSON says, languages taken together."""
    systems = list(dict.fromkeys(row["system"] for row in results["suites"]))
    head = ["", "simple", "medium", "hard", "tokens", *GROUPS]
    lines = [f"| {' | '.join(head)} |", f"|---{'|--:' * (len(head) - 1)}|"]
    for system in systems:
        mine = [row for row in results["suites"] if row["system"] == system]
        cells = [f"**{system}**" if system == "ctxlab" else system]
        for suite in ("simple", "medium", "hard"):
            part = [row for row in mine if row["suite"] == suite]
            right, n = sum(round(row["passed"] * row["n"]) for row in part), count(part)
            cells.append(share(right, n, interval=suite == "hard"))
        hard = [row for row in mine if row["suite"] == "hard"]
        tokens = sum(row["tokens"] * row["n"] for row in hard) / count(hard)
        cells.append(f"{tokens:,.0f}")
        for names in GROUPS.values():
            part = [
                row
                for row in results["failures"]
                if row["system"] == system and row["failure"] in names.split(", ")
            ]
            cells.append(share(sum(round(row["rate"] * row["n"]) for row in part), count(part)))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def count(rows: Iterable[Mapping[str, Any]]) -> int:
    return sum(row["n"] for row in rows)


def share(part: int, whole: int, interval: bool = False) -> str:
    if not whole:
        return "–"
    low, high = evals.wilson(part, whole)
    return f"{part / whole:.0%}" + (f" ({low:.0%} to {high:.0%})" if interval else "")


def put(readme: str, table: str) -> str:
    """Return a README with the table between its marks."""
    pattern = re.compile(f"{re.escape(MARKS[0])}.*?{re.escape(MARKS[1])}", re.DOTALL)
    if not pattern.search(readme):
        raise SystemExit(f"README.md has no {MARKS[0]} to write behind")
    return pattern.sub(lambda _: f"{MARKS[0]}\n{table}\n{MARKS[1]}", readme)


def main() -> None:
    """Measure, write, and show."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--langs", nargs="+", default=["zh", "en"])
    parser.add_argument("--systems", nargs="+", help="names; all by default")
    parser.add_argument("--size", type=int, default=2, help="of the failure bench")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=["suites", "failures", "long"])
    parser.add_argument("--merge", nargs="+", type=Path, help="files of runs, instead of a run")
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    parser.add_argument("--table", action="store_true", help="only that, from what was measured")
    args, _ = parser.parse_known_args()  # `make bench` gives its ARGS to every benchmark
    if not args.table:
        wanted = [s for s in SYSTEMS if args.systems is None or s.name in args.systems]
        results = merged(args.merge) if args.merge else measure(installed(wanted), args)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    results = json.loads(args.out.read_text("utf-8"))
    if not {"suites", "failures"} <= set(results):
        return
    table = headline(results)
    assert set(", ".join(GROUPS.values()).split(", ")) == set(FAILURES)
    print(table)
    if args.readme or args.table:
        readme = ROOT / "README.md"
        readme.write_text(put(readme.read_text("utf-8"), table), "utf-8")


if __name__ == "__main__":
    main()

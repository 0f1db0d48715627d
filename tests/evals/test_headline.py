"""The README's table is what the measured file says, and nobody typed it (R111)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import ctxlab as cx

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "tests" / "benchmarks" / "suites.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("suites_benchmark", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def results(bench):
    return json.loads(bench.OUT.read_text("utf-8"))


def test_the_readme_says_what_was_measured(bench):
    readme = (ROOT / "README.md").read_text("utf-8")
    assert bench.put(readme, bench.headline(results(bench))) == readme, (
        "run: python tests/benchmarks/suites.py --table"
    )


def test_a_changed_figure_changes_the_table(bench):
    doctored = results(bench)
    row = next(r for r in doctored["suites"] if r["suite"] == "hard" and r["system"] == "ctxlab")
    row["passed"] = 1.0 - row["passed"]
    assert bench.headline(doctored) != bench.headline(results(bench))


def test_every_system_was_asked_the_same_and_in_both_languages(bench):
    measured = results(bench)
    for part, key in (("suites", "suite"), ("failures", "failure")):
        asked = {}
        for row in measured[part]:
            asked.setdefault(row["system"], []).append((row["lang"], row[key], row["n"]))
        first, *others = asked.values()
        assert {lang for lang, *_ in first} == {"zh", "en"}
        assert all(sorted(other) == sorted(first) for other in others)
    assert {"no memory", "full history", "ctxlab"} <= set(asked)


def test_long_lives_ask_both_the_same_after_every_length(bench):
    measured = results(bench)
    rows = {(r["lang"], r["sessions"], r["system"]): r["n"] for r in measured["long"]}
    assert measured["long_lives"] == bench.LONG
    for lang in ("zh", "en"):
        for sessions in bench.LONG["sessions"]:
            assert rows[lang, sessions, "ctxlab"] == rows[lang, sessions, "full history"] > 0
    data = cx.load_support("en")
    users = bench.returning(data, bench.LONG["customers"])
    hard = data.checks[(data.checks["difficulty"] == "hard") & data.checks["user_id"].isin(users)]
    assert len(users) == bench.LONG["customers"] and hard["new_session"].all()


def test_shares_of_nothing_and_readmes_without_a_place_are_said(bench):
    assert bench.share(0, 0) == "–"
    assert bench.share(1, 2) == "50%"
    with pytest.raises(SystemExit, match="results"):
        bench.put("# ctxlab", "| table |")

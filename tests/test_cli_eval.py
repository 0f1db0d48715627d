"""``ctxlab eval``: suites and failures from the command line."""

from __future__ import annotations

import pandas as pd
import pytest
from typer.testing import CliRunner

from ctxlab.cli import app


def run(*arguments):
    return CliRunner().invoke(app, ["eval", *arguments])


def test_a_suite_prints_one_line_a_system_and_language_and_writes_every_check(tmp_path):
    out = tmp_path / "checks.csv"
    done = run("simple", "--system", "none", "--system", "history", "--csv", str(out))
    assert done.exit_code == 0, done.output
    assert done.stdout.count("no memory") == done.stdout.count("full history") == 2
    rows = pd.read_csv(out)
    assert set(rows["lang"]) == {"zh", "en"}
    assert rows.groupby("system")["passed"].mean()["no memory"] == 0


def test_validation_shows_question_expected_and_actual():
    done = run("simple", "--lang", "en", "--system", "history", "--validation")
    assert "as expected" in done.stdout and "leaked" in done.stdout
    assert "expected_layer" in done.stdout


def test_failures_print_rates_with_intervals(tmp_path):
    done = run("failures", "--lang", "en", "--system", "none")
    assert done.exit_code == 0, done.output
    assert "orphan tools" in done.stdout and "low" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["easy"], "simple, medium"),
        (["simple", "--lang", "fr"], "zh, en or both"),
        (["simple", "--system", "magic"], "ctxlab, none"),
    ],
)
def test_what_cannot_be_run_is_one_line(arguments, says):
    done = run(*arguments)
    assert done.exit_code == 1
    assert says in done.stderr and "Traceback" not in done.output

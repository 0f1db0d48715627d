"""The command line, run as a user does."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

import ctxlab as cx
from ctxlab.cli import app

SAID = [
    {"role": "user", "content": "我的订单 A1029 到哪了？ " + "please " * 300},
    {"role": "assistant", "content": "On its way. " * 60},
    {"role": "user", "content": "Since when?"},
    {"role": "assistant", "content": "Monday."},
    {"role": "user", "content": "ok"},
]


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(json.dumps(message) for message in SAID), "utf-8")
    return path


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "lab.db"
    with cx.ContextEngine(
        f"sqlite:///{path}", embedder=None, clock=cx.ManualClock("2020-01-05T09:00:00+00:00")
    ) as engine:
        session = engine.open_session(user_id="U001")
        session.state["order_id"] = "A1029"
        session.send("where is my order?")
        session.send("and the other one?")
    return path, session.id


def test_replay_prints_sections_reasons_and_a_comparison(log, tmp_path):
    csv, html = tmp_path / "o.csv", tmp_path / "o.html"
    done = run(
        "replay", log, "--window", 600, "--compare-window", 4000, "--csv", csv, "--html", html
    )
    assert done.exit_code == 0, done.output
    for part in ("system", "memory", "recent", "left out", "turns 0-0", "R11", "last 7 messages"):
        assert part in done.output
    assert "A: window 600" in done.output and "B: window 4,000" in done.output
    assert set(pd.read_csv(csv)["config"]) == {"A", "B"}
    assert html.read_text("utf-8").startswith("<!doctype html>")


def test_replay_takes_settings_from_a_file(log, tmp_path):
    cx.Config().with_({"budget.window": 700}).save(tmp_path / "ctxlab.toml")
    assert "window 700" in run("replay", log, "--config", tmp_path / "ctxlab.toml").output
    both = run("replay", log, "--config", tmp_path / "ctxlab.toml", "--window", 900)
    assert "window 900" in both.output


def test_replay_prints_the_conversation_asked_for(tmp_path):
    path = tmp_path / "two.jsonl"
    rows = [{"id": name, "messages": SAID} for name in ("first", "second")]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert "Conversation first" in run("replay", path).output
    assert "1 more conversation" in run("replay", path).output
    chosen = run("replay", path, "--conversation", "second").output
    assert "Conversation second" in chosen and "Conversation first" not in chosen
    assert run("replay", path, "--conversation", "all").output.count("Conversation ") == 2
    missing = run("replay", path, "--conversation", "third")
    assert missing.exit_code == 1 and "there are first, second" in missing.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [(b"\x00\xff", "not UTF-8"), (b"", "empty"), (b'{"role": "user"}', "content")],
)
def test_a_bad_log_is_one_line_on_standard_error(tmp_path, text, words):
    (tmp_path / "bad.jsonl").write_bytes(text)
    done = run("replay", tmp_path / "bad.jsonl")
    assert done.exit_code == 1 and done.stdout == ""
    assert done.stderr.startswith("ctxlab: ") and words in done.stderr
    assert done.stderr.count("\n") == 1


def test_settings_and_outputs_that_cannot_be_are_told_too(log, tmp_path):
    for extra in (["--window", 3], ["--config", tmp_path / "no.toml"], ["--csv", tmp_path]):
        done = run("replay", log, *extra)
        assert done.exit_code == 1 and done.stderr.startswith("ctxlab: ")


def test_inspect_shows_sessions_then_state_and_contexts(database):
    path, session = database
    sessions = run("inspect", path)
    assert sessions.exit_code == 0 and session in sessions.output and "U001" in sessions.output
    inside = run("inspect", path, "--session", session).output
    assert "order_id = 'A1029'" in inside and "EXHAUSTIVE" in inside
    assert len(run("inspect", path, "--session", session, "--last", 1).output.splitlines()) == (
        len(inside.splitlines()) - 1
    )
    assert "no session 's-0'" in run("inspect", path, "--session", "s-0").stderr


def test_inspect_and_sweep_never_make_a_database(tmp_path, log):
    for command in ("inspect", "sweep"):
        done = run(command, tmp_path / "misspelt.db")
        assert done.exit_code == 1 and "there is no file" in done.stderr
        assert run(command, log).exit_code == 1
    assert not (tmp_path / "misspelt.db").exists()
    assert len(log.read_text().splitlines()) == len(SAID)


def test_inspect_changes_nothing(database):
    path, session = database
    before = path.read_bytes()
    run("inspect", path, "--session", session)
    assert path.read_bytes() == before


def test_sweep_closes_the_stale_session(database):
    path, _ = database
    assert "sessions closed: 1" in run("sweep", path).output
    assert "idle_timeout" in run("inspect", path).output
    assert "sessions closed: 0" in run("sweep", path).output


def test_data_makes_a_set_that_loads(tmp_path):
    done = run("data", "--out", tmp_path, "--lang", "en", "--customers", 3, "--seed", 1)
    assert done.exit_code == 0
    assert len(cx.load_support("en", tmp_path).customers) == 3
    assert run("data", "--out", tmp_path, "--lang", "fr").exit_code == 1


def test_data_verifies_and_writes_the_checked_in_sets(tmp_path, monkeypatch):
    from ctxlab import datasets

    home = tmp_path / "datasets"
    monkeypatch.setattr(datasets, "make_support", lambda lang, **_: _tiny(lang))
    monkeypatch.setattr(datasets, "data_dir", lambda: home)
    wrong = run("data")
    assert wrong.exit_code == 1 and "zh/customers.jsonl" in wrong.stderr
    assert run("data", "--write").exit_code == 0 and (home / "MANIFEST.json").is_file()
    assert "byte for byte" in run("data").output
    (home / "support" / "en" / "customers.jsonl").write_text("{}\n")
    assert "en/customers.jsonl differ" in run("data").stderr


def _tiny(lang):
    from ctxlab.datasets import SupportDataset

    tables = ("customers", "sessions", "memories", "pairs", "statements", "sensitive", "checks")
    return SupportDataset(lang, **{name: pd.DataFrame([{"lang": lang}]) for name in tables})


def test_lab_names_the_folder_it_misses(tmp_path):
    done = run("lab", tmp_path / "none")
    assert done.exit_code == 1 and "no notebooks at" in done.stderr


def test_lab_opens_the_folder(tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr(subprocess, "call", lambda command: called.append(command) or 0)
    assert run("lab", tmp_path, "--no-browser", "--port", 8899).exit_code == 0
    assert called == [
        [sys.executable, "-m", "jupyterlab", str(tmp_path), "--no-browser", "--port=8899"]
    ]


def test_help_needs_no_heavy_import():
    code = (
        "import sys; from ctxlab.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('pandas', 'sqlalchemy', 'tiktoken') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]") and "replay" in done.stdout


def test_a_threshold_is_fitted_and_written(tmp_path):
    pairs, out, plot = (tmp_path / name for name in ("pairs.csv", "ctxlab.toml", "curve.svg"))
    rows = [(f"where is {x}?", f"{x} is here" if good else "likes tea", good)
            for x in "desk lamp chair sofa rug".split() for good in (True, False)]  # fmt: skip
    pd.DataFrame(rows, columns=["query", "text", "relevant"]).to_csv(pairs, index=False)
    done = run("fit-threshold", pairs, "--mode", "keyword", "--out", out, "--plot", plot)
    assert done.exit_code == 0, done.output
    assert "held out: precision 5/5" in done.output
    assert 0 < cx.Config.load(out).semantic.min_score < 1 and plot.stat().st_size > 1000


def test_a_review_is_drawn_and_its_verdicts_suggest(database, tmp_path):
    path, _ = database
    out = tmp_path / "review.csv"
    with cx.Memory(f"sqlite:///{path}", embedder=None) as memory:
        memory.write("Prefers email", entity="customer:U001", agent="support", kind="preference")
    done = run("review", path, out, "--n", 5)
    assert done.exit_code == 0, done.output
    table = pd.read_csv(out)
    assert "Prefers email" in set(table["text"])
    table.assign(verdict="ok").to_csv(out, index=False)
    done = run("suggest", out)
    assert done.exit_code == 0 and "nothing speaks for a change" in done.output
    assert run("review", tmp_path / "absent.db", out).exit_code == 1

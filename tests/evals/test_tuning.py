"""Tuning: the crossover follows from the timings, and the settings say it."""

import pytest
from typer.testing import CliRunner

import ctxlab as cx
from ctxlab import evals
from ctxlab.cli import app
from ctxlab.evals.tuning import _conclude
from ctxlab.mitigations.costs import Timing, Timings

ABOUT = {"recall": 0.99}
SIZES = (1_000, 10_000, 100_000)


def timings(flat, hnsw, recall=(1.0, 1.0, 1.0)):
    rows = [Timing("flat", n, ms, 1.0, 0.0, 0) for n, ms in zip(SIZES, flat, strict=True)]
    for n, ms, found in zip(SIZES, hnsw, recall, strict=True):
        rows.append(Timing("hnsw", n, ms, found, 1.0, n // 500))
    return rows


def test_crossover_lies_where_an_index_becomes_worth_it():
    found = _conclude(timings((0.1, 1.0, 10.0), (0.2, 0.4, 0.8)), SIZES, ("hnsw",), ABOUT)
    assert found.reached and found.kind == "hnsw" and found.effort == 200
    assert 1_000 < found.crossover <= 10_000
    assert found.apply(cx.Config()).index.crossover == found.crossover


def test_a_gain_too_small_to_notice_is_none():
    """Control: twice as fast, and a tenth of a millisecond saved."""
    found = _conclude(timings((0.1, 0.15, 0.2), (0.05, 0.07, 0.1)), SIZES, ("hnsw",), ABOUT)
    assert not found.reached and found.crossover == 1_000_000
    assert found.effort == cx.Config().index.effort


def test_an_index_that_finds_too_little_doesnt_count():
    fast = (0.01, 0.01, 0.01)
    rows = timings((1.0, 10.0, 100.0), fast, recall=(0.999, 0.97, 0.999))
    assert _conclude(rows, SIZES, ("hnsw",), ABOUT).crossover == 100_000
    rows = timings((1.0, 10.0, 100.0), fast, recall=(0.5, 0.5, 0.5))
    assert not _conclude(rows, SIZES, ("hnsw",), ABOUT).reached


def test_measured_here_saved_and_loaded(tmp_path):
    pytest.importorskip("faiss")
    found = evals.tune_index(sizes=(200, 400), dimension=16, questions=5)
    assert set(found.to_frame()["kind"]) == {"flat", "hnsw", "ivf"}
    found.save(tmp_path / "t.json")
    assert Timings.load(tmp_path / "t.json").rows == found.timings


def test_the_command_keeps_the_rest_of_the_settings(tmp_path):
    pytest.importorskip("faiss")
    path = tmp_path / "ctxlab.toml"
    cx.Config().with_({"semantic.k": 3}).save(path)
    done = CliRunner().invoke(
        app, ["tune-index", str(path), "--sizes", "200,400", "--dimension", "16"]
    )
    assert done.exit_code == 0, done.output
    assert "index.crossover" in done.output and "recall" in done.output
    saved = cx.Config.load(path)
    assert saved.semantic.k == 3 and saved.index.crossover >= 200
    done = CliRunner().invoke(app, ["tune-index", str(path), "--sizes", "few"])
    assert done.exit_code == 1

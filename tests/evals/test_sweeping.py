"""Sweeps (R114): one setting at a time, the same table whoever runs them, resumable."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import joblib
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.sweepcache import SweepCache, name_of
from ctxlab.evals.sweeping import LogSuite

BASE = cx.Config().with_({"mitigations.privacy": False})
FACTORS = {"budget.window": [400, 700, 1500], "window.recent_turns": [2, 8]}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    messages = []
    for i in range(8):
        messages += [
            {"role": "user", "content": f"{i}: 订单 A{1000 + i} 到哪了？ " + "please " * 12},
            {"role": "assistant", "content": f"A{1000 + i} is on its way. " + "so " * 12},
        ]
    path = tmp_path_factory.mktemp("sweep") / "log.json"
    path.write_text(json.dumps([{"id": "one", "messages": messages}]), encoding="utf-8")
    return path


class Counting:
    """A suite that notes each configuration it is run on, and may fail at times."""

    def __init__(self, fails=lambda config, attempt: False):
        self.seen, self.fails = [], fails

    def __call__(self, config):
        self.seen.append(config)
        if self.fails(config, sum(c == config for c in self.seen)):
            raise ValueError(f"k is {config.semantic.k}")
        k, window = config.semantic.k, config.budget.window
        return pd.DataFrame(
            {"check": ["a", "b"], "passed": [True, k > 3], "share": [0.1, k / window]}
        )


# --- the plan -------------------------------------------------------------------------------


def test_one_setting_is_changed_at_a_time_and_the_base_comes_first():
    table = evals.sweep(BASE, {"semantic.k": [1, 9], "budget.window": [500]}, Counting())
    runs = table.drop_duplicates("run").set_index("run")
    assert runs["factor"].tolist() == ["base", "semantic.k", "semantic.k", "budget.window"]
    assert runs["semantic.k"].tolist() == [5, 1, 9, 5]
    assert runs["budget.window"].tolist() == [32_000, 32_000, 32_000, 500]
    assert len(table) == 8 and (table["error"] == "").all()


def test_equal_configurations_run_once_and_stand_in_every_row_of_theirs():
    suite = Counting()
    table = evals.sweep(BASE, {"semantic.k": [5, 2, 2]}, suite)
    assert len(suite.seen) == 2
    assert table["semantic.k"].tolist() == [5, 5, 5, 5, 2, 2, 2, 2]


def test_a_grid_takes_every_combination_and_warns_with_their_number():
    with pytest.warns(
        evals.SweepWarning, match="6 runs and the base; one setting at a time makes 5"
    ):
        table = evals.sweep(
            BASE, {"semantic.k": [1, 2, 3], "budget.window": [500, 600]}, Counting(), grid=True
        )
    grid = table[table["factor"] == "grid"].drop_duplicates("run")
    assert grid[["semantic.k", "budget.window"]].values.tolist() == [
        [k, window] for k in (1, 2, 3) for window in (500, 600)
    ]


@pytest.mark.parametrize(
    ("factors", "named"),
    [
        ({"semantic.kk": [1]}, "semantic.kk"),
        ({"semantic.k": [3, 0]}, "semantic.k"),
        ({"semantic.k": 3}, "list of values"),
        ({"semantic.k": []}, "list of values"),
        ({"semantic.mode": "dense"}, "list of values"),
    ],
)
def test_a_wrong_setting_stops_everything_before_anything_runs(factors, named):
    suite = Counting()
    with pytest.raises(cx.ConfigError, match=named):
        evals.sweep(BASE, factors, suite)
    assert suite.seen == []


# --- failures and cache ---------------------------------------------------------------------


def test_a_run_that_keeps_failing_is_named_and_the_others_go_on():
    suite = Counting(lambda config, attempt: config.semantic.k == 2)
    table = evals.sweep(BASE, {"semantic.k": [2, 7]}, suite, retries=2)
    failed = table[table["error"] != ""]
    assert failed["error"].tolist() == ["ValueError: k is 2"]
    assert failed["check"].isna().all() and failed["semantic.k"].tolist() == [2]
    assert sum(c.semantic.k == 2 for c in suite.seen) == 3
    rates = evals.sweep_rates(table).set_index("semantic.k")
    assert rates.loc[2, "n"] == 0 and rates.loc[7, "n"] == 2


def test_a_run_that_fails_once_is_tried_again():
    suite = Counting(lambda config, attempt: attempt == 1)
    assert (evals.sweep(BASE, {"semantic.k": [2]}, suite)["error"] == "").all()


def test_only_what_is_missing_runs_and_the_table_is_the_same(tmp_path):
    whole = evals.sweep(BASE, FACTORS, LogFree(), cache=tmp_path)
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 6
    files[0].unlink()
    files[1].write_text('{"columns": ["chec', encoding="utf-8")  # killed half-way
    LogFree.ran = 0
    again = evals.sweep(BASE, FACTORS, LogFree(), cache=tmp_path)
    assert LogFree.ran == 2
    pd.testing.assert_frame_equal(whole, again, check_exact=True)


class LogFree:
    ran = 0

    def __call__(self, config):
        LogFree.ran += 1
        third = config.budget.window / 3  # a float that ten digits don't hold
        return pd.DataFrame(
            {"share": [third, None], "passed": [True, False], "ms": [LogFree.ran] * 2}
        )


def test_failures_are_not_kept(tmp_path):
    fails = Counting(lambda config, attempt: True)
    evals.sweep(BASE, {"semantic.k": [2]}, fails, cache=tmp_path)
    assert not list(tmp_path.glob("*"))


def test_a_run_is_named_by_configuration_suite_and_code(tmp_path, monkeypatch):
    store = SweepCache(tmp_path, "suite")
    store.write(BASE, {"columns": ["x"], "rows": [{"x": 1}]})
    assert store.read(BASE) == {"columns": ["x"], "rows": [{"x": 1}]}
    assert store.read(BASE.with_({"semantic.k": 4})) is None
    assert SweepCache(tmp_path, "another").read(BASE) is None
    monkeypatch.setattr("ctxlab.evals.sweepcache.code_version", lambda: "newer")
    assert store.read(BASE) is None


def test_names_tell_suites_apart_and_hold_between_processes(tmp_path):
    def closing(limit):
        return lambda config: limit

    paths = [tmp_path / name for name in ("a.json", "b.json")]
    for path in paths:
        path.write_text("[]", encoding="utf-8")
    names = [
        name_of(LogSuite(paths[0])),
        name_of(LogSuite(paths[1])),
        name_of(partial(max, 1)),
        name_of(partial(max, 2)),
        name_of(closing(1)),
        name_of(closing(2)),
        name_of(Counting),
    ]
    assert len(set(names)) == len(names)
    assert name_of(LogSuite(paths[0])) == names[0]
    paths[0].write_text("[1]", encoding="utf-8")
    assert name_of(LogSuite(paths[0])) != names[0]

    @dataclass(frozen=True, slots=True)
    class Slotted:
        limit: int

    assert name_of(Slotted(1)) != name_of(Slotted(2))
    with pytest.raises(cx.ConfigError, match="named for a cache"):
        name_of(partial(max, object()))


# --- the table ------------------------------------------------------------------------------


def test_times_are_left_out_because_they_differ_from_run_to_run():
    assert "ms" not in evals.sweep(BASE, FACTORS, LogFree())
    assert "ms" in evals.sweep(BASE, {"semantic.k": [2]}, LogFree(), drop=())


def test_what_is_no_plain_value_is_refused_by_name():
    def odd(config):
        return pd.DataFrame({"x": [{1, 2}]})

    assert "holds set" in evals.sweep(BASE, {"semantic.k": [2]}, odd)["error"].iloc[0]

    def own(config):
        return pd.DataFrame({"factor": [1]})

    with pytest.raises(cx.DataError, match="factor"):
        evals.sweep(BASE, {"semantic.k": [2]}, own)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_rates_have_one_row_a_run_whose_interval_holds_the_mean(ks):
    table = evals.sweep(BASE, {"semantic.k": ks}, Counting())
    for value in ("passed", "share"):
        rates = evals.sweep_rates(table, value)
        assert rates["semantic.k"].tolist() == [5, *ks]
        assert ((rates["low"] <= rates["mean"]) & (rates["mean"] <= rates["high"])).all()
        for _, row in rates.iterrows():
            part = table[table["run"] == row["run"]]
            assert row["mean"] == pytest.approx(part[value].astype(float).mean())
    with pytest.raises(cx.DataError, match="no mean"):
        evals.sweep_rates(table, "check")
    with pytest.raises(cx.DataError, match="no column"):
        evals.sweep_rates(table, "nothing")


# --- who runs it ----------------------------------------------------------------------------


def test_a_path_is_a_log_that_is_replayed(log):
    table = evals.sweep(BASE, FACTORS, log)
    small = table[(table["factor"] == "budget.window") & (table["budget.window"] == 400)]
    roomy = table[table["factor"] == "base"]
    assert small["tokens"].max() <= 320 and small["left_out"].sum() > 0
    assert roomy["left_out"].sum() == 0 and table["passed"].all()


def test_threads_give_the_same_table_bit_by_bit(log):
    alone = evals.sweep(BASE, FACTORS, log)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        pd.testing.assert_frame_equal(alone, evals.sweep(BASE, FACTORS, log), check_exact=True)


def test_processes_give_the_same_table_bit_by_bit(log, tmp_path):
    alone = evals.sweep(BASE, FACTORS, Path(log), cache=tmp_path)
    both = evals.sweep(BASE, FACTORS, Path(log), n_jobs=2)
    pd.testing.assert_frame_equal(alone, both, check_exact=True)
    kept = evals.sweep(BASE, FACTORS, Path(log), cache=tmp_path)
    pd.testing.assert_frame_equal(alone, kept, check_exact=True)


def test_a_worker_with_other_code_is_noticed(log, monkeypatch):
    versions = iter(["this", "this", "that"])
    monkeypatch.setattr("ctxlab.evals.sweeping.code_version", lambda: next(versions))
    with pytest.raises(cx.DataError, match="1 runs met other code"):
        evals.sweep(BASE, {"semantic.k": [2]}, LogFree())


@pytest.mark.long
def test_a_dask_cluster_gives_the_same_table_bit_by_bit(log):
    distributed = pytest.importorskip("dask.distributed", reason="extra dask is not installed")
    alone = evals.sweep(BASE, FACTORS, Path(log))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        spread = evals.sweep(BASE, FACTORS, Path(log))
    pd.testing.assert_frame_equal(alone, spread, check_exact=True)


def test_a_named_suite_is_played_within_the_window_of_each_run():
    suite = evals.NamedSuite("simple", "en", ("U001",))
    table = evals.sweep(None, {"budget.window": [4_000]}, suite)
    base = table[table["run"] == 0]
    alone = evals.run_suite(evals.systems.CtxLab(), "simple", "en", users=("U001",))
    assert base["check"].tolist() == alone["check"].tolist()
    assert base["tokens"].tolist() == alone["tokens"].tolist()
    small = table[table["run"] == 1]
    assert len(small) == len(base) and small["tokens"].max() <= 4_000 * 0.8
    assert (table["error"] == "").all() and "ms" not in table

"""Metrics (R112): each against cases counted by hand, and against what must always hold."""

from __future__ import annotations

import math
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.ablation import _pieces, _rebuilt, _text
from ctxlab.metrics_log import MetricsLog, read_metrics


@pytest.fixture(scope="module")
def context():
    """A context with a profile line, a tool call and some dialogue."""
    with cx.ContextEngine(embedder=None, clock=cx.ManualClock("2026-03-02T12:00:00Z")) as engine:
        who = {"entity": "customer:U1", "agent": "support"}
        engine.memory.write("I prefer e-mail.", **who, kind="preference")
        engine.memory.write("My desk has bay 7.", **who, kind="fact")
        session = engine.open_session("U1")
        call = {"id": "c1", "function": {"name": "track", "arguments": '{"order": "A1029"}'}}
        for message in (
            {"role": "user", "content": "Where is my parcel?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "left Leeds at 9:40"},
            {"role": "assistant", "content": "It left Leeds."},
            {"role": "user", "content": "It rains a lot here."},
            {"role": "assistant", "content": "Sorry to hear that."},
        ):
            session.add(message)
        return session.prepare("And now?")


# --- ablation -------------------------------------------------------------------------------


def test_only_what_the_answer_needs_is_effective(context):
    found = evals.effective_tokens(context, evals.holds_all(["bay 7", "9:40"]))
    assert found.right and len(found.kept) == 2
    assert "bay 7" in found.kept[0] and "left Leeds at 9:40" in found.kept[1]
    assert "A1029" in found.kept[1]  # a result stays with its call
    assert found.by_layer["profile"][1] > 0 and 0 < found.rate < 1


def test_nothing_is_effective_if_nothing_is_needed_or_the_whole_is_wrong(context):
    idle = evals.effective_tokens(context, lambda messages: True)
    assert (idle.right, idle.effective, idle.kept) == (True, 0, ())
    wrong = evals.effective_tokens(context, lambda messages: False)
    assert (wrong.right, wrong.rate) == (False, 0.0)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_layers_add_up_and_what_is_kept_is_enough_and_no_more(context, data):
    words = data.draw(st.sets(st.sampled_from(["e-mail", "bay 7", "9:40", "rains", "Sorry"])))
    right = evals.holds_all(words)
    found = evals.effective_tokens(context, right)
    assert found.tokens == sum(tokens for tokens, _ in found.by_layer.values())
    assert found.effective == sum(used for _, used in found.by_layer.values())
    pieces = list(_pieces(context))
    gone = [p for p in pieces if _text(context.messages, p) not in found.kept]
    assert right(_rebuilt(context.messages, gone))
    for piece in (p for p in pieces if p not in gone):
        assert not right(_rebuilt(context.messages, [*gone, piece]))


def test_any_reduced_list_is_still_legal(context):
    pieces = list(_pieces(context))
    for n in range(3):
        for gone in combinations(pieces, n):
            assert cx.check_messages(_rebuilt(context.messages, gone)) == []
    assert _rebuilt(context.messages, ()) == context.messages


# --- costs and times ------------------------------------------------------------------------


def test_the_cost_share_takes_counts_logs_and_accounts():
    log = pd.DataFrame({"total": [4_000, 5_000]})
    assert evals.compression_cost_share(1_000, log) == 0.1
    assert evals.compression_cost_share({"prompt": 0}, 9_000) == 0.0
    assert evals.compression_cost_share(0, []) == 0.0
    with pytest.raises(cx.DataError, match="'total'"):
        evals.compression_cost_share(1, pd.DataFrame({"x": [1]}))
    with pytest.raises(cx.DataError, match="negative"):
        evals.compression_cost_share(-1, 5)


def test_latency_reads_traces_and_the_metrics_log_alike(context, tmp_path):
    log = MetricsLog(tmp_path / "metrics.jsonl")
    log.write(context, cx.SystemClock().now())
    log.close()
    from_log = evals.latency_by_step(read_metrics(tmp_path / "metrics.jsonl"))
    from_trace = evals.latency_by_step([context])
    assert from_log["step"].tolist() == from_trace["step"].tolist() == list(context.trace.ms)
    assert from_log["max"].tolist() == pytest.approx(from_trace["max"].tolist(), abs=1e-3)
    assert from_trace["share"].sum() == pytest.approx(1)


# --- rates ----------------------------------------------------------------------------------


def test_hits_are_counted_within_k_and_only_where_there_is_an_answer():
    found, wanted = [["a", "b"], ["c"], ["d"]], [{"b"}, {"c"}, set()]
    assert evals.retrieval_hit_rate(found, wanted) == evals.Rate(2, 2)
    assert evals.retrieval_hit_rate(found, wanted, k=1) == evals.Rate(1, 2)
    with pytest.raises(cx.DataError, match="one for each"):
        evals.retrieval_hit_rate(found, wanted[:2])


def test_real_hits_are_taken_as_they_come():
    with cx.Memory("sqlite://", embedder=None) as memory:
        who = {"entity": "customer:U1", "agent": "support"}
        record = memory.write("习惯用文字沟通", **who, kind="preference").record
        hits = memory.search("用文字沟通吗", **who)
    assert evals.retrieval_hit_rate([hits], [{record.id}]) == evals.Rate(1, 1)
    assert evals.supersession_order([hits], ["电话"], ["文字"]) == evals.Rate(1, 1)


def test_merges_are_scored_on_both_sides_by_ctxlab_itself():
    pairs = [
        ("联系电话 137-6000-1122", "手机：+86 13760001122", True),
        ("Order A1029 is a coat", "Order A1092 is a coat", False),
    ]
    score = evals.dedupe_precision_recall(pairs)
    assert score == {"precision": evals.Rate(1, 1), "recall": evals.Rate(1, 1)}
    never = evals.dedupe_precision_recall(pairs, lambda old, new: False)
    assert math.isnan(never["precision"].value) and never["recall"] == evals.Rate(0, 1)


def test_leaks_are_found_in_text_calls_and_contexts(context):
    assert evals.leak_rate([context, context], [["a1029"], ["B7"]]) == evals.Rate(1, 2)
    assert evals.leak_rate([context.messages], [["track("]]) == evals.Rate(1, 1)
    assert evals.leak_rate(["x"], [[]]).n == 0


def test_only_old_outbursts_count():
    told = ["You lot are useless", "calm"]
    stale = evals.stale_emotion_rate(told * 2, ["USELESS"] * 4, [10, 10, 1, 1])
    assert stale == evals.Rate(1, 2)


def test_the_newer_must_be_there_and_first():
    found = [["new", "old"], ["old", "new"], ["new"], ["old"], []]
    assert evals.supersession_order(found, ["old"] * 5, ["new"] * 5) == evals.Rate(2, 5)


@given(st.lists(st.booleans()))
def test_a_rate_lies_in_its_interval(happened):
    rate = evals.Rate.of(happened)
    assert (rate.hits, rate.n) == (sum(happened), len(happened))
    assert 0 <= rate.low <= rate.high <= 1
    assert str(rate) and (not rate.n or rate.low <= rate.value <= rate.high)

"""Suites: scripts in order, verdicts by what is seen, the same table whatever ran it (R110)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.judging import judge
from ctxlab.evals.playing import Asked, Ended, Heard, check_rows, endurance_rows, script_of, worlds
from ctxlab.evals.systems import CtxLab, FullHistory, NoMemory, RollingWindow, Seen
from ctxlab.evals.systems.protocol import text_seen

LANGS = ("zh", "en")
COUNTER = cx.TokenCounter()
NAIVE = [NoMemory(), FullHistory(), RollingWindow(turns=8)]


# --- scripts -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_a_script_tells_every_message_in_time_and_asks_where_a_check_says(lang):
    data = cx.load_support(lang)
    rows = check_rows(data, "all") + endurance_rows(data)
    users = list(data.customers["user_id"])
    script = script_of(data, users, rows)
    heard = [event for event in script if isinstance(event, Heard)]
    assert len(heard) == data.sessions["messages"].map(len).sum()
    times = [event.place.time for event in heard]
    assert times == sorted(times)
    asked = [event for event in script if isinstance(event, Asked)]
    assert len(asked) == len(rows)
    last: dict[str, str] = {}
    over = set()
    for event in script:
        if isinstance(event, Heard):
            assert event.place.session not in over
            last[event.place.session] = event.message["id"]
        elif isinstance(event, Ended):
            over.add(event.place.session)
        elif event.check["new_session"]:
            assert event.place.session not in last
        else:
            assert last[event.place.session] == event.check["after_message"]


@pytest.mark.parametrize("lang", LANGS)
def test_the_task_state_is_written_with_the_message_that_sets_it(lang):
    data = cx.load_support(lang)
    script = script_of(data, list(data.customers["user_id"]))
    written = [event.state for event in script if isinstance(event, Heard) and event.state]
    assert sum(map(len, written)) == data.sessions["state"].map(len).sum()


def test_namesakes_share_a_world_and_worlds_cover_everyone_once():
    data = cx.load_support("en")
    users = list(data.customers["user_id"])
    groups = worlds(data, users)
    assert sorted(user for group in groups for user in group) == users
    names = dict(zip(data.customers["user_id"], data.customers["name"], strict=True))
    for group in groups:
        others = [names[user] for user in users if user not in group]
        assert not {names[user] for user in group} & set(others)


@pytest.mark.parametrize("lang", LANGS)
def test_endurance_asks_along_long_sessions_for_what_was_said(lang):
    data = cx.load_support(lang)
    rows = endurance_rows(data)
    assert {row["name"] for row in rows} == {"order_now", "step_now"}
    turns = dict(zip(data.sessions["session_id"], data.sessions["turns"], strict=True))
    assert all(turns[row["session_id"]] >= 20 for row in rows)
    assert max(sum(r["session_id"] == key for r in rows) for key in turns) >= 10
    for row in rows:
        said = data.to_messages(row["session_id"])
        before = [m for m in said if m["id"] <= row["after_message"]]
        (literal,) = row["must"]
        assert literal in text_seen(before)
        assert literal not in row["question"]


# --- verdicts ------------------------------------------------------------------------------

words = st.lists(st.sampled_from("A1029 B2047 订单 red blue ￥30".split()), max_size=4)


@settings(deadline=None)
@given(words, words, words)
def test_a_verdict_is_about_literals_and_nothing_else(seen, must, must_not):
    shown = Seen([{"role": "user", "content": " ".join(seen) or "?"}])
    verdict = judge({"must": must, "must_not": must_not}, shown, 1000, COUNTER)
    assert set(verdict.missing) == set(must) - set(seen)
    assert set(verdict.leaked) == set(must_not) & set(seen)
    assert verdict.passed == (not verdict.missing and not verdict.leaked)
    assert verdict.layers in ((), ("context",))


def test_a_verdict_reads_tool_calls_and_counts_for_itself():
    function = {"name": "lookup", "arguments": '{"order": "A1029"}'}
    call = {"id": "c1", "type": "function", "function": function}
    shown = Seen([{"role": "assistant", "content": None, "tool_calls": [call]}])
    verdict = judge({"must": ["A1029"], "must_not": []}, shown, 5, COUNTER)
    assert not verdict.missing and verdict.over and verdict.faults and not verdict.passed


# --- the suite -----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_simple_and_medium_are_right_and_the_controls_are_not(lang):
    systems = [*NAIVE, CtxLab()]
    users = [
        "U001",
        "U006",
        "U010",
        "U011",
    ]  # a change of mind, a long repair, two people, a secret
    frame = evals.run_suite(systems, "all", lang, users=users)
    frame = frame[frame["suite"].isin(["simple", "medium"])]
    table = evals.summarise(frame, ("suite", "system")).set_index(["suite", "system"])
    for suite in ("simple", "medium"):
        assert table.loc[(suite, "ctxlab"), "passed"] == 1.0
        assert table.loc[(suite, "no memory"), "passed"] == 0.0
        assert table.loc[(suite, "full history"), "held"] == 1.0
    assert table.loc[("medium", "last 8 turns"), "passed"] < 1.0
    assert table.loc[("simple", "full history"), "clean"] < 1.0
    ours = frame[frame["system"] == "ctxlab"]
    assert ours["route_right"].map(type).eq(bool).all() and ours["layer"].ne("").all()
    assert frame.loc[frame["system"] == "full history", "route_right"].isna().all()


def test_the_four_signs_and_two_people_are_among_the_checks():
    checks = cx.load_support("zh").checks
    signs = {"recognised", "order_named", "state_carried", "third_knows_second"}
    assert signs <= set(checks["sign"])
    assert {"rights_now", "rights_later", "namesake"} <= set(checks["name"])
    assert {"product_enquiry", "order_enquiry", "after_sales"} == set(checks["scenario"])


def test_rows_are_the_same_in_other_processes():
    settings = {"suite": "simple", "lang": "en", "users": ["U001", "U004", "U020"]}
    alone = evals.run_suite(NAIVE, **settings)
    spread = evals.run_suite(NAIVE, jobs=2, **settings)
    assert alone.drop(columns="ms").equals(spread.drop(columns="ms"))


def test_checks_of_ones_own_and_a_models_reply():
    data = cx.load_support("en")
    (row,) = [r for r in check_rows(data, "simple") if r["check_id"] == "C001"]
    mine = [row, {**row, "check_id": "mine", "must": ["never said"]}]
    said = json.dumps(row["must"])
    frame = evals.run_suite(FullHistory(), checks=mine, data=data, chat=lambda messages: said)
    assert frame["passed"].tolist() == [True, False]
    assert frame["actual"].tolist() == ["as expected", "missing never said"]
    assert frame["reply_passed"].tolist() == [True, False]
    table = evals.validation_table(frame, "full history")
    assert table.columns[:4].tolist() == ["check", "question", "expected", "actual"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"suite": "easy"}, "simple, medium, hard"),
        ({"systems": [FullHistory(), FullHistory()]}, "full history"),
        ({"systems": []}, "name of its own"),
        ({"users": ["U999"]}, "U999"),
    ],
)
def test_what_cannot_be_run_is_named(settings, says):
    with pytest.raises(cx.DataError, match=says):
        evals.run_suite(**{"systems": FullHistory(), "lang": "en", **settings})


def test_summaries_carry_intervals_that_hold_the_share():
    frame = evals.run_suite(NAIVE, "simple", "en")
    for row in evals.summarise(frame).to_dict("records"):
        assert 0 <= row["low"] <= row["passed"] <= row["high"] <= 1
        assert row["passed"] <= min(row["held"], row["clean"])

"""The protocol, and that every system keeps to it (R95, R111)."""

from __future__ import annotations

import pickle
import socket
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.evals.systems import (
    CtxLab,
    FlatVectors,
    FullHistory,
    LangGraphStore,
    Mem0,
    NoMemory,
    Place,
    RollingSummary,
    RollingWindow,
)
from ctxlab.evals.systems.protocol import text_seen

WHEN = datetime(2026, 1, 5, 9, tzinfo=UTC)
ANN = Place("U1", "s1", "support", WHEN)
FAST = cx.Config().with_({"mitigations.privacy": False})
OURS = CtxLab(FAST, embedder=None)  # no model: what is tested here is how places are played
BASELINES = [
    NoMemory(),
    FullHistory(),
    RollingWindow(),
    RollingWindow(turns=None),
    RollingWindow(messages=6),
    RollingSummary(recent=3, chunk=2),
    FlatVectors(),
]
SYSTEMS = [*BASELINES, OURS, CtxLab(FAST), Mem0(), Mem0(by_agent=True), LangGraphStore()]


def opened(spec):
    try:
        return spec.open()
    except cx.MissingExtra as error:
        pytest.skip(str(error))


def message(role, content, n, **more):
    return {"role": role, "content": content, "id": f"m{n}", "time": WHEN.isoformat(), **more}


def turn(n, said, answered="Noted."):
    return [message("user", said, 2 * n), message("assistant", answered, 2 * n + 1)]


def looked_up(n):
    function = {"name": "lookup", "arguments": '{"order": "A1029"}'}
    calls = [{"id": f"c{n}-{i}", "type": "function", "function": function} for i in range(2)]
    results = [
        message("tool", f"at depot {n}", f"t{n}-{i}", tool_call_id=f"c{n}-{i}") for i in range(2)
    ]
    asked = message("user", f"Where is my order, question {n}?", f"q{n}")
    called = message("assistant", None, f"a{n}", tool_calls=calls)
    return [asked, called, *results, message("assistant", f"On its way, {n}.", f"e{n}")]


def hear(system, messages, place=ANN, state=None):
    for n, said in enumerate(messages):
        system.observe(said, replace(place, time=place.time + timedelta(seconds=n)), state)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("a system reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("spec", SYSTEMS, ids=lambda spec: spec.name)
def test_a_system_shows_a_legal_list_with_the_question_last(spec):
    assert pickle.loads(pickle.dumps(spec)).name == spec.name
    system = opened(spec)
    hear(system, [*turn(0, "My order is A1029, the blue desk."), *looked_up(1)])
    seen = system.context("Which desk was it?", ANN, budget=4000)
    assert cx.check_messages(seen.messages) == []
    assert seen.messages[-1] == {"role": "user", "content": "Which desk was it?"}
    assert not seen.layers or len(seen.layers) == len(seen.messages)
    assert ("A1029" in text_seen(seen.messages)) == (spec.name != "no memory")
    again = system.context("Which desk was it?", ANN, budget=4000)
    assert again.messages == seen.messages, "a question must leave no trace"
    system.close()


@pytest.mark.parametrize("spec", SYSTEMS, ids=lambda spec: spec.name)
def test_users_are_kept_apart_and_can_be_erased(spec):
    system = opened(spec)
    ben = Place("U2", "s2", "support", WHEN + timedelta(minutes=1))
    hear(system, turn(0, "I prefer text messages, my order is A1029."))
    hear(system, turn(1, "I prefer phone calls, my order is B2047."), ben)
    for place in (ANN, ben):
        system.end(replace(place, time=WHEN + timedelta(minutes=5)))
    later = replace(ben, session="s3", time=WHEN + timedelta(days=1))
    seen = text_seen(system.context("How do you reach me about my order?", later, 4000).messages)
    assert "A1029" not in seen
    assert not any("A1029" in text for text in system.search("order", later, k=20))
    system.erase("U1")
    mine = replace(later, user="U1", session="s4")
    assert "A1029" not in text_seen(system.context("What do I prefer?", mine, 4000).messages)
    assert not any("A1029" in text for text in system.search("order A1029", mine, k=20))
    if not isinstance(spec, Mem0):  # its history keeps what was deleted: that is measured elsewhere
        assert "A1029" not in (system.stored("U1") or "")
    system.close()


@pytest.mark.parametrize("spec", [OURS, *BASELINES], ids=lambda spec: spec.name)
def test_nobody_in_particular_can_talk_too(spec):
    system = opened(spec)
    nobody = replace(ANN, user=None, session="a1")
    hear(system, turn(0, "My order is A1029."), nobody)
    text = text_seen(system.context("Which order?", nobody, 4000).messages)
    assert ("A1029" in text) == (spec.name != "no memory")
    other = text_seen(system.context("Which order?", replace(nobody, session="a2"), 4000).messages)
    assert "A1029" not in other
    system.close()


# --- budgets -------------------------------------------------------------------------------

texts = st.lists(st.text("订单 order.!?", min_size=1, max_size=80).filter(str.strip), max_size=12)


@settings(deadline=None, max_examples=25)
@given(texts, st.integers(120, 900))
def test_windows_that_go_by_tokens_never_pass_the_budget(said, budget):
    counter = cx.TokenCounter()
    for spec in (RollingWindow(), RollingWindow(turns=None), RollingSummary(recent=2, chunk=2)):
        system = spec.open()
        hear(system, [m for n, text in enumerate(said) for m in turn(n, text)])
        seen = system.context("?", ANN, budget)
        assert counter.count_messages(seen.messages) <= budget
        assert cx.check_messages(seen.messages) == []


def test_a_window_that_goes_by_messages_parts_calls_from_results():
    system = RollingWindow(messages=3).open()
    hear(system, looked_up(0))
    assert cx.check_messages(system.context("?", ANN, 4000).messages)


def test_ctxlab_takes_whatever_budget_it_is_asked_for():
    system = OURS.open()
    said = [f"Question {n} about A{1000 + n}. " * 9 for n in range(30)]
    hear(system, [m for n, text in enumerate(said) for m in turn(n, text)])
    counter = cx.TokenCounter()
    sizes = [
        counter.count_messages(system.context("And now?", ANN, budget).messages)
        for budget in (4000, 500, 1500)
    ]
    assert sizes[1] <= 500 < sizes[2] <= 1500 < sizes[0] <= 4000
    system.close()


# --- sessions, roles, state ----------------------------------------------------------------


def test_a_handoff_is_a_message_that_another_role_hears():
    secret = "Between us, we're comparing you with Acme, they charge £90."
    sales = replace(ANN, agent="sales")
    full, ours = FullHistory().open(), OURS.open()
    for system in (full, ours):
        hear(system, turn(0, secret), sales)
        hear(system, turn(1, "Where is my parcel?"), replace(ANN, time=WHEN + timedelta(minutes=1)))
    here = replace(ANN, time=WHEN + timedelta(minutes=2))
    assert "£90" in text_seen(full.context("And now?", here, 4000).messages)
    assert "£90" not in text_seen(ours.context("And now?", here, 4000).messages)
    ours.close()


def test_state_is_shown_unless_a_spec_leaves_it_out():
    for spec, shown in ((OURS, True), (replace(OURS, state=False, name="bare"), False)):
        system = spec.open()
        hear(system, turn(0, "It's about the desk."), state={"order_id": "A1029"})
        seen = system.context("Which order?", ANN, 4000)
        assert ("A1029" in text_seen(seen.messages)) == shown
        assert ("state" in seen.layers) == shown
        system.close()


def test_a_session_that_ran_out_goes_on_as_a_new_one():
    system = OURS.open()
    hear(system, turn(0, "My order is A1029."))
    late = replace(ANN, time=WHEN + timedelta(hours=9))
    hear(system, turn(1, "Hello again."), late)
    system.end(late)
    assert system.context("Hi", late, 4000).messages[-1]["content"] == "Hi"
    system.close()


# --- other people's libraries --------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "module"), [(Mem0(), "mem0"), (LangGraphStore(), "langgraph.store.memory")]
)
def test_a_missing_library_is_named_with_its_extra(spec, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(cx.MissingExtra, match="bench"):
        spec.open()


def test_mem0_draws_facts_with_any_chat_callable():
    asked = []

    def chat(messages):
        asked.append(messages)
        return '{"memory": [{"text": "Ann is waiting for order A1029"}]}'

    system = opened(Mem0(infer=True, chat=chat))
    hear(system, turn(0, "Where is my order? It's A1029."))
    system.end(ANN)
    assert len(asked) == 1 and "A1029" in str(asked[0])
    later = replace(ANN, session="s2", time=WHEN + timedelta(days=1))
    seen = system.context("What am I waiting for?", later, 4000)
    assert "(2026-01-05) Ann is waiting for order A1029" in text_seen(seen.messages)
    system.close()


def test_mem0_without_a_model_infers_nothing():
    system = opened(Mem0(infer=True))
    hear(system, turn(0, "Where is my order? It's A1029."))
    assert system.search("order", ANN) == []
    system.close()

"""Whatever is handed over at the front door: correct work, or the package's own error."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.clock import NaiveDatetime
from ctxlab.errors import CtxlabError, MessageError, StateKeyError
from ctxlab.messages import check_messages

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=12),
    st.binary(max_size=4),
    st.just(dt.date(2026, 1, 1)),
    st.just(dt.datetime(2026, 1, 1)),
    st.just(frozenset({1})),
    st.just(object()),
)
KEYS = st.sampled_from(
    "role content type text id time name tool_calls tool_call_id function arguments parameters "
    "properties enum".split()
)
ANYTHING = st.recursive(
    SCALARS, lambda x: st.lists(x, max_size=3) | st.dictionaries(KEYS, x, max_size=4), max_leaves=8
)


def survives(work: Any) -> None:
    """Do it; only the package's own errors may come out."""
    try:
        work()
    except CtxlabError as error:
        assert str(error)


@given(ANYTHING)
@settings(max_examples=150, deadline=None)
def test_no_message_raises_anything_but_a_typed_error(value):
    survives(lambda: cx.Message.of(value))
    survives(lambda: check_messages(value))
    survives(lambda: check_messages(value, "anthropic"))
    survives(lambda: check_messages([value], "anthropic"))


@given(ANYTHING)
@settings(max_examples=100, deadline=None)
def test_no_tool_definition_does(value):
    survives(lambda: cx.TokenCounter().count_tools(value))
    survives(lambda: cx.TokenCounter().count_tools([{"type": "function", "function": value}]))


@given(ANYTHING, ANYTHING)
@settings(max_examples=60, deadline=None)
def test_no_argument_of_a_session_does(key, value):
    with cx.ContextEngine("sqlite://", embedder=None, state={"k": str}) as engine:
        session = engine.open_session("U1")
        survives(lambda: session.state.__setitem__(key, value))
        survives(lambda: session.state.__setitem__("k", value))
        survives(lambda: session.prepare("hi", tools=value))
        survives(lambda: engine.open_session(key, tz=value))
        survives(lambda: engine.open_session(session_id=value))


@pytest.mark.parametrize("value", [None, 7, b"order A1029", ["order"], {"text": "order"}])
def test_what_understands_text_takes_nothing_else(value):
    for work in (cx.label, cx.scan, cx.refers_back, lambda x: cx.compare("a b", x)):
        with pytest.raises(MessageError, match="expected text"):
            work(value)


def test_bytes_are_told_the_way_out():
    with pytest.raises(MessageError, match="decode them first"):
        cx.scan(b"order A1029")


@pytest.mark.parametrize("when", [7, 1.5, ["2026-01-01"], dt.date(2026, 1, 1)])
def test_an_instant_of_another_type_is_named(when):
    with pytest.raises(NaiveDatetime, match="time: expected a datetime"):
        cx.Message.of({"role": "user", "content": "hi", "time": when})


def test_a_state_key_is_text():
    with (
        cx.ContextEngine("sqlite://", embedder=None, state={"k": str}) as engine,
        pytest.raises(StateKeyError, match="expected text"),
    ):
        engine.open_session("U1").state[7] = "x"

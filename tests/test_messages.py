"""What a message is, and which lists a provider accepts."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxlab as cx

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"role": "wizard", "content": "x"}, "role"),
        ({"content": "x"}, "role"),
        ({"role": "user"}, "content"),
        ({"role": "user", "content": b"x"}, "content"),
        ({"role": "user", "content": 7}, "content"),
        ({"role": "user", "content": [{"text": "no type"}]}, "content"),
        ({"role": "user", "content": [{"type": "text"}]}, "content"),
        ({"role": "tool", "content": "x"}, "tool_call_id"),
        ({"role": "user", "content": "x", "tool_calls": [CALL]}, "tool_calls"),
        ({"role": "user", "content": "x", "tool_calls": True}, "tool_calls"),
        ({"role": "assistant", "tool_calls": [{"id": "c"}]}, "tool_calls"),
        ({"role": "assistant", "tool_calls": [CALL, CALL]}, "tool_calls"),
        ({"role": "user", "content": "x", "name": 3}, "name"),
        (7, "message"),
    ],
)
def test_malformed_messages_name_their_field(given, field):
    with pytest.raises(cx.MessageError) as caught:
        cx.Message.of(given)
    assert caught.value.field == field


def test_naive_times_are_refused_with_the_remedy():
    with pytest.raises(cx.NaiveDatetime, match="ZoneInfo"):
        cx.Message.of({"role": "user", "content": "x", "time": datetime(2026, 1, 1)})


def test_times_become_utc():
    message = cx.Message.of({"role": "user", "content": "x", "time": "2026-01-01T08:00:00+08:00"})
    assert message.time == datetime(2026, 1, 1, tzinfo=UTC)


def test_parsed_arguments_become_json_text():
    call = {"id": "c", "function": {"name": "look", "arguments": {"订单": 1}}}
    message = cx.Message.of({"role": "assistant", "tool_calls": [call]})
    assert message.tool_calls[0].arguments == '{"订单": 1}'


@given(st.text(), st.none() | st.text(min_size=1))
def test_dicts_round_trip(text, name):
    message = cx.Message.of({"role": "user", "content": text, "name": name})
    assert cx.Message.of(message.as_dict()) == message


def test_openai_rules():
    user, tool = (
        {"role": "user", "content": "x"},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
    )
    asks = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert cx.check_messages([user, asks, tool]) == []
    assert "has no result" in cx.check_messages([user, asks])[0]
    assert "has no result" in cx.check_messages([user, asks, user, tool])[0]
    assert "no call just before" in cx.check_messages([user, tool])[0]
    assert cx.check_messages([]) == ["the list is empty"]
    with pytest.raises(cx.MessageError):
        cx.check_messages([user], provider="other")


def test_anthropic_rules():
    use = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "r"}
    user, says = {"role": "user", "content": "x"}, {"type": "text", "text": "so"}
    good = [
        user,
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result, says]},
    ]
    assert cx.check_messages(good, "anthropic") == []
    bad = [
        user,
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [says, result]},
    ]
    assert any("come first" in fault for fault in cx.check_messages(bad, "anthropic"))
    assert any("in a row" in fault for fault in cx.check_messages([user, user], "anthropic"))
    assert any("first message" in f for f in cx.check_messages(good[1:], "anthropic"))
    assert any(
        "empty" in f for f in cx.check_messages([{"role": "user", "content": ""}], "anthropic")
    )
    assert any("has no result" in f for f in cx.check_messages(good[:2], "anthropic"))

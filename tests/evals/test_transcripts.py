"""Reading logs (R113): every layout comes out the same, every fault is named with its line."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.evals.transcripts import as_conversations, read_conversations

CALL = {"id": "c1", "type": "function", "function": {"name": "track", "arguments": "{}"}}
SAID = [
    {"role": "system", "content": "Be brief. 请简短。"},
    {"role": "user", "content": "我的订单 A1029 到哪了？\u2028第二行"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "at the depot"},
    {"role": "assistant", "content": "在转运中心。"},
]


def dicts(conversation):
    return [message.as_dict() for message in conversation.messages]


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lines(*values):
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)


LAYOUTS = {
    "a message a line": lines(*SAID),
    "a conversation a line": lines({"messages": SAID}),
    "a bare list a line": lines(SAID, SAID),
    "one list": json.dumps(SAID, indent=2),
    "a list of records": json.dumps([{"messages": SAID}], indent=2),
    "windows line ends and a byte order mark": "\ufeff" + lines(*SAID).replace("\n", "\r\n\r\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_messages(tmp_path, layout):
    found = read_conversations(write(tmp_path / "log.jsonl", LAYOUTS[layout]))
    assert len(found) == (2 if layout == "a bare list a line" else 1)
    assert all(dicts(conversation) == SAID for conversation in found)
    assert len({conversation.id for conversation in found}) == len(found)


def test_lines_of_several_sessions_are_sorted_apart(tmp_path):
    rows = [
        {"session_id": name, "role": role, "content": f"{name} {role}"}
        for role in ("user", "assistant")
        for name in ("s1", "s2")
    ]
    found = read_conversations(write(tmp_path / "log.jsonl", lines(*rows)))
    assert [(c.id, [m.text for m in c.messages]) for c in found] == [
        ("s1", ["s1 user", "s1 assistant"]),
        ("s2", ["s2 user", "s2 assistant"]),
    ]


def test_times_are_kept_and_missing_ones_are_a_minute_apart(tmp_path):
    rows = [
        {"role": "user", "content": "a", "timestamp": 1_767_600_000},
        {"role": "assistant", "content": "b", "created_at": 1_767_600_030_000},
        {"role": "user", "content": "c"},
        {"role": "user", "content": "d", "time": "2026-01-05T17:00:00+08:00"},
    ]
    (talk,) = read_conversations(write(tmp_path / "log.jsonl", lines(*rows)))
    first = datetime.fromtimestamp(1_767_600_000, UTC)
    passed = [(m.time - first).total_seconds() for m in talk.messages]
    assert passed[:3] == [0, 30, 90]
    assert talk.messages[3].time == datetime(2026, 1, 5, 9, tzinfo=UTC)
    paced = as_conversations(SAID)[0].messages
    assert paced[4].time - paced[0].time == timedelta(minutes=4)


def test_a_line_delivered_twice_counts_once_and_a_changed_one_is_refused():
    rows = [{"role": "user", "content": "hi", "id": "m1"}] * 2
    assert len(as_conversations(rows)[0].messages) == 1
    with pytest.raises(cx.DataError, match=r"item 2.*'m1' stands twice"):
        as_conversations([rows[0], {**rows[0], "content": "ho"}])


# --- other people's formats -----------------------------------------------------------------

SHOWN = (
    'user: Hi\nuser: is still here\nassistant: None\ntool: {"a": 1}\ntool: b: c\n'
    "assistant: Done.\nAnything else?\nuser: No. ###STOP###\nuser: ###STOP###"
)


def test_displayed_transcripts_get_their_calls_back(tmp_path):
    (talk,) = read_conversations(write(tmp_path / "t.jsonl", lines({"messages_display": SHOWN})))
    assert cx.check_messages(dicts(talk)) == []
    roles = [message.role for message in talk.messages]
    assert roles == ["user", "user", "assistant", "tool", "tool", "assistant", "user"]
    calls = talk.messages[2].tool_calls
    assert len({call.name for call in calls}) == 2  # no call may pass for a repeat of another
    assert [m.tool_call_id for m in talk.messages[3:5]] == [call.id for call in calls]
    assert talk.messages[5].text == "Done.\nAnything else?"
    assert talk.messages[6].text == "No."


def test_crosswoz_is_read_from_its_archive(tmp_path):
    dialogue = {
        "messages": [
            {"role": "usr", "content": "你好", "dialog_act": [["General", "greet"]]},
            {"role": "sys", "content": "您好"},
        ]
    }
    with zipfile.ZipFile(tmp_path / "val.json.zip", "w") as archive:
        archive.writestr("val.json", json.dumps({"11290": dialogue, "11291": dialogue}))
    found = read_conversations(tmp_path / "val.json.zip", "crosswoz")
    assert [c.id for c in found] == ["11290", "11291"]
    said = [{"role": "user", "content": "你好"}, {"role": "assistant", "content": "您好"}]
    assert dicts(found[0]) == said
    with pytest.raises(cx.DataError, match="usr"):
        read_conversations(tmp_path / "val.json.zip", "openai")


def test_the_support_set_reads_as_a_log():
    from ctxlab.datasets import data_dir

    found = read_conversations(data_dir() / "support" / "zh" / "sessions.jsonl")
    sessions = cx.load_support("zh").sessions
    assert {c.id for c in found} <= set(sessions["session_id"]) and found[0].user_id == "U001"
    assert dicts(found[0]) == [
        {k: v for k, v in m.items() if k not in ("id", "time")}
        for m in cx.load_support("zh").to_messages(found[0].id)
    ]


# --- faults ---------------------------------------------------------------------------------

USER = {"role": "user", "content": "hi"}
FAULTS = {
    "broken line": (lines(USER, USER) + '\n{"role": "user", "con', r"line 3, column \d+: not JSON"),
    "broken first line": ('{"role": \n' + lines(USER), r"line 1.*not JSON"),
    "broken document": ('[\n {"role": "user"\n  "content": "x"}]', r"line 3, column 3: not JSON"),
    "empty": ("\n \n", "the file is empty"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\xff", r"line 1: not UTF-8 text \(byte 0x89\)"),
    "binary that decodes": (b'{"a": 1}\n\x00\x01', "line 2: binary data"),
    "utf-16": (lines(USER).encode("utf-16"), "not UTF-8.*export the log"),
    "damaged archive": (b"PK\x05\x06" + b"\0" * 30, "archive|binary"),
    "result before its call": (lines(USER, SAID[3], SAID[2]), r"line 2: .*answers no open call"),
    "reply before its result": (lines(USER, SAID[2], SAID[4]), "line 3: .*calls without a result"),
    "times run backwards": (
        lines(
            {**USER, "time": "2026-01-05T09:00:00Z"},
            {**USER, "time": "2026-01-05T08:00:00Z"},
        ),
        "line 2: .*sort the log by time",
    ),
    "no zone": (lines(USER, {**USER, "time": "2026-01-05T09:00:00"}), "line 2: .*no time zone"),
    "no time at all": (lines(USER, {**USER, "time": True}), "line 2: .*True is no time"),
    "unknown role": (lines(USER, {"role": "bot", "content": "x"}), "line 2: role: 'bot'"),
    "no content": (lines(USER, {"role": "assistant"}), "line 2: content"),
    "something else": (lines({"prompt": "x", "completion": "y"}), "found keys prompt, completion"),
    "a number": (lines(USER, 7), "line 2: expected a message.*found int"),
    "no messages": (lines({"messages": []}), "no messages in it"),
    "too deep": ("[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_file_place_and_remedy(tmp_path, fault):
    text, words = FAULTS[fault]
    path = write(tmp_path / "客服.jsonl", text)
    with pytest.raises(cx.DataError, match=words) as caught:
        read_conversations(path)
    assert str(caught.value).startswith(str(path))


def test_a_missing_file_and_an_unknown_format_are_told(tmp_path):
    with pytest.raises(cx.DataError, match=r"nowhere\.jsonl: No such file"):
        read_conversations(tmp_path / "nowhere.jsonl")
    with pytest.raises(cx.DataError, match=r"format 'csv' is unknown; there are auto"):
        read_conversations(write(tmp_path / "x", lines(USER)), "csv")


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_data_error(tmp_path_factory, data):
    path = write(tmp_path_factory.mktemp("log") / "x.jsonl", data)
    with pytest.raises(cx.DataError):  # random bytes that are a legal log are not to be expected
        read_conversations(path)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["user", "tool", "usr", "user: hi\ntool: x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "messages", "tool_calls", "id", "time", "messages_display"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_no_json_raises_anything_but_a_data_error(tmp_path_factory, value):
    path = write(tmp_path_factory.mktemp("log") / "x.jsonl", json.dumps(value))
    try:
        found = read_conversations(path)
    except cx.DataError:
        return
    assert all(c.messages and all(m.time for m in c.messages) for c in found)

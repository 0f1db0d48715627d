"""Where the explorers' conversations come from."""

import json

import pytest

import ctxlab as cx
from ctxlab.lab import conversation, named_facts

SAID = [{"role": "user", "content": "Order K12761"}, {"role": "assistant", "content": "ok"}]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_built_in_session_is_long_and_legal(lang):
    talk = conversation(None, lang)
    assert len(talk) > 100 and cx.check_messages(talk) == []
    assert named_facts(talk)


def test_users_own(tmp_path):
    lines = tmp_path / "messages.jsonl"
    lines.write_text("\n".join(json.dumps(m, ensure_ascii=False) for m in SAID), "utf-8")
    talks = tmp_path / "talks.jsonl"
    talks.write_text(json.dumps({"messages": SAID[:1]}) + "\n" + json.dumps({"messages": SAID}))
    assert conversation(SAID) == conversation(lines) == conversation(str(talks)) == SAID


@pytest.mark.parametrize("text", ["", "not json", '{"role": "nobody", "content": "x"}', "[1]"])
def test_damaged_files_say_what_and_where(tmp_path, text):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(cx.DataError, match=r"bad\.jsonl"):
        conversation(path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order A-20391 please", ["A-20391"]),
        ("订单D39929和手机13800001111", ["D39929", "13800001111"]),
        ("at 9:30 I paid 120", []),
        ("version 1.20391", []),
    ],
)
def test_named_facts(text, found):
    assert list(named_facts([{"role": "user", "content": text}])) == found


def test_what_only_the_agent_says_is_no_fact_of_the_customer():
    assert named_facts([{"role": "assistant", "content": "RT982845"}]) == {}

"""Who said what (R30)."""

from datetime import UTC, datetime

import pytest

from ctxlab.language.hearing import hear

NOW = datetime(2026, 3, 18, 2, 15, tzinfo=UTC)


def said(*messages):
    return [(s.id, s.agent, s.text) for s in hear(messages, NOW, "UTC")]


def test_only_the_two_parties_are_heard():
    assert said(
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "hello"},
        {"role": "tool", "content": "{}"},
        {"role": "assistant", "content": "hi", "id": "m-3"},
    ) == [("1", False, "hello"), ("m-3", True, "hi")]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ill drop it off", "I'll drop it off"),
        ("i was ill on friday", "I was ill on friday"),
        ("dont call, cant talk", "don't call, can't talk"),
        ("while ur there", "while you're there"),
        ("im 34", "im 34"),
    ],
)
def test_haste_is_spelt_out(typed, meant):
    assert said({"role": "user", "content": typed})[0][2] == meant


def test_an_agent_is_heard_as_written():
    assert said({"role": "assistant", "content": "dont worry"})[0][2] == "dont worry"


def test_without_a_time_of_its_own_a_message_takes_the_conversations():
    (one,) = hear([{"role": "user", "content": "hi"}], NOW, "Asia/Shanghai")
    assert one.when == NOW
    assert one.when.hour == 10
    (other,) = hear([{"role": "user", "content": "hi", "time": "no time"}], None, "UTC")
    assert other.when is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("在吗 想退货 订单A1029", "在吗？想退货，订单A1029"),
        ("10月20号 下午三点来", "10月20号下午三点来"),
        ("槐树路8号 一期3栋902 钥匙在前台", "槐树路8号 一期3栋902，钥匙在前台"),
        ("要 3 个 180 元", "要 3 个 180 元"),
        ("帮我 check 一下 the order", "帮我 check 一下 the order"),
    ],
)
def test_spaces_of_a_chinese_chat_part_clauses(typed, meant):
    assert said({"role": "user", "content": typed})[0][2] == meant


def test_a_space_is_a_comma_only_where_few_stand():
    said = [{"role": "user", "content": "寄到单位 别寄家里 电话没变"}]
    assert [s.text for s in hear(said, None, "UTC")] == ["寄到单位，别寄家里，电话没变"]
    said = [{"role": "user", "content": "我 想 订 周三 的 票"}]
    assert [s.text for s in hear(said, None, "UTC")] == ["我 想 订 周三 的 票"]

"""What a customer changes in few words is put into the sentence that it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.language.changes import change, changes, put_in_place
from ctxlab.language.repairs import repair


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("We want 14 trays of lasagne", "it's 18 now", "We want 18 trays of lasagne"),
        ("A brown one would be nice", "hmm, go for the white instead", "A white one would be nice"),
        ("Come on Monday at 2", "could we do Thursday instead", "Come on Thursday at 2"),
        ("I can spend $900", "make it 1,100", "I can spend $1,100"),
        ("We fly on the 3rd of June", "it's the 5th now", "We fly on the 5th of June"),
        ("给我们留14盘千层面", "改成18盘吧", "给我们留18盘千层面"),
        ("要棕色的那个", "还是白色的吧", "要白色的那个"),
        ("周一下午两点来", "能换到周四吗", "周四下午两点来"),
        ("6月3号飞", "航班变了，改成5号了", "6月5号飞"),
    ],
)
def test_a_new_value_takes_the_place_of_the_old(before, said, after):
    assert repair([before, "", said], [True, False, True])[0] == after


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I've got 14 trays here", "we'll be 18 people on the day now"),
        ("We want 14 trays", "make it 14 please"),
        ("14 trays, 3 lids", "make it 5"),
        ("We want 14 trays", "can you also make it 18 spoons"),
        ("The brown one leaks", "can I have it on Monday"),
        ("我们家14口人", "改成18盘吧"),
        ("给我们留14盘", "再加18盘"),
    ],
)
def test_what_may_be_another_thing_changes_nothing(before, said):
    assert change([before, "", said], [True, False, True]) is None


@pytest.mark.parametrize(
    ("before", "asked", "said"),
    [
        ("I get off at 2", "What time suits you?", "make it 3 o'clock"),
        ("We fly on Monday", "When shall we bring it?", "can we make it Thursday"),
        ("我两点下班", "几点给您送？", "三点吧"),
        ("I live in flat 9", "Noted.", "make it 3 please"),
        ("我住9楼", "好的。", "改成3吧"),
    ],
)
def test_an_answer_or_a_number_of_a_place_changes_nothing(before, asked, said):
    assert change([before, asked, said], [True, False, True]) is None


def test_nothing_an_agent_says_changes_what_the_customer_said():
    said = ["We want 14 trays", "make it 18 instead"]
    put_in_place(said, 1, [True, False])
    assert said == ["We want 14 trays", "make it 18 instead"]


def test_another_streets_number_is_no_slip():
    said = ["寄到梧桐路6号", "好的", "不好意思寄我单位，环湖街28号"]
    assert "梧桐路28号" not in "".join(repair(said, [True, False, True]))


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_any_text_is_looked_at(texts):
    said = list(texts)
    put_in_place(said, len(said) - 1, [True] * len(said))
    assert len(said) == len(texts) and isinstance(changes(texts[-1]), bool)


@pytest.mark.parametrize(
    ("talk", "holds", "gone"),
    [
        (["We want 14 trays of lasagne", "Noted.", "it's 18 now"], "18", "14"),
        (["要棕色的那个沙发套", "好的。", "还是白色的吧"], "白色", "棕色"),
    ],
)
def test_memory_holds_what_was_decided_last(talk, holds, gone):
    with cx.ContextEngine("sqlite://") as engine:
        session = engine.open_session(user_id="U1")
        for n, text in enumerate([*talk, "Noted."]):
            session.add({"role": "assistant" if n % 2 else "user", "content": text})
            engine.flush()
        kept = engine.memory.profile(entity="customer:U1", agent="support", limit=10)
        told = " ".join(record.text for record in kept)
        assert holds in told and gone not in told

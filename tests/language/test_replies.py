"""What a reply turns down, wants otherwise or corrects is not remembered of the agent's turn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language.extraction import extract
from ctxlab.language.replies import put_aside, without

NOON = "2026-05-03T12:00:00+00:00"


@pytest.mark.parametrize(
    ("turns", "kept", "gone"),
    [
        (
            ("A cabin for two, booking CB-7720.",
             "Done, CB-7720 is yours. I can set up a hot tub for €70 a night.",
             "No hot tub, thanks."),
            "CB-7720", "€70",
        ),
        (
            ("订单CB7720，两人小木屋。", "CB7720已订好。可以加浴桶，每晚70元。", "不要浴桶。"),
            "CB7720", "70元",
        ),
        (
            ("Filter delivery for KD-1180 please.", "KD-1180: every three months, next on 9 May.",
             "Every five months.", "Five months it is, next on 4 July."),
            "2026-07-04", "three months",
        ),
        (
            ("KD1180的滤芯。", "KD1180每三个月一次，5月9日送。", "每五个月吧。",
             "好，五个月一次，7月4日送。"),
            "2026-07-04", "三个月",
        ),
        (
            ("Boat booking RW-310 on the 8th.", "RW-310, 8 May, 7:00 start.",
             "Could it be 9 instead of 7?", "9:00 for RW-310."),
            "9:00", "7:00",
        ),
    ],
)  # fmt: skip
def test_what_the_reply_sets_aside_goes(told, turns, kept, gone):
    text = told(*turns)
    assert kept in text
    assert gone not in text


@pytest.mark.parametrize(
    ("turns", "kept", "gone"),
    [
        (
            ("My locker is 40. Can I keep it?", "Your locker 40 is yours. A towel is £3 a day."),
            "40", "£3",
        ),
        (("我的柜子是40号。", "您的40号柜续好了。前台毛巾3元一条。"), "40号", "3元"),
        (
            ("If I ever took the grade 6 exam, what's the fee? No hurry.", "Grade 6 is £75."),
            "", "£75",
        ),
    ],
)  # fmt: skip
def test_what_is_not_to_the_matter_goes(told, turns, kept, gone):
    text = told(*turns)
    assert kept in text
    assert gone not in text


def test_a_time_set_aside_takes_nothing_else_along(told):
    text = told(
        "The cake is order WC-31.", "WC-31, delivery on 19 September at 2.",
        "Not 2, it's needed by noon.", "Noon then.",
    )  # fmt: skip
    assert "2026-09-19" in text
    assert "at 2" not in text


def test_of_two_things_only_the_one_chosen_is_told(told):
    text = told("订单KD3310的蛋糕。", "柠檬味还是杏仁味？", "柠檬。")
    assert "柠檬" in text
    assert "杏仁" not in text
    text = told("The cake is order KD-3310.", "Lemon or almond?", "Lemon.")
    assert "The customer chose: Lemon" in text
    assert "almond" not in text


def test_a_price_of_what_was_asked_stays(told):
    assert "£18.20" in told("Reading 30141, please.", "Entered. The bill falls by £18.20.")
    assert "£310" in told("What will my clutch repair be?", "I looked. The clutch repair is £310.")
    assert "310元" in told("修离合器多少钱？", "查到了。修离合器310元。")
    assert "£6" in told("Please add a cot to LK-771.", "A cot is added to LK-771. £6 a night.")


@pytest.mark.parametrize("reply", ["No problem, no rush.", "No idea.", "不用谢。", "好的。"])
def test_a_polite_no_turns_nothing_down(reply):
    assert put_aside(reply) == []


@settings(max_examples=80)
@given(st.text(max_size=80))
def test_without_marks_nothing_is_left_out(text):
    assert put_aside(text) is not None
    assert set(without(text, [])) <= set(text)


def test_a_bare_time_answers_a_question_for_one(told):
    assert "eight o'clock" in told("Send Mr Toller to 6620. What time?", "First, eight o'clock.")


def test_of_what_is_laid_out_the_pick_is_told(told):
    text = told(
        "A battery for system 770-18, please.", "The 10 kWh at £900 or the 15 kWh at £1,340.",
        "How big is the 10?", "So high.", "I'll take the 15 then.",
    )  # fmt: skip
    assert "£1,340" in text
    assert "£900" not in text


def test_why_a_day_wont_do_goes_with_it(told):
    answer = "Can't do Monday, I've the vet. Friday."
    text = told("Order K-771 needs a visit.", "Monday at nine?", answer)
    assert "vet" not in text
    assert "2026-" in text


def test_an_offer_turned_down_politely_is_not_told(told):
    text = told("Order K-771 please.", "Would you like a plate rack too, £130?", "No ta, love.")
    assert "plate rack" not in text


def test_a_deed_that_is_called_off_is_no_promise_any_more():
    talk = [
        {"role": "user", "content": "一箱梨压烂了四个"},
        {"role": "assistant", "content": "给您补四个，周五放门卫。"},
        {"role": "user", "content": "别补了，退我八块钱得了"},
    ]
    text = "".join(draft.text for draft in extract(talk))
    assert "补四个" not in text
    assert "八块" in text

"""Which of several things laid out side by side a customer took."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.options import options, pick

SAID = "A single is £40 or a double is £65."


@pytest.mark.parametrize(
    ("sentence", "replies", "kept"),
    [
        (SAID, ["The double please."], "a double is £65."),
        (SAID, ["Is breakfast in?", "I'll take the £40 one then."], "A single is £40."),
        (
            "Dr Vance has 3 May at 9 or 5 May at 2.",
            ["The 5th is fine."],
            "Dr Vance has 5 May at 2.",
        ),
        ("Tuesday 4:10 or 5:20, both with Ana.", ["ok 4:10"], "Tuesday 4:10, both with Ana."),
        ("我们有金卡12800、银卡8800。", ["银卡吧"], "我们有银卡8800。"),
        ("上午十点或下午三点。", ["第二个"], "下午三点。"),
    ],
)
def test_what_was_taken_stays_with_what_is_said_of_all(sentence, replies, kept):
    chosen = pick(sentence, replies)
    assert chosen is not None
    assert chosen.kept(sentence) == kept


@pytest.mark.parametrize(
    ("sentence", "replies"),
    [
        (SAID, ["How big is the double?"]),
        (SAID, ["The double's too dear."]),
        (SAID, ["Both, a single and a double."]),
        ("Refunded £40, and £65 is to follow, both yours.", ["£65 is fine"]),
        ("I see 9014 and 9041 under Whitlock.", ["9014 please"]),
        ("橡树间140，榆树间95。", ["算了，还是两间，橡树和榆树"]),
    ],
)
def test_a_question_a_refusal_or_two_at_once_take_nothing(sentence, replies):
    assert pick(sentence, replies) is None


def test_what_was_done_is_no_choice():
    assert options("您交了2980元，可退2300元。") == ()


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_options_lie_in_order_within_the_sentence(sentence, replies):
    chosen = pick(sentence, replies)
    ends = [0]
    for start, end in options(sentence):
        assert ends[-1] <= start <= end <= len(sentence)
        ends.append(end)
    if chosen:
        assert 0 <= chosen.taken < len(chosen.spans)
        assert 0 <= chosen.reply < len(replies)

"""The case that a talk is about is named in what is said of it, and in nothing else (R30)."""

import pytest

from ctxlab.language.extraction import extract


@pytest.mark.parametrize(
    ("talk", "words", "named"),
    [
        (("Order KD-55120 came without its lid.", "I'll send a new lid tomorrow."), "lid", True),
        (("Please refund the kettle.", "Which order is it?", "KD-55120"), "refund", True),
        (("Please move my class to May 9.", "Done.", "And my order KD-55120?"), "class", False),
        (
            ("Order KD-55120 came broken.", "Sorry.", "Also please update my plan to Premium."),
            "Premium",
            False,
        ),
        (("My membership number is KD-55120.", "Thanks.", "Cancel my class, please."), "class", 0),
        (("订单KD55120少了盖子。", "我明天给您补寄一个。"), "补寄", True),
        (("订单KD55120坏了。", "抱歉。", "另外，帮我把套餐改成畅享版。"), "套餐", False),
        (("我的车位是B2-0851。", "好的。", "物业费想改成按年交。"), "物业费", False),
    ],
)
def test_a_case_is_named_only_where_it_is_spoken_of(told, talk, words, named):
    texts = told(*talk).splitlines()
    found = [text for text in texts if words in text]
    assert found, texts
    assert any("55120" in text or "0851" in text for text in found) == bool(named), found


def test_what_an_agent_adds_in_brief_stays_with_what_it_is_of(told):
    texts = told(
        "Can I keep the van until May 9?", "Done: back by May 9 at 14:00. Extra £81."
    ).splitlines()
    assert any("£81" in text and "14:00" in text for text in texts), texts


@pytest.mark.parametrize(
    ("talk", "kept", "left"),
    [
        (("I need a van.", "A van is £80 a day. Shall I go ahead?", "Yes please."), "£80", "Shall"),
        (("要一辆面包车。", "一天300元。确认订吗？", "订吧，明天用。"), "300", "确认订"),
    ],
)
def test_leave_to_go_on_is_no_memory_and_what_it_was_given_for_is(told, talk, kept, left):
    texts = told(*talk)
    assert kept in texts and left not in texts, texts


def test_who_takes_a_parcel_in_is_the_customers_matter(told):
    texts = told("My neighbour Mrs Hale can sign for it if I'm out.", "Noted.")
    assert "Hale" in texts


def test_a_postcode_names_no_case():
    said = [
        {"role": "user", "content": "Please upgrade my line."},
        {"role": "assistant", "content": "Which address?"},
        {"role": "user", "content": "22 Lake View Road, Kottayam 686001. Fit it on Friday please."},
    ]
    assert not any("(686001)" in draft.text for draft in extract(said))

"""Price lists and advertisements aren't told of the customer; what they pay is. zh and en."""

from __future__ import annotations

import pytest

from ctxlab.language.extraction import extract
from ctxlab.language.tariffs import quotes


@pytest.mark.parametrize(
    "said",
    [
        "The corner suite is $40 more.",
        "You can also go for the yearly pass and save a bit.",
        "The tall one is £120, the short one £95.",
        "Voted best bakery, thousands of happy customers!",
        "It would be €14 with breakfast.",
        "靠窗的座位贵20元。",
        "大桌120元，小桌95元。",
        "办卡的话最多能省两百。",
        "全场八折，欢迎选购！",
        "标准运费8元。",
        "Seats range from $12 to $60.",
        "买二送一，六月底前有效。",
        "加一份的话要12元。",
    ],
)
def test_what_nobody_chose_is_only_quoted(said):
    assert quotes(said)
    talk = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": said}]
    assert extract(talk) == []


@pytest.mark.parametrize(
    "said",
    [
        "Your room is $40 more from Monday.",
        "I've booked the tall one for £120 and the stand for £30.",
        "Order KD-2210 comes to £95 and £6 postage.",
        "The repair costs $140.",
        "The parcel has been in Bristol since 2026-03-01.",
        "您的座位贵20元。",
        "已为您订大桌120元，押金50元。",
        "这次维修收140元。",
    ],
)
def test_what_is_the_customers_is_no_quotation(said):
    assert not quotes(said)


def test_an_offer_that_is_taken_is_told():
    talk = [
        {"role": "user", "content": "Could I have a bigger locker?"},
        {"role": "assistant", "content": "Sure, the tall one is $4 more."},
        {"role": "user", "content": "Yes please."},
    ]
    assert "$4" in " ".join(draft.text for draft in extract(talk))

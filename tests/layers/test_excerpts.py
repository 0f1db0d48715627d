"""What a passage is cut to: the sentences that bear, in their order, within the limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.terms import telling_words
from ctxlab.layers import excerpts
from ctxlab.layers.excerpts import Excerpts

TALK = (
    "Thanks for waiting. The kettle was charged twice. Shall I look at the depot? "
    "Deliveries to Leeds take three days. Order A1029 left on Monday. Have a good day."
)


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("why two charges", "The kettle was charged twice."),  # a stem goes on
        ("how long does delivery take", "Deliveries to Leeds take three days."),
        ("where is a1029", "Order A1029 left on Monday."),
        ("is it in a depots", "Shall I look at the depot?"),
    ],
)
def test_what_bears_is_kept(query, kept):
    assert kept in Excerpts()(TALK, telling_words(query), len(kept))


def test_a_number_inside_another_is_another():
    said = "Call 01650 for sales, any day of the week. The code of the gate is 165, as before."
    assert Excerpts()(said, ["165"], 44) == "The code of the gate is 165, as before."


def test_chinese_by_pairs_of_characters():
    said = "您好，很高兴为您服务。快递柜的取件码已经短信发您。还有别的需要吗？"
    assert Excerpts()(said, telling_words("取件码是多少"), 20) == "快递柜的取件码已经短信发您。"


def test_only_the_last_passages_are_kept_split(monkeypatch):
    monkeypatch.setattr(excerpts, "_REMEMBERED", 2)
    cut = Excerpts()
    for n in range(5):
        cut(f"{n}. {TALK}", ["kettle"], 40)
    assert len(cut._split) == 2


@given(st.text(max_size=200), st.text(max_size=30), st.integers(1, 60))
def test_never_longer_than_asked(text, query, limit):
    assert len(Excerpts()(text, telling_words(query), limit)) <= limit


def test_in_the_order_they_were_said():
    cut = Excerpts()(TALK, ["order", "kettle"], 60)
    assert cut == "The kettle was charged twice. Order A1029 left on Monday."

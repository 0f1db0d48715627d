"""Passage search: what a turn lends its neighbours, who is named, what stays out."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.layers.passages import Passage, Passages, Standing, search_together

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
TALK = (
    ("agent", "Which account shall the reimbursement go to?"),
    ("customer", "The one ending in 8842"),
    ("agent", "Done. Is there anything else?"),
    ("customer", "My desk has a scratch on its left side"),
    ("agent", "I am sorry, please send a picture of the desk"),
)
ZH = (
    ("agent", "报销款打到哪个账号？"),
    ("customer", "尾号8842的那张"),
    ("agent", "好的，已登记。"),
    ("customer", "桌子左边有划痕"),
)


def index_of(talk, session="s1", **weights):
    index = Passages(weights=Standing(**weights))
    for n, (who, text) in enumerate(talk):
        index.add(Passage(session, n, n, text, WHEN, who))
    return index


def firsts(hits):
    return [hit.passage.first for hit in hits]


@pytest.mark.parametrize(
    ("talk", "query"),
    [(TALK, "the reimbursement account"), (ZH, "报销的账号")],
)
def test_an_answer_is_found_by_the_question_it_answers(talk, query):
    hits = index_of(talk).search(query, None, k=3, min_score=0.3)
    assert sorted(firsts(hits)) == [0, 1]
    alone = index_of(talk, neighbour=0.0, answer=0.0, asks=0.0)  # the control: it has no word of it
    assert firsts(alone.search(query, None, k=3, min_score=0.3)) == [0]


def test_a_long_passage_stands_alone():
    filler = " ".join(f"word{n}" for n in range(300))
    talk = (("a", "Which account shall the reimbursement go to?"), ("b", f"8842 {filler}"))
    assert firsts(index_of(talk).search("reimbursement account", None, k=2, min_score=0.3)) == [0]


def test_nothing_is_lent_across_sessions():
    index = index_of(TALK[:1])
    index.add(Passage("s2", 0, 0, TALK[1][1], WHEN, "customer"))
    found = index.search("the reimbursement account", None, k=5, min_score=0.3)
    assert {hit.passage.session_id for hit in found} == {"s1"}


def test_who_is_named_comes_first_unless_everybody_is():
    talk = (("Ann", "I bought a desk"), ("Bo", "I bought a desk"))
    index = index_of(talk)
    assert firsts(index.search("what desk did Bo buy?", None, k=1, min_score=0.1)) == [1]
    assert firsts(index.search("what desk did Ann buy?", None, k=1, min_score=0.1)) == [0]
    both = index.search("what desk did Ann and Bo buy?", None, k=2, min_score=0.1)
    assert firsts(both) == [0, 1]


def test_passages_after_the_window_begins_are_left_to_it():
    index = index_of(TALK)
    assert all(n < 3 for n in firsts(index.search("desk scratch", None, 5, 0.0, before=3)))


def test_parts_are_searched_as_one():
    whole = index_of(TALK, "here")
    apart = index_of(TALK[:3], "here")
    rest = Passages()
    for n, (who, text) in enumerate(TALK[3:], 3):
        rest.add(Passage("there", n, n, text, WHEN, who))
    hits = search_together([(apart, None), (rest, None)], "desk with a scratch", None, 5, 0.2)
    assert firsts(hits) == firsts(whole.search("desk with a scratch", None, 5, 0.2))
    assert search_together([(Passages(), None)], "desk", None) == []


def test_modes_use_what_they_say():
    index = Passages()
    vectors = np.eye(2, dtype=np.float32)
    index.add(Passage("s1", 0, 0, "desk", WHEN), vectors[0])
    index.add(Passage("s2", 0, 0, "chair", WHEN), vectors[1])
    best = {m: index.search("desk", vectors[1], 1, 0.1, mode=m)[0] for m in ("dense", "keyword")}
    assert best["dense"].passage.text == "chair" and best["dense"].cover == 0.0
    assert best["keyword"].passage.text == "desk" and best["keyword"].cosine is None
    assert best["keyword"].score > 0.3


words = st.lists(st.sampled_from("desk chair lamp refund order 订单 退款 ?".split()), max_size=6)


@settings(deadline=None)
@given(st.lists(words, min_size=1, max_size=12), words, st.floats(0, 1))
def test_hits_are_distinct_ordered_and_good_enough(texts, query, floor):
    index = Passages()
    for n, text in enumerate(texts):
        index.add(Passage(f"s{n // 3}", n, n, " ".join(text), WHEN))
    hits = index.search(" ".join(query), None, 5, floor)
    assert len(set(firsts(hits))) == len(hits) <= 5
    assert all(floor <= hit.score <= 1 for hit in hits)
    standings = [hit.standing for hit in hits]
    assert standings == sorted(standings, reverse=True)

"""What the heads see of a text: columns with names, n-grams, and the edges of clauses."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language import features
from ctxlab.models.embedding import get_embedder


def grams(text: str) -> set[str]:
    return set(features.read([text], get_embedder()).grams[0])


def test_every_column_has_a_name_and_a_weight() -> None:
    dense = features.read(["call me", "明天给我打电话"], get_embedder()).dense
    assert dense.shape == (2, len(features.names())) == (2, len(features.block_scale()))


def test_a_clause_begins_alike_whatever_stands_before_it() -> None:
    texts = ("Call me.", "It broke, call me.", "It broke. Call me!", "It broke - call me")
    assert all("| call me" in grams(text) for text in texts)
    assert "| call" not in grams("They call me often.")
    assert all("| 换 一" in grams(text) for text in ("换一个", "坏了，换一个", "坏了。换一个吧"))


def test_how_a_clause_ends_is_seen_too() -> None:
    assert "坏 了 |" in grams("门坏了，进不去")
    assert "坏 了 |" not in grams("坏了的门")


def test_digits_keep_their_number_alone() -> None:
    assert grams("order 1234") == grams("order 98765")
    assert grams("order 12") != grams("order 1234")


def test_an_english_word_is_seen_by_its_parts() -> None:
    assert {"~refu", "~refun", "ing~"} <= grams("they are refunding it")
    assert "~refu" in grams("no refudn yet")
    assert not any("~" in gram for gram in grams("we got it, 真的拿到了"))


def test_what_leans_on_earlier_talk_is_read_in_whole_words() -> None:
    whole = features.read(["they refunded it"], get_embedder(), parts=False).grams[0]
    assert not any("~" in gram for gram in whole)
    assert set(whole) < grams("they refunded it")


def test_an_accent_changes_nothing() -> None:
    assert grams("昨儿那事儿咋办") == grams("昨天那事怎么办")


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80))
def test_no_ngram_comes_twice(text: str) -> None:
    reading = features.read([text], get_embedder())
    assert len(reading.grams[0]) == len(set(reading.grams[0]))

"""The dictionary of illnesses: a pattern that reads like its words, names that convict nobody."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.sensitive_medical import named_en, named_zh, trie
from ctxlab.language.sensitive_topics import STRONG, find_topics

WORDS = st.lists(st.text("abcd&. ", min_size=1, max_size=6), min_size=1, max_size=12)


@given(WORDS, st.text("abcd&. ", max_size=8))
def test_the_pattern_matches_its_words_and_no_others(words: list[str], other: str) -> None:
    pattern = re.compile(trie(words))
    assert all(pattern.fullmatch(word) for word in words)
    assert (pattern.fullmatch(other) is not None) == (other in words)


@given(WORDS)
def test_the_longest_word_is_read(words: list[str]) -> None:
    longest = max(words, key=len)
    found = re.compile(trie(words)).match(longest + "e")
    assert found is not None
    assert found[0] == longest


@pytest.mark.parametrize("name", ["dengue", "clopidogrel", "ramipril", "rituximab"])
def test_medicines_are_known_by_name_or_stem(name: str) -> None:
    assert re.fullmatch(named_en(), name)


@pytest.mark.parametrize("name", ["登革热", "缬沙坦", "阿托伐他汀", "恩格列净", "椎间盘突出"])
def test_chinese_names_and_stems(name: str) -> None:
    assert re.search(named_zh(), name)


def test_a_name_alone_counts_for_less_than_a_rule_about_people() -> None:
    [hit] = [h for h in find_topics("I got dengue last week") if h.rule == "named"]
    assert STRONG < hit.confidence < 0.8
    [asked] = [h for h in find_topics("do you sell test strips for dengue") if h.rule == "named"][
        :1
    ]
    assert asked.confidence < STRONG

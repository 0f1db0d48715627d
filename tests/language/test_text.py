"""Normal form, sentences, tokens and numbers in words."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.numerals import numerals, spoken_to_digits
from ctxlab.language.text import (
    clause_spans,
    fold,
    guess_language,
    sentence_spans,
    sentences,
    stem,
    tokenize,
)

any_text = st.text(st.characters(exclude_categories=()), max_size=200)  # surrogates and NUL too


@given(any_text)
def test_fold_leads_back_to_the_original(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    spans = [folded.span(i, i + 1) for i in range(len(folded.text))]
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@given(any_text)
def test_fold_is_stable(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("１３８\u3000ＡＢ", "138 AB"),
        ("1\u200b2\u2060\u00ad3", "123"),
        ("4111\u20114222\u2013x", "4111-4222-x"),
        ("a\u00a0b\u2009c", "a b c"),
        ("你好：（好）", "你好:(好)"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text).text == folded


def test_fold_leaves_phrases_in_one_character_alone() -> None:
    assert fold("\ufdfa").text == "\ufdfa"  # would become eighteen characters


@given(any_text)
def test_sentences_keep_every_visible_character(text: str) -> None:
    for split in (sentence_spans, clause_spans):
        spans = split(text)
        assert spans == sorted(spans)
        assert all(a < b for a, b in spans)
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    covered = "".join(text[a:b] for a, b in sentence_spans(text))
    assert "".join(covered.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "It costs 3.50. See a.example.com/x. Bye!",
            ["It costs 3.50.", "See a.example.com/x.", "Bye!"],
        ),
        ("Dr. Lee said no. 5 p.m. is fine.", ["Dr. Lee said no. 5 p.m. is fine."]),
        ("好的。真的？！好", ["好的。", "真的？！", "好"]),
        ("他说：“不行。”然后走了", ["他说：“不行。”", "然后走了"]),
        ("one\n\ntwo", ["one", "two"]),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_clauses_spare_times_and_amounts() -> None:
    text = "at 10:30, pay 1,200，好"
    assert [text[a:b] for a, b in clause_spans(text)] == ["at 10:30", "pay 1,200", "好"]


def test_tokens_meet_across_forms() -> None:
    assert set(tokenize("Refunded charges")) == set(tokenize("refunding CHARGE"))
    assert set(tokenize("wi-fi")) >= set(tokenize("wifi"))
    assert tokenize("ｅ－ｍａｉｌ") == tokenize("e-mail")
    assert tokenize("退款") == ["退款"]
    assert tokenize("红") == ["红"]


@given(st.from_regex(r"[a-z]{1,15}", fullmatch=True))
def test_stem_never_grows_much_and_is_not_empty(word: str) -> None:
    assert 1 <= len(stem(word)) <= len(word) + 1


def test_stems_keep_different_words_apart() -> None:
    assert len({stem(w) for w in ("late", "letter", "price", "prize", "order", "border")}) == 6


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("123", "en"),
        ("ok", "en"),
        ("好", "zh"),
        ("这个 app 打不开", "zh"),
        ("please 帮我查一下 my order 呀", "mixed"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("两万三", ["23000"]),
        ("一百零五块", ["105"]),
        ("一亿两千万", ["120000000"]),
        ("三点五公里", ["3.5"]),
        ("二零二六年", ["2026"]),
        ("等十分钟", ["10"]),
        ("万一十分感谢三心二意", []),
        ("forty-one eleven", ["4111"]),
        ("two thousand five hundred and six", ["2506"]),
        ("eight hundred five five five", ["800555"]),
        ("that one, oh no", []),
        ("four, eight, two, one", ["4821"]),
    ],
)
def test_numerals(text: str, digits: list[str]) -> None:
    assert [numeral.digits for numeral in numerals(text)] == digits


@given(any_text)
def test_numerals_stay_inside(text: str) -> None:
    for numeral in numerals(text):
        assert 0 <= numeral.start < numeral.end <= len(text)


def test_spoken_digits_lead_back_word_by_word() -> None:
    text = "it's one three eight double zero 幺三八零, ok"
    view = spoken_to_digits(fold(text))
    assert view.text == "it's 13800 1380, ok"
    start = view.text.index("1380,")
    assert text[slice(*view.span(start, start + 4))] == "幺三八零"
    assert text[slice(*view.span(8, 10))] == "double zero"

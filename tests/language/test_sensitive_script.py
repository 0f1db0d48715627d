"""One script for the scanner: traditional and Cantonese writing, read and told back in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_script import plain


@given(st.text(alphabet=st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF), max_size=40))
def test_a_span_leads_back_to_its_place(text: str) -> None:
    view = plain(text)
    for start, end in zip(view.starts, view.ends, strict=True):
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    ("written", "read"),
    [("佢唔係我哋嘅客", "他不是我们的客"), ("關係唔大", "关系不大"), ("睡得著", "睡得着")],
)
def test_what_cantonese_alone_writes_is_read_as_what_it_means(written: str, read: str) -> None:
    assert plain(written).text == read


def test_what_is_simplified_already_stays() -> None:
    text = "我的身份证丢了,帮我查一下"
    assert plain(text).text == text


def test_spoken_digits_are_written_out_behind_the_script() -> None:
    assert plain("號碼幺三八").text == "号码138"


@pytest.mark.parametrize(
    ("text", "category", "span"),
    [
        ("身分證字號填F131104093就好", "government_id", "F131104093"),
        ("護照是309112245", "government_id", "309112245"),
        ("退到匯豐戶口 168 220914 833", "payment", "168 220914 833"),
        ("密碼改成Taro7712了", "credential", "Taro7712"),
        ("我媽有高血壓", "health", "高血壓"),
        ("佢有糖尿病㗎", "health", "糖尿病"),
    ],
)
def test_traditional_and_cantonese_writing_is_read(text: str, category: str, span: str) -> None:
    findings = [f for f in scan(text) if f.category == category]
    place = text.index(span)
    covered = sum(max(0, min(f.end, place + len(span)) - max(f.start, place)) for f in findings)
    assert 2 * covered >= len(span)


def test_a_traditional_order_number_is_clean() -> None:
    assert scan("訂單編號250118-3320還沒出貨") == []

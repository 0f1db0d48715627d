"""`cx.refers_back`: keywords that mislead, references without any, the hook, held-out figures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.language import corpus, report
from ctxlab.language.references import refers_back


@pytest.mark.parametrize(
    "text",
    [
        "上次说的那个方案还能办吗",
        "就按你推荐的来吧",
        "还是老问题，一点没好",
        "As we agreed last week, please waive the fee.",
        "go with the second option",
        "That didn't help at all.",
    ],
)
def test_leans_on_earlier_talk(text: str) -> None:
    got = refers_back(text)
    assert got.value
    assert got.cues


@pytest.mark.parametrize(
    "text",
    [
        "最后一班车是几点？",
        "上一代的耳机还有货吗",
        "Is the previous model still sold?",
        "Can you deliver after lunch on Friday to 12 Mill Lane?",
        "Where is my order?",
        "I can't log in.",
        "My refund hasn't arrived yet, order 40-221.",
        "我的订单怎么还没发货？",
        "我忘记密码了。",
        "我刚才付款失败了。",
    ],
)
def test_stands_alone(text: str) -> None:
    assert not refers_back(text).value


def test_cues_are_words_of_the_text_or_a_like_sentence() -> None:
    text = "As you promised me, the fee is waived."
    cues = refers_back(text).cues
    assert any("you" in cue for cue in cues if not cue.startswith("like: "))
    assert all(cue in text.lower() or cue.startswith("like: ") for cue in cues)


def test_blank_refers_to_nothing() -> None:
    assert refers_back(" \n").value is False


def test_a_bigger_model_may_decide() -> None:
    text = "上次说的那个方案"
    plain = refers_back(text)
    got = refers_back(text, decide=lambda asked: asked != text)
    assert (plain.value, got.value) == (True, False)
    assert got.score == plain.score
    assert refers_back(text, decide=lambda asked: None) == plain


def test_a_model_that_fails_or_babbles_changes_nothing() -> None:
    def broken(text: str) -> bool:
        raise TimeoutError("no answer in 2 s")

    got = refers_back("go with the second option", decide=broken)
    assert got.value
    assert "no answer in 2 s" in got.cues[-1]
    got = refers_back("go with the second option", decide=lambda text: "no")
    assert got.value
    assert "no bool" in got.cues[-1]


def test_it_is_public() -> None:
    assert isinstance(cx.refers_back("hello"), cx.Reference)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    assert 0 <= refers_back(text + "\ud800").score <= 1


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_held_out_domains(lang: str) -> None:
    rows = corpus.load("references", lang=lang, domains=corpus.TEST_DOMAINS)
    assert report.answers(rows, "refers").f1("yes") >= 0.9

"""`cx.label`: the guide's distinctions in both languages, held-out figures, evidence, odd text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.language import corpus, labelling, report
from ctxlab.language.labelling import DURABLE_FIRST, LOW_CONFIDENCE, label, label_many

# Plain instances of the guide's definitions; the hard ones are measured below, not listed.
CLEAR = [
    ("以后都别打电话，发微信就行", "preference"),
    ("Always leave parcels with the neighbour, never at the door.", "preference"),
    ("我明天下午把发票照片发给您", "commitment"),
    ("I'll ring you back before six with the result.", "commitment"),
    ("帮我把订单取消了吧", "request"),
    ("Could you send me a copy of the invoice?", "request"),
    ("上周三收到货的时候箱子就是破的", "event"),
    ("I was charged twice on the 3rd.", "event"),
    ("太让人失望了，气死我了", "emotion"),
    ("This is beyond ridiculous, I'm furious.", "emotion"),
    ("I'm furious, you are a bunch of crooks!", "emotion"),
    ("气死我了，你们就是一帮强盗！", "emotion"),
    ("My watch is the 2021 model, is it waterproof?", "fact"),
    ("我那台洗衣机是前年买的，现在还保修吗？", "fact"),
    ("好的，谢谢", "chitchat"),
    ("Thanks, have a nice day!", "chitchat"),
    ("我们将竭诚为您服务", "chitchat"),
    ("We are always here for you.", "chitchat"),
]


@pytest.mark.parametrize(("text", "kind"), CLEAR)
def test_clear_cases(text: str, kind: str) -> None:
    assert label(text).kind == kind


def test_it_is_public() -> None:
    assert cx.label is label
    assert isinstance(label("你好"), cx.StatementLabel)


@pytest.mark.parametrize("text", ["", "  ", "\n\u200b"])
def test_blank_says_nothing(text: str) -> None:
    got = label(text)
    assert (got.kind, got.actionability, got.audience) == ("chitchat", "historical", "shared")


@pytest.mark.parametrize(
    "text",
    [
        "你们那个客服态度太恶劣了，还骂人",
        "The driver was rude and swore at my mother.",
        "Between us, my husband must not know about this account.",
        "这事你别告诉别人，我们公司下个月要搬走",
        "Your competitor offers me the same for 20% less.",
        "你们的竞争对手给我报价便宜两成",
    ],
)
def test_what_is_told_in_confidence_is_private(text: str) -> None:
    assert label(text).audience == "private"


# Each stands beside one of the same things that is nobody's secret and nobody's fault.
@pytest.mark.parametrize(
    ("private", "shared"),
    [
        ("The glazier told my mum to shut her mouth.", "The window jammed after the glazier left."),
        (
            "Please don't text the landline, my dad mustn't find out I've moved back.",
            "Please don't text the landline, it can't take messages.",
        ),
        (
            "桥头那家洗衣店羽绒服才收二十五。",
            "我羽绒服是在桥头那家商场买的，吊牌还在。",
        ),
        ("你们那位管仓的当众说我偷货，一句道歉没有。", "仓里那台叉车把我的货叉漏了一角。"),
    ],
)
def test_the_same_things_are_private_and_not(private: str, shared: str) -> None:
    assert [got.audience for got in label_many([private, shared])] == ["private", "shared"]


@pytest.mark.parametrize("text", ["我的订单号是88213", "I moved, my new address is 5 Hill Road."])
def test_account_facts_are_shared(text: str) -> None:
    assert label(text).audience == "shared"


def test_low_confidence_is_private_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    # At the limit that ships hardly a sentence is unsure: a higher one shows the rule at work.
    monkeypatch.setattr(labelling, "LOW_CONFIDENCE", 0.45)
    texts = [row["text"] for row in corpus.load("statements", domains=corpus.TEST_DOMAINS)]
    unsure = [got for got in label_many(texts) if got.confidence < 0.45]
    assert unsure, "the corpus holds sentences nobody can label for sure"
    for got in unsure:
        assert got.audience == "private"
        assert any("confidence" in reason for reason in got.reasons)


@pytest.mark.parametrize("speaker", ["customer", "agent", None])
def test_a_guess_is_private_whoever_speaks(speaker: str | None) -> None:
    # Seven kinds, and no confidence to be found: only the doubt about the kind can decide.
    for confidence, audience in ((LOW_CONFIDENCE - 0.01, "private"), (0.27, "shared")):
        reasons: list[str] = []
        scores = {"fact": confidence, "private": 0.01}
        assert labelling._audience("fact", scores, speaker, reasons) == audience
        assert bool(reasons) == (audience == "private")


def test_a_long_message_keeps_its_most_durable_thing() -> None:
    rant = "I have been on hold for an hour. The music is awful. I am so tired of this. "
    assert label(rant).kind == "emotion" or label(rant).kind == "event"
    promise = "I will send you the signed form tomorrow morning."
    got = label(f"{rant}It is a disgrace. {promise} I'm furious.")
    assert got.kind == "commitment"
    assert any("most durable" in reason for reason in got.reasons)
    zh = "等了一个多小时。音乐难听死了。真的很累。明天上午我把签好的表发给您。"
    assert label(zh).kind == "commitment"


def test_reasons_name_the_cue() -> None:
    got = label("从今往后一律走顺丰")
    assert got.kind == "preference"
    assert any("standing" in reason for reason in got.reasons)


def test_an_agent_has_no_confidences() -> None:
    text = "Your competitor offers me the same for 20% less."
    assert label(text, speaker="agent").audience == "shared"
    assert label(text, speaker="customer").audience == "private"


def test_scores_are_chances() -> None:
    got = label("Please cancel my order.")
    assert set(got.scores) == {*DURABLE_FIRST, "actionable", "private"}
    assert sum(got.scores[kind] for kind in DURABLE_FIRST) == pytest.approx(1, abs=1e-4)
    assert got.confidence == got.scores[got.kind] == max(got.scores[k] for k in DURABLE_FIRST)


def test_many_is_one_by_one() -> None:
    texts = ["以后都走顺丰", "Thanks!", "", "I will call you. Please wait."]
    for single, many in zip(map(label, texts), label_many(texts), strict=True):
        assert (single.kind, single.audience) == (many.kind, many.audience)
        assert single.confidence == pytest.approx(many.confidence, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gets_a_label(text: str) -> None:
    got = label(text + "\ud800")
    assert got.kind in DURABLE_FIRST
    assert 0 <= got.confidence <= 1
    assert got.kind != "emotion" or got.audience == "private"
    assert got.kind != "chitchat" or got.actionability == "historical"


def test_huge_text_is_read_in_part() -> None:
    assert label("我要退货。" * 40_000).kind == "request"


# Floors under the figures of REPORT.md: a fit that has gone wrong falls through them, and a head
# that guesses (kind: 0.05 by always saying one kind) doesn't reach them.
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    ("name", "floor"), [("kind", 0.70), ("actionable", 0.87), ("private", 0.63)]
)
def test_held_out_domains(lang: str, name: str, floor: float) -> None:
    rows = corpus.load("statements", lang=lang, domains=corpus.TEST_DOMAINS)
    got = report.answers(rows, name)
    assert got.f1(None if name == "kind" else "yes") >= floor
    assert got.calibration_error() < 0.12


def test_nothing_gets_no_label() -> None:
    assert label_many([]) == []

"""The scanner: what it finds, what it leaves alone, and what any text may do to it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language import corpus
from ctxlab.language.sensitive import CATEGORIES, Finding, mask, scan, scan_many
from ctxlab.language.sensitive_scoring import score_spans


def found(text: str) -> list[tuple[str, str]]:
    return [(finding.category, text[finding.start : finding.end]) for finding in scan(text)]


@pytest.mark.parametrize(
    ("text", "category", "span"),
    [
        ("卡号4111111111111111谢谢", "payment", "4111111111111111"),
        ("４１１１ １１１１ １１１１ １１１１", "payment", "４１１１ １１１１ １１１１ １１１１"),
        ("card four one one one, one one one one, one one one one, one one one one ok", "payment",
         "four one one one, one one one one, one one one one, one one one one"),
        ("银行卡四一幺幺幺幺幺幺幺幺幺幺幺幺幺幺", "payment", "四一幺幺幺幺幺幺幺幺幺幺幺幺幺幺"),
        ("my card expires 09/28", "payment", "09/28"),
        ("信用卡有效期27年11月", "payment", "27年11月"),
        ("the cvv is 737", "payment", "737"),
        ("pay GB29 NWBK 6016 1331 9268 19 please", "payment", "GB29 NWBK 6016 1331 9268 19"),
        ("gb29nwbk60161331926819", "payment", "gb29nwbk60161331926819"),
        ("sort code 20-00-00 account 55779911", "payment", "55779911"),
        ("身份证11010519491231002X丢了", "government_id", "11010519491231002X"),
        ("my social is 219-09-9999", "government_id", "219-09-9999"),
        ("NI number AB 12 34 56 C", "government_id", "AB 12 34 56 C"),
        ("护照号EJ1234567", "government_id", "EJ1234567"),
        ("打我电话一三八零零一三八零零零", "contact", "一三八零零一三八零零零"),
        ("cell 415-555-0132", "contact", "415-555-0132"),
        ("+44 20 7946 0958 is mine", "contact", "+44 20 7946 0958"),
        ("发到zhang.san@example.com谢谢", "contact", "zhang.san@example.com"),
        ("john dot smith at gmail dot com", "contact", "john dot smith at gmail dot com"),
        ("邮箱lisi艾特qq点com", "contact", "lisi艾特qq点com"),
        ("j . doe @ example . org", "contact", "j . doe @ example . org"),
        ("key AKIAIOSFODNN7EXAMPLE leaked", "credential", "AKIAIOSFODNN7EXAMPLE"),
        ("the code you texted me is 448 120", "credential", "448 120"),
        ("验证码是六六八二九幺", "credential", "六六八二九幺"),
        ("wifi密码：wo@2024ni", "credential", "wo@2024ni"),
        ("my password is hunter2!", "credential", "hunter2!"),
        ("the PIN for my locker is four zero nine one", "credential", "four zero nine one"),
        ("mother's maiden name is Thistlewood", "credential", "Thistlewood"),
        ("ID is 784-1984-1234567-1", "government_id", "784-1984-1234567-1"),
        ("my DNI, 12345678Z", "government_id", "12345678Z"),
        ("CPF 529.982.247-25", "government_id", "529.982.247-25"),
        ("台湾身份证A123456789", "government_id", "A123456789"),
        ("card 4242 4242 4242 4242, 08/28, 331", "payment", "331"),
        ("从6222021208001234567里扣", "payment", "6222021208001234567"),
        ("I log in as tom and Penzance-2015", "credential", "Penzance-2015"),
        ("wifi:NET_5G,fit66668888", "credential", "fit66668888"),
        ("482 913, that's what the authenticator says", "credential", "482 913"),
        ("wages into 31510604 at 30-94-15 please", "payment", "31510604"),
        ("wages into 31510604 at 30-94-15 please", "payment", "30-94-15"),
        ("刷5555555555554444,09/29到期,836", "payment", "836"),
        ("three digits on the strip: 641", "payment", "641"),
        ("my licence is BAKER 802154 TQ9ZX", "government_id", "BAKER 802154 TQ9ZX"),
        ("回乡证H0987654321", "government_id", "H0987654321"),
        ("加我QQ100200300", "contact", "100200300"),
    ],
)  # fmt: skip
def test_formats(text: str, category: str, span: str) -> None:
    assert (category, span) in found(text)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("阿婆听力不太好，敲门重一点", "health"),
        ("I'm deaf in one ear", "health"),
        ("my wife is seven months pregnant", "health"),
        ("我爸在做化疗", "health"),
        ("he sees a therapist on Fridays", "health"),
        ("we keep kosher at home", "special"),
        ("斋月期间我白天不能喝水", "special"),
        ("我们周五去做礼拜", "special"),
        ("I'm the shop steward here", "special"),
        ("I'm gay and my parents don't know", "special"),
        ("我是回族", "special"),
        ("my daughter Mei is six", "minor"),
        ("儿子在育才小学读三年级", "minor"),
        ("our eighteen-month-old chews on it", "minor"),
    ],
)
def test_disclosures(text: str, category: str) -> None:
    assert category in {finding.category for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111111 hasn't arrived",
        "运单SF1397742081665到哪了",
        "this queue is killing me",
        "等快递等到崩溃",
        "the router is dead",
        "I forgot my password",
        "验证码一直收不到",
        "你们400-820-8888占线",
        "your hotline 1-800-555-0199 is busy",
        "support@example.com never replies",
        "paid 1,249.50 on 2026-03-12 at 10:30",
        "尾号4471的卡",
        "card ending 4242",
        "机身序列号88213900417725",
        "our company turned fourteen",
        "我家狗怀孕了",
        "a twelve-year-old whisky",
        "Church Street branch, please",
        "fan club number 5500281",
        "有事给我发邮件，别打电话",
        "ticket 12345678Z",
        "errors one two three and four",
        "invoice 31510604 of 30-09-15",
        "who leads the Republican primary race",
        "暗号系列那本书缺货",
        "the microwave has gone blind, no display",
        "this printer is on crutches",
        "",
    ],
)
def test_lookalikes_stay_clean(text: str) -> None:
    assert found(text) == []


def test_the_label_decides_over_the_number() -> None:
    assert {c for c, _ in found("my passport is 533380006")} == {"government_id"}
    assert found("my booking is 533380006") == []


def test_a_wrong_check_digit_needs_a_label() -> None:
    assert found("4111111111111112 please") == []
    assert found("card number 4111111111111112 please") != []


any_text = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=120),
    st.lists(
        st.sampled_from(
            [
                "4111 1111 1111 1111", "密码是", "a@b.co", "one two ", "半身不遂", "my son ",
                "\u200b", "\0", "\ud800", "+86", "ﷺ", "。", "IBAN GB29", " at ", "一二三",
                "３", "(", "X", "\n", "6 ",
            ]
        ),
        max_size=25,
    ).map("".join),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(any_text)
def test_any_text(text: str) -> None:
    findings = scan(text)
    assert all(0 <= f.start < f.end <= len(text) for f in findings)
    assert all(f.category in CATEGORIES and 0 < f.confidence <= 1 and f.rule for f in findings)
    assert all(a.end <= b.start for a, b in itertools.pairwise(findings))
    assert scan(text) == findings
    hidden = mask(text, findings)
    for finding in findings:
        assert f"[{finding.category}]" in hidden


@pytest.mark.parametrize(
    "unit",
    ["a@", "1 ", "4111 ", "one ", "一", "。", "x", "my password is ", "GB29 ", "\u200b", "密码",
     "code ", "我妈", "a.", "(", "6\n", "fast ", "her son Bo, 6, "],
)  # fmt: skip
def test_long_texts_are_read_in_steps_that_grow_with_their_length(unit: str) -> None:
    # No clock: a quadratic pattern on 60,000 characters would run into the suite's own limit.
    text = unit * (60_000 // len(unit))
    assert all(finding.end <= len(text) for finding in scan(text))


def test_mask_is_neutral_and_keeps_the_rest() -> None:
    text = "打13800138000，或 a.b@example.org。"
    assert mask(text, scan(text)) == "打[contact]，或 [contact]。"
    assert mask("abc", []) == "abc"


def test_scorer_can_fail() -> None:
    rows = [
        {"text": "abcd efgh", "spans": [{"text": "abcd", "category": "health"}]},
        {"text": "clean", "spans": []},
    ]

    def half(text: str) -> list[Finding]:
        return [Finding(0, 2, "health", "test", 1.0)]

    def elsewhere(text: str) -> list[Finding]:
        return [Finding(0, 4, "minor", "test", 1.0)]

    assert score_spans(rows, half)["recall"] == 1.0
    assert score_spans(rows, half)["flagged"] == 1.0
    assert score_spans(rows, elsewhere)["recall"] == 0.0
    assert score_spans(rows, lambda _: [])["flagged"] == 0.0


def test_training_sentences_are_mostly_recognised() -> None:
    # A floor against regressions; honest figures come from domains held out.
    rows, _ = corpus.split(corpus.load("sensitive"))
    score = score_spans(rows, scan)
    assert score["recall"] > 0.93
    assert score["flagged"] < 0.04


def test_many_at_once_are_what_each_is_by_itself() -> None:
    rows, _ = corpus.split(corpus.load("sensitive"))
    texts = [row["text"] for row in rows[::40]]
    assert {row["lang"] for row in rows[::40]} == {"zh", "en"}
    together = scan_many(["", *texts, "卡号4111111111111111", ""])
    assert together[0] == together[-1] == []
    for text, several in zip(texts, together[1:], strict=False):
        alone = scan(text)
        assert [(f.start, f.end, f.category, f.rule) for f in alone] == [
            (f.start, f.end, f.category, f.rule) for f in several
        ]


@pytest.mark.parametrize(
    "text",
    [
        "Booked: Friday 15 May, 8 to 12.",
        "Oslo, 4 nights from the 3rd",
        "1. **Blue, 6 hours of battery life, water resistant**",
        "I ordered a Wireless Earbud with IPX7",
        "Portable Charger (20000mAh, Wireless, blue) - **Status:** Cancelled",
        "Feel free to ask if there is anything else. Safe travels!",
    ],
)
def test_days_products_and_farewells_are_nobodys_secret(text):
    assert scan(text) == []


def test_a_child_told_with_an_age_is_still_found():
    for text in ("Leo, 7 and Ava, 9 both use it", "Ava, 8, broke the screen"):
        assert any(f.category == "minor" for f in scan(text))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("security question? my first dog was Rolo", "Rolo"),
        ("I typed wintersun as the passcode and it beeped", "wintersun"),
        ("the backup phrase is velvet canyon ribbon toast", "velvet canyon ribbon toast"),
        ("the passphrase goes b r i g h t 4", "b r i g h t 4"),
        ("safe: left 12 right 30 left 7", "12 right 30 left 7"),
        ("密保问我中学名字,我填的南山一中", "南山一中"),
        ("口令我报的是明月几时有", "明月几时有"),
        ("登录密码改成了大写K小写m再加三个五", "大写K小写m再加三个五"),
        ("保险柜右四圈25左两圈60", "右四圈25左两圈60"),
    ],
)
def test_secrets_told_in_words_are_found(text: str, secret: str) -> None:
    spans = [text[f.start : f.end] for f in scan(text) if f.category == "credential"]
    assert any(secret in span or span in secret for span in spans)


@pytest.mark.parametrize(
    "text",
    ["my password is not working", "the passphrase is too long", "the secret question is silly",
     "my first car was a Fiesta", "密码是错的", "口令错误", "密码是我自己设的", "答案我填过了"],
)  # fmt: skip
def test_talk_about_a_secret_is_none(text: str) -> None:
    assert not [f for f in scan(text) if f.category == "credential"]


@pytest.mark.parametrize(
    "text",
    [
        "女儿六岁半，怕她去摸猫窝",  # the animal is of another clause
        "我家妮妮四岁，对门养了狗",
        "the kids are eight and five",
        "Baby Orla is nine weeks",
        "儿子果果的雨衣落在车上了",
    ],
)
def test_a_child_is_told_whatever_stands_in_the_next_clause(text: str) -> None:
    assert "minor" in {finding.category for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "I'm not deaf, no need to shout in capitals",
        "我儿子四十好几了，他来签字",
        "they asked for a darker tone of the second one",
        "工会发的券能在这儿用吗",
    ],
)
def test_what_only_looks_like_it_is_clean(text: str) -> None:
    assert scan(text) == []


def test_card_dates_and_codes_are_told_in_many_ways() -> None:
    text = "visa 4539 9458 0730 2151, it runs until May 2029 and 882 is on the back"
    assert {text[f.start : f.end] for f in scan(text)} >= {"May 2029", "882"}
    assert ("payment", "4, 7 and 1") in found("the three on the back are 4, 7 and 1")
    assert ("payment", "44001667190053002288") in found("开票账号44001667190053002288农商行")


@pytest.mark.parametrize(
    "text",
    [
        "the last four of the one you billed are 8821, whose is it?",
        "I'd like lockers 51 to 58",
        "guest wifi tomorrow is down for works, right?",
        "the sofa goes opposite the mosque, green gate",
        "I swore on my mother's grave that I'd paid",
        "I'm allergic to queueing, can I book?",
        "我对爬楼过敏,哈哈,送上来吧",
        "转账的后五码是77231",
        "你们工厂电话0571-85112233没人接",
        "有高血压的都不能玩这个吧",
    ],
)
def test_everyday_remarks_are_clean(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("近视七百度,屏幕字太小", "health"),
        ("我妈左耳听不到", "health"),
        ("昨晚叫了救护车", "health"),
        ("Orla's on maternity leave until May", "health"),
        ("two of us got food poisoning from the prawns", "health"),
        ("we're Plymouth Brethren", "special"),
        ("my direct line is 01 677 3319", "contact"),
    ],
)
def test_what_is_told_in_passing(text: str, category: str) -> None:
    assert category in {name for name, _ in found(text)}

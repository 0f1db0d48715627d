"""Codes that only the words around them give away, and those that only look like it."""

from __future__ import annotations

import pytest

from ctxlab.language.heads import load_head
from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_codes import candidates, shape, surroundings
from ctxlab.language.sensitive_codes_fit import codes
from ctxlab.language.sensitive_labels import Labels


def secrets(text: str) -> list[str]:
    return [text[f.start : f.end] for f in scan(text) if f.category == "credential"]


def test_head_fits_its_features() -> None:
    text = "the pad takes 6610"
    (span,) = candidates(text)
    head = load_head("codes")
    assert head.classes == ("no", "yes")
    assert len(head.mean) == len(shape("6610"))
    assert "<takes" in surroundings(text, span, Labels(text))


def test_training_codes_hold_out_the_test_domains_and_mark_secrets() -> None:
    found = codes()
    assert "E" not in {code.author for code in found}
    assert {code.secret for code in found} == {True, False}
    # A secret said digit by digit is marked in the digits it's read as.
    assert any(code.secret and code.text == "1212" for code in found)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the plumber can use 7731 on the back gate", "7731"),
        ("2958 opens the bin store for your crew", "2958"),
        ("0362 is what I press at the garage", "0362"),
        ("the app flashes 604 118 and then your site says no", "604 118"),
        ("GATEWAY_SECRET=pT4vZ0qLm8xR2nKs", "pT4vZ0qLm8xR2nKs"),
        ("our sync runs on live_tok_83hfQz0LpW2v", "live_tok_83hfQz0LpW2v"),
        ("side gate's hash 5190 star", "hash 5190 star"),
        ("my mother's maiden name Abernethy, spelt with an e", "Abernethy"),
        ("teal-heron-63 unlocks the folder", "teal-heron-63"),
        ("login guard gave me Q7XW2", "Q7XW2"),
        ("eight three zero five opens the side gate", "eight three zero five"),
        ("the answer to where we met is Corfu Town, try that", "Corfu Town"),
        ("快递员到了后门按7731", "7731"),
        ("设备启动码是4402", "4402"),
        ("口令步步高升88", "步步高升88"),
        ("刚收到九一零二七四,往哪填", "九一零二七四"),
        ("短信上是K-330192", "K-330192"),
        ("取款密码三个八,不认", "三个八"),
        ("对个暗号春风得意,没错吧", "春风得意"),
    ],
)
def test_a_secret_without_its_name_is_found(text: str, secret: str) -> None:
    assert secret in secrets(text)


@pytest.mark.parametrize("ends", [".", "。", "..."])
@pytest.mark.parametrize(
    "text",
    ["the porter says the pad takes 7731", "我进车库按7731", "my login is jo_r and Plover*41",
     "order 77310092", "订单77310092"],
)  # fmt: skip
def test_how_a_sentence_ends_changes_nothing(text: str, ends: str) -> None:
    assert secrets(text + ends) == secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "5190 is the order I mean",
        "room 2140 opens at nine",
        "orders 771203 and 771209 came together",
        "the speed test shows 412.6Mbps",
        "Packing slip for the red stool: PS-2026-0917-204",
        "装箱单:ZX-2026-0917-204",
        "报错码551207,一点就弹",
        "the parcel JD00773100 is stuck in Leeds",
        "the display shows F21 and beeps twice",
        "promo code AUTUMN15 isn't accepted",
        "VIN WAUZZZ8K9BA012345, is it in the recall",
        "the wifi box is a Fritz7590",
        "订单77310092催一下",
        "取餐号219好了没",
        "口令红包怎么领",
        "密码错了5次",
        "显示屏报E47",
    ],
)
def test_a_code_of_something_else_is_none(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize(
    ("text", "category", "span"),
    [
        ("Take this one, 4242 4242 4242 4242, it has money on it", "payment",
         "4242 4242 4242 4242"),
        ("valid thru 0531, security 204", "payment", "204"),
        ("0571-88223344我家里的", "contact", "0571-88223344"),
        ("acc 55779911 and sort code 20-00-00", "payment", "55779911"),
        ("退款走6217 0001 2345 6789 019", "payment", "6217 0001 2345 6789 019"),
        ("my visa runs out, expiry June twenty nine", "payment", "June twenty nine"),
        ("驾照档案编号11010519491231002X", "government_id", "11010519491231002X"),
        ("plus four four, seven nine one one, one two three four five six", "contact",
         "four four, seven nine one one, one two three four five six"),
        ("写信到li_mei(at)example.org", "contact", "li_mei(at)example.org"),
    ],
)  # fmt: skip
def test_formats_hold_in_running_text(text: str, category: str, span: str) -> None:
    assert (category, span) in [(f.category, text[f.start : f.end]) for f in scan(text)]

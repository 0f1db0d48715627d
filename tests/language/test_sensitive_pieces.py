"""What is told piece by piece: cards in two breaths, passwords dictated."""

from __future__ import annotations

import pytest

from ctxlab.language.sensitive import scan


def told(text: str, category: str) -> str:
    return " ".join(text[f.start : f.end] for f in scan(text) if f.category == category)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("the card starts 4539 9458 and the rest is 0730 2151", ("4539 9458", "0730 2151")),
        ("card: 5204 7368, sorry one second, then 1930 3647", ("5204 7368", "1930 3647")),
        ("卡号前八位62222621后面是29972209", ("62222621", "29972209")),
    ],
)
def test_a_card_in_pieces_is_found_whole(text: str, pieces: tuple[str, ...]) -> None:
    found = told(text, "payment")
    assert all(piece in found for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "order 4539 9458 and then parcel 0730 2151",
        "first it was $4539 9458 times over and then 0730 2151",
        "between 12345678 and 22334455 something went missing",
    ],
)
def test_other_numbers_side_by_side_are_no_card(text: str) -> None:
    assert told(text, "payment") == ""


@pytest.mark.parametrize(
    ("text", "recipe"),
    [
        ("log in is capital K, then otter, then a hash, then 31",
         "capital K, then otter, then a hash, then 31"),
        ("pass: small b and then 7 7 and an exclamation mark",
         "small b and then 7 7 and an exclamation mark"),
        ("登录是大写R再来四四六六再感叹号", "大写R再来四四六六再感叹号"),
    ],
)  # fmt: skip
def test_a_dictated_password_is_found(text: str, recipe: str) -> None:
    assert recipe in told(text, "credential")


@pytest.mark.parametrize(
    "text",
    [
        "we gave it one star, then a second star, and then left",
        "a small bag, a hash brown, and then some tea",
        "the sign says closed, then open, and then closed",
    ],
)
def test_lists_of_other_things_are_no_recipe(text: str) -> None:
    assert told(text, "credential") == ""


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("gpay me at meera.pillai@okhdfcbank", "meera.pillai@okhdfcbank"),
        ("信用卡月年0429", "0429"),
        ("背面那三碼是二二九", "二二九"),
        ("amex 3713 758584 71953 and the four little ones on the front are 6612", "6612"),
        ("国泰世华 户名陈○安 0093-117-228840", "0093-117-228840"),
    ],
)
def test_payment_told_in_other_ways(text: str, span: str) -> None:
    assert span in told(text, "payment")


def test_a_victorian_landline_is_a_phone_and_a_british_03_line_is_none() -> None:
    assert told("my landline is 03 5022 7718", "contact") == "03 5022 7718"
    assert told("ring 0345 600 1234 for support", "contact") == ""


def test_halves_may_be_called_parts() -> None:
    found = told("first part 4539 9458, second part 0730 2151", "payment")
    assert "4539 9458" in found
    assert "0730 2151" in found


def test_a_small_t_shirt_is_no_small_letter() -> None:
    assert told("a small t-shirt, then a purple one, and then a belt", "credential") == ""


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("I use star 3381 hash at the close", "star 3381 hash"),
        ("I said Hobart for the city I was born in", "Hobart"),
        ("just got a code, QR-55310, where does it go", "QR-55310"),
        ("安全问题我整的 和平小学，它说错", "和平小学"),
    ],
)
def test_secrets_told_in_other_ways(text: str, secret: str) -> None:
    assert secret in told(text, "credential")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("social, the part you have plus the rest: 512 44 8190", "512 44 8190"),
        ("right to work share code W7K 2P9 MM4", "W7K 2P9 MM4"),
    ],
)
def test_documents_told_in_other_ways(text: str, number: str) -> None:
    assert told(text, "government_id") == number


def test_an_account_that_a_refund_goes_to_needs_no_bank() -> None:
    assert told("refund to my account 000884471902 then", "payment") == "000884471902"
    assert told("account 000884471902 on the water bill is mine", "payment") == ""

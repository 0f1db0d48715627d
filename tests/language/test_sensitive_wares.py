"""What is sold, served, posted or said of beasts, and what of it is somebody's own."""

from __future__ import annotations

import pytest

from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_postal import without_postcodes
from ctxlab.language.sensitive_script import plain
from ctxlab.language.sensitive_topics import STRONG, find_topics


def sure(text: str) -> list[str]:
    return [hit.rule for hit in find_topics(text) if hit.confidence >= STRONG]


@pytest.mark.parametrize(
    "text",
    [
        "wheelchair cushions in blue, two please",
        "hearing aid tubing, one metre",
        "轮椅靠背的螺丝少两颗",
        "胸科医院南门那家店",
        "康复科主任签收",
        "our whippet is going deaf",
        "the old ewe's blind",
        "那头驴瘫了",
        "do you post over Passover",
        "closed for Vaisakhi, see you Tuesday",
        "古尔邦节期间送货吗",
        "打药那台机子喷头歪",
        "这理由站不住脚",
    ],
)
def test_a_ware_a_beast_or_a_date_is_no_disclosure_by_itself(text: str) -> None:
    assert not sure(text)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("my wheelchair's battery died and I can't walk", "health"),
        ("I keep Passover so nothing leavened please", "special"),
        ("我们家过开斋节", "special"),
        ("she broke her back in a fall at work", "health"),
        ("我右手叫冲床轧断了", "health"),
        ("在医院住了两个星期院", "health"),
        ("老婆怀仔五个月", "health"),
        ("食物中毒，挂了一天水", "health"),
        ("flashing lights set me off, I seize", "health"),
        ("五(3)班的李沐阳忘带水杯", "minor"),
        ("my son's third grade class is coming", "minor"),
    ],
)
def test_what_is_somebodys_own_is_found(text: str, category: str) -> None:
    assert category in {finding.category for finding in scan(text)}


@pytest.mark.parametrize("text", ["初一下午送到就行", "高三那会儿的事了", "that tractor's my baby"])
def test_a_day_a_past_and_a_darling_are_no_child(text: str) -> None:
    assert "minor" not in {finding.category for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "courier says PIN 533101 is non-serviceable",
        "ship it to Nashik, pin code 422009",
        "PIN 302017 Malviya Nagar",
    ],
)
def test_an_indian_postcode_is_no_secret(text: str) -> None:
    assert not scan(text)


@pytest.mark.parametrize(
    "text",
    [
        "my PIN is 533101",
        "the ATM PIN for Nashik branch is 422009",
        "PIN 302017 opens the gate, Malviya Nagar",
        "courier needs the door PIN 4410",
    ],
)
def test_a_pin_that_opens_something_stays_one(text: str) -> None:
    assert "credential" in {finding.category for finding in scan(text)}


def test_postcodes_leave_other_findings_alone() -> None:
    text = "PIN 411004 Pune, phone 9822012345"
    hits = [Hit(4, 10, "credential", "pin", 0.85), Hit(23, 33, "contact", "phone", 0.85)]
    assert without_postcodes(text, hits) == hits[1:]


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("pin 5 0 double 3", "pin 5 0 33"),
        ("double 6 double 1", "66 11"),
        ("0 triple 4 9", "0 444 9"),
        ("a double 4 poster", "a double 4 poster"),
        ("double 45", "double 45"),
    ],
)
def test_typed_digits_called_double_are_written_out(text: str, digits: str) -> None:
    assert plain(text).text == digits


def test_doubled_digits_keep_the_way_back() -> None:
    text = "the pin is 4 0 double 7, thanks"
    (found,) = scan(text)
    assert text[found.start : found.end] == "4 0 double 7"


def test_an_account_handle_is_payment_where_handles_are_spoken_of() -> None:
    (found,) = scan("refund on gpay to meera.nair@tinybank")
    assert found.category == "payment"
    assert not scan("tag meera@studio in the chat")


@pytest.mark.parametrize(
    "text",
    [
        "农药登记证PD20201188",
        "学校代码320585",
        "取货号5521放桌上",
        "the wifi is patchy tonight",
        "locker 88 won't shut",
        "is the wifi 2.4G or 5GHz here",
    ],
)
def test_numbers_of_things_are_clean(text: str) -> None:
    assert not scan(text)


def test_the_code_of_a_numbered_locker_is_a_secret() -> None:
    text = "locker 31, code 5508"
    (found,) = scan(text)
    assert text[found.start : found.end] == "5508"

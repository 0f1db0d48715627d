"""Exact parts of a note: one value, however it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.everyday import everyday
from ctxlab.language.slots import match_slots, read_slots


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("三月三号", "March 3", "date"),
        ("3/3", "3 March", "date"),
        ("2026年5月8日", "8 May 2026", "date"),
        ("the twenty-eighth", "on the 28th", "date"),
        ("礼拜二", "Tuesdays", "weekday"),
        ("下午两点", "14:00", "clock"),
        ("half past five", "5:30 pm", "clock"),
        ("八点半", "08:30", "clock"),
        ("500克", "half a kilo", "mass"),
        ("两斤", "1公斤", "mass"),
        ("1.2 m", "1200 mm", "length"),
        ("a quarter of an hour", "15 minutes", "duration"),
        ("a fortnight", "14 days", "duration"),
        ("half a year", "six months", "duration"),
        ("an hour and a half", "90 minutes", "duration"),
        ("一个半小时", "90分钟", "duration"),
        ("三个月", "一个季度", "duration"),
        ("quarter to eight", "7:45", "clock"),
        ("六点零五", "6:05", "clock"),
        ("四升半", "4.5升", "volume"),
        ("四十二块五", "42.5元", "money"),
        ("$29 a month", "twenty-nine dollars", "money"),
        ("plate AB51 KLM", "ab51klm", "id"),
        ("沪A12345", "沪A·12345", "id"),
        ("¥128.00", "一百二十八块", "money"),
        ("twelve hundred bucks", "$1,200", "money"),
        ("$50k", "fifty thousand dollars", "money"),
        ("百分之六", "6%", "percent"),
        ("+86 139 8441 7263", "13984417263", "phone"),
        ("07700 900318", "+44 7700 900318", "phone"),
        ("幺三九八四四一七二六三", "13984417263", "phone"),
        ("ticket INC-771902", "INC 771902", "id"),
        ("Farah.K@example.com", "farah.k@example.com", "email"),
        ("桐梓林北路八号", "桐梓林北路 8 号", "house"),
        ("6幢2单元401", "六幢二单元401", "flat"),
        ("Suite 300", "Ste 300", "flat"),
    ],
)
def test_written_otherwise_agrees(one, other, kind):
    match = match_slots(read_slots(one), read_slots(other))
    assert kind in {a.kind for a, _ in match.agree}
    assert not match.differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A1029", "A1092"),
        ("13984417263", "13984417268"),
        ("尾号7709", "尾号0932"),
        ("3月3日", "3月8日"),
        ("500 g", "1 kg"),
        ("£64.99", "£46.99"),
        ("14 Oak Street", "41 Oak Street"),
        ("六楼", "八楼"),
        ("25 seats", "57 seats"),
        ("周三", "周五"),
        ("Friday", "the Friday after"),
        ("周五", "下周五"),
    ],
)
def test_another_value_differs(one, other):
    match = match_slots(read_slots(one), read_slots(other))
    assert match.differ
    assert not match.agree


def test_what_only_one_side_has_contradicts_nothing():
    match = match_slots(read_slots("甘南小区6幢2单元"), read_slots("甘南小区6幢2单元401"))
    assert [slot.kind for slot in match.added] == ["flat"]
    assert not match.differ
    assert not match.missing


def test_a_tail_calls_its_number_and_no_other():
    phone = read_slots("手机13984417263")
    assert match_slots(phone, read_slots("尾号7263")).agree
    assert match_slots(phone, read_slots("尾号7236")).differ


def test_day_first_and_month_first_dates_meet():
    assert match_slots(read_slots("July 12"), read_slots("12/07")).agree


@given(st.text())
def test_any_text_is_read(text):
    plain = everyday(text)
    for slot in read_slots(text):
        assert plain[slot.start : slot.start + len(slot.text)] == slot.text
        assert match_slots([slot], [slot]).agree


@given(st.integers(10**6, 10**11 - 1), st.integers(0, 5), st.integers(1, 9))
def test_a_changed_digit_never_agrees(number, place, shift):
    digits = str(number)
    other = digits[:place] + str((int(digits[place]) + shift) % 10) + digits[place + 1 :]
    assert not match_slots(read_slots(f"电话 {digits}"), read_slots(f"电话 {other}")).agree


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("三十二万五千", "number", 325000.0),
        ("Rs 1,20,000", "money", 120000.0),
        ("two lakh", "number", 200000.0),
        ("USD 400", "money", 400.0),
        ("面积八十五平", "area", 85.0),
        ("85㎡", "area", 85.0),
    ],
)
def test_sums_and_areas_are_no_ids(text, kind, value):
    slot = read_slots(text)[0]
    assert (slot.kind, slot.value[0]) == (kind, value)


def test_a_postcode_is_one_id_spaced_or_not():
    spaced, glued = read_slots("BA1 5XR"), read_slots("ba15xr")
    assert [slot.value for slot in spaced] == [slot.value for slot in glued] == [("BA15XR",)]
    assert [slot.kind for slot in read_slots("flat b2 2nd floor")][-1] == "floor"


def test_one_of_something_is_an_article():
    match = match_slots(read_slots("请一个阿姨"), read_slots("请阿姨"))
    assert not match.missing
    assert match_slots(read_slots("请一个阿姨"), read_slots("请两个阿姨")).differ


def test_a_berth_is_another_however_it_is_read():
    assert match_slots(read_slots("the boat on C9"), read_slots("the boat on C13")).differ

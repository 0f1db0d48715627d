"""Slots of a customer's file, their values, and literals that must survive."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language.attributes import attributes, find_attribute, find_value, key_literals


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The customer moved to 41 Station Road, Whitby.", "address", "41 Station Road, Whitby"),
        ("客户已搬家，现住址为萧山区金城路1038号2幢602。", "address", None),
        ("The customer's email address is ap@wexford.example.com.", "email", None),
        ("客户的手机号是13800138000。", "phone", "13800138000"),
        ("The technician comes on 2026-03-27.", "visit_time", "2026-03-27"),
        ("The customer prefers to talk in Hindi.", "language", "Hindi"),
        ("客户以后都走顺丰。", "courier", "顺丰"),
        ("Refund of $171.00 for the nine seats.", "refund", "$171.00"),
        ("The warranty on SD-4410-9 ended on 2026-01-14.", "warranty", "2026-01-14"),
        ("工单GD20260506还没处理。", "ticket", "GD20260506"),
        ("Please contact the customer by email only.", "contact_channel", "email"),
        ("The customer likes blue.", None, None),
        ("The customer asked: transfer me to a person.", "handoff", None),
        ("The customer will transfer $300 on Friday.", "payment", "$300"),
        ("客户要求转人工。", "handoff", None),
        ("客户说加30元能换那款里面99元的。", "product", None),
        ("客户要求把地址改成青年路3号。", "address", "青年路3号"),
        ("客户从青年路3号搬到解放路8号。", "address", "解放路8号"),
        ("The customer moved from 3 Elm Street to 9 Oak Road.", "address", "9 Oak Road"),
        ("寄到解放路88号院金茂府3号楼1204室。", "address", "解放路88号院金茂府3号楼1204室"),
        ("送到建设大道19号万科金域A座1503", "address", "建设大道19号万科金域A座1503"),
        ("发票抬头还开我爱人公司：恒通物流有限公司", "invoice", "恒通物流有限公司"),
        ("发票抬头错了，不是恒通物流，是衡通物流。", "invoice", "衡通物流"),
    ],
)
def test_slot_and_value(text, attribute, value):
    found = find_attribute(text)
    assert found == attribute
    if value is not None:
        assert find_value(text, found) == value


def test_literals_come_in_order_and_whole():
    text = "Order DD20260311087 over $1,800.50 for Jaspreet Singh, due 2026-03-27"
    assert key_literals(text) == ["DD20260311087", "$1,800.50", "Jaspreet Singh", "2026-03-27"]
    assert key_literals("客户要退机身编号PA-20417的功放，三百八十元") == ["PA-20417", "三百八十元"]
    assert key_literals("nothing here") == []


@settings(max_examples=60)
@given(st.text(max_size=120))
def test_values_are_copied_from_the_text(text):
    assert all(literal in text for literal in key_literals(text))
    for attribute in (*attributes(), None, "no such slot"):
        value = find_value(text, attribute)
        assert value is None or value in text


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        (
            "Business from 2026-06-01 for 14 people, budget is capped at 900 a month",
            "budget",
            "900",
        ),
        ("the budget went from 500 to 650", "budget", "650"),
        ("我的预算大概三千块", "budget", "三千块"),
        ("客户预算2026年下半年为5万元", "budget", "5万元"),
        ("税号91330108MA2XXXX12K，以后都开公司的", "invoice", "91330108MA2XXXX12K"),
        ("新发票3个工作日内发到邮箱", "invoice", None),
        ("抬头改成杭州青禾科技有限公司", "invoice", "杭州青禾科技有限公司"),
        ("邮箱换了，用qinghe_fin@163.example", "email", "qinghe_fin@163.example"),
        ("客户2026-04买的那台扫地机器人老是卡住", "product", None),
        ("The kettle bought in 2026-04 leaks", "fault", None),
        ("It's Marjorie Keane here", "name", "Marjorie Keane"),
        ("account is 900 447 112", "account", "900 447 112"),
        ("预算最多批到1万5，能谈不", "budget", "1万5"),
        ("budget is 12k", "budget", "12k"),
        ("骑手车坏了，补偿客户一张8元券", "fault", None),
        ("broadband has dropped like 5 times", "plan", None),
    ],
)
def test_a_value_is_what_fills_the_slot_and_no_day_or_count_beside_it(text, attribute, value):
    assert find_value(text, attribute) == value


def test_a_name_is_told_in_passing():
    assert find_attribute("Hiya, it's Marjorie Keane here") == "name"
    assert find_attribute("it's been broken since Monday") != "name"


@pytest.mark.parametrize(
    "text",
    ["The address is 9 Quay Street, ring by phone only.", "地址青年路3号，到了打电话。"],
)
def test_an_address_is_no_way_to_reach_someone(text):
    assert find_attribute(text) == "address"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The customer wants: never phone the flat, a letter is what they read.", "never phone"),
        ("Please don't text me, email me", "email"),
        ("Ring me rather than emailing, I'd rather have calls than emails", "calls"),
        ("客户希望不要发短信，打电话找得到人。", "电话"),
        ("客户希望别打电话。", "别打电话"),
        ("WhatsApp me, don't ring", "WhatsApp"),
    ],
)
def test_a_channel_that_is_refused_is_not_the_channel(text, value):
    assert find_value(text, "contact_channel") == value


def test_an_address_begins_after_who_says_it():
    text = "客户说文三路88号星洲花园3幢传达室。"
    assert find_value(text, "address").startswith("文三路88号")


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I've moved your follow-ups to Dr Amara", None),
        ("You'll move to the quiet tariff in May", None),
        ("The claim moved to Stage 2", None),
        ("We moved to Ghent in May", "address"),
    ],
)
def test_only_people_move_house(text, attribute):
    assert (find_attribute(text) == "address") == (attribute == "address")
    assert find_attribute(text) != "courier"


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("以後有事就WhatsApp我，唔好打電話", "contact_channel", "WhatsApp"),
        ("地址係觀塘偉業街9號海濱中心6樓A室", "address", "觀塘偉業街9號海濱中心6樓A室"),
        ("寄去黃埔新城8座3樓D", "address", "黃埔新城8座3樓D"),
    ],
)
def test_how_hong_kong_says_it(text, attribute, value):
    assert find_attribute(text) == attribute
    assert str(find_value(text, attribute)).endswith(value)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("手里大概4200元", "budget"),
        ("公司才批了6000元", "budget"),
        ("We've got roughly 80 quid to play with.", "budget"),
        ("手上这台6000元", "product"),
        ("他手里还欠我3000元", None),
    ],
)
def test_what_there_is_to_spend_is_a_budget(text, attribute):
    assert find_attribute(text) == attribute


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("First name Lena, I mean the name is Mirela", "name", "Mirela"),
        ("Her name is Aoife Byrne-Lally.", "name", "Aoife Byrne-Lally"),
        ("We moved to Bruges", "address", None),
        ("We go live in August", None, None),
        ("请把冰柜搬到后门", None, None),
    ],
)
def test_names_and_moves(text, attribute, value):
    assert find_attribute(text) == attribute
    assert value is None or find_value(text, attribute) == value

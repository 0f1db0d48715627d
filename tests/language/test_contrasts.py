"""Of a wrong value and the right one beside it, only the right one is told on; zh and en."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language.contrasts import righted


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("Your receipt says 1,480, it should say 1,840.", "1,840", "1,480"),
        ("You have me down as Jon Marsh. It's John Marsh with an h.", "John", "Jon "),
        ("I entered 66 by mistake, the code is 99.", "99", "66"),
        ("I'm in row K, not row H as the ticket says.", "K", "row H"),
        ("Send 12 posters rather than 20.", "12", "20"),
        ("Forget what I said about the oak one, I'd like the pine one.", "pine", "oak"),
        ("Not Tuesday. Thursday.", "Thursday", "Tuesday"),
        ("合同上写的是302，应该是320。", "320", "302"),
        ("你们登记成张蕾了，是张磊，三个石的磊。", "张磊", "张蕾"),
        ("我要的不是标准版，是企业版。", "企业版", "标准版"),
        ("做20张，别做成200张。", "20张", "200张"),
        ("刚才说的木头的作废，我要铁的。", "铁", "木头"),
        ("我是C区不是E区", "C区", "E区"),
        ("It should be 4 crates. The slip has 9.", "4", "9"),
        ("Move my mail from a.lee@one.example to lee@two.example.", "lee@two", "a.lee@one"),
        ("My old badge was K-1180, the new one is K-2290.", "K-2290", "K-1180"),
        ("We left 3 Oak Lane in March, the new place is 8 Elm Row.", "8 Elm Row", "3 Oak Lane"),
        ("旧车牌浙B33333，新的是浙B44444。", "浙B44444", "浙B33333"),
        ("手机从13300001111换成13300002222。", "13300002222", "13300001111"),
        ("车票上是F车厢，我们买的是C车厢。", "C车厢", "F车厢"),
        ("Your driver said 7718 but I read 7781.", "7781", "7718"),
        ("The docket says 62 bricks. We got 26.", "26", "62"),
        ("Post to my new flat, 5 Oak Row, I'm no longer at 18 Fir Street.", "5 Oak", "18 Fir"),
        ("Order 3310, or was it 3301? Yes, 3301.", "3301", "3310"),
        ("师傅说是7718，我刚看是7781。", "7781", "7718"),
        ("物流上显示送青松路88号，我们是80号。", "80号", "88号"),
        ("My name's Ng-Abara, they print Ng Abarra.", "Ng-Abara", "Abarra"),
        ("寄我新家，青松楼5室，柏树街18号我不住了。", "青松楼5室", "柏树街18号"),
    ],
)
def test_the_wrong_value_goes_and_the_right_one_stays(said, right, wrong):
    told = righted(said)
    assert right in told
    assert wrong not in told


@pytest.mark.parametrize(
    "said",
    [
        "The page says it was delivered but I never got it.",  # a complaint, no slip
        "Ring me, not my husband.",
        "Please come after 3 pm, not before 2.",
        "The letter says Monday and I'm home on Monday.",
        "I put 20 on the counter and I'm still waiting.",
        "页面显示运输中，我在家等了一天。",
        "不是我不想付，是付不了。",
        "请写成公司抬头。",
        "之前说的不算，现在是1600元",  # which value, only the memory knows
        "Forget what I said, it's $1,600 now.",
    ],
)
def test_what_only_looks_like_a_slip_stays_whole(said):
    assert righted(said) == said


def test_what_a_wrong_value_was_given_for_is_not_lost():
    assert righted("The invoice shows 250, it should be 205.") == "The invoice should be 205."


@settings(max_examples=100)
@given(st.text(max_size=80))
def test_nothing_is_added(text):
    assert len(righted(text)) <= len(text) + 1
    assert righted("") == ""


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("We meet on 8 August at the barn, not 25 July.", "We meet on 8 August at the barn."),
        ("日子改到8月8号,不是7月25号。", "日子改到8月8号。"),
        ("Call me at 6, not my wife.", "Call me at 6, not my wife."),
        ("I want 2 by Friday, not before 10.", "I want 2 by Friday, not before 10."),
    ],
)
def test_a_value_denied_at_the_end_goes_if_there_is_another_of_its_sort(said, meant):
    assert righted(said) == meant


def test_of_an_agent_only_what_is_denied_goes():
    assert righted("That makes it £104 rather than £78.", by_agent=True) == "That makes it £104."
    said = "Seats range from $12 to $60."
    assert righted(said, by_agent=True) == said


def test_a_route_is_no_exchange():
    text = "I'd like to move the flight from Cork to Leeds."
    assert righted(text, by_agent=False) == text
    assert "Cork" not in righted("Change the pickup from Cork to Leeds.", by_agent=False)

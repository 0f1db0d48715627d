"""Which of two days is meant: as people say it, in sentences no head was fitted on."""

import re
from datetime import UTC, datetime

import pytest

from ctxlab.language import tense_fit
from ctxlab.language.dates import find_dates, resolve_dates
from ctxlab.language.day_forms import Anchor, handler
from ctxlab.language.extraction import extract
from ctxlab.language.tenses import told

WHEN = datetime(2026, 3, 18, 10, 15)  # a Wednesday

# Month and day of each day that a message names.
SAID = """
查到了，您的安装约在周六上午|03-21
周日师傅来过了，客厅弄好了|03-15
已经在做了，周五出厂|03-20
货周一就签收了|03-16
周一给您寄出的，单号发您短信|03-16
我周四飞北京，票买好了|03-19
已帮您改到周二下午|03-24
我周二打过电话|03-17
上门时间定了，周六|03-21
周六那趟取消了|03-21
我把周四的课退了|03-19
周三晚上没人来啊，等到十点|03-11
15号扣了我两笔|03-15
25号的酒席定金交了|03-25
房子20号到期，不续了|03-20
我12号下的单|03-12
10号就说发货，到现在没动静|03-10
工资28号才发，能晚两天交吗|03-28
申请提交了，预计周五有结果|03-20
登记好了，周一专员联系您|03-23
您的快件周二已到达网点|03-17
周五那天客服答应给我补发的|03-13
换了个时间，周日上午行不行|03-22
我换到周日上午了|03-22
约了周五下午做保养|03-20
机票订了，30号走|03-30
我28号退房，25号到的|03-28
周一出差了，昨天才回来|03-16
检查过了，没问题，周四给您送回去|03-19
老师病了，周六的课停一次|03-21
这个月5号交的款|03-05
跟师傅说好了，周日来|03-22
收到了您的材料，周五前审核完|03-20
合同22号签的，你们上月没盖章|02-22
他说周五把钱打过来，我等着呢|03-20
周五他把钱打过来了|03-13
I've booked you in for Saturday|03-21
The engineer came on Sunday and did the lounge|03-15
It was collected on Monday|03-16
I've moved it to Tuesday|03-24
He was meant to come on Tuesday and never did|03-17
I've had to move it, it's the 21st now|03-21
I hired a marquee for the 9th of May|05-09
We ordered the cake for the 28th|03-28
you charged me on the 15th|03-15
the deposit's paid for the 25th|03-25
We sorted a slot out, it's Friday|03-20
I posted it back on Friday|03-13
They told me Friday and here we are, nothing|03-13
They've told me it'll be Friday|03-20
I flew out on the 10th|03-10
I fly out on the 30th|03-30
It's been confirmed for Thursday|03-19
I cancelled Saturday|03-21
my contract ended on the 5th|03-05
my contract ends on the 5th|04-05
I got the e-mail on Monday saying it would ship Thursday|03-16,03-19
the parcel's arrived at the depot, out for delivery Friday|03-20
Found it: your fitting is on Monday at nine|03-23
I rang on Tuesday and was promised a call by Thursday|03-17,03-19
He left a card on Saturday|03-14
We've changed our minds, Sunday's better|03-22
I was in on Monday about the boiler|03-16
the party was on the 14th|03-14
the party's on the 14th|04-14
Got the all clear, so the visit is Friday|03-20
I've been off since Monday|03-16
since it broke on Sunday I've had no heating|03-15
Sent off Thursday, should've been here by now|03-12
I've taken the Thursday off so come then|03-19
the fridge was due on Sunday|03-15
the fridge is due on Sunday|03-22
I paid the instalment for the 20th already|03-20
they'd agreed the 24th with me|03-24
She said she'd ring Monday. She didn't.|03-16
Your refund went through on the 17th|03-17
It's gone through, you'll have it by the 24th|03-24
"""


def named(text, when=WHEN):
    return [mention.iso[5:] for mention in find_dates(text, when)]


def test_most_days_are_told_past_from_to_come():
    cases = [line.rsplit("|", 1) for line in SAID.strip().splitlines()]
    wrong = [text for text, days in cases if named(text)[: days.count(",") + 1] != days.split(",")]
    assert len(wrong) <= len(cases) // 7, wrong


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The counter was shut from 20 December to 4 January", ["12-20", "01-04"]),
        ("They rang Monday and Tuesday", ["03-16", "03-17"]),
        ("19号到23号出差", ["03-19", "03-23"]),
    ],
)
def test_the_days_of_a_range_or_list_lie_on_one_side(text, days):
    assert named(text) == days


@pytest.mark.parametrize(("day", "nearer"), [("17", "2026-03-17"), ("20", "2026-03-20")])
def test_where_words_leave_it_open_the_nearer_day_is_meant(day, nearer):
    match = re.match(r"(?P<d>\d+)", day)
    for past in (True, False):
        at = Anchor(WHEN.date(), past, sure=False)
        assert str(handler("day")(match, at)) == nearer


def test_chances_sum_to_one_and_hostile_text_is_weighed_too():
    for text in ("on Monday", "\x00 周四 \ud7ff", "9号" * 400):
        start = max(0, text.find("周四"))
        assert sum(told(text, start, min(len(text), start + 2))) == pytest.approx(1, abs=1e-4)


def test_the_marked_days_are_read_with_their_spans():
    rows = tense_fit.days()
    assert {row.told for row in rows} == {"past", "ahead", "none"}
    assert all(row.text[row.start : row.end].strip() for row in rows)
    assert not any(mark in row.text for row in rows for mark in "{}[]<>")


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("周三周五晚上有课", "周三周五晚上有课"),
        ("周五周六都行", "2026-03-20、2026-03-21都行"),
        ("星期一星期三休息", "星期一星期三休息"),
    ],
)
def test_two_days_side_by_side_stay_two(text, resolved):
    assert resolve_dates(text, WHEN) == resolved


def test_a_day_without_a_month_is_in_the_month_that_the_reply_names():
    talk = [
        {"role": "user", "content": "Our new date for the hall is the 23rd."},
        {"role": "assistant", "content": "The 23rd of June is free, I've put you down."},
    ]
    drafts = extract(talk, now=WHEN.replace(tzinfo=UTC))
    days = {day for draft in drafts for day in re.findall(r"2026-\d\d-23", draft.text)}
    assert days == {"2026-06-23"}

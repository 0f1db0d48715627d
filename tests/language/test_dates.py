"""Relative dates, resolved against the time of saying."""

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language.dates import find_dates, resolve_dates

CASES = [
    # said on (a day of 2026 unless given), words, what they mean
    ("2026-03-18", "next Friday", ["2026-03-27"]),
    ("2026-03-18", "on Friday", ["2026-03-20"]),
    ("2026-03-18", "this Wednesday", ["2026-03-18"]),
    ("2026-03-18", "by Wednesday", ["2026-03-25"]),
    ("2026-03-18", "last Friday", ["2026-03-13"]),
    ("2026-03-18", "I was charged on Friday", ["2026-03-13"]),
    ("2026-03-18", "Friday week", ["2026-03-27"]),
    ("2026-12-31", "tomorrow morning, or the day after tomorrow", ["2027-01-01", "2027-01-02"]),
    ("2028-02-28", "tomorrow", ["2028-02-29"]),
    ("2026-12-20", "in two weeks", ["2027-01-03"]),
    ("2026-01-31", "in a month", ["2026-02-28"]),
    ("2026-03-02", "three days ago", ["2026-02-27"]),
    ("2026-02-10", "at the end of the month", ["2026-02-28"]),
    ("2026-06-30", "from the 31st", ["2026-07-31"]),
    ("2026-12-14", "You charged me £46.99 on the 3rd", ["2026-12-03"]),
    ("2026-12-08", "by January 20", ["2027-01-20"]),
    ("2026-01-20", "the amount of January 17", ["2026-01-17"]),
    ("2026-03-18", "Friday, 27 March", ["2026-03-27"]),
    ("2026-03-18", "from Thursday 26th", ["2026-03-26"]),
    ("2026-03-18", "Friday 27th March", ["2026-03-27"]),
    ("2026-03-18", "I've cancelled Monday and booked Friday", ["2026-03-23", "2026-03-20"]),
    ("2026-03-18", "已经帮您约了周五", ["2026-03-20"]),
    ("2026-03-18", "周一收了钱", ["2026-03-16"]),
    ("2026-03-18", "I bought two tickets for the 28th", ["2026-03-28"]),
    ("2026-03-18", "I booked a room and paid on the 9th", ["2026-03-09"]),
    ("2026-03-18", "买了28号的票", ["2026-03-28"]),
    ("2026-03-18", "next month", ["2026-04"]),
    ("2026-03-18", "下周三", ["2026-03-25"]),
    ("2026-03-18", "这周五", ["2026-03-20"]),
    ("2026-03-18", "上周五", ["2026-03-13"]),
    ("2026-03-18", "下下周一", ["2026-03-30"]),
    ("2026-03-18", "礼拜天", ["2026-03-22"]),
    ("2026-12-30", "后天下午三点", ["2027-01-01"]),
    ("2026-12-30", "大后天", ["2027-01-02"]),
    ("2026-03-01", "前天", ["2026-02-27"]),
    ("2026-02-10", "月底前，下个月底", ["2026-02-28", "2026-03-31"]),
    ("2026-01-08", "这个月二十四号", ["2026-01-24"]),
    ("2026-12-24", "一月三号到九号", ["2027-01-03", "2027-01-09"]),
    ("2026-10-12", "明年一月十二日", ["2027-01-12"]),
    ("2026-03-18", "两周后", ["2026-04-01"]),
    ("2026-04-20", "11月1日恢复", ["2026-11-01"]),
]


@pytest.mark.parametrize(("said", "words", "meant"), CASES)
def test_what_a_date_means(said, words, meant):
    assert [m.iso for m in find_dates(words, datetime.fromisoformat(said))] == meant


@pytest.mark.parametrize(
    "words",
    [
        "every Friday",
        "Fridays",
        "soon",
        "每周三",
        "住在鸳鸯街13号",
        "过两天",
        "unit 12",
        "the 3rd floor",
        "version 3.12",
        "7号楼",
    ],
)
def test_what_is_no_date_stays(words):
    assert resolve_dates(words, datetime(2026, 3, 18)) == words


def test_a_date_in_brackets_takes_them_with_it():
    said = datetime(2026, 3, 18)
    assert resolve_dates("下周一（3月23日）起生效", said) == "2026-03-23起生效"
    assert resolve_dates("Monday (23 March) at nine", said) == "2026-03-23 at nine"
    assert resolve_dates("on Monday (nine o'clock)", said) == "on 2026-03-23 (nine o'clock)"


def test_a_day_is_counted_in_the_zone_of_the_speaker():
    late = datetime(2026, 3, 31, 17, tzinfo=UTC)  # already April in Shanghai
    assert resolve_dates("明天", late) == "2026-04-01"
    assert resolve_dates("明天", late.astimezone(timezone(timedelta(hours=8)))) == "2026-04-02"


def test_english_gets_a_preposition_only_where_none_stands():
    said = datetime(2026, 3, 18)
    assert resolve_dates("I'll call tomorrow", said) == "I'll call on 2026-03-19"
    assert resolve_dates("by tomorrow", said) == "by 2026-03-19"


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_weekdays_lie_where_they_should(day):
    said = datetime(day.year, day.month, day.day)
    for words, name in (("next Monday", 0), ("下周日", 6)):
        found = date.fromisoformat(find_dates(words, said)[0].iso)
        assert found.weekday() == name
        assert 1 <= (found - day).days <= 14
        assert found.isocalendar()[1] == (day + timedelta(days=7)).isocalendar()[1]


@settings(max_examples=60)
@given(st.text(max_size=80), st.datetimes())
def test_any_text_at_any_time(text, said):
    spans = [(m.start, m.end) for m in find_dates(text, said)]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    resolve_dates("明天 tomorrow 月底 in 12 months 31号 " + text, said)


def test_a_year_end_without_a_word_for_which_year():
    said = datetime(2026, 3, 18, 10, 15)
    assert [m.iso for m in find_dates("年底之前", said)] == ["2026-12-31"]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("by the end of June", "2026-06-30"),
        ("二月底前交", "2027-02-28"),
        ("明年二月底前交", "2027-02-28"),
        ("I booked the 12th", "2026-06-12"),
    ],
)
def test_the_end_of_a_month_and_a_day_that_is_booked(text, iso):
    assert [m.iso for m in find_dates(text, datetime(2026, 6, 5, 9))] == [iso]


@pytest.mark.parametrize("text", ["3号教室", "6号停车区", "家里没人就放9号", "我家是25号"])
def test_a_number_of_a_place_is_no_day(text):
    assert find_dates(text, datetime(2026, 6, 5, 9)) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("From now on deliver on Thursday.", 0),
        ("Deliver on Thursday from now on starting Friday.", 1),
        ("以后都排周四。", 0),
        ("以后从周四起都排下午。", 1),
    ],
)
def test_what_lasts_names_no_single_weekday(text, days):
    assert len(find_dates(text, datetime(2026, 6, 5, 9))) == days


def test_a_range_of_weekdays_ends_after_it_begins():
    found = find_dates("Sunday to Wednesday", datetime(2026, 6, 8, 9))
    assert [m.iso for m in found] == ["2026-06-14", "2026-06-17"]
    found = find_dates("下周日到周三", datetime(2026, 6, 15, 9))
    assert [m.iso for m in found] == ["2026-06-28", "2026-07-01"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("My standing order goes out on the 5th.", []),
        ("Can the direct debit move to the 28th from May?", []),
        ("The standing order went out on the 2nd.", ["2026-06-02"]),
        ("The rent is late this month, I'll send it on the 9th.", ["2026-06-09"]),
        ("还款日能不能改成20号", []),
        ("这个月的月供20号之前补上", ["2026-06-20"]),
    ],
)
def test_a_day_of_each_month_is_no_day_of_the_calendar(text, days):
    found = [m.iso for m in find_dates(text, datetime(2026, 6, 5, 9))]
    assert [iso for iso in found if len(iso) == 10] == days


@pytest.mark.parametrize(
    "text", ["It has gone out on the 2nd.", "He's driven over on the 2nd.", "I wrote on the 2nd."]
)
def test_what_has_happened_lies_behind(text):
    assert [m.iso for m in find_dates(text, datetime(2026, 6, 5, 9))] == ["2026-06-02"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (
            "The kitchen goes in on 3 September and the tiler follows on the 8th.",
            ["09-03", "09-08"],
        ),
        ("We fly on 29 August and land back on the 2nd.", ["08-29", "09-02"]),
        ("They took it on 2 May and once more on the 4th.", ["05-02", "05-04"]),
        ("8月20号开始装，25号验收", ["08-20", "08-25"]),
        ("7月30号入住，2号走", ["07-30", "08-02"]),
    ],
)
def test_a_bare_day_is_near_the_day_named_before_it(text, days):
    found = find_dates(text, datetime(2026, 6, 5, 9))
    assert [m.iso for m in found] == [f"2026-{day}" for day in days]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Could you do the Saturday?", "2026-06-20"),
        ("Tuesday is no good, Saturday instead?", "2026-06-20"),
        ("那周六呢", "2026-06-20"),
        ("改到周六吧", "2026-06-20"),
        ("I'm in town on Saturday anyway", "2026-06-06"),
    ],
)
def test_the_weekday_beside_an_offered_day_is_of_its_week(text, day):
    said, offered = datetime(2026, 6, 5, 9), date(2026, 6, 17)
    assert find_dates(text, said, offered)[-1].iso == day


def test_a_weekday_named_again_is_the_day_that_was_offered():
    said, offered = datetime(2026, 6, 5, 9), date(2026, 6, 17)
    assert find_dates("Wednesday then", said, offered, weekday=True)[0].iso == "2026-06-17"
    assert find_dates("I'll drop it in on Wednesday", said, offered)[0].iso == "2026-06-10"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("车票改签了，31号才走", "2026-03-31"),
        ("对了那张卡6月2号到期", "2026-06-02"),
        ("22号交的款，到现在没动静", "2026-03-22"),
        ("客服说18号送，一直没送", "2026-03-18"),
    ],
)
def test_the_past_of_another_clause_moves_no_day_far(text, iso):
    assert find_dates(text, datetime(2026, 3, 25, 9))[0].iso == iso


def test_a_year_in_chinese_keeps_its_word():
    assert resolve_dates("去年的合同", datetime(2026, 3, 25)) == "2025年的合同"


def test_more_ways_to_name_a_day():
    said = datetime(2026, 3, 25, 9)
    assert resolve_dates("from the 1st of next month", said) == "from 2026-04-01"
    assert resolve_dates("预计4/2前寄出，1/2杯", said) == "预计2026-04-02前寄出，1/2杯"
    assert resolve_dates("Last year we paid by post", said) == "in 2025 we paid by post"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Paused from 10 May to 10 August", ["2026-05-10", "2026-08-10"]),
        ("The hall was shut from 20 December to 4 January", ["2025-12-20", "2026-01-04"]),
    ],
)
def test_a_range_ends_after_it_begins_whatever_the_tense(text, days):
    assert [m.iso for m in find_dates(text, datetime(2026, 5, 2, 9))] == days


def test_the_monday_after_an_offered_saturday_is_two_days_on():
    found = find_dates("Could it be the Monday?", datetime(2026, 6, 8, 9), date(2026, 6, 13))
    assert found[0].iso == "2026-06-15"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("我住青云大道二段18号11栋501", []),
        ("合同18号到期", ["2026-06-18"]),
        ("对了卡9号到期吗", ["2026-06-09"]),
        ("除了9号都行", ["2026-06-09"]),
        ("She was born on 3 May 1988.", ["1988-05-03"]),
        ("Move it to a Tuesday.", []),
    ],
)
def test_what_looks_like_a_day_of_this_year(text, days):
    assert [m.iso for m in find_dates(text, datetime(2026, 6, 5, 9))] == days


def test_both_ends_of_a_range_take_the_month():
    said = datetime(2026, 5, 2, 9)
    assert (
        resolve_dates("between the 4th and 9th of June", said)
        == "between 2026-06-04 and 2026-06-09"
    )
    assert [m.iso for m in find_dates("4 to 9 June", said)] == ["2026-06-04", "2026-06-09"]
    assert resolve_dates("what we paid last year", said) == "what we paid in 2025"


def test_a_weekday_beside_its_date_is_that_day_and_another_is_not():
    said = datetime(2026, 5, 4, 9)  # a Monday
    assert resolve_dates("最早5月16日，周六早上七点", said) == "最早2026-05-16早上七点"
    assert resolve_dates("5月16日，周日也行", said) == "2026-05-16，2026-05-10也行"
    assert find_dates("Saturday, 16 May", said)[0].iso == "2026-05-16"


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("我 3/16 到 3/22 不在家", "我 2026-03-16 到 2026-03-22 不在家"),
        ("那改 4/9 请师傅来", "那改 2026-04-09 请师傅来"),
        ("打分 9/10 分，屏幕 5/8 英寸", "打分 9/10 分，屏幕 5/8 英寸"),
        ("全年 7/24 服务", "全年 7/24 服务"),
    ],
)
def test_a_day_with_a_stroke(text, resolved):
    when = datetime(2026, 3, 10, 9, tzinfo=UTC)
    assert resolve_dates(text, when) == resolved


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("we're away 5-9 October", "we're away on 2026-10-05-2026-10-09"),
        ("any day, October 5-9", "any day, on 2026-10-05-2026-10-09"),
        ("5th-9th October", "2026-10-05-2026-10-09"),
        ("10月5-9号不在", "2026-10-05-2026-10-09不在"),
        ("5-9号不在", "2026-09-05-2026-09-09不在"),
        ("open October 5, 9-17", "open on 2026-10-05, 9-17"),
        ("unit 5-9 is ours, the 4 may be too", "unit 5-9 is ours, the 4 may be too"),
        ("停在7号泳道", "停在7号泳道"),
    ],
)
def test_days_joined_by_a_hyphen_share_their_month(text, resolved):
    assert resolve_dates(text, datetime(2026, 8, 30, 9)) == resolved

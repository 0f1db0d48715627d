"""Memories of support talks as they go: answers in pieces, offers taken, sums that change (R30)."""

from datetime import UTC, datetime

import pytest

from ctxlab.language.asides import rivals
from ctxlab.language.confidential import secrets
from ctxlab.language.dates import find_dates
from ctxlab.language.extraction import extract
from ctxlab.language.hearing import hear
from ctxlab.language.letting_go import without_declined
from ctxlab.language.mistakable import alike, ends, literals
from ctxlab.language.numerals import numerals
from ctxlab.language.options import pick
from ctxlab.language.repairs import repair
from ctxlab.language.retelling import retell
from ctxlab.language.taking import takes
from ctxlab.language.totals import settled_later, stated, totals
from ctxlab.language.values import values_in

NOW = datetime(2026, 3, 18, 2, 15, tzinfo=UTC)  # a Wednesday


def drafts(said):
    """Extract from turns parted by " / ", each with U (customer) or A (agent) before it."""
    turns = [turn.strip() for turn in said.split(" / ")]
    roles = {"U": "user", "A": "assistant"}
    talk = [{"role": roles[turn[0]], "content": turn[2:]} for turn in turns]
    return extract(talk, now=NOW)


def texts(said):
    return "\n".join(draft.text for draft in drafts(said))


def heard(said):
    return next(iter(hear([{"role": "user", "content": said}], None, "UTC"))).text


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("A Where to? / U Basin Wharf / U shed 12, top floor / A Thanks.", "shed 12, top floor"),
        ("A 寄到哪里？ / U 滨河新区 / U 云栖里9栋 / U 2单元802 / A 好的", "2单元802"),
    ],
)
def test_an_answer_sent_in_pieces_is_one(said, whole):
    found = drafts(said)
    assert len(found) == 1
    assert whole in found[0].text


def test_a_message_of_another_matter_is_no_piece_of_an_answer():
    found = drafts("A Where to? / U 12 Basin Wharf / U Please send the invoice to my office / A OK")
    assert len(found) == 2


def test_a_code_begun_anew_or_looked_up_is_said_once():
    said = ["It's BD23 5... 5LQ", "Code D14 W7R5... let me look. D14 W7K5", "PO4 8QX, sorry 8XQ"]
    assert repair(said[:1], [True]) == ["It's BD23 5LQ"]
    assert repair(said[1:2], [True]) == ["Code D14 W7K5"]
    assert repair(said[2:], [True]) == ["PO4 8XQ"]


def test_a_day_puts_no_house_number_right():
    said = ["送到银杏路206号", "好的", "等一下，师傅改了，16号才能来"]
    assert repair(said, [True, False, True])[0] == "送到银杏路206号"
    assert (
        repair(["送到银杏路206号", "好的", "不对，是16号"], [True, False, True])[0]
        == "送到银杏路16号"
    )


def test_days_with_their_month_are_put_right_as_days():
    said = ["We land on May 9th", "When?", "May 12th, I mean May 11th"]
    assert repair(said, [True, False, True])[0] == "We land on May 9th"
    assert repair(["Book me for the 8th of May", "OK", "sorry I mean the 9th"], [1, 0, 1])[0] == (
        "Book me for the 9th of May"
    )
    assert repair(["Nine of us on the 8th of May", "OK", "Make that ten"], [1, 0, 1])[0] == (
        "ten of us on the 8th of May"
    )


def test_what_may_be_a_slip_for_what():
    day, other, count = (literals(text)[0] for text in ("3 June", "5 June", "12"))
    assert alike(day, other, False)
    assert not alike(day, count, False)
    code, tail = literals("CF10 2AB")[0], literals("2BA")[0]
    assert ends(code, tail)
    assert not ends(day, count)


def test_a_part_said_of_a_number_puts_nothing_right():
    said = ["我要8个工位", "8个，好的", "等等，有一个靠门的不要"]
    assert "8个" in repair(said, [True, False, True])[0]


@pytest.mark.parametrize(
    ("clause", "offered"),
    [
        ("Marlow's quoted me 310", True),
        ("I've had a quote of £95 from Tidy Pipes", True),
        ("Octopus said they'd give me £50 if I switch", True),
        ("you quoted me 310", False),
        ("my aunt was quoted 310 by Marlow's", False),
        ("老城那家给我报的是1250", True),
        ("你们给我报的是1250", False),
        ("上次给我报的是1250", False),
    ],
)
def test_an_offer_of_another_house_is_known_by_whom_it_was_made_to(clause, offered):
    assert rivals(clause) is offered


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("U Bright Glass quoted me £410 for both panes / A We could do £395.", "£410"),
        ("U 北苑那家给我报的是380，你们呢 / A 我们360", "380"),
    ],
)
def test_a_rivals_offer_is_kept_for_its_role_alone(said, value):
    found = [draft for draft in drafts(said) if value in draft.text]
    assert found
    assert {draft.audience for draft in found} == {"private"}


def test_somebody_elses_deal_is_not_kept():
    assert "£410" not in texts("U My neighbour got £410 from Bright Glass / A I see.")


def test_a_condition_holds_once_it_is_met():
    offer = "A I can do £85 if you collect it yourself. / "
    assert "£85" in texts("U That's dear / " + offer + "U Go on then.")
    assert "£85" not in texts("U That's dear / " + offer + "U No, leave it.")


def test_a_person_whom_the_agent_asks_after_belongs_to_the_matter():
    asked = "A Who will let us in? / U my mate Joss, he's the caretaker. his mobile's 07700 900431"
    assert "07700 900431" in texts(asked)
    assert "07700 900431" not in texts("U my mate Joss moved. his mobile's 07700 900431")


def test_the_last_total_stands():
    assert totals("Two frames and glass, £74 in total.")[0][2] == "74"
    assert totals("Frames are £37 each.") == []
    assert settled_later("Two frames, £74 in total.", ["One frame: £37 in total."]) == "Two frames."
    assert settled_later("£74 in total.", ["Deposit £20 in total."]) == "£74 in total."
    found = texts("U 要三箱 / A 好的，合计207元。 / U 两箱够了 / A 好，合计138元。")
    assert "138" in found
    assert "207" not in found


def test_what_a_question_says_before_it_asks():
    assert stated("Ray rings at half two, what's your number?") == "Ray rings at half two"
    assert stated("Is Ray your name?") == ""
    assert "2026-03-19" in texts("U 要签字 / A 明天下午3点小葛打给您，您的号码是？ / U 13900001111")


@pytest.mark.parametrize(
    ("offer", "answer", "taken"),
    [
        ("I can match £60.", "You're a star.", True),
        ("Return at £60, or single at £35.", "We walk back. Second option please", True),
        ("I can match £60.", "That's still dear.", False),
    ],
)
def test_how_an_offer_is_taken(offer, answer, taken):
    assert takes(offer, answer) is taken


def test_options_before_a_semicolon_are_of_one_thing():
    said = "花型有玫瑰320、绣球260、百合H2 180；包装统一丝带每束25。"
    assert pick(said, ["绣球吧"]).taken == 1


def test_days_that_come_each_week_are_no_dates():
    for said in (
        "每周二、周五送",
        "周二四六上课",
        "every Tuesday and Friday",
        "周一、周三、周五收",
    ):
        assert find_dates(said, NOW) == []
    assert [day.iso for day in find_dates("周五送", NOW)] == ["2026-03-20"]


def test_a_day_is_declined_in_other_words_than_it_was_offered():
    assert without_declined("六号不行，七号吧", "4月6号上午？") == ("七号吧", ["6号"])
    assert without_declined("周四我们盘点，不行，周五", "周四晚上可以吗") == ("周五", ["周四"])
    assert without_declined("On 6 June I have a wedding. So 19", "6 June or 19 June?")[0] == "So 19"


def test_a_letter_of_a_code_is_no_pronoun():
    assert "U-2041" in retell("Order U-2041 is ready", "event", by_agent=True)
    assert "P-I-N-I" in retell("It's Pini, P-I-N-I", "fact", by_agent=False)


def test_a_noun_at_the_beginning_is_nobodys_name():
    assert "01632 960 018" in texts(
        "U Landline is 01632 960 018, I never hear the mobile / A Noted."
    )


def test_names_in_parts_and_numbers_in_pieces():
    heard = next(
        iter(hear([{"role": "user", "content": "First name is Ada, surname Moss"}], None, "UTC"))
    )
    assert heard.text == "name is Ada Moss"
    assert [value.norm for value in values_in("the meter says 44 0 7 1")] == ["44071"]
    assert [n.digits for n in numerals("first eight 6112 7740")] == ["8"]


def test_a_title_in_quotation_marks_stays_as_it_is_written():
    said = "封面写「暑期集训 第二册」 蓝色的 谢谢"
    assert (
        "「暑期集训 第二册」"
        in next(iter(hear([{"role": "user", "content": said}], None, "UTC"))).text
    )


def test_a_secret_named_in_one_clause_and_told_in_the_next():
    said = "the password, it's Heron71x"
    assert secrets(said, [(0, 12), (14, 27)], []) == {(14, 27)}
    assert secrets("the order, it's 71880", [(0, 9), (11, 21)], []) == set()


def test_whom_to_turn_to_belongs_to_the_matter():
    assert "13700002222" in texts("A 明天上午到。 / U 到了联系我同事吧，13700002222，他姓荀")
    assert "07700 900518" in texts("U I'm on a plane, text my brother, his number's 07700 900518")
    assert "07700 900518" not in texts("U My brother moved, his number's 07700 900518 now")


def test_politeness_is_no_condition():
    said = "U Not before nine, if she'd be so kind; 01632 960 044. / A Noted."
    assert "01632 960 044" in texts(said)


def test_what_the_agent_is_bidden_is_no_strangers_matter():
    assert "别用香精" in texts("U 我同学在隔壁做的味道冲得很 你们别用香精 / A 好的")


def test_what_is_offered_is_taken_by_its_name_in_a_talk_without_capitals():
    said = "Filters: paper £9 each, charcoal £21 each."
    assert pick(said, ["Charcoal. paper ones go soggy in a week with my old hood"]).taken == 1


def test_a_stretch_of_days_is_no_exchange():
    assert "2026-05-03" in texts("U Book the barn from 3 to 9 May please / A Done.")
    assert "2026-05-03" not in texts("U Move us from 3 to 9 May please / A Done.")


def test_a_street_named_for_a_church_tells_of_no_belief():
    assert "14 Chapel Rise" in texts("U From Monday I'm at 14 Chapel Rise, Otley / A Thanks.")
    assert "chapel" not in texts("U I'm at chapel on Sundays, call me after one / A Thanks.")


def test_a_remark_on_options_belongs_to_none():
    said = "普通灯丝一支12元，长寿命一支30元，一般先换普通灯丝。"
    assert pick(said, ["那就普通灯丝"]).taken == 0
    assert pick("Plain is £12, or £30 for a reconditioned one.", ["recon please"]).taken == 1

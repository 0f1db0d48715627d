"""What is laid out and not taken, disowned, or overtaken never becomes a memory; zh and en."""

from __future__ import annotations

import pytest

from ctxlab.language.offers import answered, disowns, lays_out, outdated

NOON = "2026-05-03T12:00:00+00:00"


@pytest.mark.parametrize(
    ("turns", "kept", "gone"),
    [
        (
            ("A table for Kit Marlow on 9 May.", "We have 18:15 or 20:45. Which?",
             "The later one.", "Booked for 20:45, reference TB-5521."),
            "TB-5521", "18:15",
        ),
        (
            ("订5月9日的桌,姓闵。", "有六点一刻和八点三刻两场,您要哪场?", "八点三刻。",
             "已订5月9日八点三刻,单号TB5521。"),
            "TB5521", "六点一刻",
        ),
        (
            ("Check the policy please.", "Policy 771902, held by J. Sands.",
             "That's my uncle's. Mine is 771920.", "771920 runs to 30 June 2027."),
            "771920", "771902",
        ),
        (
            ("查一下保单。", "保单771902,持有人沙某。", "那是我舅舅的,我的是771920。",
             "771920有效期到2027年6月30日。"),
            "771920", "771902",
        ),
        (
            ("Please move my visit.", "At present you are down for 4 May. Which day?",
             "The 11th.", "Moved to 11 May, job J-88213."),
            "2026-05-11", "2026-05-04",
        ),
    ],
)  # fmt: skip
def test_only_what_holds_is_kept(told, turns, kept, gone):
    text = told(*turns)
    assert kept in text
    assert gone not in text


def test_an_offer_that_is_taken_up_stays(told):
    text = told("Can it come sooner?", "I can do 8 May for $15.", "Yes please.")
    assert "2026-05-08" in text


def test_a_bare_day_is_near_the_day_that_was_proposed(told):
    turns = ("When can you come?", "We could come on 12 June. Any good?", "The 19th is better.")
    assert "2026-06-19" in told(*turns)
    assert "2026-05-19" in told("The 19th is good.")


@pytest.mark.parametrize("text", ["That's right.", "那是当然", "It's my birthday.", "that's mine"])
def test_what_is_owned_is_not_disowned(text):
    assert not disowns(text)


def test_a_deed_is_no_choice_and_no_former_state():
    assert not lays_out("Your table is at 20:45.")
    assert not outdated("Moved to 11 May.", "Updated again.")
    assert answered("Which room?", "2201") == "Which room?"


def test_two_prices_with_or_between_leave_a_choice():
    assert lays_out("The 20th has row K at £32 or row C at £44.")
    assert lays_out("20号有K排320元，或者C排440元。")

"""What of an agent's offers a customer took up."""

import pytest

from ctxlab.language.choosing import Unit
from ctxlab.language.hearing import Said
from ctxlab.language.taking import narrow, take_up


def turn(number, agent, text):
    return Said(str(number), agent, text, None, text)


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ("Yes please.", [True, True]),
        ("Ninety. Go on. In writing.", [True, False]),
        ("£90? Is that all?", [False, False]),
        ("Not £90.", [False, False]),
    ],
)
def test_a_yes_takes_all_and_a_value_said_again_takes_its_own(answer, taken):
    offer = turn(0, True, "I can take £90 off. A visit is £35.")
    units = [Unit(offer, text, text) for text in ("I can take £90 off.", "A visit is £35.")]
    take_up(units, offer, turn(1, False, answer))
    assert [bool(unit.taken) for unit in units] == taken


def test_of_options_the_one_that_was_taken_stays():
    said = "The oak is £90 or the pine £60."
    turns = [
        turn(0, True, said),
        turn(1, False, "Is it solid?"),
        turn(2, False, "I'll take the pine."),
    ]
    units = [Unit(turns[0], said, said), Unit(turns[1], "Is it solid?", "Is it solid?")]
    narrow(units, turns)
    assert units[0].text == "the pine £60."
    assert units[0].taken == "2"
    assert units[1].text == "Is it solid?"

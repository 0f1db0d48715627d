"""What only moves a talk on isn't remembered; what is delivered after it is (R22, R30)."""

import pytest

from ctxlab.language.extraction import extract
from ctxlab.language.procedure import runs_talk, without_lists


@pytest.mark.parametrize(
    "said",
    [
        "To get going I will need to check a few details first.",
        "Let me pull that up for you.",
        "Could you please confirm the spelling of the surname?",
        "Thank you for waiting.",
        "If you need any further help, just say so.",
        "我这边帮您核实一下。",
        "麻烦您提供一下预约时留的姓氏。",
        "请稍等，正在处理。",
    ],
)
def test_what_moves_a_talk_on(said):
    assert runs_talk(said)


@pytest.mark.parametrize(
    "said",
    [
        "I'll check with the workshop and ring you tonight.",
        "Your boiler is booked for 9 May.",
        "I have put the parcel on hold.",
        "The fee was waived.",
        "我核实后给您回电。",
        "您的预约改到周五了。",
    ],
)
def test_what_is_delivered_stays(said):
    assert not runs_talk(said)


def test_choices_are_left_out_and_what_was_done_stays():
    choices = "We have these:\n- oak, £90\n- ash, £80\n- pine, £60\n"
    done = "I updated your address to:\n1. 9 Quay Street\n2. Truro\n3. TR1 2AB\n"
    assert without_lists(choices) == "We have these:\n"
    assert without_lists(done) == done
    assert without_lists("我们有：\n1、橡木\n2、松木\n3、桦木\n选哪个？") == "我们有：\n选哪个？"
    two = "- oak\n- ash\n"
    assert without_lists(two) == two


def test_nothing_of_a_catalogue_becomes_a_memory():
    talk = [
        {"role": "user", "content": "Which desks do you have?"},
        {
            "role": "assistant",
            "content": "Desks:\n- oak, £90\n- ash, £80\n- pine, £60\nAny of them?",
        },
        {"role": "user", "content": "The ash one, please, for order KD-55120."},
    ]
    texts = " ".join(draft.text for draft in extract(talk))
    assert "KD-55120" in texts and "£90" not in texts and "£60" not in texts


def test_a_nested_list_is_left_out_whole():
    listed = (
        "Here are some lamps:\n\n1. Brass\n   - Watts: 40\n   - Price: $31\n\n"
        "2. Steel\n   - Watts: 60\n   - Price: $35\n\nWhich one?"
    )
    assert "$35" not in without_lists(listed)
    assert without_lists(listed).endswith("Which one?")


def test_what_asks_for_a_word_runs_the_talk():
    assert runs_talk("Let me know which card you would like to use.")
    assert runs_talk("Before I go on, please confirm that you want this change.")
    assert runs_talk("Let me retrieve the details for you.")

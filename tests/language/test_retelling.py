"""How a customer's words are told again, in the third person."""

import pytest

from ctxlab.language.extraction import extract
from ctxlab.language.retelling import retell


@pytest.mark.parametrize(
    ("said", "kind", "told"),
    [
        ("垫子能不能机洗", "request", "客户问垫子能不能机洗。"),
        ("周末你家开门不", "preference", "客户问周末商家开门不。"),
        ("押金多久退呀", "commitment", "客户问押金多久退呀。"),
        ("帮我看看哪天能到", "request", "客户要求帮客户看看哪天能到。"),
        ("随便哪天送都行", "preference", "客户希望随便哪天送都行。"),
    ],
)
def test_a_question_without_its_mark_is_told_as_one(said, kind, told):
    assert retell(said, kind, by_agent=False) == told


def test_an_agents_echo_is_none_the_more_for_thinking_aloud():
    talk = [
        {"role": "user", "content": "We can go to $640 for the lot"},
        {"role": "assistant", "content": "$640 is fine, let me work out the best mix."},
    ]
    assert [draft.text for draft in extract(talk) if "agent" in draft.text] == []

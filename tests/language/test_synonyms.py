"""Words that mean the same: the list is sound, and notes are compared through it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language import synonyms
from ctxlab.language.everyday import everyday
from ctxlab.language.synonyms import Vocabulary, bridge, words_in

LINES = Path(synonyms.__file__).with_name("synonyms.txt").read_text("utf-8").splitlines()


def between(old, new):
    notes = everyday(old), everyday(new)
    return bridge(*[Vocabulary(words_in(note)) for note in notes], notes)


def test_every_form_is_listed_as_a_note_would_have_it():
    for line in LINES:
        for side in line.split(" / "):
            for form in side.split(","):
                bare = form.removeprefix("~")
                assert everyday(bare).strip() == bare, line


def test_every_meaning_has_two_forms_at_least_or_an_opposite():
    for line in LINES:
        assert "," in line or " / " in line, line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hires the lorry each day", "rents the truck daily"),
        ("租了货车", "客户租用了卡车"),
        ("快递员按门铃", "courier rings the bell"),
        ("the puppy", "her poodle"),
    ],
)
def test_what_means_the_same_is_lost_on_neither_side(old, new):
    found = between(old, new)
    assert not found.lost
    assert not found.fresh
    assert found.crossed


def test_two_kinds_of_one_thing_are_two_things():
    found = between("the poodle", "the collie")
    assert [word.form for word in found.lost] == ["poodle"]
    assert [word.form for word in found.fresh] == ["collie"]


@pytest.mark.parametrize(("old", "new"), [("门开着打开", "门关闭"), ("upstairs", "downstairs")])
def test_opposites_are_told(old, new):
    assert between(old, new).opposed
    assert between(old, old).opposed == ()


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_note_has_all_its_own_words_and_sides_may_be_swapped(old, new):
    assert not between(old, old).lost
    there, back = between(old, new), between(new, old)
    assert (there.lost, there.fresh) == (back.fresh, back.lost)
    assert 0 <= there.features["same:both"] <= 1

"""What is gathered around a value, and the values themselves."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.bearing import NUMBERS, Talk, Turn, clauses_of
from ctxlab.language.values import SORTS, values_in

TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("aB 1290.,:;£$%@-/?!「」号点元年月日不 and\n"), st.characters()
    ),
    max_size=80,
)


@given(TEXT)
def test_values_lie_apart_and_in_order(text):
    found = values_in(text, datetime(2026, 3, 4))
    assert all(v.sort in SORTS and 0 <= v.start < v.end <= len(text) and v.norm for v in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(TEXT)
def test_clauses_leave_out_no_word(text):
    spans = clauses_of(text)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    kept = "".join(text[slice(*span)] for span in spans)
    assert sorted(filter(str.isalnum, kept)) == sorted(filter(str.isalnum, text))


@given(st.lists(st.tuples(st.booleans(), TEXT), max_size=5))
def test_every_place_can_be_read(turns):
    talk = Talk([Turn(agent, text) for agent, text in turns])
    for place in talk.places():
        assert len(talk.numbers(place)) == len(NUMBERS)
        assert talk.grams(place)


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        ("Flat 12B at 9.30, ref KL-5520", {"12b", "9.30", "kl5520"}),
        ("十五件,三点半,尾号4402", {"15", "三点半", "4402"}),
    ],
)
def test_values_are_found_in_both_languages(text, norms):
    assert norms <= {value.norm for value in values_in(text)}


def test_numbers_tell_what_is_said_again():
    talk = Talk([
        Turn(True, "The small one is £12, the large £20."),
        Turn(False, "The large one then."),
        Turn(True, "Booked, £20."),
    ])  # fmt: skip
    at = NUMBERS.index("said later by agent")
    again = {place.value.norm: talk.numbers(place)[at] for place in talk.places() if place.value}
    assert again["12"] == 0
    first = next(place for place in talk.places() if place.value and place.value.norm == "20")
    assert talk.numbers(first)[at] > 0

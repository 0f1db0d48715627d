"""Text inside figures: cut to a width, broken without loss."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.lab.wording import clip, legible, pieces, width

texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60)


@settings(deadline=None, max_examples=40)  # the first call loads the faces
@given(texts)
def test_pieces_are_the_text(text):
    assert "".join(text[start:end] for start, end in pieces(text)) == text


@settings(deadline=None, max_examples=40)
@given(texts, st.floats(0.3, 4.0))
def test_what_is_clipped_fits_and_is_a_beginning(text, room):
    cut = clip(text, room)
    assert width(cut) <= room or cut == "…"
    assert legible(" ".join(text.split())).startswith(cut.removesuffix("…"))


@settings(deadline=None, max_examples=40)
@given(texts)
def test_what_no_face_has_becomes_a_box_of_one_letter(text):
    assert len(legible(text)) == len(text)
    assert legible(legible(text)) == legible(text)


@pytest.mark.parametrize(("text", "wider"), [("a", "aa"), ("卡", "卡号"), ("1", "W")])
def test_width_grows(text, wider):
    assert 0 < width(text) < width(wider)

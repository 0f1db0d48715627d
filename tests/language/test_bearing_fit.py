"""How marked talks and dialogues become examples, and what a fit makes of them."""

from __future__ import annotations

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.bearing_fit import early, examples, fit, marked, of_dialogue
from ctxlab.language.weighing import margin, second_input, see

LINE = "U I'm at {9 Elm Row}, Tom is at [14 Oak Row]. / A Noted, 9 Elm Row."


def test_marks_become_places_in_the_text_without_them():
    found = marked(LINE, "me")
    assert found[0].talk.turns[0].text == "I'm at 9 Elm Row, Tom is at 14 Oak Row."
    assert {(one.place.turn, one.bears) for one in found} >= {(0, True), (0, False)}
    assert all(one.author == "me" for one in found)


def test_a_value_marked_once_is_the_same_where_it_is_said_again():
    found = marked("U Send {A1029} now. / A A1029 goes out today.", "me")
    assert [(one.place.turn, one.bears) for one in found] == [(0, True), (1, True)]


def test_a_literal_labelled_both_ways_teaches_nothing():
    row = {
        "time": "2026-03-04T10:00:00+00:00",
        "messages": [{"role": "user", "content": "A1029 or A1092?"}],
        "memories": [{"literals": ["A1029"]}],
        "unwanted": ["A1029", "A1092"],
    }
    assert [(one.literal, one.bears) for one in of_dialogue(row, "me")] == [("A1092", False)]


def test_what_is_answered_is_shown_unanswered_too():
    found = marked(LINE, "me")
    again = list(early(found))
    assert len(again) == sum(one.place.turn == 0 for one in found)
    assert all(len(one.talk.turns) == 1 and one.weight < 1 for one in again)


def test_nothing_of_the_held_out_author_is_learned():
    authors = {corpus.AUTHORS[domain] for domain in corpus.TEST_DOMAINS}
    assert not authors & {one.author for one in examples()}


def test_a_small_fit_tells_the_two_apart_and_can_be_saved(tmp_path):
    rows = [
        one
        for number in range(24)
        for one in marked(
            f"U I need order {{A{1000 + number}}}. / A It ships {{today}}."
            if number % 2
            else f"U My neighbour paid [£{30 + number}] for his. / A I can't speak of others.",
            "ab"[number % 4 // 2],
            number,
        )
    ]
    fitted = fit(rows)
    places = {one.bears: one for one in rows}
    sight = {bears: see(one.talk, [one.place]) for bears, one in places.items()}
    chance = {
        bears: float(fitted.second.yes(second_input(margin(fitted.first, s), s))[0])
        for bears, s in sight.items()
    }
    assert chance[True] > chance[False]
    fitted.second.save(tmp_path / "head.npz")
    again = type(fitted.second).load(tmp_path / "head.npz")
    input_ = second_input(margin(fitted.first, sight[True]), sight[True])
    assert np.allclose(again.yes(input_), chance[True], atol=0.02)

"""Pictures of long-term memory follow what they draw."""

import pytest

import ctxlab as cx
from ctxlab.lab import pictures
from ctxlab.lab.pictures_memory import _depths


def words(picture):
    return {text.get_text() for text in picture.figure.axes[0].texts}


def test_the_graph_draws_every_triple_given():
    facts = [("U001", "has order", "K12761"), ("K12761", "contains", "heater")]
    picture = pictures.triples("en", facts)
    assert {"U001", "has order", "K12761", "contains", "heater"} <= words(picture)
    assert "U001 has order K12761" in picture.text


@pytest.mark.parametrize(
    ("facts", "depths"),
    [
        ([("a", "p", "b"), ("b", "p", "c")], {"a": 0, "b": 1, "c": 2}),
        ([("a", "p", "b"), ("b", "p", "a")], {"a": 0, "b": 1}),
        ([("a", "p", "b"), ("c", "p", "d"), ("d", "p", "c")], {"a": 0, "b": 1, "c": 0, "d": 0}),
    ],
)
def test_depths_end_even_in_circles(facts, depths):
    assert _depths(facts) == depths
    assert pictures.triples("en", facts).png(0.5)


def test_the_decay_picture_follows_the_half_life():
    left = cx.decay_weight(28, "emotion")
    assert {f"{left:.0%}", "50%", "100%"} <= words(pictures.decay("en"))


def test_the_durable_picture_follows_the_time_to_live():
    days = cx.Config().durable.ttl_days["commitment"]
    assert any(f"{days:.0f} days" in text for text in words(pictures.durable("en")))

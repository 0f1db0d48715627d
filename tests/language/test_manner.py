"""How a clause is said."""

import pytest

from ctxlab.language.manner import CUES, cues
from ctxlab.language.wordlists import words_beside


def named(text):
    return {name for name, has in zip(CUES, cues(text), strict=True) if has}


def test_each_cue_has_its_words():
    import ctxlab.language.manner as module

    assert tuple(words_beside(module.__file__)) == CUES


@pytest.mark.parametrize(
    ("text", "has", "lacks"),
    [
        ("his last one cost less", {"third", "before", "rate"}, {"me", "settled"}),
        ("I've moved it to Friday", {"me", "settled"}, {"third", "given"}),
        ("要是我加一个呢", {"me", "given", "asks"}, {"settled"}),
        ("已改到周五", {"settled"}, {"me", "given", "asks"}),
        ("豆沙的不要", {"declines", "not"}, {"wants"}),
        ("对了", set(), {"past"}),
    ],
)
def test_cues_tell_clauses_apart(text, has, lacks):
    assert has <= named(text)
    assert not lacks & named(text)

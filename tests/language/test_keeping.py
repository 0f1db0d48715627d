"""What is kept of people's words: bounded in number and length, and dropped as a whole."""

import pytest

from ctxlab.language import sensitive
from ctxlab.language.keeping import Met, count_kept, drop_kept, kept


def test_kept_within_bounds_and_dropped_at_once():
    asked = []

    @kept(most=3)
    def double(text):
        asked.append(text)
        return text * 2

    drop_kept()
    assert [double(text) for text in "abab"] == ["aa", "bb", "aa", "bb"]
    assert asked == ["a", "b"]
    assert [double(text) for text in "cde"] == ["cc", "dd", "ee"]
    assert count_kept() == 3
    long = "x" * 5_000
    assert double(long) == double(long) == long * 2
    assert (asked.count(long), count_kept()) == (2, 3)
    drop_kept()
    assert count_kept() == 0
    assert double("e") == "ee"
    assert asked.count("e") == 2


def test_texts_met_are_bounded_hold_no_words_and_go_with_the_rest():
    met = Met(most=2)
    for text in ("one", "two", "three", "\ud800"):
        met.add(text)
    assert ["one" in met, "two" in met, "three" in met, "\ud800" in met] == [0, 0, 1, 1]
    assert "three" not in repr(vars(met))
    drop_kept()
    assert not len(met)


@pytest.mark.parametrize(
    ("text", "again"), [("the parcel is late", 1), ("卡号4111111111111111", 2)]
)
def test_only_a_clean_text_is_scanned_once(monkeypatch, text, again):
    drop_kept()
    seen = []
    real = sensitive._scan
    monkeypatch.setattr(sensitive, "_scan", lambda texts: seen.extend(texts) or real(texts))
    first, second = sensitive.scan(text), sensitive.scan(text)
    assert first == second
    assert seen.count(text) == again

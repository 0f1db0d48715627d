"""What is kept of people's words: bounded in number and length, and dropped as a whole."""

from ctxlab.language.keeping import count_kept, drop_kept, kept


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

"""The bug museum (R117): each policy goes wrong, ctxlab doesn't, one question judges both."""

from __future__ import annotations

import re

import pytest

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.exhibits import exhibits, updates, windows

ALL = exhibits()
LANGUAGES = ("en", "zh")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_the_policy_goes_wrong_and_ctxlab_does_not(one, lang):
    shown = one.show(lang)
    assert not shown.broken_right, f"no defect: {shown.broken}"
    assert shown.ctxlab_right, f"ctxlab has it too: {shown.ctxlab}"
    assert shown.to_frame()["right"].tolist() == [False, True]
    assert one.link in str(shown) and one.title.of(lang) in repr(shown)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_label_tells_all_in_both_languages(one):
    for words in (one.title, one.wrong, one.cure, one.limit or one.cure):
        assert re.search("[\u4e00-\u9fff]", words.zh) and not re.search("[\u4e00-\u9fff]", words.en)
    assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+", one.link)
    assert re.fullmatch(r"R\d{1,3}", one.rule)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", one.id)


def test_there_are_many_and_no_two_alike():
    assert len(ALL) >= 18
    assert len({one.id for one in ALL}) == len({one.link for one in ALL}) == len(ALL)


def test_the_list_is_a_table_and_says_what_came_of_it():
    table = evals.museum("zh")
    assert table["id"].tolist() == [one.id for one in ALL]
    assert "broken" not in table
    assert evals.exhibit("both-live").title.zh in table["title"].tolist()
    with pytest.raises(cx.DataError, match="there are fuzzy-merge"):
        evals.exhibit("nothing")
    with pytest.raises(cx.DataError, match="not 'zh' or 'en'"):
        evals.museum("fr")


def test_a_policy_without_the_defect_would_pass():
    """The control: the questions don't condemn whatever isn't ctxlab."""
    for kind in (updates.FuzzyMerge, updates.MentionRetires):
        one = kind()
        assert one.holds(one.given.en, one.given.en)
    orphan = windows.OrphanResult()
    judged = orphan._judged(orphan.given.en, orphan.given.en[-1]["content"])
    assert orphan.holds(orphan.given.en, judged)


def test_the_failing_summariser_is_indeed_called():
    calls = []

    class Counting(windows._Failing):
        def __call__(self, messages):
            calls.append(len(messages))
            return super().__call__(messages)

    one = windows.ErrorAsSummary()
    with windows._quietly():
        windows._fitted(one._talk(one.given.zh), 500, system_prompt="", narrator=Counting())
    assert calls

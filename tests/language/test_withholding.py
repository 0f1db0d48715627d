"""What is left out because it doesn't bear on the matter, and that the reason can be seen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ctxlab.language import forest, withholding
from ctxlab.language.extraction import extract

NOW = datetime(2026, 5, 4, 10, tzinfo=UTC)


def _talk(*said):
    roles = ("user", "assistant")
    return [{"role": roles[i % 2], "content": text} for i, text in enumerate(said)]


TALKS = [
    (
        (
            "I'd like a hamper for my aunt.",
            "The basket is £38 and the crate is £55.",
            "The crate, to 4 Weir Lane please. My colleague's firm charges £70 for one.",
            "The crate for £55, to 4 Weir Lane, on Thursday.",
        ),
        ("£55", "4 Weir Lane"),
        ("£70",),
    ),
    (
        (
            "我想给姑妈订个礼篮。",
            "竹篮380元,木箱550元。",
            "木箱吧,送柳巷4号。我同事那家要700元呢。",
            "木箱550元,周四送柳巷4号。",
        ),
        ("550", "柳巷4号"),
        ("700",),
    ),
]


@pytest.mark.parametrize(("said", "kept", "gone"), TALKS)
def test_what_came_up_in_passing_is_left_out_with_a_reason(said, kept, gone):
    withheld = []
    text = "\n".join(draft.text for draft in extract(_talk(*said), NOW, withheld=withheld))
    assert all(literal in text for literal in kept)
    assert not any(literal in text for literal in gone)
    assert all("chance" in one.reason and one.message_ids for one in withheld)


@pytest.mark.parametrize("said", [said for said, _, _ in TALKS])
def test_without_a_limit_nothing_is_withheld(said, monkeypatch):
    head = forest.load_forest("bearing_weight")
    for limit in ("threshold", "unanswered"):
        monkeypatch.setitem(head.extra, limit, 0.0)
    withheld = []
    extract(_talk(*said), NOW, withheld=withheld)
    assert withheld == []


@pytest.mark.parametrize("said", [said for said, _, _ in TALKS])
def test_whatever_is_withheld_stands_in_no_draft(said, monkeypatch):
    """A limit that nothing reaches leaves out every value that can be told from others."""
    head = forest.load_forest("bearing_weight")
    monkeypatch.setitem(head.extra, "threshold", 1.1)
    monkeypatch.setitem(head.extra, "unanswered", 1.1)
    monkeypatch.setattr(withholding, "_DONE", 1.1)
    withheld = []
    drafts = extract(_talk(*said), NOW, withheld=withheld)
    assert withheld
    assert not any(price in draft.text for price in ("£55", "550") for draft in drafts)


def test_an_address_stays_whole_when_another_clause_goes():
    said = (
        "I live at 971 Glenwood Ave, Apt 1044, Raleigh NC these days, can you fix that in the "
        "system?"
    )
    drafts = extract(_talk("Hi, it's Sam", "Hi Sam, how can I help?", said, "Done."), NOW)
    assert "971 Glenwood Ave, Apt 1044, Raleigh NC" in "\n".join(draft.text for draft in drafts)


def test_a_choice_that_is_to_last_is_kept():
    drafts = extract(_talk("Hello", "Hi", "Deliveries only ever work on weekends", "Noted."), NOW)
    assert any("weekends" in draft.text for draft in drafts)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            ["热水器点不着了", "给您约了周五", "你让师傅来之前打我老婆电话，她叫孟川，13855556666"],
            "老婆电话",
        ),
        (
            [
                "I board my whippet with you",
                "Noted.",
                "It's allergic to lamb, ring my sister first",
            ],
            "lamb",
        ),
    ],
)
def test_whom_to_ring_and_what_to_mind_is_kept(said, kept):
    talk = [
        {"role": "assistant" if i % 2 else "user", "content": text} for i, text in enumerate(said)
    ]
    assert kept in "".join(draft.text for draft in extract(talk))


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("the limit has moved", "it's 640 now", True),
        ("人数有变动", "改成38个", True),
        ("my head is spinning", "send 640 leaflets", False),
        ("今天真热", "寄38个信封", False),
    ],
)
def test_a_bare_value_gets_the_clause_that_says_of_what(before, after, kept):
    gone = withholding.Judged(0.1, 0.4)
    cuts = [("", [(before, gone)]), (after, [])]
    withholding._explain(cuts, [before, after])
    assert cuts == [(before, []) if kept else ("", [(before, gone)]), (after, [])]

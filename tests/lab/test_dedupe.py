"""The dedupe explorer: its verdicts on pairs, its story and its undo."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.lab.pairs import RELATIONS, judge, labelled_pairs, spread
from ctxlab.lab.statements import STORIES, naive, remember, story

LANGS = ["en", "zh"]
PAIRS = pd.DataFrame(
    [
        ("The phone number is 415-555-0101", "Her phone: 415-555-0101", "duplicate"),
        ("Order A1029 is a coat", "Order A1092 is a coat", "distinct"),
    ],
    columns=["old", "new", "relation"],
)


@pytest.mark.parametrize("lang", LANGS)
def test_cosine_pays_for_one_fault_with_the_other_and_comparing_does_not(lang):
    explorer = cx.lab.DedupeExplorer(lang=lang)
    usual = explorer.compute()
    by_cosine = {score: explorer.compute(rule="cosine", score=score) for score in (0.2, 0.8, 0.95)}
    twice = [data.count("twice") for data in by_cosine.values()]
    lost = [data.count("lost") for data in by_cosine.values()]
    assert twice == sorted(twice) and lost == sorted(lost, reverse=True)
    # At any threshold that keeps no more pairs twice, cosine merges more that should stay apart.
    for score, again, wrong in explorer.compute(rule="cosine").curve:
        at = next(row for row in usual.curve if row[0] == usual.score)
        assert again > at[1] or wrong > at[2], score
    assert usual.count("lost") < by_cosine[0.8].count("lost")


@pytest.mark.parametrize("lang", LANGS)
def test_every_pair_has_one_outcome(lang):
    explorer = cx.lab.DedupeExplorer(lang=lang)
    data = explorer.compute(known=True)
    assert Counter(p.relation for p in data.pairs).most_common(1)[0][1] == 60
    assert sum(data.count(name) for name in ("right", "twice", "lost")) == len(data.pairs)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(RELATIONS),
            st.floats(-1, 1),
            st.booleans(),
            st.sampled_from(["added", "merged", "supplemented", "superseded", "known"]),
        )
    ),
    st.floats(-1, 1),
    st.booleans(),
)
def test_what_stands_apart_can_only_be_right_or_kept_twice(rows, score, overwrites):
    read = [(relation, cosine, slot) for relation, cosine, slot, _ in rows]
    pairs = judge(read, [row[3] for row in rows], overwrites, score)
    for pair, (relation, cosine, slot, action) in zip(pairs, rows, strict=True):
        apart = action == "added" or (cosine < score and not (slot and not overwrites))
        if apart:
            assert pair.outcome == ("right" if relation == "distinct" else "twice")
        else:
            assert pair.outcome != "twice"
            assert (pair.outcome == "lost") >= (relation == "distinct")


@pytest.mark.parametrize("lang", LANGS)
def test_the_address_story(lang):
    """Four wordings end as the most complete one; the move replaces it; undo brings it back."""
    explorer = cx.lab.DedupeExplorer(lang=lang)
    said = STORIES[lang]
    live = [explorer.compute(view="story", step=n).steps[-1].live for n in range(1, 6)]
    assert [len(lines) for lines in live] == [1] * 5
    assert live[3][0].text == said[1]
    assert set(live[3][0].history) == {said[0], said[2], said[3]}
    assert live[4][0].text == said[4] and set(live[4][0].history) == set(said[:4])
    undone = explorer.compute(view="story", undo=True).steps[-1]
    assert undone.action == "undone" and undone.live == live[3]
    broken = explorer.compute(**explorer.presets["broken"])
    texts = {line.text for line in broken.steps[-1].live}
    assert said[1] not in texts and len(texts) == 2  # the vaguest wording and both addresses


@pytest.mark.parametrize("lang", LANGS)
def test_undo_at_each_step_is_the_step_before(lang):
    said = STORIES[lang]
    for n in range(2, len(said) + 1):
        before, after = remember(said[: n - 1], 0.35)[-1], remember(said[:n], 0.35, undo=True)[-1]
        assert [line.text for line in after.live] == [line.text for line in before.live]


def test_a_naive_undo_brings_nothing_back():
    *_, last = naive(STORIES["en"][:2], 0.35, undo=True)
    assert last.live == ()


def test_users_own_pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    PAIRS.to_csv(path, index=False)
    lines = tmp_path / "pairs.jsonl"
    PAIRS.to_json(lines, orient="records", lines=True)
    counted = [
        cx.lab.DedupeExplorer(data, lang="en").compute().pairs
        for data in (PAIRS, path, str(path), lines)
    ]
    assert counted == counted[:1] * 4 and len(counted[0]) == 2
    assert all(pair.outcome == "right" for pair in counted[0])


def test_users_own_story():
    explorer = cx.lab.DedupeExplorer(
        ["She is on the Basic plan", {"text": "Invoices go to Ada Ltd"}], lang="en"
    )
    data = explorer.compute(view="story")
    assert [step.action for step in data.steps] == ["added", "added"]
    assert explorer.png(view="story").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PAIRS.drop(columns="new"), "missing: new"),
        (PAIRS.assign(relation="same"), "'same' is not one of"),
        (PAIRS.iloc[:0], "rows"),
        ("nowhere.csv", "nowhere.csv"),
    ],
)
def test_wrong_pairs_are_named(data, says):
    with pytest.raises(cx.DataError, match=says):
        labelled_pairs(data, "en")


@given(st.lists(st.sampled_from(RELATIONS), min_size=1), st.integers(1, 9))
def test_a_spread_keeps_order_and_takes_from_all_over(relations, most):
    frame = pd.DataFrame({"relation": relations, "n": range(len(relations))})
    taken = spread(frame, most)
    assert taken["n"].is_monotonic_increasing
    for relation, group in frame.groupby("relation"):
        mine = taken[taken["relation"] == relation]
        assert len(mine) == min(most, len(group))
        assert mine["n"].iloc[-1] == group["n"].iloc[-1]


@pytest.mark.parametrize("data", [[], ["a", " "], [{"words": "a"}]])
def test_wrong_stories_are_named(data):
    with pytest.raises(cx.DataError):
        story(data)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("shown", ["pairs", "story"])
def test_readouts_have_their_language(lang, shown):
    explorer = cx.lab.DedupeExplorer(lang=lang)
    for rule in ("cosine", "compare"):
        text = explorer.readout(explorer.compute(view=shown, rule=rule, undo=True))
        assert any("\u4e00" <= ch <= "\u9fff" for ch in text) == (lang == "zh")

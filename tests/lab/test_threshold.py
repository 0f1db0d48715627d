"""Labelled searches, tried on embedders, and the explorer over them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_score, recall_score

import ctxlab as cx
from ctxlab.lab.trial import GRID, Trial, letters
from ctxlab.layers.memory import Memory

LANGS = ["en", "zh"]
MINE = pd.DataFrame(
    {
        "query": ["Where is my parcel?", "Where is my parcel?", "How do you reach me?"],
        "text": ["Order K12761 is on its way.", "Prefers text messages.", "Prefers text messages."],
        "relevant": [1, 0, "yes"],
    }
)


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return cx.lab.ThresholdExplorer(lang=request.param)


# ------------------------------------------------------------------ labelled searches


@pytest.mark.parametrize("lang", LANGS)
def test_half_of_the_built_in_questions_have_no_answer(lang):
    found = cx.lab.searches(lang=lang).groupby("asked")["relevant"].any()
    assert found.mean() == 0.5 and len(found) > 100


def test_across_languages_only_the_questions_change():
    own, across = cx.lab.searches(lang="zh"), cx.lab.searches(lang="en", memories="zh")
    assert list(own["text"]) == list(across["text"])
    assert list(own["relevant"]) == list(across["relevant"])
    assert all(text.isascii() for text in across["query"])


def test_what_a_reader_changes_is_not_seen_by_the_next():
    found = cx.lab.searches(lang="en")
    found["text"] = "spoilt"
    assert (cx.lab.searches(lang="en")["text"] != "spoilt").all()


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_files_read_as_tables_do(tmp_path, ending):
    path = tmp_path / f"mine.{ending}"
    if ending == "csv":
        MINE.to_csv(path, index=False)
    else:
        MINE.to_json(path, orient="records", lines=True)
    for source in (path, str(path), MINE):
        found = cx.lab.searches(source)
        assert list(found["relevant"]) == [True, False, True]
        assert list(found["asked"]) == [0, 0, 1]


def test_pairs_of_notes_will_do():
    pairs = cx.load_support("en").pairs
    found = cx.lab.searches(pairs)
    assert list(found["relevant"]) == list(pairs["relation"] != "distinct")


@pytest.mark.parametrize(
    ("spoilt", "named"),
    [
        (MINE.drop(columns="text"), "text"),
        (MINE.assign(relevant="perhaps"), "perhaps"),
        (MINE[:0], "no rows"),
        ("nowhere.csv", "nowhere.csv"),
    ],
)
def test_what_is_wrong_is_named(spoilt, named):
    with pytest.raises(cx.DataError, match=named):
        cx.lab.searches(spoilt)


# ------------------------------------------------------------------ tried out


@given(
    scores=st.lists(st.floats(-1, 1), min_size=3, max_size=40),
    labels=st.integers(0, 2**40),
    limit=st.sampled_from(GRID),
    k=st.integers(1, 6),
)
def test_the_curve_is_what_counting_gives(scores, labels, limit, k):
    """An outside truth: scikit-learn's precision and recall of the same decisions."""
    n = len(scores)
    relevant = [bool(labels >> i & 1) for i in range(n)]
    frame = pd.DataFrame({"query": "q", "text": "t", "relevant": relevant})
    frame["asked"] = [str(i // 3) for i in range(n)]
    trial = Trial(cx.lab.searches(frame))
    score = np.array(scores)
    comes_in = (score >= limit) & (trial.rank(score) <= k)
    (point,) = trial.curve(score, k, (limit,))
    assert point.hits == comes_in.sum()
    assert point.precision == pytest.approx(precision_score(relevant, comes_in, zero_division=1))
    assert point.recall == pytest.approx(recall_score(relevant, comes_in, zero_division=1))
    empty = [not comes_in[rows].any() for rows in trial.groups if not trial.labels[rows].any()]
    assert point.silence == pytest.approx(np.mean(empty) if empty else 1.0)


@pytest.mark.parametrize("mode", ["dense", "keyword", "hybrid"])
def test_scores_are_the_memorys(mode):
    """Parity: the same texts in a memory, searched with no minimum, score the same."""
    found = cx.lab.searches(lang="en")
    rows = found[found["asked"] == 0]
    trial = Trial(rows)
    score = trial.score("use", mode)
    config = cx.Config().with_({"mitigations.duplicates": False, "mitigations.privacy": False})
    with Memory("sqlite://", config=config, clock=cx.ManualClock("2026-01-05T09:00Z")) as memory:
        for row in rows.itertuples():
            memory.write(row.text, entity="customer:1", agent="a", kind="fact", attribute=row.topic)
        query = rows["query"].iloc[0]
        hits = memory.search(query, entity="customer:1", agent="a", k=50, min_score=0, mode=mode)
    assert hits
    expected = dict(zip(rows["text"], score, strict=True))
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.record.text], abs=2e-3)


def test_meaning_beats_letters():
    """The control: an embedder that knows no meaning must do worse."""
    trial = Trial(cx.lab.searches(lang="zh"))
    best = {name: max(p.f1 for p in trial.curve(trial.score(name))) for name in trial.embedders}
    assert best["use"] > best["letters"]


def test_an_embedder_of_ones_own():
    trial = Trial(cx.lab.searches(MINE), [letters()])
    assert trial.embedders == ("letters",)
    assert trial.score("letters").shape == (3,)


# ------------------------------------------------------------------ the explorer


def test_a_higher_minimum_never_lets_more_in(explorer):
    for mode in ("dense", "keyword", "hybrid"):
        curve = explorer.compute(mode=mode).curve
        for low, high in itertools.pairwise(curve):
            assert high.recall <= low.recall and high.silence >= low.silence
            assert high.hits <= low.hits


def test_presets(explorer):
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert fixed.at.precision > broken.at.precision and fixed.at.silence > broken.at.silence
    assert broken.query == fixed.query
    assert any(hit.comes_in and not hit.relevant for hit in broken.shown)
    assert all(hit.comes_in == hit.relevant for hit in fixed.shown)


def test_config_is_the_search_settings(explorer):
    explorer.set(min_score=0.4, k=3, mode="keyword")
    semantic = explorer.config.semantic
    assert (semantic.min_score, semantic.k, semantic.mode) == (0.4, 3, "keyword")
    explorer.set(**explorer.defaults)


def test_every_question_can_be_drawn_and_said(explorer):
    from ctxlab.lab import style

    for question in (0, 1, len(explorer.trial.groups) - 1):
        data = explorer.compute(question=question)
        assert style.to_png(explorer.draw(data), 50)
        assert f"{data.at.min_score:.2f}" in explorer.readout(data)


def test_own_data_small_and_one_sided():
    one = pd.DataFrame({"query": ["q"], "text": ["t"], "relevant": [False]})
    for frame in (MINE, one):
        explorer = cx.lab.ThresholdExplorer(frame, lang="en")
        assert explorer.png() and explorer.presets

"""Threshold fitting: the curve, the operating point, held-out figures, the settings written."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

import ctxlab as cx
from ctxlab import evals
from ctxlab.errors import DataError
from ctxlab.evals.labelled_pairs import score_pairs
from ctxlab.evals.thresholds import Objective, curve_of

PAIRS = [
    (f"where is my {thing}?", f"the {thing} is on its way" if good else "likes tea", good)
    for n, thing in enumerate("desk lamp chair sofa rug shelf clock mirror vase stool".split())
    for good in (True, False)
]

scored = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.8]), st.booleans()), min_size=2, max_size=40
).filter(lambda rows: any(label for _, label in rows))


def arrays(rows):
    return np.array([s for s, _ in rows]), np.array([label for _, label in rows])


@settings(deadline=None)
@given(scored)
def test_curve_is_scikit_learns(rows):
    scores, labels = arrays(rows)
    cuts, precision, recall = curve_of(scores, labels)
    theirs = precision_recall_curve(labels, scores)
    assert np.allclose(cuts, theirs[2])
    assert np.allclose(precision, theirs[0][:-1]) and np.allclose(recall, theirs[1][:-1])


@settings(deadline=None)
@given(scored, st.sampled_from([0.5, 0.8, 1.0]))
def test_a_target_precision_is_held_with_the_most_recall(rows, target):
    scores, labels = arrays(rows)
    cut = Objective(precision=target)(scores, labels)
    held = {c: labels[scores >= c].mean() for c in set(scores.tolist())}
    assert (cut is None) == all(share < target for share in held.values())
    if cut is not None:
        assert held[cut] >= target
        assert all(share < target for c, share in held.items() if c < cut)


@settings(deadline=None)
@given(scored)
def test_recall_is_worth_more_with_a_larger_beta(rows):
    scores, labels = arrays(rows)
    cuts = [Objective(beta=beta)(scores, labels) for beta in (0.2, 1.0, 5.0)]
    assert cuts == sorted(cuts, reverse=True)


def test_a_fit_parts_what_can_be_parted(tmp_path):
    fit = evals.fit_threshold(PAIRS, embedder=None)
    assert (fit.precision.value, fit.recall.value) == (1.0, 1.0)
    assert fit.low <= fit.threshold <= fit.high
    assert (fit.pairs, fit.questions, fit.embedder, fit.mode) == (20, 10, "words", "keyword")
    fit.save(tmp_path / "ctxlab.toml", cx.Config().with_({"semantic.k": 3}))
    loaded = cx.Config.load(tmp_path / "ctxlab.toml")
    assert loaded.semantic.min_score == round(fit.threshold, 4)
    assert (loaded.semantic.k, loaded.semantic.mode) == (3, "keyword")


def test_labels_without_a_pattern_have_no_held_out_precision():
    draw = np.random.default_rng(1)
    rows = [(q, t, bool(draw.integers(2))) for q, t, _ in PAIRS * 6]
    fit = evals.fit_threshold([(f"{n} {q}", t, x) for n, (q, t, x) in enumerate(rows)], None)
    assert fit.precision.low < 0.5 < fit.precision.high


def test_the_same_seed_gives_the_same_fit():
    one, two = (evals.fit_threshold(PAIRS, None, seed=3).to_frame() for _ in range(2))
    assert one.equals(two)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_meaning_is_fitted_on_the_support_pairs(lang):
    pairs = cx.load_support(lang).pairs.iloc[:60]
    fit = evals.fit_threshold(pairs, mode="dense", beta=0.5)
    assert fit.embedder.startswith("use-multilingual")
    assert 0 < fit.threshold < 1
    assert fit.config().semantic.mode == "dense"


def test_scores_are_those_of_a_search():
    pairs = PAIRS[:6]
    with cx.Memory("sqlite://", clock=cx.ManualClock("2026-01-01T00:00:00+00:00")) as memory:
        who = {"entity": "customer:U1", "agent": "support"}
        texts = list(dict.fromkeys(text for _, text, _ in pairs))
        for text in texts:
            memory.write(text, **who, kind="fact", audience="shared", source="manual")
        hits = memory.search(pairs[0][0], **who, k=9, min_score=0.0)
        model = memory._space.embedder
    assert len(hits) == len(texts)
    # A record is searched by its topic and text.
    scores = score_pairs(
        [pairs[0][0]] * len(hits), [h.record.topic_text for h in hits], model, "hybrid"
    )
    assert scores == pytest.approx([hit.score for hit in hits], abs=2e-3)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_files_are_read(tmp_path, suffix):
    path = tmp_path / f"pairs.{suffix}"
    if suffix == "csv":
        path.write_text("query,text,relevant\n" + "\n".join(f"{q},{t},{x}" for q, t, x in PAIRS))
    else:
        rows = [{"query": q, "text": t, "relevant": x} for q, t, x in PAIRS]
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert evals.read_pairs(path)["relevant"].tolist() == [x for *_, x in PAIRS]


@pytest.mark.parametrize(
    ("pairs", "options", "named"),
    [
        ([("a", "b", "maybe")], {}, "maybe"),
        ([("a", "b", True)], {}, "one label"),
        ([("a", " ", True), ("a", "b", False)], {}, "blank"),
        ([("a", "b")], {}, "query, text, relevant"),
        (PAIRS, {"folds": 50}, "10 questions"),
        (PAIRS, {"folds": 1}, "folds 1"),
        (PAIRS, {"mode": "fuzzy"}, "fuzzy"),
        (PAIRS, {"precision": 1.5}, "1.5"),
        (PAIRS, {"beta": 0}, "beta 0"),
        ([(q, t, not x) for q, t, x in PAIRS], {"precision": 0.9}, "no threshold reaches"),
        ("absent.csv", {}, "absent.csv"),
    ],
)
def test_what_cannot_be_fitted_is_named(pairs, options, named):
    with pytest.raises(DataError, match=named):
        evals.fit_threshold(pairs, None, **options)


def test_plot_shows_the_operating_point():
    fit = evals.fit_threshold(PAIRS, None)
    axes = fit.plot().axes[0]
    assert any(np.allclose(line.get_xdata(), fit.threshold) for line in axes.lines)
    assert "minimum score" in axes.get_xlabel()

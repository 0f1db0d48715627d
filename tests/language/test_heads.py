"""Heads in numpy: parity with scikit-learn, round trips, evidence that adds up, calibration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ctxlab.errors import DataError
from ctxlab.language import fit
from ctxlab.language.heads import Grams, Head, load_head, softmax
from ctxlab.language.report import Answers


def data(classes: int = 3, rows: int = 240) -> tuple[np.ndarray, list[str], list]:
    rng = np.random.default_rng(0)
    truth = rng.integers(classes, size=rows)
    dense = rng.normal(size=(rows, 5)).astype(np.float32)
    dense[:, :classes] += 2 * np.eye(classes, dtype=np.float32)[truth]
    thirds = [list(range(i, rows, 3)) for i in range(3)]
    folds = [(sorted(set(range(rows)) - set(check)), check) for check in thirds]
    return dense, [f"c{t}" for t in truth], folds


@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_head_says_what_scikit_learn_says(classes: int) -> None:
    dense, labels, folds = data(classes)
    head = fit.fit_head(dense, labels, folds).head
    standard = (dense - dense.mean(axis=0)) / dense.std(axis=0)
    model = LogisticRegression(C=0.1, max_iter=1000).fit(standard, labels)
    np.testing.assert_allclose(
        softmax(head.logits(dense)),
        model.predict_proba(standard),
        atol=5e-3,  # stops earlier
    )


def test_an_mlp_learns_what_no_line_separates() -> None:
    rng = np.random.default_rng(1)
    dense = rng.uniform(-1, 1, size=(600, 2)).astype(np.float32)
    labels = ["yes" if a * b > 0 else "no" for a, b in dense]
    folds = [(list(range(300)), list(range(300, 600))), (list(range(300, 600)), list(range(300)))]

    def accuracy(hidden: int) -> float:
        chances = fit.fit_head(dense, labels, folds, hidden=hidden, strength=100).unseen
        return float(np.mean((chances[:, 1] > 0.5) == (np.array(labels) == "yes")))

    assert accuracy(16) > 0.85 > 0.65 > accuracy(0)


def test_save_and_load_change_nothing_that_matters(tmp_path: Path) -> None:
    dense, labels, folds = data()
    grams = [[label, "common"] for label in labels]
    head = fit.fit_head(dense, labels, folds, grams=grams).head
    head.save(tmp_path / "a.npz")
    head.save(tmp_path / "b.npz")
    back = Head.load(tmp_path / "a.npz")
    assert back.classes == head.classes
    np.testing.assert_allclose(
        back.probabilities(dense, grams), head.probabilities(dense, grams), atol=5e-3
    )
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_evidence_adds_up_to_the_margin() -> None:
    dense, labels, folds = data()
    grams = [[label, "common"] for label in labels]
    head = fit.fit_head(dense, labels, folds, grams=grams).head
    names = ["meaning:0", "meaning:1", "meaning:2", "cue:a", "cue:b"]
    found = head.evidence(dense[0], grams[0], "c1", names)
    logits = head.logits(dense[:1], grams[:1])[0] - head.layers[0][1]
    assert set(found) == {"meaning", "cue:a", "cue:b", labels[0], "common"}
    assert sum(found.values()) == pytest.approx(logits[1] - (logits[0] + logits[2]) / 2, abs=1e-3)


def test_a_text_far_from_all_training_stays_bounded() -> None:
    dense, labels, folds = data()
    head = fit.fit_head(dense, labels, folds).head
    assert np.isfinite(head.logits(np.full((1, 5), 1e9, np.float32))).all()
    np.testing.assert_array_equal(
        head.logits(np.full((1, 5), 1e9, np.float32)), head.logits(np.full((1, 5), 1e6, np.float32))
    )


def test_calibration_cools_a_head_that_is_too_sure() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(2, size=2000)
    honest = np.where(rng.random(2000) < 0.75, truth, 1 - truth)
    logits = np.stack([-8.0 * honest, 8.0 * honest], axis=1).astype(np.float32)
    temperature, shift = fit._calibrate(logits, truth)
    sure = softmax(logits / temperature + shift).max(axis=1)
    assert sure.mean() == pytest.approx(0.75, abs=0.03)


def test_yes_is_the_sum_of_the_classes_that_mean_it() -> None:
    dense, labels, folds = data()
    head = fit.fit_head(dense, labels, folds).head
    head = replace(head, extra={"yes": ["c0", "c2"]})
    np.testing.assert_allclose(head.yes(dense), 1 - head.probabilities(dense)[:, 1], atol=1e-5)


def test_sorts_are_told_apart_and_summed(tmp_path: Path) -> None:
    dense, labels, folds = data()
    fine = ["c1:odd" if label == "c2" else label for label in labels]
    grams = [[label, "common"] for label in fine]
    head = fit.fit_head(dense, fine, folds, grams=grams).head
    head = replace(head, classes=("c0", "c1"), sorts=head.classes, extra={"yes": ["c0", "c1:odd"]})
    told = head.fine(dense, grams)
    np.testing.assert_allclose(
        head.probabilities(dense, grams), np.stack([told[:, 0], told[:, 1] + told[:, 2]], axis=1)
    )
    np.testing.assert_allclose(head.yes(dense, grams), told[:, 0] + told[:, 2], atol=1e-6)
    # What speaks for a class speaks for the sort of it that was meant.
    row = fine.index("c1:odd")
    assert head.evidence(dense[row], grams[row], "c1", list("abcde"))["c1:odd"] > 0
    head.save(tmp_path / "a.npz")
    back = Head.load(tmp_path / "a.npz")
    assert back.sorts == head.sorts
    np.testing.assert_allclose(back.fine(dense, grams), told, atol=5e-3)


def test_a_fit_repeats_itself() -> None:
    dense, labels, folds = data()
    first, second = (fit.fit_head(dense, labels, folds, hidden=4).head for _ in range(2))
    np.testing.assert_array_equal(first.logits(dense), second.logits(dense))


def test_shipped_heads_are_small_and_complete() -> None:
    from ctxlab.language.heads import WEIGHTS

    for name in fit.HEADS:
        head = load_head(name)
        assert (WEIGHTS / f"{name}.npz").stat().st_size < 3_000_000
        chances = head.probabilities(np.zeros((2, len(head.mean)), np.float32), [["a"], []])
        np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-5)


def test_a_missing_head_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"ctxlab\.language\.fit"):
        Head.load(tmp_path / "none.npz")


def test_hashes_are_the_same_everywhere() -> None:
    assert Grams(["以 后"]).codes[0] % (1 << 15) == 14178
    assert Grams(["\ud800"]).codes[0] >= 0


def known_grams() -> tuple[Head, list[list[str]]]:
    dense, labels, folds = data()
    grams = [[label, "common", f"only {row}"] for row, label in enumerate(labels)]
    return fit.fit_head(dense, labels, folds, grams=grams, least=2).head, grams


def test_what_one_text_alone_holds_is_not_known() -> None:
    head, grams = known_grams()
    assert head.keys is not None
    assert sorted(head.keys) == sorted(Grams(["c0", "c1", "c2", "common"]).codes)
    dense = np.zeros((2, 5), np.float32)
    # Nor does it change what the known ones count, however many stand beside them.
    strange = [*grams[0], *(f"strange {n}" for n in range(50))]
    np.testing.assert_allclose(*head.logits(dense, [grams[0], strange]), atol=1e-6)


def test_what_all_texts_hold_tells_nothing() -> None:
    head, _ = known_grams()
    row = head.known(Grams(["common"]).codes)
    assert np.abs(head.table[row]).max() < 1e-6 < np.abs(head.table).max()


def test_known_ngrams_survive_a_save(tmp_path: Path) -> None:
    head, grams = known_grams()
    head.save(tmp_path / "a.npz")
    back = Head.load(tmp_path / "a.npz")
    dense = np.zeros((len(grams), 5), np.float32)
    assert back.power == head.power != 0.5
    np.testing.assert_allclose(back.logits(dense, grams), head.logits(dense, grams), atol=5e-2)


def test_report_figures_by_hand() -> None:
    got = Answers(
        np.array(["a", "a", "b", "b"], dtype=object),
        np.array(["a", "b", "b", "b"], dtype=object),
        np.array([0.95, 0.55, 0.95, 0.95]),
    )
    assert got.accuracy == 0.75
    assert got.f1("a") == pytest.approx(2 / 3)
    assert got.f1() == pytest.approx((2 / 3 + 0.8) / 2)
    assert got.calibration_error() == pytest.approx(0.25 * 0.55 + 0.75 * 0.05)

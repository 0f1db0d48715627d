"""The loader of labelled sentences, its split and the agreement of labellers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from ctxlab.errors import DataError
from ctxlab.language import corpus


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "references").mkdir()
    line = '{"text": "a\u2028b", "refers": true, "cue": "none", "why": ""}\n'
    (tmp_path / "references" / "zh_shop.jsonl").write_text(line + "\n" + line, encoding="utf-8")
    (tmp_path / "references" / "en_airline.jsonl").write_text(line, encoding="utf-8")
    return tmp_path


def test_language_and_domain_come_from_the_file_name(root: Path) -> None:
    rows = corpus.load("references", root=root)
    assert [(r["lang"], r["domain"]) for r in rows] == [
        ("en", "airline"), ("zh", "shop"), ("zh", "shop"),
    ]  # fmt: skip
    assert rows[0]["text"] == "a\u2028b"
    assert len(corpus.load("references", lang="zh", root=root)) == 2
    assert len(corpus.load("references", domains=["airline"], root=root)) == 1


def test_a_bad_line_is_named(root: Path) -> None:
    (root / "references" / "en_shop.jsonl").write_text('{"text": "a"}\n{oops\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"en_shop\.jsonl line 2"):
        corpus.load("references", root=root)
    with pytest.raises(DataError, match="unknown task"):
        corpus.load("poems")


def test_no_sentence_of_a_test_domain_is_trained_on() -> None:
    for task in ("statements", "pairs", "references"):
        rows = corpus.load(task)
        train, test = corpus.split(rows)
        assert 0 <= len(rows) - len(train) - len(test) < 20  # sentences that occur in both
        assert {row["domain"] for row in test} == set(corpus.TEST_DOMAINS)
        assert {corpus.AUTHORS[r["domain"]] for r in train}.isdisjoint(
            {corpus.AUTHORS[r["domain"]] for r in test}
        )
        key = "old" if task == "pairs" else "text"
        assert {(r[key], r.get("new")) for r in train}.isdisjoint(
            {(r[key], r.get("new")) for r in test}
        )


def test_folds_leave_out_whole_authors() -> None:
    rows, _ = corpus.split(corpus.load("references"))
    seen: list[int] = []
    for fit, check in corpus.folds(rows):
        writers = {corpus.AUTHORS[rows[i]["domain"]] for i in check}
        assert len(writers) == 1
        assert writers.isdisjoint({corpus.AUTHORS[rows[i]["domain"]] for i in fit})
        seen += check
    assert sorted(seen) == list(range(len(rows)))


def test_every_row_follows_the_guide() -> None:
    kinds = {"fact", "preference", "request", "commitment", "event", "emotion", "chitchat"}
    for row in corpus.load("statements"):
        assert row["kind"] in kinds
        assert row["speaker"] in {"customer", "agent"}
        assert row["kind"] != "chitchat" or not row["actionable"]
        assert row["kind"] != "emotion" or row["private"]


def test_kappa_agrees_with_scikit_learn() -> None:
    kinds = ["fact", "event", "fact", "request", "event", "fact", "request", "emotion"]
    other = ["fact", "fact", "fact", "request", "event", "event", "request", "chitchat"]
    a = [{"text": str(i), "kind": k, "private": i < 4} for i, k in enumerate(kinds)]
    b = [{"text": str(i), "kind": k, "private": i < 4} for i, k in enumerate(other)]
    got = corpus.agreement(a, [*reversed(b), {"text": "only here", "kind": "fact"}])
    assert got["kind"] == pytest.approx(cohen_kappa_score(kinds, other))
    assert got["private"] == 1.0
    with pytest.raises(DataError, match="no row"):
        corpus.agreement(a, [{"text": "elsewhere", "kind": "fact"}])

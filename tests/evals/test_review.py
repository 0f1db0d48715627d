"""The closed loop: what is drawn for review, and what verdicts speak for."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

import ctxlab as cx
from ctxlab import evals
from ctxlab.errors import DataError
from ctxlab.evals.review import COLUMNS, VERDICTS

SAID = [
    ("我的订单 A1029 到哪了？", "在途中，预计周五送达。"),
    ("以后请用邮件联系我，不要打电话。", "好的，以后用邮件联系您。"),
    ("My desk A1029 arrived scratched, I want a replacement.", "Arranged, it comes on Friday."),
    ("Please never send me vouchers.", "Noted, no vouchers."),
]


@pytest.fixture(scope="module")
def drawn():
    clock = cx.ManualClock("2026-03-01T09:00:00+00:00")
    with cx.ContextEngine("sqlite://", clock=clock) as engine:
        for user in ("U1", "U2"):
            session = engine.open_session(user_id=user)
            for asked, told in SAID:
                session.prepare(asked)
                session.commit(told)
                clock.advance(timedelta(minutes=1))
            session.end()
            clock.advance(timedelta(days=1))
            session = engine.open_session(user_id=user)
            session.prepare("where is the desk A1029, was it scratched?")
            session.commit("I will check.")
            session.end()
        engine.flush()
        yield evals.sample_for_review(engine, n=50), engine


def test_each_row_is_one_thing_a_model_is_shown(drawn):
    table, engine = drawn
    assert list(table) == COLUMNS
    assert set(table["kind"]) == {"profile", "summary", "context"}
    assert table["id"].is_unique and (table["verdict"] == "").all()
    assert set(table["entity"]) == {"customer:U1", "customer:U2"}
    stored = {
        r.text
        for user in ("U1", "U2")
        for r in engine.memory.profile(entity=f"customer:{user}", agent="support", limit=99)
    }
    assert set(table.loc[table["kind"] == "profile", "text"]) <= stored
    context = table[table["kind"] == "context"]
    assert context["score"].ge(context["floor"] / 2).all()


def test_another_role_sees_its_own_only(drawn):
    _, engine = drawn
    other = evals.sample_for_review(engine, n=50, agent="sales")
    assert set(other["kind"]) <= {"profile"}  # what is shared, no summary and no conversation


def test_the_draw_is_seeded_and_the_file_comes_back(drawn, tmp_path):
    _, engine = drawn
    path = tmp_path / "review.csv"
    one = evals.sample_for_review(engine, n=3, seed=5, path=path)
    two = evals.sample_for_review(engine, n=3, seed=5)
    assert one["id"].tolist() == two["id"].tolist()
    assert one.groupby("kind").size().max() <= 3
    filled = pd.read_csv(path).assign(verdict="")
    filled.loc[0, "verdict"] = "过时"
    filled.to_csv(path, index=False)
    read = evals.read_verdicts(path)
    assert read["verdict"].tolist() == ["stale"] and read["id"].tolist() == [one["id"].iloc[0]]


def rows(n, **columns):
    """Make a review table of n rows; a list gives each row its own value."""
    base = {
        "id": [f"x:{i}" for i in range(n)],
        "kind": "profile",
        "entity": "customer:U1",
        "agent": "support",
        "question": [f"q{i // 2}" for i in range(n)],
        "text": "t",
        "detail": "fact",
        "confidence": 0.9,
        "score": 0.5,
        "floor": 0.3,
        "age_days": 1.0,
        "sensitivity": "",
        "verdict": "ok",
        "note": "",
    }
    return pd.DataFrame({**base, **columns})


def test_a_minimum_score_is_suggested_where_it_lets_in_what_is_irrelevant():
    score = np.linspace(0.2, 0.9, 60)
    verdict = np.where(score > 0.6, "ok", "irrelevant")
    table = rows(60, kind="context", score=score, verdict=verdict)
    (row,) = evals.suggest(table).to_dict("records")
    assert (row["action"], row["setting"]) == ("change", "semantic.min_score")
    assert row["now"] == 0.3 and 0.58 < row["proposed"] < 0.66
    assert row["low"] > 0.6 and set(row["examples"].split()) <= set(table["id"])
    better = cx.Config().with_({row["setting"]: row["proposed"]})
    assert evals.suggest(table, better).loc[0, "action"] == "keep"


def test_a_few_verdicts_change_nothing():
    table = rows(6, kind="context", verdict=["ok", "irrelevant"] * 3)
    assert evals.suggest(table)["action"].tolist() == ["too few"]
    assert evals.suggest(rows(50)).empty  # all is well
    once = rows(50, verdict=["wrong", *["ok"] * 49])
    assert evals.suggest(once).empty  # within what is tolerated


def test_old_and_stale_shortens_the_life_of_that_kind():
    age = np.arange(40.0)
    verdict = np.where(age >= 20, "stale", "ok")
    table = rows(40, detail="preference", age_days=age, verdict=verdict)
    (row,) = evals.suggest(table).to_dict("records")
    assert (row["action"], row["setting"]) == ("change", "durable.ttl_days.preference")
    assert row["now"] == 365.0 and row["proposed"] == 20.0
    assert cx.Config().with_({row["setting"]: row["proposed"]}).durable.ttl_days["preference"] == 20
    young = rows(40, detail="preference", verdict="stale", age_days=0.1)
    assert evals.suggest(young)["action"].tolist() == ["rule"]


def test_one_sensitive_row_is_enough():
    table = rows(30, sensitivity=["contact", *[""] * 29], verdict=["sensitive", *["ok"] * 29])
    (row,) = evals.suggest(table).to_dict("records")
    assert (row["action"], row["setting"]) == ("change", "privacy.policy.contact")
    assert (row["now"], row["proposed"], row["examples"]) == ("keep", "mask", "x:0")
    unseen = rows(30, verdict=["sensitive", *["ok"] * 29])
    assert evals.suggest(unseen)["action"].tolist() == ["rule"]


@pytest.mark.parametrize("verdict", ["wrong", "duplicate", "irrelevant"])
def test_a_rule_at_fault_is_named_with_its_rows(verdict):
    table = rows(40, detail=["request"] * 20 + ["fact"] * 20, verdict=[verdict] * 10 + ["ok"] * 30)
    (row,) = evals.suggest(table).to_dict("records")
    assert row["action"] == "rule" and "request" in row["topic"] and row["setting"] == ""
    assert (row["rate"], row["n"]) == (0.5, 20) and row["examples"].startswith("x:0 x:1")


def test_every_verdict_is_understood_in_both_languages():
    words = [word for group in VERDICTS.values() for word in group]
    read = evals.read_verdicts(rows(len(words), verdict=words))
    assert set(read["verdict"]) == set(VERDICTS)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        (rows(2, verdict=["ok", "meh"]), "meh"),
        (rows(2, id=["a", "a"]), "a occurs twice"),
        (rows(2).drop(columns="score"), "score"),
        (rows(2, verdict=""), "no row has a verdict"),
    ],
)
def test_what_is_no_review_is_named(table, named):
    with pytest.raises(DataError, match=named):
        evals.suggest(table)


def test_wrong_settings_are_named(drawn):
    with pytest.raises(DataError, match="n=0"):
        evals.sample_for_review(drawn[1], n=0)
    with pytest.raises(DataError, match="soul"):
        evals.sample_for_review(drawn[1], kinds=("soul",))
    with pytest.raises(DataError, match="tolerance 2"):
        evals.suggest(rows(2), tolerance=2)

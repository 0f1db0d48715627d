"""The fitted router: same call as the rules, explains itself, fitted on outcomes, not on rules."""

import json

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab.context.fitted_router import FEATURES, FittedRouter
from ctxlab.context.routing import MODES, Router
from ctxlab.errors import DataError
from ctxlab.evals.routing import compare_routers, confusion, fit_router, route_needs


def outcome(turns, refers, needed, cheap=100):
    """A check's row: modes before the needed one fail, those after it cost more."""
    at = MODES.index(needed)
    row = {"turns": turns, "fits": True, "refers_back": refers, "needed": needed}
    for i, mode in enumerate(MODES):
        row |= {f"holds_{mode}": i >= at, f"tokens_{mode}": cheap * (i + 1)}
    return row


@pytest.fixture(scope="module")
def needs():
    """A world unlike the rules': references never matter, length from 30 turns does."""
    return pd.DataFrame(
        outcome(turns, refers, "EXHAUSTIVE" if turns < 30 else "RETRIEVAL")
        for turns in (1, 3, 6, 12, 18, 24, 36, 42, 48, 60, 90)
        for refers in (True, False)
    )


@pytest.fixture(scope="module")
def fitted(needs):
    return fit_router(needs, strength=100.0)


def test_it_follows_outcomes_where_they_contradict_the_rules(needs, fitted):
    assert Router()(turns=3, fits=True, refers_back=True).mode == "RETRIEVAL"
    assert fitted(turns=3, fits=True, refers_back=True).mode == "EXHAUSTIVE"
    table = confusion(needs, fitted)
    assert table.to_numpy().sum() == len(needs)
    assert table.loc["EXHAUSTIVE", "RETRIEVAL"] == table.loc["RETRIEVAL", "EXHAUSTIVE"] == 0
    assert confusion(needs, Router()).loc["EXHAUSTIVE", "RETRIEVAL"] == 6


def test_the_flip_it_names_is_one(fitted):
    found = 0
    for turns in range(1, 80):
        decision = fitted(turns, True)
        words = decision.nearest_flip.split()
        assert words[:1] == ["at"] and words[-1] in MODES
        at = int(words[1])
        assert fitted(at, True).mode == words[-1] != decision.mode
        nearer = range(min(at, turns) + 1, max(at, turns))
        assert all(fitted(n, True).mode == decision.mode for n in nearer)
        found += 1
    assert found == 79


def test_it_says_why_and_the_hook_still_has_the_last_word(fitted):
    told = fitted(turns=60, fits=True, tool_calls=9)
    assert told.mode == "RETRIEVAL"
    assert "log turns" in " ".join(told.reasons) and "9 tool calls" in told.reasons[-1]
    assert told.features == {"turns": 60, "fits": True, "refers_back": False, "tool_calls": 9}
    hooked = FittedRouter(
        classes=fitted.classes,
        weights=fitted.weights,
        biases=fitted.biases,
        decide=lambda features: "SUMMARY" if features["turns"] > 50 else None,
    )
    assert (hooked(60, True).mode, hooked(40, True).mode) == ("SUMMARY", "RETRIEVAL")


def test_weights_travel_as_plain_json(fitted, tmp_path):
    path = tmp_path / "router.json"
    fitted.save(path)
    body = json.loads(path.read_text(encoding="utf-8"))
    assert body["features"] == list(FEATURES)
    assert FittedRouter.load(path) == fitted
    path.write_text('{"classes": ["EXHAUSTIVE"], "weights": [[1.0]], "biases": [0.0]}')
    with pytest.raises(DataError, match="rows of 4"):
        FittedRouter.load(path)
    with pytest.raises(DataError, match=r"nowhere\.json"):
        FittedRouter.load(tmp_path / "nowhere.json")


def test_comparison_counts_tokens_and_answers(needs, fitted):
    table = compare_routers(needs, {"fitted": fitted}).set_index("router")
    assert table.loc["fitted", "held"] == table.loc["always RETRIEVAL", "held"] == 1.0
    assert table.loc["always EXHAUSTIVE", "held"] == pytest.approx(12 / 22)
    assert table.loc["fitted", "tokens"] == table.loc["needed", "tokens"]
    assert table.loc["needed", "tokens"] < table.loc["always RETRIEVAL", "tokens"]


def test_unanswerable_checks_teach_nothing_and_one_mode_is_no_lesson(needs, fitted):
    lost = pd.DataFrame([outcome(2, True, "EXHAUSTIVE") | {"needed": ""}] * 50)
    assert fit_router(pd.concat([needs, lost]), strength=100.0) == fitted
    with pytest.raises(DataError, match="nothing to fit"):
        fit_router(needs[needs["needed"] == "EXHAUSTIVE"])


def test_replay_asks_each_check_under_each_mode():
    """One customer, words alone: modes are forced whatever the rules say."""
    data = cx.load_support("en")
    quick = cx.Config().with_({"mitigations.privacy": False})
    table = route_needs(data, ["U001"], quick, embedder=None)
    assert len(table) == (data.checks["user_id"] == "U001").sum()
    for row in table.to_dict("records"):
        holding = [mode for mode in MODES if row[f"holds_{mode}"]]
        assert row["needed"] in (holding or [""])
        assert all(row[f"tokens_{row['needed']}"] <= row[f"tokens_{m}"] for m in holding)


def test_the_engine_uses_the_router_it_is_given():
    always = FittedRouter(classes=("SUMMARY",), weights=((0.0,) * 4,), biases=(0.0,))
    with cx.ContextEngine(embedder=None, router=always) as engine:
        context = engine.open_session(user_id="U1").prepare("hello")
    assert context.route.mode == "SUMMARY"
    assert "no change" in context.route.nearest_flip


def test_shipped_weights_load_and_decide():
    router = FittedRouter.load()
    assert {router(turns, True).mode for turns in (1, 30, 100)} <= set(MODES)

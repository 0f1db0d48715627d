"""The failure bench: each failure can be provoked, and each can be avoided (R95)."""

from __future__ import annotations

import pytest

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.failures import FAILURES, METRICS, failure_cases, failure_rates
from ctxlab.evals.injectors import INJECTORS, LIVED
from ctxlab.evals.playing import Asked
from ctxlab.evals.systems import (
    CtxLab,
    FlatVectors,
    FullHistory,
    MemorySystem,
    NoMemory,
    RollingWindow,
    Seen,
)


class Careless:
    """A control: one pile for everyone, put into the instructions line by line, never erased."""

    name = "careless"

    def open(self):
        return Pile()


class Pile(MemorySystem):
    def __init__(self):
        self.said = []

    def observe(self, message, place, state=None):
        self.said.append(str(message.get("content") or ""))

    def context(self, question, place, budget):
        told = [{"role": "system", "content": text} for text in ("Be kind.", "\n".join(self.said))]
        return Seen([*told, {"role": "user", "content": question}])

    def search(self, query, place, k=5):
        return list(self.said)

    def erase(self, user):
        pass

    def stored(self, user):
        return "\n".join(self.said)


NAIVE = [
    NoMemory(),
    FullHistory(),
    RollingWindow(),
    RollingWindow(messages=20),
    FlatVectors(),
    Careless(),
]


@pytest.fixture(scope="module")
def cases():
    return failure_cases(NAIVE, lang=("zh", "en"))


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_can_be_provoked_and_avoided(cases, failure):
    found = failure_rates(cases[cases["failure"] == failure], ("lang", "system"))
    for _, part in found.groupby("lang"):
        assert part["rate"].max() > 0, "nothing can fail this"
        assert part["rate"].min() == 0, "nothing can pass this"
        assert (part["n"] > 0).all()


def test_forgetting_everything_avoids_leaks_and_is_seen_to(cases):
    rates = failure_rates(cases).set_index(["system", "failure"])
    for failure in ("contamination", "cross-agent", "stale facts", "duplicates"):
        assert rates.loc[("no memory", failure), "rate"] == 0
        assert rates.loc[("no memory", failure), "kept"] == 0
        assert rates.loc[("full history", failure), "kept"] == 1
    assert rates.loc[("no memory", "scale"), "rate"] == 1


def test_every_failure_has_an_injector_and_a_metric():
    assert set(FAILURES) == {*INJECTORS, *LIVED.values(), "erasure"}
    assert set(METRICS) == set(FAILURES) - {"erasure"}


@pytest.mark.parametrize("failure", INJECTORS)
def test_scenes_are_told_alike_each_time_and_the_question_gives_nothing_away(failure):
    one, other = (INJECTORS[failure](["zh", "en"], 1, 5) for _ in range(2))
    for scene, again in zip(one, other, strict=True):
        assert [e.place for e in scene.script] == [e.place for e in again.script]
        times = [e.place.time for e in scene.script]
        assert times == sorted(times)
        for event in scene.script:
            if isinstance(event, Asked):
                held = event.check["must"] + [event.check.get("literal", "never")]
                assert not any(literal in event.check["question"] for literal in held)


@pytest.mark.parametrize("failure", ["overflow", "orphan tools", "stale tools"])
def test_ctxlab_makes_legal_lists_within_budget_and_marks_what_is_old(failure):
    spec = CtxLab(embedder=None)  # none of this takes understanding
    assert evals.failure_bench(spec, [failure], "en")["rate"].tolist() == [0.0]


def test_ctxlab_keeps_a_customer_from_writing_its_memory():
    assert evals.failure_bench(CtxLab(), ["boundary forgery"], "zh")["rate"].tolist() == [0.0]


def test_an_unknown_failure_is_named():
    with pytest.raises(cx.DataError, match="nothing"):
        evals.failure_bench(NoMemory(), ["nothing"])

"""Stories of memories, and the explorer over what age leaves of them."""

import itertools
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab.lab.dated import Remembered
from ctxlab.layers.memory import Memory

LANGS = ["en", "zh"]
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
ROWS = [
    {"text": "Prefers e-mail.", "kind": "preference", "day": 2},
    {"text": "Was furious.", "kind": "emotion", "day": 0, "relevance": 0.8},
]


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return cx.lab.DecayExplorer(lang=request.param)


def feelings(data):
    return [one for one in data.comes_in if one.memory.kind == "emotion"]


# ------------------------------------------------------------------ stories


@pytest.mark.parametrize("lang", LANGS)
def test_the_built_in_story_has_every_kind(lang):
    from ctxlab.types import KINDS

    assert {memory.kind for memory in cx.lab.remembered(lang=lang)} == set(KINDS)


def test_rows_tables_files_and_records(tmp_path):
    path = tmp_path / "mine.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    expected = (
        Remembered("Prefers e-mail.", "preference", 2.0),
        Remembered("Was furious.", "emotion", 0.0, relevance=0.8),
    )
    for source in (ROWS, pd.DataFrame(ROWS), path):
        assert cx.lab.remembered(source) == expected
    with Memory("sqlite://", embedder=None) as memory:
        for day in (0, 3):
            memory.write(
                f"Order K1276{day} is late.",
                entity="customer:1",
                agent="a",
                kind="fact",
                at=START + timedelta(days=day),
            )
        records = memory.profile(entity="customer:1", agent="a")
    assert sorted(one.day for one in cx.lab.remembered(records)) == [0.0, 3.0]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([], "none"),
        ([{"text": "x"}], "memory 1"),
        ([{"text": "x", "kind": "mood"}], "'mood'"),
        ([{"text": "x", "kind": "fact", "day": -1}], "day -1"),
        ([{"text": "x", "kind": "fact", "day": "soon"}], "numbers"),
        ([{"text": "x", "kind": "fact", "relevance": 3}], "relevance 3"),
    ],
)
def test_what_is_wrong_is_named(rows, named):
    with pytest.raises(cx.DataError, match=named):
        cx.lab.remembered(rows)


# ------------------------------------------------------------------ the explorer


@pytest.mark.parametrize("day", [0, 7, 14, 28, 60])
@pytest.mark.parametrize("settings", [{}, {"curve": "power"}, {"fading": False}, {"emotion": 30}])
def test_what_comes_in_is_what_the_memory_returns(explorer, day, settings):
    """Parity: the same story told to a real memory, and asked on that day."""
    config = explorer.config.with_(explorer.changes(**settings))
    config = config.with_({"mitigations.duplicates": False, "mitigations.privacy": False})
    clock = cx.ManualClock(START)
    data = explorer.compute(day=day, **settings)
    with Memory("sqlite://", config=config, clock=clock) as memory:
        for one in explorer.memories:
            if one.day > day:
                continue
            clock.set(START + timedelta(days=one.day))
            memory.write(
                one.text, entity="customer:1", agent="a", kind=one.kind, attribute=one.attribute
            )
        clock.set(START + timedelta(days=day))
        hits = memory.search(data.question, entity="customer:1", agent="a", k=20)
    assert {hit.record.text for hit in hits} == {one.memory.text for one in data.comes_in}
    expected = {one.memory.text: one.score for one in data.aged}
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.record.text], abs=5e-3)


def test_presets(explorer):
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert broken.day == fixed.day
    assert feelings(broken) and not feelings(fixed)
    assert feelings(explorer.compute(day=0))  # today it matters: fading isn't forgetting


def test_longer_half_lives_leave_more(explorer):
    left = [explorer.compute(emotion=days).weights["emotion"] for days in (1, 7, 90)]
    for short, long in itertools.pairwise(left):
        assert all(a <= b for a, b in zip(short, long, strict=True)) and short != long


def test_only_act_r_heeds_use_and_no_feeling_is_renewed(explorer):
    for curve in ("exponential", "power", "act-r"):
        unused, used = (explorer.compute(curve=curve, uses=n).weights for n in (0, 10))
        assert (unused["event"] != used["event"]) == (curve == "act-r")
        assert unused["emotion"] == used["emotion"]


def test_no_expiry_is_in_the_config(explorer):
    explorer.set(expiry=False, emotion=14)
    assert explorer.config.durable.ttl_days == {}
    assert explorer.config.decay.half_life_days["emotion"] == 14
    explorer.set(**explorer.defaults)


def test_another_question(explorer):
    asked = explorer.say("Which address?", "哪个地址？")
    assert explorer.compute(question=asked).question == asked
    assert explorer.png(question=asked)


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], ROWS * 8])
def test_own_memories_draw_and_speak(rows):
    explorer = cx.lab.DecayExplorer(rows, lang="en")
    for day in (0, 28):
        data = explorer.compute(day=day)
        assert explorer.readout(data) and explorer.draw(data)

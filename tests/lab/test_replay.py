"""The replay explorer says what `evals.replay` found, for built-in and for own logs."""

import json

import pytest

import ctxlab as cx
from ctxlab.evals import replay
from ctxlab.lab.replay import ReplayExplorer

LANGS = ["en", "zh"]
CALL = {"id": "c1", "function": {"name": "lookup_order", "arguments": '{"order_id": "K12761"}'}}
SAID = [
    {"role": "user", "content": "Order K12761 is late"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "on its way"},
    {"role": "assistant", "content": "It's on its way."},
    {"role": "user", "content": "Since when?"},
]


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return ReplayExplorer(lang=request.param)


def test_numbers_are_the_replays(explorer):
    """Parity: both sides of one comparison, replayed together, have these tokens and parts."""
    settings = explorer.presets["broken"]
    data = explorer.compute(**settings)
    s = explorer.completed(settings)
    talk = next(iter(explorer._talks.values()))
    off = {"mitigations.privacy": False}
    configs = [cx.Config().with_(explorer._changes(side, s) | off) for side in "AB"]
    found = replay([talk], *configs, counts=())
    for name, side in data.sides.items():
        rows = found.frame[found.frame["config"] == name]
        assert [sum(used.values()) for used in side.used] == rows["total"].tolist()
        assert side.limit == found.limits[name]
    row = found.diff().iloc[data.at]
    assert (len(data.only("A")), len(data.only("B"))) == (row["only_a"], row["only_b"])
    marks = found.side_by_side(talk.id, data.at)["in"].tolist()
    assert len(data.pairs) == len(marks)


def test_claims(explorer):
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert broken.at == fixed.at and broken.lost("B") and not fixed.lost("B")
    assert broken.share_lost("B") > fixed.share_lost("B")
    assert broken.share_lost("A") == 0.0
    for data in (broken, fixed):
        for side in data.sides.values():
            assert all(side.total(i) <= side.limit for i in range(len(data.said)))


def test_equal_configurations_have_no_diff(explorer):
    s = explorer.presets["fixed"]
    same = {"window_a": s["window_b"], "memory_a": s["memory_b"]}
    data = explorer.compute(**{**s, **same})
    assert data.only("A") == data.only("B") == []
    assert data.sides["A"] == data.sides["B"]


def test_any_share_is_legal(explorer):
    for memory in (0, 40):
        config = cx.Config().with_(explorer.changes(memory_b=memory))
        assert config.budget.shares.memory == pytest.approx(memory / 100)
    crowded = cx.Config().with_({"budget.shares": {**_shares(), "recent": 0.05, "reserve": 0.55}})
    explorer = ReplayExplorer(SAID, lang="en", b=crowded)
    assert cx.Config().with_(explorer.changes(memory_b=40)).budget.shares.memory <= 0.3


def _shares():
    return cx.Config().budget.shares.model_dump()


def test_own_logs_and_own_configurations(tmp_path):
    lines = tmp_path / "log.jsonl"
    talks = [{"id": "one", "messages": SAID[:1]}, {"id": "two", "messages": SAID}]
    lines.write_text("\n".join(map(json.dumps, talks)))
    mine = cx.Config().with_({"budget.window": 1_234})
    explorer = ReplayExplorer(lines, lang="en", a=mine, b=cx.Config.preset("small"))
    assert explorer.defaults["window_a"] == 1_234 and explorer.defaults["window_b"] == 8_000
    assert explorer.config.semantic.k == 3  # what the sliders don't move stays the caller's
    assert explorer.defaults["talk"] == "two"
    data = explorer.compute(request=1)
    assert data.said == (SAID[0]["content"], SAID[2]["content"], SAID[4]["content"])
    assert data.facts == {"K12761": 0} and data.lost("A") == data.lost("B") == []
    alone = explorer.compute(talk="one", request=2)
    assert len(alone.said) == 1 and alone.at == 0
    assert explorer.png(request=1).startswith(b"\x89PNG")
    assert ReplayExplorer(SAID, lang="en").compute(request=2).said == data.said


def test_what_does_not_fit_is_said():
    giant = [SAID[0], SAID[3], {"role": "user", "content": "word " * 3_000}]
    explorer = ReplayExplorer(giant, lang="en")
    data = explorer.compute(request=1, window_b=explorer._windows[0])
    assert data.sides["B"].errors[1] and "does not fit" in explorer.readout(data)
    assert explorer.png(request=1, window_b=explorer._windows[0]).startswith(b"\x89PNG")


def test_a_damaged_log_is_named(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text("{")
    with pytest.raises(cx.DataError, match=r"bad\.jsonl"):
        ReplayExplorer(path)

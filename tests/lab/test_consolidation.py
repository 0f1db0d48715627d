"""The consolidation explorer: its verdicts are the offline pass's own."""

import itertools
from datetime import timedelta

import pytest

import ctxlab as cx
from ctxlab.consolidation import consolidate
from ctxlab.lab.consolidation import SESSIONS, ConsolidationExplorer

LANGS = ["en", "zh"]


@pytest.mark.parametrize("lang", LANGS)
def test_verdicts_are_those_of_a_pass(lang):
    """Parity: the same sessions through a memory and `consolidate` end the same way."""
    clock = cx.ManualClock("2026-01-05T09:00:00+00:00")
    memory = cx.Memory("sqlite://", clock=clock)
    for n, said in enumerate(SESSIONS[lang]):
        for k, text in enumerate(said):
            clock.advance(timedelta(hours=1))
            source = {"type": "extracted", "session_id": f"s{n}", "message_ids": (f"s{n}/{k}",)}
            memory.write(text, entity="customer:U1", agent="support", source=source)
    wanted = {(v.text, v.admitted, v.turns) for v in consolidate(memory).verdicts}
    drafts = ConsolidationExplorer(lang=lang).compute().drafts
    assert {(d.text, d.admitted, d.turns) for d in drafts} == wanted
    core = {record.text for record in memory.profile(entity="customer:U1", agent="support")
            if record.tier == "core"}  # fmt: skip
    assert core == {d.text for d in drafts if d.admitted}


@pytest.mark.parametrize("lang", LANGS)
def test_what_lasts_was_said_in_the_sessions_shown(lang):
    explorer = ConsolidationExplorer(lang=lang)
    first, *_ = explorer.compute().admitted
    assert first.sessions == (0, 1, 2) and first.reason == "said"
    assert [d.reason for d in explorer.compute(sessions=1).admitted] == ["core"]
    assert explorer.compute(sessions=1, core=False).admitted == ()


@pytest.mark.parametrize("lang", LANGS)
def test_a_laxer_rule_admits_more_and_never_feelings_or_tasks(lang):
    explorer = ConsolidationExplorer(lang=lang)
    kept = [{d.text for d in explorer.compute(times=n).admitted} for n in (1, 2, 3, 4)]
    assert all(a >= b for a, b in itertools.pairwise(kept)) and kept[0] > kept[1]
    for draft in explorer.compute(times=1).drafts:
        assert draft.admitted == (draft.kind not in ("emotion", "request", "commitment"))


def test_users_own_sessions():
    own = [
        ["I always pay by bank transfer"],
        [{"text": "I always pay by bank transfer"}, "It rains today"],
    ]
    explorer = ConsolidationExplorer(own, lang="en")
    assert [d.text for d in explorer.compute().admitted] == ["I always pay by bank transfer"]
    assert explorer.png().startswith(b"\x89PNG")


@pytest.mark.parametrize("data", [[], "text", ["text"], [[]], [[1]], 7])
def test_wrong_sessions_are_named(data):
    with pytest.raises(cx.DataError):
        ConsolidationExplorer(data)

"""The router explorer: its decisions are the engine's, its words are the reader's."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx

LANGS = ["en", "zh"]


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return cx.lab.RouterExplorer(lang=request.param)


def test_decisions_are_the_engines(explorer):
    """Parity: the same conversation through the public engine gives the same routes."""
    window = explorer._windows[0]
    data = explorer.compute(window=window)
    config = cx.Config().with_(explorer.changes(window=window) | {"mitigations.privacy": False})
    clock = cx.ManualClock("2026-01-05T09:00:00+00:00")
    turn = 0
    with cx.ContextEngine("sqlite://", config, clock=clock) as engine:
        session = engine.open_session()
        for message in cx.lab.conversation(None, explorer.lang):
            plain = {key: value for key, value in message.items() if key != "time"}
            if plain["role"] == "user":
                if turn % 6 == 0:  # a sixth of them will do: embedding all takes seconds
                    route = session.prepare(plain, tools=cx.lab.TOOLS).route
                    session.discard()
                    assert (route.features["fits"], route.features["refers_back"], route.mode) == (
                        data.tokens[turn] <= data.limit,
                        data.refers[turn],
                        data.modes[turn],
                    )
                turn += 1
            session.add(plain)
    assert turn == len(data.modes)


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(0, 8), st.sampled_from([5, 10, 20, 40]), st.booleans())
def test_the_turn_looked_at_agrees_with_its_place(turn, calls, below, fitted):
    explorer = _shared()
    kind = "fitted" if fitted else "rules"
    data = explorer.compute(turn=turn, calls=calls, full_below=below, router=kind)
    assert data.decision.mode == data.modes[turn - 1]
    row = 2 * data.refers[turn - 1] + (data.tokens[turn - 1] > data.limit)
    assert data.map[row][turn - 1] == data.decision.mode


def _shared(made=[]):  # noqa: B006  one for all of Hypothesis' examples
    if not made:
        made.append(cx.lab.RouterExplorer(lang="en"))
    return made[0]


def test_broken_asks_for_more_than_fits_and_fixed_does_not(explorer):
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert broken.at == fixed.at
    assert broken.decision.mode == "EXHAUSTIVE" and broken.tokens[broken.at - 1] > broken.limit
    assert broken.unfit > 0 and fixed.decision.mode != "EXHAUSTIVE"


@pytest.mark.parametrize(
    ("lang", "pointing", "plain"),
    [
        ("en", "Let's go with the plan we agreed on last time", "Do you ship to Hawaii?"),
        ("zh", "就按上次说的那个方案办吧", "你们寄到西藏吗？"),
    ],
)
def test_a_typed_message_takes_the_turns_place(lang, pointing, plain):
    explorer = cx.lab.RouterExplorer(lang=lang)
    before = explorer.compute(turn=3)
    back, new = (explorer.compute(turn=3, message=text) for text in (pointing, plain))
    assert back.decision.mode == "RETRIEVAL" and new.decision.mode == "EXHAUSTIVE"
    assert back.message == pointing and pointing[:30] in explorer.readout(back)
    assert back.modes[:2] == before.modes[:2]
    grown = {a - b for a, b in zip(back.tokens, before.tokens, strict=True)}
    assert len(grown) <= 2 and 0 in grown  # nothing before the turn, one difference from it on


def test_reasons_are_in_the_readers_language():
    explorer = cx.lab.RouterExplorer(lang="zh")
    for given_ in ({}, {"turn": 1}, {"turn": 12}, {"turn": 60, "calls": 6}, {"router": "fitted"}):
        text = explorer.readout(explorer.compute(**given_))
        text = re.sub(r"「.*?」|\(.*?\)|EXHAUSTIVE|SUMMARY|RETRIEVAL", "", text)
        assert not re.search(r"\b(turns?|would|message|fits?|fitted)\b", text), text


def test_users_own_conversation():
    said = [
        {"role": "user", "content": "Do you sell desks?"},
        {"role": "assistant", "content": "We do."},
        {"role": "user", "content": "As I said last week, the blue one."},
    ]
    explorer = cx.lab.RouterExplorer(said, lang="en")
    data = explorer.compute()
    assert data.at == 2 and data.decision.mode == "RETRIEVAL"
    assert explorer.png().startswith(b"\x89PNG")


def test_a_message_typed_into_the_view_changes_figure_and_words():
    explorer = cx.lab.RouterExplorer(lang="en")
    explorer.set(turn=12)
    view = explorer.view
    before = view.image.value, view.text
    view.controls["message"].value = "As I said, the blue one"
    assert view.image.value != before[0] and "As I said, the blue one" in view.text
    view.buttons["reset"].click()
    assert explorer.settings["message"] == ""

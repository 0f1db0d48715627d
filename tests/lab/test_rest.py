"""Checks of exercises, pictures, and a conversation played turn by turn."""

import base64
import html

import pytest

import ctxlab as cx
from ctxlab.lab import pictures
from ctxlab.lab.playback import Snapshot

TALK = [
    {"role": "user", "content": "Order K12761 is late"},
    {"role": "assistant", "content": "Let me see."},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": "On its way."},
]


def test_check_never_raises_and_says_which():
    result = cx.lab.check({"fine": lambda: True, "false": lambda: 0, "broken": lambda: 1 / 0}, "en")
    assert not result.passed
    assert result.wrong == ("false", "broken (ZeroDivisionError: division by zero)")
    assert repr(result).startswith("✘") and "ZeroDivisionError" in result._repr_html_()
    good = cx.lab.check({"fine": lambda: [1]}, "zh")
    assert good.passed and repr(good).startswith("✔ 通过")


def test_check_escapes():
    assert "<b>x" not in cx.lab.check({"<b>x": lambda: True})._repr_html_()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", pictures.__all__[1:])
def test_pictures(name, lang):
    shown = getattr(pictures, name)(lang)._repr_mimebundle_()
    assert base64.b64decode(shown["image/png"]).startswith(b"\x89PNG")
    assert f'alt="{html.escape(shown["text/plain"])}"' in shown["text/html"]
    assert any("\u4e00" <= ch <= "\u9fff" for ch in shown["text/plain"]) == (lang == "zh")


def test_the_budget_picture_follows_the_plan():
    texts = {text.get_text() for text in pictures.budget("en", 10_000).figure.axes[0].texts}
    assert {f"{n:,}" for n in cx.BudgetPlan(10_000).allot().values()} <= texts


def test_play_sees_and_loses():
    turns = cx.lab.play(TALK, cx.Config(), facts=["K12761", "never said"])
    assert [turn.visible for turn in turns] == [{"K12761"}, {"K12761"}]
    assert [turn.verbatim for turn in turns] == [0, 0]


def test_state_keeps_what_a_small_window_loses():
    filler = [m for i in range(30) for m in ({"role": "user", "content": f"{i} hm " * 20}, TALK[1])]
    small = cx.Config().with_({"budget.window": 400})
    shares = {"system": 0.2, "memory": 0.0, "recent": 0.5, "tools": 0.0, "reserve": 0.3}
    alone = small.with_({"budget.shares": shares})  # no room for a summary either
    last = cx.lab.play(TALK + filler, alone, facts=["K12761"])[-1]
    kept = cx.lab.play(TALK + filler, small, facts=["K12761"], state={"order": "K12761"})[-1]
    assert not last.visible and kept.visible
    assert last.verbatim > 0 and kept.used["state"] > 0


def test_what_cannot_fit_is_an_error_of_its_turn_alone():
    huge = [TALK[0], TALK[1], {"role": "user", "content": "x y " * 900}, TALK[3], TALK[2]]
    turns = cx.lab.play(huge, cx.Config().with_({"budget.window": 1_000}))
    assert [bool(turn.error) for turn in turns] == [False, True, False]


def test_fates():
    seen = Snapshot(turn=9, used={}, verbatim=6, told=3, visible=frozenset())
    fates = [seen.fate(turn) for turn in (0, 3, 6, 9, 10)]
    assert fates == ["dropped", "summary", "recent", "recent", "reserve"]


@pytest.mark.parametrize("lang", ["fr", "EN"])
def test_unknown_language(lang):
    with pytest.raises(cx.ConfigError, match=lang):
        cx.lab.BudgetExplorer(lang=lang)

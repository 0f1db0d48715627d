"""Pictures of upkeep follow what they draw."""

import pytest

import ctxlab as cx
from ctxlab.context.routing import MODES
from ctxlab.lab import pictures


def words(picture):
    return {text.get_text() for text in picture.figure.axes[0].texts}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["compression", "routing", "duplicates", "consolidation", "views"])
def test_each_has_its_language_in_figure_and_description(name, lang):
    picture = getattr(pictures, name)(lang)
    assert any("\u4e00" <= ch <= "\u9fff" for ch in picture.text) == (lang == "zh")
    if lang == "en" or cx.lab.style.cjk_font():
        drawn = "".join(words(picture))
        assert any("\u4e00" <= ch <= "\u9fff" for ch in drawn) == (lang == "zh")
    assert picture.png(0.5).startswith(b"\x89PNG")


def test_the_routing_picture_follows_the_thresholds():
    usual, drawn = cx.Config().routing, words(pictures.routing("en"))
    assert set(MODES) <= drawn
    assert {f"under {usual.full_below} turns", f"over {usual.summary_over} turns"} <= drawn

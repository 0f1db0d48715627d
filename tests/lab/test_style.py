"""The visual language: one colour a layer, apart for colour-blind eyes, Chinese that renders."""

import io
import itertools
import warnings

import numpy as np
import pytest

from ctxlab.context.budget import LAYERS, SECTIONS
from ctxlab.lab import style


def test_every_layer_and_section_has_a_colour_and_a_name():
    for name in {*LAYERS, *SECTIONS, "dropped"}:
        assert style.colour(name).startswith("#")
        assert style.label(name, "en") and style.label(name, "zh") != style.label(name, "en")


def deuteranope(colour: str) -> np.ndarray:
    """What a reader without green cones sees (Viénot, Brettel and Mollon 1999), linear RGB."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]) ** 2.2
    seen = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])
    return (seen @ rgb).clip(0, 1) ** (1 / 2.2)


def test_colours_stay_apart_without_green_cones():
    pairs = itertools.combinations(style.COLOURS, 2)
    gaps = {
        pair: np.abs(np.subtract(*(deuteranope(style.COLOURS[n]) for n in pair))).sum()
        for pair in pairs
    }
    assert min(gaps.values()) > 0.15, min(gaps, key=gaps.get)


@pytest.mark.parametrize(("fill", "text"), [("#000000", "#FFFFFF"), ("#FFFFFF", style.INK)])
def test_ink_contrasts(fill, text):
    assert style.ink(fill) == text


def test_the_callers_settings_survive():
    import matplotlib as mpl

    before = mpl.rcParams["font.size"]
    with style.use():
        assert mpl.rcParams["font.size"] != before or before == 9
    assert mpl.rcParams["font.size"] == before


def test_png_has_exactly_the_asked_size():
    from PIL import Image

    with style.use():
        made = style.figure(3, 2)
        made.add_subplot().plot([1, 2])
    assert Image.open(io.BytesIO(style.to_png(made, 150))).size == (450, 300)
    assert len(style.to_png(made, 150, 32)) < len(style.to_png(made, 150))


@pytest.mark.skipif(style.cjk_font() is None, reason="no Chinese font on this machine")
def test_chinese_renders():
    with style.use(), warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of each glyph that's missing
        made = style.figure(2, 1)
        made.text(0.1, 0.5, "词元预算：窗口")
        style.to_png(made)


def test_without_a_chinese_font_figures_fall_back_to_english(monkeypatch):
    from ctxlab.lab import WindowExplorer

    monkeypatch.setattr(style, "cjk_font", lambda: None)
    explorer = WindowExplorer(lang="zh")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert explorer.png()
    assert "请求" in explorer.readout(explorer.compute())  # the words are the browser's to render

"""The fast way to a picture shows what matplotlib's own way shows."""

import gc
import io
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from ctxlab.lab import raster, style


def lettered(texts, **look):
    made = style.figure(3, 2)
    for row, text in enumerate(texts):
        made.text(0.2, 0.15 + 0.28 * row, text, **look)
    return made


def stock(made, dpi):
    """What matplotlib itself draws."""
    made.set_dpi(dpi)
    canvas = FigureCanvasAgg(made)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(float)


def middle(pixels):
    """Return the centre of gravity of what isn't white, in pixels, and how much of it there is."""
    dark = 255 - pixels.mean(axis=-1)
    rows, columns = np.indices(dark.shape)
    return np.array([(rows * dark).sum(), (columns * dark).sum()]) / dark.sum(), dark.sum()


@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize("text", ["A1029 jumps, gy", "退货 A1029", "$x^2$"])
@pytest.mark.parametrize("dpi", [72, 150])
def test_words_stand_where_matplotlib_puts_them(text, angle, dpi):
    if style.cjk_font() is None and not text.isascii():
        pytest.skip("no Chinese font on this machine")
    look = {"rotation": angle, "color": "#D55E00", "size": 11}
    with style.use():
        ours = np.asarray(raster.picture(lettered([text], **look), dpi)).astype(float)
        theirs = stock(lettered([text], **look), dpi)
    (place, ink), (wanted, full) = middle(ours), middle(theirs)
    assert np.abs(place - wanted).max() < 0.3  # pixels
    assert ink == pytest.approx(full, rel=0.03)
    assert np.abs(ours - theirs).mean() < 1.5
    assert np.abs(ours - 255).max() > 100  # the control: something was drawn


def test_a_text_is_remembered_as_itself():
    with style.use():
        again = [raster.picture(lettered(["lost", "kept"]), 100).tobytes() for _ in range(2)]
        other = raster.picture(lettered(["kept", "lost"]), 100).tobytes()
        large = raster.picture(lettered(["lost", "kept"], size=14), 100).tobytes()
        faint = raster.picture(lettered(["lost", "kept"], alpha=0.3), 100).tobytes()
    assert again[0] == again[1]
    assert len({again[0], other, large, faint}) == 4


def test_webp_is_exact_and_smaller():
    with style.use():
        seen = raster.picture(lettered(["A1029", "kept"]), 100)
    packed = raster.webp(seen)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(packed))), np.asarray(seen))
    assert len(packed) < 0.8 * len(raster.quick_png(seen))


def test_a_small_palette_keeps_flat_colours_and_small_marks():
    """Thirty pixels of red among all greys: Pillow's usual palette has no red left for them."""
    pixels = np.full((120, 160, 3), 255, np.uint8)
    pixels[20:60] = (0, 114, 178)
    pixels[60:118, :, :] = np.arange(160, dtype=np.uint8)[None, :, None]
    pixels[5:10, 5:11] = (213, 94, 0)
    seen = Image.fromarray(pixels)
    made = raster.reduced(seen, 24)
    assert made.mode == "P" and len(made.getcolors()) <= 24
    kept = np.asarray(made.convert("RGB"))
    assert np.array_equal(kept[:20, 20:], pixels[:20, 20:])  # white is white
    assert np.array_equal(kept[20:60], pixels[20:60])
    assert np.abs(kept[7, 7].astype(int) - (213, 94, 0)).max() < 12
    usual = np.asarray(seen.quantize(24).convert("RGB"))[7, 7]
    assert np.abs(usual.astype(int) - (213, 94, 0)).max() > 12  # the control


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_png_round_trip(width, height, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    read = Image.open(io.BytesIO(raster.quick_png(Image.fromarray(pixels))))
    assert read.format == "PNG" and np.array_equal(np.asarray(read), pixels)


def test_garbage_made_inside_is_taken_and_the_collector_goes_on():
    class Ring:
        def __init__(self):
            self.me = self

    with pytest.raises(KeyError), raster.unhindered():
        assert not gc.isenabled()
        gone = weakref.ref(Ring())
        raise KeyError
    assert gc.isenabled() and gone() is None
    gc.disable()
    try:
        with raster.unhindered():
            pass
        assert not gc.isenabled()  # who had turned it off finds it off
    finally:
        gc.enable()

"""From a figure to its PNG, fast enough to follow a slider.

An explorer draws a figure anew at each step, and almost all of its words stand where they stood
before. Setting type is a third of the work, so words are kept as they came out: a text of the same
face, size and place within its pixel is the same picture. Pixels come out as matplotlib's own
renderer makes them, but for words, whose place is rounded to a quarter of a pixel.
"""

# mypy: disallow-untyped-calls=False
# (matplotlib's renderers have no types)

from __future__ import annotations

import base64
import gc
import html
import io
import math
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from PIL import Image

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties
    from numpy.typing import NDArray

__all__ = ["Shown", "picture", "quick_png", "reduced", "unhindered", "webp"]

_PARTS = 4  # of a pixel, to which a text's place is rounded: less than an eye can tell
_ROOM = 4  # pixels around a text for what leans out of its box


class _Renderer(RendererAgg):
    """Matplotlib's renderer, with a memory for words."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Any:
        if ismath:
            return super().get_text_width_height_descent(s, prop, ismath)
        return _measure(s, prop.copy(), self.dpi)

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        if ismath or angle not in (0, 90):
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        left, top = math.floor(x), math.floor(y)
        part = int((x - left) * _PARTS), int((y - top) * _PARTS)
        mask, dx, dy = _set(s, prop.copy(), self.dpi, angle, part)
        self._renderer.draw_text_image(mask, left - dx, top - dy + mask.shape[0], 0, gc)


@lru_cache(4096)
def _measure(s: str, prop: FontProperties, dpi: float) -> tuple[float, float, float]:
    """Return width, height and descent in pixels."""
    size: tuple[float, float, float] = RendererAgg(1, 1, dpi).get_text_width_height_descent(
        s, prop, False
    )
    return size


@lru_cache(2048)
def _set(
    s: str, prop: FontProperties, dpi: float, angle: float, part: tuple[int, int]
) -> tuple[NDArray[np.uint8], int, int]:
    """Return a text as coverage (h, w), and where in it the text begins."""
    width, height, descent = (math.ceil(side) + _ROOM for side in _measure(s, prop, dpi))
    if angle:  # upwards, from the right edge of its box
        size, start = (height + _ROOM, width + _ROOM), (height - descent + _ROOM, width)
    else:
        size, start = (width + _ROOM, height + _ROOM), (_ROOM, height - descent + _ROOM)
    scratch = RendererAgg(*size, dpi)
    pen = scratch.new_gc()
    x, y = (start[i] + (part[i] + 0.5) / _PARTS for i in (0, 1))
    scratch.draw_text(pen, x, y, s, prop, angle)
    mask = np.asarray(scratch.buffer_rgba())[..., 3].copy()
    return mask, *start


class Shown(Figure):
    """A figure that a notebook shows, though pyplot doesn't know it.

    Attributes
    ----------
    told : str
        What it shows, in words: its alternative text.
    """

    told = ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from .style import use

        with use():
            drawn = picture(self, 200)
        data = base64.b64encode(webp(drawn)).decode()
        page = (
            f'<img width="{int(100 * self.get_figwidth())}" style="max-width:100%" '
            f'alt="{html.escape(self.told)}" src="data:image/webp;base64,{data}">'
        )
        still = base64.b64encode(quick_png(drawn)).decode()
        return {"text/html": page, "image/png": still, "text/plain": self.told or repr(self)}


class _Canvas(FigureCanvasAgg):
    """A canvas on which words are remembered."""

    def get_renderer(self) -> Any:
        width, height = self.figure.bbox.size
        return _Renderer(width, height, self.figure.dpi)


def picture(drawn: Figure, dpi: int) -> Image.Image:
    """Render a figure, `dpi` pixels per inch, in RGB."""
    # Not savefig: it draws every figure twice, the first time only to measure.
    drawn.set_dpi(dpi)
    canvas: Any = _Canvas(drawn)
    canvas.draw()
    seen = Image.fromarray(np.asarray(canvas.buffer_rgba()))
    return seen.convert("RGB")


def quick_png(seen: Image.Image) -> bytes:
    """Return an RGB picture as PNG, in a third of the time that Pillow takes.

    The bytes go a few centimetres to a browser, so speed matters more than size. Pillow tries
    five filters on each row; for flat colours none is both the fastest and the smallest.
    """
    pixels = np.asarray(seen)
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # the first byte: no filter
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, RGB
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def reduced(seen: Image.Image, colours: int) -> Image.Image:
    """Return an RGB picture with a palette of that many colours.

    Pillow's usual palette goes to what covers most, which is shades of grey, and a red mark of
    thirty pixels comes out yellow. Here a colour has a meaning, however small its mark: flat
    colours stay as they are, and what is left of the palette is spread over all others.
    """
    packed = np.asarray(seen).astype(np.int64) @ (65536, 256, 1)
    found, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    flat = found[np.argsort(-counts, kind="stable")[: colours // 3]]
    known = np.stack((flat >> 16, flat >> 8 & 255, flat & 255), -1)
    spread = seen.quantize(colours - len(flat), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.vstack((known, np.reshape(spread, (-1, 3))))
    mixed = np.stack((found >> 16, found >> 8 & 255, found & 255), -1)
    nearest = ((mixed[:, None] - palette[None]) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    made = Image.fromarray(nearest[where.reshape(packed.shape)])
    made.putpalette(palette.astype(np.uint8).tobytes())
    return made


def webp(seen: Image.Image) -> bytes:
    """Return a picture as WebP, pixel for pixel: a half to a third of its PNG, for pages."""
    buffer = io.BytesIO()
    seen.save(buffer, "WEBP", lossless=True, quality=60, method=3)
    return buffer.getvalue()


@contextmanager
def unhindered() -> Iterator[None]:
    """Let a figure be made and dropped without a search of the whole heap.

    A figure is thousands of objects that refer to one another. Making a few of them starts a full
    collection, which in a kernel with models loaded takes longer than drawing does. Inside, the
    collector waits; at the end it takes what was made here, and nothing older.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.collect(1)
        gc.enable()

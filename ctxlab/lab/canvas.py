"""What the opening pictures are drawn on: a bare stage, boxes, arrows (see ``pictures``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import style
from .explorer import language

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .raster import Shown

__all__ = ["Picture", "arrow", "box", "pick", "stage"]

_WIDTH = 8.4  # inches, the text width of a notebook at 100 pixels each


@dataclass(frozen=True)
class Picture:
    """A still with its description; displays itself."""

    figure: Shown
    text: str

    def png(self, scale: float = 2.0) -> bytes:
        """Return the picture; `scale` is pixels per screen pixel."""
        return style.to_png(self.figure, int(100 * scale))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        self.figure.told = self.text
        return self.figure._repr_mimebundle_()


def stage(height: float, wide: float, tall: float) -> tuple[Shown, Axes]:
    """Return a figure with bare axes `wide` by `tall` in data units."""
    made = style.figure(_WIDTH, height)
    axes = made.add_subplot()
    axes.set(xlim=(0, wide), ylim=(0, tall))
    axes.axis("off")
    return made, axes


def box(
    axes: Axes, x: float, y: float, w: float, h: float, fill: str, text: str = "", **look: Any
) -> None:
    """Draw a rounded box with its text in the middle; ``size`` and ``ink`` are the text's."""
    from matplotlib.patches import FancyBboxPatch

    size = look.pop("size", 9)
    hue = look.pop("ink", style.ink(fill) if fill.startswith("#") else style.INK)
    shape = {"boxstyle": "round,pad=0,rounding_size=0.12", "lw": 0, **look}
    axes.add_patch(FancyBboxPatch((x, y), w, h, facecolor=fill, **shape))
    axes.text(x + w / 2, y + h / 2, text, ha="center", va="center", color=hue, size=size)


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], **look: Any) -> None:
    """Draw an arrow from one point to another."""
    shape = {"arrowstyle": "-|>", "color": style.MUTED, "lw": 1.4, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops={**shape, **look})


def pick(lang: str | None) -> tuple[bool, bool]:
    """Return whether the words are Chinese, and whether the figure's letters can be."""
    zh = language(lang) == "zh"
    return zh, zh and style.cjk_font() is not None

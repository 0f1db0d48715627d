"""An explorer that moves without a kernel: its frames, rendered beforehand (STYLE: Widgets)."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from .explorer import Explorer, bundle

__all__ = ["Film", "Frame", "film"]

_COLOURS = 96  # per frame: enough for smooth letters, and a frame stays well under 40 KB


@dataclass(frozen=True)
class Frame:
    """One still: what was set, the sentence that says what it shows, and the PNG."""

    caption: str
    readout: str
    png: bytes

    def to_html(self, width: int) -> str:
        """Return the frame as an image whose alternative text is the readout."""
        from PIL import Image

        from .raster import webp
        from .view import readout_html

        data = base64.b64encode(webp(Image.open(BytesIO(self.png)).convert("RGB"))).decode()
        return (
            f'<div class="ctxlab-frame"><img width="{width}" style="max-width:100%" '
            f'alt="{html.escape(self.readout)}" src="data:image/webp;base64,{data}">'
            f"{readout_html(self.readout)}</div>"
        )


class Film:
    """Frames behind a slider; the link between them runs in the browser.

    Attributes
    ----------
    frames : list of Frame
        In the order of the sweep.
    """

    def __init__(self, explorer: Explorer, name: str, values: Iterable[Any]) -> None:
        self._explorer = explorer
        self._control = next((c for c in explorer.controls if c.name == name), None)
        if self._control is None:
            explorer.completed({name: None})  # raises the error that names what there is
        self.frames = [self._frame(value) for value in values]
        if not self.frames:
            raise ConfigError(f"film: no values for {name!r}")

    def _frame(self, value: Any) -> Frame:
        assert self._control is not None
        explorer = self._explorer
        data = explorer.compute(**{**explorer.settings, self._control.name: value})
        from .style import to_png

        png = to_png(explorer.draw(data), 125, _COLOURS)
        caption = self._control.caption(value, explorer.lang)
        return Frame(caption, explorer.readout(data), png)

    def widget(self) -> Any:
        """Return the slider and the stack, linked."""
        import ipywidgets as w

        from .style import breadth
        from .view import STYLE_SHEET

        explorer, control = self._explorer, self._control
        assert control is not None
        width = int(100 * explorer.size[0])
        stack = w.Stack([w.HTML(f.to_html(width)) for f in self.frames], selected_index=0)
        # Captions may repeat; numbering them in the value keeps each position distinct.
        options = [(frame.caption, i) for i, frame in enumerate(self.frames)]
        slider = w.SelectionSlider(
            options=options,
            description=control.words[explorer.lang == "zh"],
            style={"description_width": "initial"},
            layout=w.Layout(width=f"{width}px", max_width="100%"),
        )
        # As wide as its longest caption, so that none is cut short on a phone, and nothing jumps.
        room = max(breadth(frame.caption) for frame in self.frames)
        slider.add_class(f"ctxlab-film{room}")
        sheet = f"<style>.ctxlab-film{room} .widget-readout{{min-width:{0.9 * room:.1f}ch}}</style>"
        w.jslink((slider, "index"), (stack, "selected_index"))
        title = explorer.title[explorer.lang == "zh"]
        still = explorer.say("moves without a kernel", "无需内核即可拖动")
        head = f'<div class="ctxlab-title">{html.escape(title)}<small>{still}</small></div>'
        card = w.VBox([w.HTML(STYLE_SHEET + sheet + head), slider, stack])
        card.add_class("ctxlab-card")
        return card

    def save(self, path: str | Path, seconds: float = 0.8) -> None:
        """Write the frames as an animated picture, for pages that run nothing.

        Parameters
        ----------
        path : str or Path
            Where; the ending chooses the format: ``.gif``, ``.webp`` or ``.png``.
        seconds : float
            How long each frame stands; the last stands three times as long.
        """
        from PIL import Image

        from .raster import reduced

        pictures = [Image.open(BytesIO(frame.png)).convert("RGB") for frame in self.frames]
        # One palette for all, from all: a colour may first turn up in the last frame.
        width, height = pictures[0].size
        strip = Image.new("RGB", (width, height * len(pictures)))
        for i, picture in enumerate(pictures):
            strip.paste(picture, (0, i * height))
        strip = reduced(strip, _COLOURS)
        tops = range(0, strip.height, height)
        first, *rest = (strip.crop((0, top, width, top + height)) for top in tops)
        times = [int(seconds * 1000)] * len(rest) + [int(seconds * 3000)]
        first.save(path, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        middle = self.frames[len(self.frames) // 2]
        return bundle(self.widget(), middle.png, middle.readout)


def film(explorer: Explorer, **sweep: Iterable[Any]) -> Film:
    """Render one frame for each value of one setting; the others stay as they are.

    Parameters
    ----------
    explorer : Explorer
        Whose figure and readout.
    **sweep : iterable
        One setting and its values, for example ``window=(600, 1_200, 2_400)``.

    Raises
    ------
    ConfigError
        If there isn't exactly one setting, or the explorer has no such setting.

    Examples
    --------
    >>> from ctxlab.lab import WindowExplorer
    >>> len(film(WindowExplorer(lang="en"), messages=(4, 8)).frames)
    2
    """
    if len(sweep) != 1:
        raise ConfigError(f"film: give one setting to sweep, not {len(sweep)}")
    ((name, values),) = sweep.items()
    return Film(explorer, name, values)

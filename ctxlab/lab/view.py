"""The widgets of an explorer: controls, one image, one sentence. No computing, no drawing."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import ipywidgets as w
import traitlets

from . import raster, style
from .ahead import Ahead
from .explorer import Control

if TYPE_CHECKING:
    from .explorer import Explorer

__all__ = ["STYLE_SHEET", "View", "readout_html"]

# Jupyter's own variables carry the theme (dark ones too); the fallbacks serve pages without them.
STYLE_SHEET = """<style>
.ctxlab-card{border:1px solid var(--jp-border-color2,#d5dae1);border-radius:10px;
 padding:10px 12px 8px;max-width:1000px;background:var(--jp-layout-color1,#fff);overflow:hidden}
.ctxlab-card .widget-label{font-size:12.5px;color:var(--jp-ui-font-color1,#334155)}
.ctxlab-card .widget-readout{font-size:12.5px;min-width:52px;margin-left:4px;
 font-variant-numeric:tabular-nums}
.ctxlab-card .ctxlab-names .widget-readout{min-width:56px;font-size:11px;white-space:nowrap}
.ctxlab-card .ctxlab-long .widget-readout{min-width:96px}
.ctxlab-title{font:600 14.5px/24px var(--jp-ui-font-family,system-ui,sans-serif);
 color:var(--jp-ui-font-color0,#0f172a);white-space:nowrap}
.ctxlab-title small{font-weight:400;color:var(--jp-ui-font-color2,#64748b);margin-left:8px}
.ctxlab-readout{font:13.5px/1.5 var(--jp-ui-font-family,system-ui,sans-serif);
 color:var(--jp-ui-font-color0,#0f172a);border-left:3px solid #0072B2;padding:1px 0 1px 10px}
.ctxlab-card .ctxlab-frame .ctxlab-readout{min-height:40.5px}
.ctxlab-card .noUi-handle{background:#0072B2;border:2px solid #fff;box-shadow:0 0 0 1px #0072B2}
.ctxlab-card img{background:#fff;border-radius:6px}
.ctxlab-card button:focus-visible,.ctxlab-card .noUi-handle:focus-visible,
.ctxlab-card input:focus-visible{outline:2px solid #E69F00;outline-offset:2px}
.ctxlab-toml textarea{width:100%;box-sizing:border-box;font:12px/1.45 var(--jp-code-font-family,
 monospace);padding:8px;border:1px solid var(--jp-border-color2,#d5dae1);border-radius:6px;
 background:var(--jp-layout-color2,#f5f7fa);color:var(--jp-ui-font-color1,#334155)}
</style>"""
_COLOURS = 255  # of a PNG with a palette: a third of the size, and no eye sees the difference
# Beside a figure of 560 pixels the panel fits JupyterLab's text column on a laptop, file list
# open. Where there is more room, or the panel is below the figure, its sliders grow longer.
_PANEL, _LABEL = "256px", "104px"
_SHORT = 9  # Latin letters of a name that leave a slider beside it most of its length
_GREEN, _RED = style.COLOURS["summary"], style.COLOURS["dropped"]


def readout_html(text: str) -> str:
    """Return the sentence under a figure, announced by screen readers when it changes."""
    return f'<div class="ctxlab-readout" role="status" aria-live="polite">{html.escape(text)}</div>'


class Figure(w.Image):  # type: ignore[misc]  # ipywidgets has no types
    """An image that has a name: its ``tooltip``.

    An image widget has no alternative text. Its title serves as one, but the widget's script looks
    at a description first, which an image doesn't have, and stops with an error.
    """

    description = traitlets.Unicode("").tag(sync=True)


class View:
    """Widgets over one explorer.

    Attributes
    ----------
    widget : ipywidgets.Widget
        The whole card.
    controls : dict
        Setting -> its widget.
    image : Figure
        The figure, whose ``value`` is replaced at each change, and its name with it.
    text : str
        The current readout.
    """

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.text = ""
        self._quiet = False
        self._ahead = Ahead(explorer)
        width, height = (int(100 * side) for side in explorer.size)
        self.image = Figure(
            format="png", layout=w.Layout(width=f"{width}px", height=f"{height}px", flex="0 0 auto")
        )
        self.controls = {c.name: self._control(c) for c in explorer.controls}
        room = f"{6 + 20 * explorer.lines}px"
        self._readout = w.HTML(layout=w.Layout(height=room, overflow="auto", margin="4px 0 0 0"))
        self._toml = w.HTML(layout=w.Layout(display="none"))
        self._toml.add_class("ctxlab-toml")
        self.buttons = self._buttons()
        self.widget = self._card()
        for name, control in self.controls.items():
            control.observe(lambda change, name=name: self._moved(name, change["new"]), "value")
        self.show(explorer.settings)

    def show(self, settings: dict[str, Any]) -> None:
        """Put the controls where `settings` says and draw once."""
        self._quiet = True
        for name, value in settings.items():
            self.controls[name].value = value
        self._quiet = False
        self._draw()

    def _moved(self, name: str, value: Any) -> None:
        if not self._quiet:
            self.explorer.settings = {**self.explorer.settings, name: value}
            self._draw()

    def _draw(self) -> None:
        explorer = self.explorer
        with raster.unhindered():
            data = explorer.compute(**explorer.settings)
            self.text = explorer.readout(data)
            # The first is saved with the notebook and carried by the book: small. Then: quick.
            colours = None if self.image.value else _COLOURS
            png = style.to_png(explorer.draw(data), 150, colours)
        # Its name for who can't see it: an image widget has no alternative text of its own.
        self.image.tooltip = self.text
        self.image.value = png
        self._readout.value = readout_html(self.text)
        self._toml.value = self._toml_html()
        self._ahead.plan()

    def _control(self, control: Control) -> w.ValueWidget:
        lang = self.explorer.lang
        about = control.words[lang == "zh"]
        common = {
            "description": about,
            "tooltip": about,
            "value": self.explorer.settings[control.name],
            "style": {"description_width": _LABEL},
            "layout": w.Layout(width="100%", margin="1px 0"),
        }
        if control.typed:
            # On release, like all slow work: Enter, or leaving the field. A question needs room.
            common["style"] = {"description_width": "initial"}
            return w.Text(**common, continuous_update=False)
        options = [(control.caption(value, lang), value) for value in control.values]
        if control.values == (False, True):
            return w.Checkbox(**{**common, "style": {"description_width": "0px"}}, indent=False)
        numbers = all(isinstance(value, int | float) for value in control.values)
        if numbers or (control.menu and len(options) > 1):
            # A selection, not a range: its steps may be uneven, and an arrow key is always a step.
            # Nor a drop-down: JupyterLab takes the arrow keys of one for itself.
            slider = w.SelectionSlider(**common, options=options, continuous_update=control.live)
            if control.captions or not numbers:
                slider.add_class("ctxlab-names")
            if max(style.breadth(caption) for caption, _ in options) > _SHORT:
                slider.add_class("ctxlab-long")
            return slider
        common["style"] = {"description_width": _LABEL, "button_width": "auto"}
        return w.ToggleButtons(**common, options=options)

    def _buttons(self) -> dict[str, w.Button]:
        say = self.explorer.say
        captions = {
            "broken": (say("Break it", "弄坏"), _RED),
            "fixed": (say("Fix it", "修好"), _GREEN),
            "reset": (say("Reset", "重置"), None),
            "config": (say("Copy as config", "复制为配置"), None),
        }
        made = {}
        for name, (caption, fill) in captions.items():
            button = w.Button(description=caption, tooltip=caption)
            button.layout = w.Layout(width="auto", height="27px", padding="0 10px")
            if fill:
                button.style = {"button_color": fill, "text_color": "#ffffff"}
            button.on_click(lambda _, name=name: self._pressed(name))
            made[name] = button
        return made

    def _pressed(self, name: str) -> None:
        if name == "config":
            hidden = self._toml.layout.display == "none"
            self._toml.layout.display = "" if hidden else "none"
            return
        explorer = self.explorer
        explorer.settings = explorer.completed(explorer.presets.get(name, {}))
        self.show(explorer.settings)

    def _toml_html(self) -> str:
        text = self.explorer.to_toml()
        text = text or self.explorer.say("# all settings are the defaults\n", "# 全部为默认值\n")
        note = self.explorer.say(
            "Click selects all. Save as ctxlab.toml; cx.Config.load reads it.",
            "点击即全选；另存为 ctxlab.toml，用 cx.Config.load 读取。",
        )
        rows = text.count("\n") + 1
        return (
            f'<textarea readonly rows="{rows}" aria-label="TOML" onfocus="this.select()">'
            f"{html.escape(text)}</textarea><small>{note}</small>"
        )

    def _card(self) -> w.Widget:
        title = self.explorer.title[self.explorer.lang == "zh"]
        head = w.HTML(f'{STYLE_SHEET}<div class="ctxlab-title">{html.escape(title)}</div>')
        keys = self.explorer.say("arrow keys move a slider", "方向键可移动滑块")
        hint = w.HTML(f'<div class="ctxlab-title"><small>{keys}</small></div>')
        top = w.HBox([head, hint], layout=w.Layout(justify_content="space-between", width="100%"))
        row = w.Layout(flex_flow="row wrap", margin="8px 0 0 0")
        panel = w.VBox(
            [*self.controls.values(), w.HBox(list(self.buttons.values()), layout=row)],
            layout=w.Layout(flex=f"1 1 {_PANEL}", min_width="0", overflow="visible"),
        )
        body = w.Layout(flex_flow="row wrap", align_items="center", overflow="visible")
        card = w.VBox([top, w.HBox([self.image, panel], layout=body), self._readout, self._toml])
        card.add_class("ctxlab-card")
        return card

"""What every explorer is: a pure computation, a pure drawing, and a thin view over both.

A subclass says which settings there are (`controls`), what follows from them (`compute`), how that
looks (`draw`), what it means in words (`readout`) and which configuration it amounts to
(`changes`). Nothing of it needs a notebook; the widgets are made when one is displayed.
"""

from __future__ import annotations

import base64
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Config
from ..errors import ConfigError
from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .view import View

__all__ = ["Control", "Explorer", "Words", "bundle", "language"]

Words = tuple[str, str]  # English, Chinese


def language(lang: str | None = None) -> str:
    """Return ``"en"`` or ``"zh"``: as asked, else from ``CTXLAB_LANG``, else English."""
    chosen = lang or os.environ.get("CTXLAB_LANG", "en")
    if chosen not in ("en", "zh"):
        raise ConfigError(f"lang: {chosen!r} is neither 'en' nor 'zh'")
    return chosen


@dataclass(frozen=True)
class Control:
    """One setting and how it's moved.

    Parameters
    ----------
    name : str
        Name of the setting, a keyword of ``compute``.
    words : tuple of str
        What it's called, in English and in Chinese, unit included.
    values : tuple
        What it can be, in order. Numbers make a slider, ``(False, True)`` a tick box, texts a
        row of buttons.
    default : Any
        One of `values`.
    live : bool
        Whether the figure follows while a slider is dragged: only where it costs under 100 ms.
    captions : tuple of Words, optional
        Names of `values`, if they don't speak for themselves.
    menu : bool
        Whether texts make a slider of names, where a row of buttons would take too much room.
    typed : bool
        Whether the reader types any text; `values` then holds the default alone.
    """

    name: str
    words: Words
    values: tuple[Any, ...]
    default: Any
    live: bool = False
    captions: tuple[Words, ...] = ()
    menu: bool = False
    typed: bool = False

    def caption(self, value: Any, lang: str) -> str:
        """Return how one value is shown."""
        if self.captions:
            return self.captions[self.values.index(value)][lang == "zh"]
        return f"{value:,}" if isinstance(value, int) else str(value)


class Explorer(ABC):
    """Base of all explorers; displays itself in a notebook.

    Parameters
    ----------
    data : optional
        The user's own material; None for what comes with ctxlab.
    lang : str, optional
        ``"en"`` or ``"zh"``; default the environment's ``CTXLAB_LANG``.

    Attributes
    ----------
    settings : dict
        Current value of each control.
    """

    title: ClassVar[Words]
    size: ClassVar[tuple[float, float]] = (5.6, 3.8)  # inches at 100 pixels each
    lines: ClassVar[int] = 2  # of the readout, whose room doesn't grow with it

    def __init__(self, data: Any = None, lang: str | None = None) -> None:
        self.lang = language(lang)
        # Without Chinese glyphs a figure would be full of boxes: its labels stay English then.
        self.figure_lang = self.lang if style.cjk_font() else "en"
        self.load(data)
        self.settings: dict[str, Any] = dict(self.defaults)

    # ------------------------------------------------------------------ what a subclass says

    @abstractmethod
    def load(self, data: Any) -> None:
        """Take in the user's material, or what comes with ctxlab if `data` is None."""

    @property
    @abstractmethod
    def controls(self) -> tuple[Control, ...]:
        """Settings, in the order they're shown."""

    @property
    @abstractmethod
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Settings named ``"broken"`` and ``"fixed"``; what they leave out is the default."""

    @abstractmethod
    def compute(self, **settings: Any) -> Any:
        """Return what follows from the settings; those left out are the defaults. Pure."""

    @abstractmethod
    def draw(self, data: Any) -> Figure:
        """Draw what `compute` returned. Pure."""

    @abstractmethod
    def readout(self, data: Any) -> str:
        """Say in a sentence or two what the figure shows."""

    @abstractmethod
    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the settings as dotted keys of `Config`."""

    # ------------------------------------------------------------------ what all of them do

    def likely(self) -> Iterator[dict[str, Any]]:
        """Yield settings that may be asked for next, which are computed ahead in idle moments.

        They are a step of each control that isn't live, the presets, and then ever longer steps.
        """
        slow = [c for c in self.controls if not (c.live or c.typed)]
        for distance in range(1, max((len(c.values) for c in slow), default=0)):
            for control in slow:
                at = control.values.index(self.settings[control.name])
                for i in (at + distance, at - distance):
                    if 0 <= i < len(control.values):
                        yield {**self.settings, control.name: control.values[i]}
            if distance == 1:
                yield from map(self.completed, self.presets.values())

    @property
    def defaults(self) -> dict[str, Any]:
        """Value of each control to begin with."""
        return {control.name: control.default for control in self.controls}

    def completed(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings with the defaults of those left out.

        Raises
        ------
        ConfigError
            If there is no such setting.
        """
        unknown = sorted(set(settings) - set(self.defaults))
        if unknown:
            known = ", ".join(self.defaults)
            raise ConfigError(
                f"{type(self).__name__}: no setting {unknown[0]!r}; there are {known}"
            )
        return {**self.defaults, **settings}

    @property
    def config(self) -> Config:
        """Configuration that the current settings amount to; an engine loads it."""
        return Config().with_(self.changes(**self.settings))

    def to_toml(self) -> str:
        """Return the part of ``config`` that differs from the defaults, as TOML.

        Examples
        --------
        >>> from ctxlab.lab import BudgetExplorer
        >>> print(BudgetExplorer(lang="en").to_toml().splitlines()[0])
        [budget]
        """
        import tomli_w

        return tomli_w.dumps(_difference(self.config.model_dump(mode="json"), Config()))

    def png(self, scale: float = 1.5, colours: int | None = None, **settings: Any) -> bytes:
        """Return a still for the settings; `scale` is pixels per screen pixel."""
        return style.to_png(self.draw(self.compute(**settings)), int(100 * scale), colours)

    def say(self, english: str, chinese: str) -> str:
        """Return the text in the explorer's language."""
        return chinese if self.lang == "zh" else english

    def set(self, **settings: Any) -> None:
        """Change settings from code; a displayed view follows."""
        self.settings = self.completed({**self.settings, **settings})
        if "view" in self.__dict__:
            self.view.show(self.settings)

    @cached_property
    def view(self) -> View:
        """The widgets, made on first use."""
        from .view import View

        return View(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return bundle(self.view.widget, self.view.image.value, self.view.text)


def bundle(widget: Any, png: bytes, text: str) -> dict[str, Any]:
    """Return a display that is live where widgets are, and a still with its readout elsewhere."""
    made: dict[str, Any] = dict(widget._repr_mimebundle_())
    made["image/png"] = base64.b64encode(png).decode()
    made["text/plain"] = text
    return made


def _difference(data: dict[str, Any], default: Any) -> dict[str, Any]:
    """Keep what isn't the default; a table of shares stays whole, or it wouldn't sum to one."""
    out: dict[str, Any] = {}
    for key, value in data.items():
        usual = getattr(default, key)
        if isinstance(value, dict) and hasattr(usual, "model_dump") and key != "shares":
            inner = _difference(value, usual)
            if inner:
                out[key] = inner
        elif value is not None and value != _plain(usual):
            out[key] = value
    return out


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return list(value) if isinstance(value, tuple) else value

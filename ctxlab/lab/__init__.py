"""The laboratory: explorers, films and pictures for the notebooks.

Names load when they are first used, so that what needs no notebook needs no ipywidgets either.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..errors import MissingExtra

_WHERE = {
    "BudgetExplorer": "budget",
    "ConsolidationExplorer": "consolidation",
    "Control": "explorer",
    "DecayExplorer": "decay",
    "DedupeExplorer": "dedupe",
    "Explorer": "explorer",
    "PrivacyExplorer": "privacy",
    "ReplayExplorer": "replay",
    "RouterExplorer": "router",
    "ScaleExplorer": "scale",
    "ScopeExplorer": "scope",
    "StoryExplorer": "story",
    "TOOLS": "samples",
    "ThresholdExplorer": "threshold",
    "Trial": "trial",
    "WindowExplorer": "window",
    "check": "exercises",
    "conversation": "samples",
    "failure_figure": "results",
    "film": "films",
    "named_facts": "samples",
    "play": "playback",
    "remembered": "dated",
    "searches": "labelled",
    "show_tables": "frames",
    "suite_figure": "results",
    "sweep_figure": "sweeps",
}
_ROOMS = ("pictures", "style")

__all__ = [*_WHERE, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'ctxlab.lab' has no attribute {name!r}")
    for package in ("matplotlib", "ipywidgets"):
        if find_spec(package) is None:
            raise MissingExtra(package, "lab")
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

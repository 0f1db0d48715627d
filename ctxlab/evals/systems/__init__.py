"""Memory systems behind one small protocol: ctxlab, naive baselines, other people's libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .protocol import MemorySystem, Place, Seen, SystemSpec

_WHERE = {
    "baselines": "FlatVectors FullHistory NoMemory RollingSummary RollingWindow",
    "layered": "CtxLab",
    "mem0_oss": "Mem0",
    "langgraph_store": "LangGraphStore",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = ["MemorySystem", "Place", "Seen", "SystemSpec", *_MODULE_OF]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ctxlab.evals.systems' has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

"""Words of a module, kept as data beside it: alternatives of regular expressions, zh and en."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["words_beside"]


@cache
def words_beside(module: str) -> dict[str, Any]:
    """Return what the JSON file of a module's own name holds, read once.

    Parameters
    ----------
    module : str
        Its ``__file__``.
    """
    words: dict[str, Any] = json.loads(Path(module).with_suffix(".json").read_text("utf-8"))
    return words

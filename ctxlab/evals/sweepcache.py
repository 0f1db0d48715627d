"""What a sweep keeps of finished runs, and under which name, so that it can be resumed (R114)."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from ..config import Config
from ..errors import ConfigError

__all__ = ["SweepCache", "code_version", "name_of"]

_CODE = (".py", ".json", ".npz")  # of the package: rules, word lists, fitted weights
Rows = dict[str, Any]


@dataclass(frozen=True)
class SweepCache:
    """Finished runs in a folder, one JSON file each.

    A run is named by its configuration, its suite, and the code and data that it ran on; whatever
    changes makes another name, so nothing old is ever taken for new. Files may be deleted freely.

    Parameters
    ----------
    folder : Path
        Made when the first run is stored.
    suite : str
        What was run, as `name_of` gives it.
    """

    folder: Path
    suite: str

    def key(self, config: Config) -> str:
        """Return the name of a run."""
        what = [config.model_dump(mode="json"), self.suite, code_version()]
        text = json.dumps(what, sort_keys=True, ensure_ascii=True)
        return hashlib.blake2s(text.encode(), digest_size=16).hexdigest()

    def read(self, config: Config) -> Rows | None:
        """Return a finished run; None if there is none, or its file is damaged."""
        try:
            kept = json.loads((self.folder / f"{self.key(config)}.json").read_text("utf-8"))
            return {"columns": kept["columns"], "rows": kept["rows"]}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, config: Config, result: Rows) -> None:
        """Store a finished run; a process killed meanwhile leaves no half file under its name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.key(config)}.json"
        kept = {"config": config.model_dump(mode="json"), "suite": self.suite, **result}
        half = path.with_suffix(f".{os.getpid()}")
        half.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        os.replace(half, path)


@cache
def code_version() -> str:
    """Return a digest of ctxlab's code, word lists and weights, its data, and what runs them."""
    import numpy as np
    import sklearn

    from ..datasets import data_dir

    root = Path(__file__).resolve().parent.parent
    files = sorted(p for p in root.rglob("*") if p.suffix in _CODE and p.is_file())
    manifest = data_dir() / "MANIFEST.json"
    digest = hashlib.blake2s(digest_size=16)
    for path in [*files, *([manifest] if manifest.is_file() else [])]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    versions = (platform.python_version(), np.__version__, sklearn.__version__)
    digest.update(repr(versions).encode())
    return digest.hexdigest()


def name_of(suite: Callable[..., Any] | Any) -> str:
    """Name a callable so that another process, and a later one, names it alike.

    A function is named by its source, its defaults and what it closes over; an object by its class,
    its fields, and what its ``fingerprint()`` returns if it has one (of a file that it reads).
    Globals that a function reads aren't part of its name: give it what it needs.

    Raises
    ------
    ConfigError
        Something in it shows itself only by its address, which no later process has.

    Examples
    --------
    >>> name_of(partial(sorted, reverse=True)) == name_of(partial(sorted, reverse=False))
    False
    """
    name = _name(suite)
    if re.search(r" at 0x[0-9a-fA-F]+", name):
        raise ConfigError(
            "suite: what it holds can't be named for a cache; use a dataclass, or text and numbers"
        )
    return name


def _name(suite: Any) -> str:
    if isinstance(suite, partial):
        keywords = {key: _shown(value) for key, value in suite.keywords.items()}
        return json.dumps([_name(suite.func), [_shown(value) for value in suite.args], keywords])
    if inspect.ismethod(suite):
        return json.dumps([_name(suite.__self__), suite.__func__.__qualname__])
    if inspect.isroutine(suite) or inspect.isclass(suite):
        cells = [_shown(cell.cell_contents) for cell in getattr(suite, "__closure__", None) or ()]
        defaults = [_shown(value) for value in getattr(suite, "__defaults__", None) or ()]
        where = f"{suite.__module__}.{suite.__qualname__}"
        return json.dumps([where, _source(suite), defaults, cells])
    slots = [name for kind in type(suite).__mro__ for name in getattr(kind, "__slots__", ())]
    held = {name: getattr(suite, name) for name in slots if hasattr(suite, name)}
    held |= getattr(suite, "__dict__", {})
    if hasattr(suite, "fingerprint"):
        held["fingerprint()"] = suite.fingerprint()
    return json.dumps([_name(type(suite)), {key: _shown(value) for key, value in held.items()}])


def _shown(value: Any) -> str:
    return _name(value) if inspect.isroutine(value) or inspect.isclass(value) else repr(value)


def _source(thing: Any) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):  # built in, or typed at a prompt
        code = getattr(thing, "__code__", None)
        return "" if code is None else repr((code.co_code, code.co_consts, code.co_names))

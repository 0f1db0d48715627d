"""Running a notebook the way its readers and its exercises' solvers would, once per language.

Behind each check the solution and the same check again are slipped in, so one run tells both that
the stub fails visibly and that the solution passes. What was slipped in is taken out again; the
rest is kept under ``.cache/notebooks`` by the hash of everything it depends on, for the book and
for the next test run.
"""

from __future__ import annotations

import copy
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
CACHE = ROOT / ".cache" / "notebooks"
_SHAPES_OUTPUT = {".py", ".json", ".npz", ".gz"}  # code, word lists, fitted weights, token ranks
_FENCE = re.compile(r"```python\n(.*?)```", re.S)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def tagged(cell: Any, tag: str) -> bool:
    return tag in cell.metadata.get("tags", ())


def exercises(book: Any) -> list[dict[str, Any]]:
    """Return the stub, the check and the solution's code of each exercise, in order."""
    found: list[dict[str, Any]] = []
    for cell in book.cells:
        if tagged(cell, "exercise"):
            found.append({"stub": cell})
        elif tagged(cell, "check"):
            found[-1]["check"] = cell
        elif tagged(cell, "solution"):
            found[-1]["solution"] = "\n".join(_FENCE.findall(cell.source))
    return found


def with_solutions(book: Any) -> Any:
    """Return a copy in which solution and check follow each check, marked ``inserted``."""
    book = copy.deepcopy(book)
    solutions = {id(part["check"]): part["solution"] for part in exercises(book)}
    cells = []
    for cell in book.cells:
        cells.append(cell)
        if id(cell) in solutions:
            for source in (solutions[id(cell)], cell.source):
                extra = nbformat.v4.new_code_cell(source)
                extra.metadata["tags"] = ["inserted"]
                cells.append(extra)
    book.cells = cells
    return book


def run(path: Path, lang: str) -> Any:
    """Execute a notebook with its solutions slipped in, or fetch that from the cache."""
    kept = CACHE / f"{path.stem}.{lang}.{_digest(path)}.ipynb"
    if not kept.exists():
        book = _execute(with_solutions(read(path)), lang)
        CACHE.mkdir(parents=True, exist_ok=True)
        for old in CACHE.glob(f"{path.stem}.{lang}.*.ipynb"):
            old.unlink(missing_ok=True)
        # Written aside and renamed, so that another worker never sees half a file.
        with tempfile.NamedTemporaryFile("w", dir=CACHE, suffix=".part", delete=False) as part:
            nbformat.write(book, part)
        os.replace(part.name, kept)
    return read(kept)


def without_solutions(book: Any) -> Any:
    """Return the notebook as a reader runs it: what the book shows."""
    book = copy.deepcopy(book)
    book.cells = [cell for cell in book.cells if not tagged(cell, "inserted")]
    return book


def _execute(book: Any, lang: str) -> Any:
    from nbclient import NotebookClient

    before = os.environ.get("CTXLAB_LANG")
    os.environ["CTXLAB_LANG"] = lang
    try:
        client = NotebookClient(book, timeout=300, kernel_name="python3", store_widget_state=True)
        client.execute(cwd=str(ROOT / "notebooks"))
    finally:
        if before is None:
            os.environ.pop("CTXLAB_LANG", None)
        else:
            os.environ["CTXLAB_LANG"] = before
    return book


def _digest(path: Path) -> str:
    """Hash the notebook and all that its outputs come from."""
    package = sorted(p for p in (ROOT / "ctxlab").rglob("*") if p.suffix in _SHAPES_OUTPUT)
    sources = [path, *package, ROOT / "datasets" / "MANIFEST.json", ROOT / "constraints.txt"]
    total = hashlib.sha256()
    for source in sources:
        total.update(source.read_bytes() if source.exists() else b"")
    return total.hexdigest()[:16]


def widget_errors(book: Any) -> list[str]:
    """Return tracebacks that widget callbacks left in the saved widget state.

    An exception inside ``interact`` or an ``Output`` doesn't fail the cell: it's written into the
    widget and nowhere else.
    """
    saved = book.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {})
    errors = []
    for model in saved.get("state", {}).values():
        for output in model.get("state", {}).get("outputs", ()):
            if output.get("output_type") == "error":
                errors.append(f"{output.get('ename')}: {output.get('evalue')}")
    return errors

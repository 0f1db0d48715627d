"""What pages of the book are made of beside text: words from one file, tables read off notebooks.

``{terms} GROUP`` sets the entries of one group of ``glossary.toml`` in one language; both editions
of the glossary are made of it, so neither can drift from the other. ``{covers} TABLE`` sets a table
of what each notebook holds, counted by ``lessons.py``.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

BOOK = Path(__file__).resolve().parent
sys.path.insert(0, str(BOOK))
import lessons  # noqa: E402  (it lies beside this file, wherever that is)


class _Made(SphinxDirective):
    """Sets text that Python wrote as if it stood in the page."""

    required_arguments = 1

    def set(self, text: str, *sources: Path) -> list[nodes.Node]:
        for source in (*sources, Path(__file__)):
            self.env.note_dependency(str(source))
        box = nodes.container(classes=["ctxlab-made"])
        lines = StringList(text.splitlines(), source=str(sources[0]))
        self.state.nested_parse(lines, self.content_offset, box)
        return [box]


class Terms(_Made):
    """Entries of the glossary, in the order of the file."""

    option_spec: ClassVar[dict[str, Any]] = {
        "lang": lambda value: directives.choice(value, ("en", "zh"))
    }

    def run(self) -> list[nodes.Node]:
        """Return one definition list."""
        source = BOOK / "glossary.toml"
        entries = tomllib.loads(source.read_text(encoding="utf-8"))[self.arguments[0]]
        return self.set(entry_list(entries, self.options.get("lang", "en")), source)


def entry_list(entries: list[dict[str, str]], lang: str) -> str:
    """Return the entries as the source of a glossary, the page's own language first."""
    lines = ["````{glossary}"]
    for entry in entries:
        term, other = (entry["zh"], entry["en"]) if lang == "zh" else (entry["en"], entry["zh"])
        says = entry["chinese" if lang == "zh" else "english"]
        lines += [f"{term} · {other}", f"    {says}", ""]
    return "\n".join([*lines, "````"])


class Covers(_Made):
    """A table of what each notebook holds."""

    def run(self) -> list[nodes.Node]:
        """Return one table."""
        found = lessons.read()
        return self.set(lessons.TABLES[self.arguments[0]](found), *(one.path for one in found))


def setup(app: Any) -> dict[str, Any]:
    """Sphinx calls this."""
    app.add_directive("terms", Terms)
    app.add_directive("covers", Covers)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

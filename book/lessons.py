"""What each notebook holds, read off its cells: the parts of a lesson (R120), explorers (R121),
the data that came with it (R122), the reader's own (R123) and a film for the book (R124).

Nothing is written down twice: a part that is taken out of a notebook leaves the table, and a test
asks that nothing is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"

# Part of a lesson (R120): how it's called, and how it's known.
PARTS: dict[str, tuple[str, str]] = {
    "claim": ("goal", r"\*\*Claim\.\*\*[\s\S]*\*\*You will be able to\*\*"),
    "picture": ("picture", r"cx\.lab\.pictures\.\w+\("),
    "few lines": ("by hand", r"^## Build it in ten lines"),
    "library": ("library", r"^## Use the library"),
    "broken": ("broken", r"^## Break it"),
    "widget": ("explorer", r"cx\.lab\.\w+Explorer\("),
    "notice": ("notice", r"^## Notice what happened"),
    "recap": ("recap", r"^## Recap[\s\S]*^## References"),
}
# What R121 asks a widget for, and the explorer that is one.
SUBJECTS = {
    "token budgets": "BudgetExplorer",
    "rolling window": "WindowExplorer",
    "similarity threshold": "ThresholdExplorer",
    "decay curves": "DecayExplorer",
    "duplicates and merges": "DedupeExplorer",
    "routing": "RouterExplorer",
    "agent scopes": "ScopeExplorer",
    "privacy": "PrivacyExplorer",
    "scale and cost": "ScaleExplorer",
    "replay": "ReplayExplorer",
    "consolidation": "ConsolidationExplorer",
}
# Ways by which a notebook gets at the data that ships with ctxlab.
_SHIPPED = re.compile(
    r"load_support|make_support|lab\.conversation|lab\.searches|lab\.remembered|evals\.\w+|Explorer\(lang"
)
# An explorer made on something, or prose that shows how: the first argument isn't a keyword.
_OWN = re.compile(r"cx\.lab\.(\w+Explorer)\((?!lang=|\))")
# The last lesson names all that take data, in code or, where making them takes long, in words.
_YOURS = re.compile(r'"(\w+Explorer)": |`(\w+Explorer)` takes')


@dataclass(frozen=True)
class Lesson:
    """One notebook.

    Attributes
    ----------
    parts : frozenset of str
        Keys of `PARTS` that it has.
    exercises : int
        How many; each with its solution.
    explorers, own, films : tuple of str
        Explorers shown, made on the reader's data, and swept into a film.
    shipped : bool
        Whether it uses the data that ships with ctxlab.
    exported : bool
        Whether it shows settings as a file, or loads one.
    """

    path: Path
    title: str
    parts: frozenset[str]
    exercises: int
    explorers: tuple[str, ...]
    own: tuple[str, ...]
    films: int
    shipped: bool
    exported: bool
    languages: frozenset[str] = field(default_factory=frozenset)

    @property
    def number(self) -> str:
        """Its two digits."""
        return self.path.stem[:2]


def read(folder: Path = NOTEBOOKS) -> list[Lesson]:
    """Return what every notebook holds, in order."""
    return [lesson(path) for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))]


def lesson(path: Path) -> Lesson:
    """Return what one notebook holds."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    words = _sources(cells, "markdown")
    code = _sources(cells, "code")
    text, program = "\n".join(words), "\n".join(code)
    stubs = sum("exercise" in cell["metadata"].get("tags", ()) for cell in cells)
    solved = sum("solution" in cell["metadata"].get("tags", ()) for cell in cells)
    both = f"{text}\n{program}"
    return Lesson(
        path=path,
        title=re.sub(r"^# ", "", words[0].splitlines()[0]).split(" · ")[0],
        parts=frozenset(key for key, (_, how) in PARTS.items() if re.search(how, both, re.M)),
        exercises=min(stubs, solved),
        explorers=_once(re.findall(r"cx\.lab\.(\w+Explorer)\(", program)),
        own=_once([*_OWN.findall(both), *map("".join, _YOURS.findall(both))]),
        films=program.count("cx.lab.film("),
        shipped=bool(_SHIPPED.search(program)),
        exported=bool(re.search(r"to_toml|Config\.load|\.config\b|Copy as config", both)),
        languages=frozenset(
            name
            for name, how in (("en", r"[a-z]{4}"), ("zh", "[\u4e00-\u9fff]{4}"))
            if re.search(how, text)
        ),
    )


def _sources(cells: Iterable[dict[str, object]], kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]  # type: ignore[arg-type]


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# ------------------------------------------------------------------ tables, in MyST


def parts_table(lessons: list[Lesson]) -> str:
    """Return notebook by part of a lesson (R120, R124)."""
    names = [name for name, _ in PARTS.values()]
    rows = [["lesson", *names, "exercises", "film"]]
    for one in lessons:
        has = ["✓" if key in one.parts else "" for key in PARTS]
        rows.append([_link(one), *has, str(one.exercises), "✓" if one.films else ""])
    return _table(rows)


def widgets_table(lessons: list[Lesson]) -> str:
    """Return subject by notebook (R121, R123)."""
    rows = [["widget for", "explorer", "shown in", "on your own data in"]]
    for subject, name in SUBJECTS.items():
        shown = [_short(one) for one in lessons if name in one.explorers]
        own = [_short(one) for one in lessons if name in one.own]
        rows.append([subject, f"`cx.lab.{name}`", ", ".join(shown), ", ".join(own)])
    return _table(rows)


def data_table(lessons: list[Lesson]) -> str:
    """Return notebook by where its data come from, and what it hands on (R121 to R123)."""
    rows = [["lesson", "data that ships", "your own data", "settings out", "en", "zh"]]
    for one in lessons:
        ticks = (
            one.shipped,
            bool(one.own),
            one.exported,
            *(x in one.languages for x in ("en", "zh")),
        )
        rows.append([_link(one), *("✓" if tick else "" for tick in ticks)])
    return _table(rows)


TABLES: dict[str, Callable[[list[Lesson]], str]] = {
    "parts": parts_table,
    "widgets": widgets_table,
    "data": data_table,
}


def _link(one: Lesson) -> str:
    return f"[{one.number} {one.title.split(':')[0]}](../notebooks/{one.path.name})"


def _short(one: Lesson) -> str:
    return f"[{one.number}](../notebooks/{one.path.name})"


def _table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] + [":-:" if len(cell) < 24 else "---" for cell in head[1:]], *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)

"""What pages of the book are made of: both glossaries from one file, tables read off notebooks."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"


def module(name: str) -> Any:
    """Return a module that lies beside the book's pages."""
    spec = importlib.util.spec_from_file_location(f"book_{name}", BOOK / f"{name}.py")
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # dataclasses look their module up
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def lessons() -> Any:
    return module("lessons")


# ------------------------------------------------------------------ the glossary


@pytest.fixture(scope="module")
def words() -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((BOOK / "glossary.toml").read_text(encoding="utf-8"))


def test_both_glossaries_set_every_group_and_nothing_by_hand(words: dict[str, Any]) -> None:
    for page, option in (("glossary.md", []), ("glossary_zh.md", [":lang: zh"])):
        text = (BOOK / page).read_text(encoding="utf-8")
        assert re.findall(r"```\{terms\} (\w+)", text) == list(words)
        assert text.count(":lang: zh") == len(option) * len(words)
        assert "{glossary}" not in text


def test_every_word_is_explained_in_both_languages(words: dict[str, Any]) -> None:
    entries = [entry for group in words.values() for entry in group]
    assert len(entries) > 60
    for entry in entries:
        assert set(entry) == {"en", "zh", "english", "chinese"} and all(entry.values())
        assert not re.search(r"[\u4e00-\u9fff]", entry["en"])
        assert re.search(r"[\u4e00-\u9fff]", entry["zh"]), entry["zh"]
        assert re.search(r"[\u4e00-\u9fff].*[。）]$", entry["chinese"]), entry["chinese"]
    for term in ("en", "zh"):
        assert len({entry[term].lower() for entry in entries}) == len(entries)


def test_a_bold_word_has_an_entry(words: dict[str, Any]) -> None:
    entries = [entry for group in words.values() for entry in group]
    for term, says in (("en", "english"), ("zh", "chinese")):
        bold = {word for entry in entries for word in re.findall(r"\*\*(.+?)\*\*", entry[says])}
        assert bold and bold <= {entry[term] for entry in entries}


def test_the_front_pages_lead_to_their_glossary() -> None:
    assert ":link: glossary_zh\n" in (BOOK / "index_zh.md").read_text(encoding="utf-8")
    assert ":link: glossary\n" in (BOOK / "index.md").read_text(encoding="utf-8")
    assert "(glossary_zh.md)" in (BOOK / "glossary.md").read_text(encoding="utf-8")
    assert "(glossary.md)" in (BOOK / "glossary_zh.md").read_text(encoding="utf-8")


# ------------------------------------------------------------------ what notebooks cover


def test_no_part_of_a_lesson_is_missing(lessons: Any) -> None:
    """R120: goal, idea, a few lines, widget, what to notice, exercises, recap; R124: a film."""
    found = lessons.read()
    assert [one.number for one in found] == [f"{n:02d}" for n in range(17)]
    for one in found:
        assert one.parts == set(lessons.PARTS), one.path.name
        assert one.exercises >= 2 and one.films >= 1, one.path.name
        assert one.languages == {"en", "zh"}


def test_no_widget_is_missing(lessons: Any) -> None:
    """R121: one for each subject, shown in a lesson; R123: each on the reader's own data."""
    import ctxlab as cx

    found = lessons.read()
    for subject, name in lessons.SUBJECTS.items():
        assert hasattr(cx.lab, name), subject
        assert any(name in one.explorers for one in found), subject
        assert any(name in one.own for one in found), subject
    known = {name for name in cx.lab.__all__ if name.endswith("Explorer")}
    # The base, and the front page's.
    assert known - set(lessons.SUBJECTS.values()) == {"Explorer", "StoryExplorer"}


def test_shipped_and_own_data_and_settings_are_taught(lessons: Any) -> None:
    found = lessons.read()
    assert all(one.shipped for one in found)  # R122
    assert sum(bool(one.own) for one in found) >= 3  # R123
    assert any(one.exported and one.own for one in found)  # from own data to a file of settings


def test_a_part_that_is_taken_out_leaves_the_table(lessons: Any, tmp_path: Path) -> None:
    """The negative control: the table sees what isn't there."""
    whole = next((ROOT / "notebooks").glob("02_*.ipynb"))
    book = json.loads(whole.read_text(encoding="utf-8"))
    gone = ("## Break it", "cx.lab.film(", '"solution"')
    book["cells"] = [
        cell
        for cell in book["cells"]
        if not any(mark in "".join(cell["source"]) + json.dumps(cell) for mark in gone)
    ]
    path = tmp_path / "02_less.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    full, less = lessons.lesson(whole), lessons.lesson(path)
    assert "broken" in full.parts and "broken" not in less.parts
    assert (full.films > 0, less.films) == (True, 0)
    assert (full.exercises > 0, less.exercises) == (True, 0)
    assert lessons.parts_table([full]).count("✓") > lessons.parts_table([less]).count("✓")


def test_tables_are_even(lessons: Any) -> None:
    for table in lessons.TABLES.values():
        lines = table(lessons.read()).splitlines()
        assert len({line.count("|") for line in lines}) == 1 and len(lines) > 10


# ------------------------------------------------------------------ where it is published


def test_the_repository_is_pyprojects_own_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BOOK))
    monkeypatch.delenv("CTXLAB_REPOSITORY", raising=False)
    build = module("build")
    assert build.repository('[project]\nname = "x"') == ""
    said = '[project]\nname = "x"\n[project.urls]\nRepository = "https://example.org/me/ctxlab"'
    assert build.repository(said) == "https://example.org/me/ctxlab"
    monkeypatch.setenv("CTXLAB_REPOSITORY", "https://example.org/you/ctxlab")
    assert build.repository(said) == "https://example.org/you/ctxlab"


# ------------------------------------------------------------------ lighter pages


def test_rules_for_classes_that_no_page_has_are_left_out() -> None:
    pytest.importorskip("tinycss2")
    lighten = module("lighten")
    sheet = (
        ":root{--a:1}.used,.unused{color:red}.unused .used{color:blue}"
        ".used:not(.unused){color:green}@media (min-width:9px){.unused{top:0}.used{top:1px}}"
        "@media print{.unused{top:0}}@font-face{font-family:x}.modal-open{top:2px}"
    )
    kept = lighten.purged(sheet, {"used"})
    assert ":root{--a:1}" in kept.replace(" ", "") and "@font-face" in kept
    assert ".used{color:red}" in kept and ".used:not(.unused){color:green}" in kept
    assert "blue" not in kept and "top:0" not in kept and "print" not in kept
    assert "top:1px" in kept and ".modal-open" in kept  # put together by a script
    assert lighten.purged(sheet, {"used", "unused"}).count("{") == sheet.count("{")

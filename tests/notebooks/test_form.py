"""The form of the notebooks: rhythm, size, nothing left over from running them."""

import ast
import re

import pytest
from runner import NOTEBOOKS, exercises, read, tagged

RHYTHM = [
    "See the idea",
    "Build it in ten lines",
    "Use the library",
    "Break it",
    "Play with it",
    "Notice what happened",
    "Try it yourself",
    "Recap",
    "References",
]

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def prose(book) -> str:
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    text = re.sub(r"```.*?```", " ", text, flags=re.S)
    return re.sub(r"<[^>]+>|\]\([^)]*\)", " ", text)


def test_there_are_notebooks():
    assert [path.stem[:2] for path in NOTEBOOKS][:4] == ["00", "01", "02", "03"]


@each
def test_rhythm(path):
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    headings = re.findall(r"^## (.+?) · .+$", text, flags=re.M)
    assert headings == RHYTHM
    assert text.startswith("# ")
    for part in ("**Claim.**", "**You will be able to**", "**Minutes**", "**You need**"):
        assert part in text


@each
def test_size(path):
    book = read(path)
    assert 20 <= len(book.cells) <= 35
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", prose(book))
    assert 600 <= len(words) <= 1200
    for cell in book.cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 12, cell.source


@each
def test_both_languages(path):
    text = prose(read(path))
    # Each paragraph has its gist in the other language, so neither is an afterthought.
    assert len(re.findall(r"[\u4e00-\u9fff]", text)) > 500
    code = "\n".join(c.source for c in read(path).cells if c.cell_type == "code")
    assert 'LANG = os.environ.get("CTXLAB_LANG", "en")' in code


@each
def test_clean(path):
    book = read(path)
    assert set(book.metadata) <= {"kernelspec", "language_info"}
    assert book.metadata.kernelspec.name == "python3"
    for cell in book.cells:
        assert set(cell.metadata) <= {"tags"}
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None


@each
def test_first_code_cell_installs_only_where_needed(path):
    first = next(cell for cell in read(path).cells if cell.cell_type == "code")
    assert tagged(first, "setup")
    assert 'if find_spec("ctxlab") is None' in first.source


@each
def test_exercises_are_whole(path):
    book = read(path)
    found = exercises(book)
    assert 2 <= len(found) <= 4
    for exercise in found:
        # The check stands right below the stub, and the solution right below the check.
        at = book.cells.index(exercise["stub"])
        assert tagged(book.cells[at + 1], "check") and tagged(book.cells[at + 2], "solution")
        above, below = book.cells[at - 1].source, book.cells[at + 2].source
        assert re.search(r"\(\d+ min, [●○]{3}\)", above) and "<details>" in above
        assert below.startswith("<details>") and below.endswith("</details>")
        ast.parse(exercise["solution"])


@each
def test_numbers_in_prose_are_not_results(path):
    """Percentages come from cells, never from the text: a typed-in result can't be wrong."""
    assert not re.search(r"\d\s?%", prose(read(path)))

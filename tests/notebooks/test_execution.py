"""Every notebook runs, in both languages, and its exercises check what they say they check."""

import nbformat
import pytest
from runner import NOTEBOOKS, exercises, read, run, tagged, widget_errors, without_solutions

each = [
    pytest.param(path, lang, id=f"{path.stem}-{lang}")
    for path in NOTEBOOKS
    for lang in ("en", "zh")
]


def shown(cell) -> str:
    return "".join(out.get("data", {}).get("text/plain", "") for out in cell.outputs)


@pytest.mark.parametrize(("path", "lang"), each)
def test_runs(path, lang):
    book = run(path, lang)
    assert widget_errors(book) == []
    # Work in the background reports its failures there and nowhere else.
    errors = [o.text for c in book.cells for o in c.get("outputs", ()) if o.get("name") == "stderr"]
    assert errors == []
    verdicts = [
        (tagged(c, "inserted"), shown(c)) for c in book.cells if "cx.lab.check(" in c.source
    ]
    stubs = [text for inserted, text in verdicts if not inserted]
    solved = [text for inserted, text in verdicts if inserted]
    assert len(stubs) == len(solved) == len(exercises(read(path)))
    assert all(text.startswith("✘") for text in stubs), stubs
    assert all(text.startswith("✔") for text in solved), solved
    # What the readout and the figures say is in the notebook's language.
    readouts = [shown(c) for c in book.cells if "Explorer(" in c.source or "film(" in c.source]
    assert readouts
    assert all(
        any("\u4e00" <= ch <= "\u9fff" for ch in text) == (lang == "zh") for text in readouts
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_without_widgets_the_still_and_the_readout_remain(path):
    book = without_solutions(run(path, "en"))
    assert len(book.cells) == len(read(path).cells)
    widgets = [
        output.data
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    assert widgets
    for data in widgets:
        assert data["image/png"] and len(data["text/plain"]) > 20


def test_errors_inside_widgets_are_seen():
    """The negative control: a failing callback passes plain execution and must not pass here."""
    pytest.importorskip("ipywidgets")
    from runner import _execute

    source = "import ipywidgets as w\nout = w.Output()\nwith out:\n    1 / 0\nout"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    assert widget_errors(_execute(book, "en")) == ["ZeroDivisionError: division by zero"]

"""Tables in notebooks: words flush left, numbers flush right, nothing else changed."""

import re

import pandas as pd
import pytest

from ctxlab.lab.frames import aligned_html, show_tables


def places(page: str) -> set[str]:
    """What the sheet before the table chooses."""
    sheet = re.match(r"<style>([^}]*?)\{text-align:left!important\}", page)
    return set(re.findall(r"(?:^|,)\.\S+ ([^,{]+)", sheet[1])) if sheet else set()


def test_words_and_numbers():
    frame = pd.DataFrame({"said": ["hello", None], "tokens": [1, 2], "ids": [("m1",), ("m2",)]})
    assert places(aligned_html(frame)) == {"tr>:nth-last-child(3)", "tr>:nth-last-child(1)"}
    assert frame._repr_html_() in aligned_html(frame)


def test_short_cells_are_not_broken():
    long = "The customer's parcels go to 762 Barton Springs Rd."
    frame = pd.DataFrame({"phone": ["(404) 555-0191"], "text": [long], "n": [1]}, index=["U014-S1"])
    whole = re.search(r"\}([^}]*)\{white-space:nowrap\}</style>", aligned_html(frame))[1]
    kept = set(re.findall(r"(?:^|,)\.\S+ ([^,{]+)", whole))
    assert kept == {"tbody tr>:nth-last-child(3)", "tbody tr>:nth-last-child(1)", "tbody th"}


def test_numbers_alone_are_left_to_pandas():
    frame = pd.DataFrame({"a": [1.5, 2.0], "b": ["1,200", "7"], "c": [True, False]})
    assert aligned_html(frame) == frame._repr_html_()


def test_row_names_and_joined_headings():
    frame = pd.DataFrame({("x", "n"): [1], ("x", "say"): ["no"]}, index=["why"])
    assert places(aligned_html(frame)) == {"tbody tr>:nth-last-child(1)", "tbody th"}
    flat = pd.DataFrame({"n": [1]}, index=["why"])
    assert places(aligned_html(flat)) == {"tbody th", "thead th:nth-last-child(n+2)"}


def test_a_table_with_columns_left_out_is_left_alone():
    with pd.option_context("display.max_columns", 3):
        frame = pd.DataFrame([["a"] * 5])
        assert aligned_html(frame) == frame._repr_html_()


def test_two_tables_do_not_share_their_rules():
    one = aligned_html(pd.DataFrame({"a": ["x"], "b": [1]}))
    two = aligned_html(pd.DataFrame({"a": [1], "b": ["x"]}))
    names = [re.search(r'class="(ctxlab-words[^"]*)"', page)[1] for page in (one, two)]
    assert names[0] != names[1]


@pytest.fixture
def options():
    """Pandas' own settings, put back afterwards."""
    names = ("display.max_colwidth", "display.html.use_mathjax")
    before = [pd.get_option(name) for name in names]
    yield names
    for name, value in zip(names, before, strict=True):
        pd.set_option(name, value)


def test_outside_a_notebook_it_sets_the_options_alone(options):
    show_tables(77)
    assert [pd.get_option(name) for name in options] == [77, False]


def test_a_notebook_shows_them(options, monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    show_tables()
    shown, _ = shell.display_formatter.format(pd.DataFrame({"said": ["hello"]}))
    assert "ctxlab-words-1" in shown["text/html"]

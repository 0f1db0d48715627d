"""JupyterLab in a real browser: a notebook runs, a slider moves by keyboard, figure and words do.

Run with ``-m browser``; skipped where there is no Chromium.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import labserver

NOTEBOOK = labserver.ROOT / "notebooks" / "02_token_budgets.ipynb"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(labserver.chromium() is None, reason="needs Chromium: apt install chromium"),
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The notebook, run to its end, at its explorer."""
    pytest.importorskip("playwright")
    folder = tmp_path_factory.mktemp("lab")
    with labserver.serve(folder, [NOTEBOOK]) as address, labserver.browse(folder) as page:
        labserver.run_all(page, address, NOTEBOOK.name)
        card = page.locator(".ctxlab-card").first
        card.scroll_into_view_if_needed()
        yield page, card


def state(card):
    """The readout, and which image is shown: each new value gets a new address."""
    return card.locator(".ctxlab-readout").inner_text(), card.locator("img").get_attribute("src")


def changed(page, card, before):
    """Wait until both the readout and the figure differ from `before`."""
    page.wait_for_function(
        """([words, picture]) => {
            const card = document.querySelector('.ctxlab-card');
            return card.querySelector('.ctxlab-readout').innerText !== words
                && card.querySelector('img').src !== picture;
        }""",
        arg=list(before),
        timeout=60_000,
    )
    return state(card)


def slider(card, name):
    row = card.locator(".widget-hslider").filter(has_text=name)
    return row.locator(".noUi-handle")


def test_runs_to_the_end_without_an_error(lab):
    page, _ = lab
    assert page.get_by_text("Traceback (most recent call last)").count() == 0
    assert page.get_by_text("✘ not yet").count() >= 1  # the exercises wait for the reader


def test_a_slider_moves_by_keyboard(lab):
    page, card = lab
    before = state(card)
    slider(card, "turn").focus()
    page.keyboard.press("ArrowRight")
    after = changed(page, card, before)
    assert after[0].startswith("Turn 30:") and before[0].startswith("Turn 29:")


def test_slow_work_follows_too(lab):
    page, card = lab
    before = state(card)
    slider(card, "window, tokens").focus()
    page.keyboard.press("ArrowRight")
    assert "of 1,500 tokens" in changed(page, card, before)[0]


def test_break_fix_and_config_by_keyboard(lab):
    page, card = lab
    before = state(card)
    card.get_by_role("button", name="Break it").press("Enter")
    broken = changed(page, card, before)
    assert "can't see" in broken[0]
    card.get_by_role("button", name="Fix it").press("Enter")
    assert "still sees" in changed(page, card, broken)[0]
    card.get_by_role("button", name="Copy as config").press("Enter")
    text = card.locator("textarea")
    text.wait_for()
    assert "[budget]" in text.input_value()


def test_nothing_jumps_and_all_fits_a_laptop(lab):
    card = lab[1]
    box = card.locator("img").bounding_box()
    assert (round(box["width"]), round(box["height"])) == (560, 380)
    panel = card.locator(".widget-hslider").first.bounding_box()
    assert panel["x"] >= box["x"] + box["width"]  # controls beside the figure, not below
    assert card.bounding_box()["width"] <= 860


def test_the_film_moves_in_the_browser_alone(lab):
    page, _ = lab
    film = page.locator(".ctxlab-card").nth(1)
    film.scroll_into_view_if_needed()
    picture = film.locator("img:visible")
    first = picture.get_attribute("src"), picture.get_attribute("alt")
    film.locator(".noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "words => [...document.querySelectorAll('.ctxlab-card')[1].querySelectorAll('img')]"
        ".filter(i => i.offsetParent).some(i => i.alt !== words)",
        arg=first[1],
    )
    assert picture.get_attribute("src") != first[0]

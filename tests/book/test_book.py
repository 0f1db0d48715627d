"""The built book, read by a browser without a kernel and without a network.

``make test`` prepares ``.venv-book``; the book is built here unless a good build is up to date.
Workers may ask for it at once: the build itself lets one in at a time.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

import ctxlab as cx

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
FILM_PAGE = "notebooks/02_token_budgets.html"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = pytest.mark.browser


class _Page(HTMLParser):
    """Links, anchors and what a page loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        self.anchors.update(value for key in ("id", "name") if (value := has.get(key)))
        link = has.get("href") if tag in ("a", "link") else has.get("src")
        if link and tag in ("a", "link", "img", "script"):
            self.links.append(link)


@pytest.fixture(scope="module")
def html() -> Path:
    python = ROOT / ".venv-book" / "bin" / "python"
    assert python.exists(), "no .venv-book: run `make test`, or `make book` once"
    command = [str(python), str(ROOT / "book" / "build.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=900)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return HTML


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing: what was asked for is checked in the browser."""


@pytest.fixture(scope="module")
def site(html: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(html)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next((found for name in CHROMIUM if (found := which(name))), None)
    assert program, "no Chromium on PATH: install it, or run `make test BROWSER=no`"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """A page that notes what it asks for, and what it can't get."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(60_000)
    opened.asked, opened.refused, opened.faults = [], [], []
    opened.on("request", lambda request: opened.asked.append(request.url))
    opened.on("response", lambda r: opened.refused.append(r.url) if r.status >= 400 else None)
    opened.on("requestfailed", lambda request: opened.refused.append(request.url))
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    yield opened
    opened.close()


def readable(html: Path) -> list[Path]:
    """Return the pages, without the theme's own templates."""
    return [p for p in sorted(html.rglob("*.html")) if "_static" not in p.relative_to(html).parts]


def films(page: Any) -> Any:
    """Return the cards of films: their frames are images in HTML, an explorer's is a widget."""
    return page.locator(".ctxlab-card").filter(has=page.locator(".widget-html-content img"))


def check_alone(page: Any, site: str) -> None:
    """Check that a page asked nobody but its own server, and got all it asked for."""
    strangers = [u for u in page.asked if not u.startswith((site, "data:", "blob:"))]
    assert strangers == []
    assert page.refused == []
    assert page.faults == []


def test_every_internal_link_leads_somewhere(html: Path) -> None:
    pages = {path.resolve(): _Page(path) for path in readable(html)}
    assert len(pages) > 10
    broken, seen = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            seen += 1
            address, anchor = urldefrag(link)
            target = (path.parent / unquote(urlsplit(address).path)).resolve() if address else path
            if not target.exists():
                broken.append(f"{path.name}: {link}")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                broken.append(f"{path.name}: {link} (no such place)")
    assert seen > 300
    assert broken == []


def test_the_reference_holds_every_public_name(html: Path) -> None:
    pages = (html / "book" / "reference").glob("*.html")
    anchors = set().union(*(_Page(path).anchors for path in pages))
    names = {name for name in cx.__all__ if name not in ("__version__", "evals", "lab")}
    missing = {name for name in names if f"ctxlab.{name}" not in anchors}
    assert missing == set()


@pytest.mark.parametrize("address", ["book/index.html", "book/index_zh.html", FILM_PAGE])
def test_a_film_moves_by_keyboard_with_no_kernel(page: Any, site: str, address: str) -> None:
    page.goto(site + address)
    film = films(page).last
    film.locator("img:visible").wait_for()
    # A script loaded twice would draw each widget twice.
    assert film.locator(".noUi-handle").count() == 1
    assert film.locator("img:visible").count() == 1
    before = film.locator("img:visible").get_attribute("alt")
    said = film.locator(".ctxlab-readout:visible").inner_text()
    film.locator(".noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([card, text]) => card.innerText.indexOf(text) < 0", arg=[film.element_handle(), said]
    )
    after = film.locator("img:visible").get_attribute("alt")
    assert after != before
    assert page.url == site + address  # the theme's own keys would turn the page
    assert film.locator("img:visible").count() == 1
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "([card, text]) => card.innerText.indexOf(text) >= 0", arg=[film.element_handle(), said]
    )
    assert film.locator("img:visible").get_attribute("alt") == before
    check_alone(page, site)


def test_a_chapter_weighs_less_than_three_megabytes(page: Any, site: str, html: Path) -> None:
    """Everything the browser fetches for it, as it lies on the disk: no host's compression."""
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))  # a builtin has no place to wrap
    # Who passes requests on keeps no cache: what one page has left would be no fetch for the next.
    page.route("**/*", lambda route: route.continue_())
    heavy, chapters = {}, sorted((html / "notebooks").glob("*.html"))
    assert len(chapters) == 17
    for chapter in [*chapters, html / "book" / "index.html", html / "book" / "index_zh.html"]:
        answers.clear()
        page.goto(f"{site}{chapter.relative_to(html)}")
        page.locator(".ctxlab-card img").first.wait_for()
        page.wait_for_load_state("networkidle")
        sizes = {answer.url: len(answer.body()) for answer in answers if answer.status == 200}
        assert any("embed" in url for url in sizes)  # the widgets' script is among what counts
        total = sum(sizes.values())
        assert total > chapter.stat().st_size + 1_000_000
        if total >= 3_000_000:
            heavy[chapter.name] = total
    assert heavy == {}
    check_alone(page, site)


def test_icons_and_the_still_have_what_they_need(page: Any, site: str) -> None:
    """What was lightened still shows: an icon has its glyph, the explorer's still its name."""
    page.goto(site + FILM_PAGE)
    card = page.locator(".ctxlab-card").first
    card.locator("img").wait_for()
    said = card.locator(".ctxlab-readout").inner_text().strip()
    assert said and page.get_by_role("img", name=said).count() >= 1
    shown = page.evaluate(
        """async () => {
            await document.fonts.ready;
            return [...document.querySelectorAll('[class*="fa-"]')].filter(i => i.offsetParent).map(
                i => [i.className, getComputedStyle(i, '::before').content, i.offsetWidth,
                      getComputedStyle(i).fontFamily]);
        }"""
    )
    assert len(shown) > 4
    for name, content, width, family in shown:
        assert content not in ("none", "normal") and width > 4, name
        assert "Font Awesome 6" in family, name
    assert page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').length") >= 1


def test_a_films_caption_fits_a_phone(page: Any, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("book/index.html", "book/index_zh.html", FILM_PAGE):
        page.goto(site + address)
        film = films(page).last
        film.locator("img:visible").wait_for()
        card, caption = film.bounding_box(), film.locator(".widget-readout").bounding_box()
        assert caption["x"] + caption["width"] <= card["x"] + card["width"]
        over = film.locator(".widget-readout").evaluate("e => e.scrollWidth - e.clientWidth")
        assert over <= 0, film.locator(".widget-readout").inner_text()


def test_widgets_are_drawn_once_each(page: Any, site: str) -> None:
    page.goto(site + FILM_PAGE)
    page.locator(".ctxlab-card").first.wait_for()
    views = page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count()
    page.wait_for_function("n => document.querySelectorAll('.ctxlab-card').length >= n", arg=views)
    page.wait_for_load_state("networkidle")
    assert views >= 2  # the explorer, as a still with its controls, and the film
    assert page.locator(".ctxlab-card").count() == views
    # A widget that can't be drawn is replaced by a word of excuse, and the page goes on.
    assert page.get_by_text("javascript error").count() == 0
    for picture in page.locator(".ctxlab-card img:visible").all():
        assert picture.evaluate("image => image.naturalWidth") > 300
    check_alone(page, site)


def test_all_pages_read_alone_and_fit_a_phone(page: Any, site: str, html: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    wide = []
    for path in readable(html):
        page.goto(site + str(path.relative_to(html)))
        page.wait_for_load_state("networkidle")
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            wide.append(path.name)
    assert wide == []
    check_alone(page, site)

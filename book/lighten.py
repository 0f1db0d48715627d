"""Take out of built pages what they never use, so that a chapter is small: called by ``build.py``.

A theme ships the whole of Bootstrap and every icon twice, as a font and as a script. A page of ours
uses a few hundred rules and a dozen icons. What stays is decided by what stands in the pages and in
their scripts, so nothing has to be kept in step by hand.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

# Sheets of the theme and its parts: rules for classes that no page has are left out.
SHEETS = ("styles/*.css", "vendor/fontawesome/*/css/*.css", "sphinx-design.min.css")
# Classes that a script puts together from parts, so that their names stand nowhere.
BUILT_BY_SCRIPT = (
    "bs-",
    "fade",
    "show",
    "collapse",
    "collapsing",
    "modal",
    "tooltip",
    "offcanvas",
    "dropdown",
)
FACES = ("fa-solid-900", "fa-brands-400")  # brands: the buttons of a published book
_ICONS = "vendor/fontawesome"
_ICON_SCRIPT = re.compile(r"\s*<script[^>]*fontawesome[^>]*></script>")
_FONT_AHEAD = re.compile(r'\s*<link rel="preload" as="font"[^>]*/?>')
_DESIGN = re.compile(
    r"\s*<(?:link|script)[^>]*(?:sphinx-design\.min\.css|design-tabs\.js)[^>]*>(?:</script>)?"
)
_BARE = {"skip_comments": True, "skip_whitespace": True}
_CONTENT = re.compile(r'content:\s*"(?:\\([0-9a-f]{1,6})|([^"\\]))')


def lighten(html: Path) -> None:
    """Rewrite the pages, style sheets and icons under `html` in place."""
    static = html / "_static"
    pages = [page for page in html.rglob("*.html") if static not in page.parents]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        text = _FONT_AHEAD.sub("", _ICON_SCRIPT.sub("", text))
        if 'class="sd-' not in text and " sd-" not in text:
            text = _DESIGN.sub("", text)
        page.write_text(text, encoding="utf-8")
    scripts = [script for script in static.rglob("*.js") if script.name not in _not_the_themes()]
    used = words([*pages, *scripts])
    for pattern in SHEETS:
        for sheet in static.glob(pattern):
            sheet.write_text(purged(sheet.read_text(encoding="utf-8"), used), encoding="utf-8")
    for folder in (static / _ICONS).glob("*"):
        keep_icons(folder, static)


def _not_the_themes() -> tuple[str, ...]:
    """Return scripts whose words say nothing of the theme's classes."""
    return ("all.min.js", "embed.js", "tex-mml-chtml.js", "searchtools.js", "language_data.js")


def words(files: Iterable[Path]) -> set[str]:
    """Return whatever could name a class in the files; pictures are passed over."""
    found: set[str] = set()
    for file in files:
        text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", file.read_text(encoding="utf-8"))
        found.update(re.findall(r"[A-Za-z_][\w-]*", text))
    return found


def purged(sheet: str, used: set[str]) -> str:
    """Return a style sheet without the rules that need a class outside `used`."""
    import tinycss2

    return "".join(_kept(tinycss2.parse_stylesheet(sheet, **_BARE), used))


def _kept(rules: Iterable[object], used: set[str]) -> Iterable[str]:
    import tinycss2

    for rule in rules:
        if rule.type == "at-rule" and rule.at_keyword in ("media", "supports") and rule.content:
            inside = tinycss2.parse_rule_list(
                rule.content, skip_comments=True, skip_whitespace=True
            )
            text = "".join(_kept(inside, used))
            if text:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"
        elif rule.type == "qualified-rule":
            selectors = tinycss2.serialize(rule.prelude)
            wanted = [one for one in _split(selectors) if _possible(one, used)]
            if wanted:
                yield f"{','.join(wanted)}{{{tinycss2.serialize(rule.content).strip()}}}"
        else:
            yield rule.serialize()


def _split(selectors: str) -> list[str]:
    """Split at the commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", selectors)]


def _possible(selector: str, used: set[str]) -> bool:
    """Tell whether every class that the selector needs stands somewhere."""
    needed = re.sub(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]", "", selector)
    names = re.findall(r"\.(-?[A-Za-z_](?:[\w-]|\\.)*)", needed)
    return all(name.replace("\\", "") in used or name.startswith(BUILT_BY_SCRIPT) for name in names)


def keep_icons(folder: Path, static: Path) -> None:
    """Leave of each icon font the icons that the style sheets still name, as WOFF."""
    (sheet,) = (folder / "css").glob("*.css")
    text = sheet.read_text(encoding="utf-8")
    styles = text + "".join(p.read_text(encoding="utf-8") for p in static.glob("styles/*.css"))
    named = {int(code, 16) if code else ord(sign) for code, sign in _CONTENT.findall(styles)}
    fonts = {face: font for face in FACES if (font := _cut(folder, face, named))}
    shutil.rmtree(folder / "js", ignore_errors=True)
    for file in (folder / "webfonts").iterdir():
        file.unlink()
    for face, font in fonts.items():
        (folder / "webfonts" / f"{face}.woff").write_bytes(font)
        source = rf"src:url\([^)]*{face}\.woff2\)[^;}}]*"
        text = re.sub(source, f'src:url(../webfonts/{face}.woff) format("woff")', text)
    # A rule for a face that no page has an icon of would only be asked for in vain.
    text = re.sub(r"@font-face\s*\{[^}]*\.woff2[^}]*\}", "", text)
    sheet.write_text(text, encoding="utf-8")


def _cut(folder: Path, face: str, named: set[int]) -> bytes:
    """Return a font with the named icons alone; nothing if it has none of them."""
    from fontTools import subset

    options = subset.Options(flavor="woff", desubroutinize=True)
    font = subset.load_font(str(folder / "webfonts" / f"{face}.ttf"), options)
    # Both fonts have letters and digits for their own names: an icon lies beyond them.
    wanted = {code for code in named & set(font.getBestCmap()) if code > 0xDFFF}
    if not wanted:
        return b""
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=named)
    cutter.subset(font)
    made = io.BytesIO()
    subset.save_font(font, made, options)
    return made.getvalue()

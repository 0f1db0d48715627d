"""Codes that only the words around them give away: a door's digits or an order's, zh and en.

Rules know what a code is called. People often don't say: "courier can let himself in, the pad
takes 6610", 「师傅到了按6610」. A fitted head reads the shape of a code and the words on both sides
of it. It adds to what the rules find; it takes nothing away.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from ctxlab.language.heads import load_head
from ctxlab.language.sensitive_labels import Label, Labels
from ctxlab.language.sensitive_numbers import OPENS, Hit

__all__ = ["candidates", "find_codes", "shape", "surroundings"]

_LIKELY = 0.42  # chance from which a code counts as a secret
_NAMED, _FAR = 0.75, 20  # the same where its name, within so many characters, says otherwise
_DIGITS = re.compile(r"(?<![A-Za-z0-9_.,/@-])[#*]?\d+(?:[ -]\d+)*[#*]?(?![A-Za-z0-9_@]|[./,:-]\d)")
_MIXED = re.compile(
    r"(?<![A-Za-z0-9_.@/-])[A-Za-z0-9](?:[A-Za-z0-9_!@#$%^&*+~-]|[./\\:=](?=[A-Za-z0-9])){3,79}"
)
_DIGIT_BY_DIGIT = re.compile(r"\d(?:-\d){2,5}")  # "9-0-2-8", as wheels are turned
_FEWEST, _MOST = 3, 12  # digits of a code that is digits alone
_NO_CODE = re.compile(
    # addresses of people and pages, measures, days and ranges, names in programs
    r".*://|[\w.+-]+@[\w-]+\.\w|www\.|(?:[\w-]+\.)+(?:com|net|org|io|cn|uk|de|co)\b|"
    r"[$£€¥]?\d[\d.,]*(?:st|nd|rd|th|am|pm|k|m|g|kg|km|cm|mm|ml|gb|mb|tb|mah|w|v|hz|px|h|min|ft|in|[kmg]bps|kwh|rpm|psi|dpi|fps|"
    r"oz|lb|x\d+)\Z|\d[\d.,]*[-/][A-Za-z]+\Z|\d{1,3}-\d{1,3}\Z|[\d.,]+%\Z|1-8\d\d-|(?:19|20)\d\d-\d\d?-\d\d?\Z|"
    r"(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*[-/]\d|"
    r"[a-z]+(?:_[a-z]+)+(?:_\d+)?\Z",
    re.IGNORECASE,
)
_CODELIKE = re.compile(r"\d|[A-Za-z][!@#$%][A-Za-z]")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]|[^\w\s]")
_ONE_OF_MANY = re.compile(r"\b(?:an?|一[台款个只部]) ?\Z", re.IGNORECASE)  # "it's a Pixel7"
# "the last four on the card you charge are 5454": so much of a number is told to name it.
_ENDING, _ENDING_REACH = frozenset({"last"}), 44
_NEAR = 12  # tokens on each side that are read


def candidates(text: str) -> list[tuple[int, int]]:
    """Find what could be a code in a normal form: spans in characters, without overlaps.

    Examples
    --------
    >>> text = "order 55, the pad takes 6610, or Kettle*88"
    >>> [text[start:end] for start, end in candidates(text)]
    ['6610', 'Kettle*88']
    """
    spans = []
    for match in _MIXED.finditer(text):
        code = match[0].rstrip("-+~:=*_")
        plain = re.fullmatch(r"[\d./:-]+", code) or _NO_CODE.match(code)
        # "HbA1c", "B12": one digit among few letters names something.
        named = sum(map(str.isdigit, code)) == 1 and len(code) < 7 and code.isalnum()
        if len(code) >= 4 and not plain and not named and _CODELIKE.search(code):
            spans.append((match.start(), match.start() + len(code)))
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        digits = sum(map(str.isdigit, match[0]))
        if _NO_CODE.match(match[0]):
            continue
        if _FEWEST <= digits <= _MOST and all(end <= s or e <= start for s, e in spans):
            spans.append((start, end))
    return sorted(spans)


def shape(code: str) -> list[float]:
    """Describe a code itself: one number a feature."""
    digits = sum(map(str.isdigit, code))
    letters = [char for char in code if char.isalpha()]
    upper = sum(map(str.isupper, letters))
    return [
        math.log1p(digits), math.log1p(len(letters)), float(not letters),
        float(digits == len(code) == 4), float(not letters and digits == 6),
        float(not letters and digits > 8), float(0 < upper == len(letters)),
        float(0 < upper < len(letters)), float(bool(re.search("[a-z][A-Z]", code))),
        float(bool(re.search(r"[!@$%^&*+~]", code))), float("#" in code), float("-" in code),
        float("_" in code), float(" " in code), float(len(code) > 14),
        float(bool(re.fullmatch(r"[a-z]+\d+", code))),
        float(bool(re.fullmatch(r"[A-Z]{1,4}-?\d+", code))),
        float(bool(re.match(r"(?:19|20)\d\d\Z", code))),
    ]  # fmt: skip


def surroundings(text: str, span: tuple[int, int], labels: Labels) -> list[str]:
    """List what stands around a code: the words next to it, those near it, and its labels."""
    start, end = span
    left = _tokens(text[max(0, start - 80) : start])[-_NEAR:]
    # Whether a message ends with a full stop says nothing of the code in it.
    right = _tokens(text[end : end + 80].rstrip(" .!。！…~"))[:_NEAR]
    before, after = labels.before(start), labels.after(end, 24)
    found = [f"named {before.kind} {_far(before)}", f"called {after.kind}"]
    for side, tokens in (("<", left[::-1]), (">", right)):
        found += [f"{side}{' '.join(tokens[:n])}" for n in (1, 2, 3, 4) if len(tokens) >= n]
        found += [f"{side}edge"] * (not tokens)
        found += [f"near{side}{token}" for token in tokens]
        found += [f"near{side}{one} {two}" for one, two in pairwise(tokens)]
    return list(dict.fromkeys(found))


def _far(label: Label) -> str:
    return "at" if len(label.gap) < 4 else "by" if len(label.gap) < 14 else "off"


def _tokens(text: str) -> list[str]:
    return ["0" * min(len(t), 4) if t.isdigit() else t for t in _TOKEN.findall(text.lower())]


def find_codes(text: str, labels: Labels, known: Sequence[Hit]) -> list[Hit]:
    """Find codes that the words around them give away, where nothing else is known of them.

    Parameters
    ----------
    text : str
        A normal form.
    labels : Labels
        Its labels.
    known : sequence of Hit
        What the rules found in it; what they explain isn't asked about again.
    """
    import numpy as np

    spans = [
        (start, end)
        for start, end in candidates(text)
        if not any(hit.start < end and start < hit.end for hit in known)
        and not labels.near(start, _ENDING, _ENDING_REACH)
        and not _ONE_OF_MANY.search(text[max(0, start - 4) : start])
    ]
    if not spans:
        return []
    dense = np.array([shape(text[start:end]) for start, end in spans], np.float32)
    chances = load_head("codes").yes(dense, [surroundings(text, span, labels) for span in spans])
    # "order 55120 and 55121": what names a number as something harmless has to be outvoted.
    named = [labels.before(start) for start, _ in spans]
    told = [_DIGIT_BY_DIGIT.fullmatch(text[start:end]) for start, end in spans]
    needed = [
        _NAMED if n.kind == "other" and len(n.gap) < _FAR and not single else _LIKELY
        for n, single in zip(named, told, strict=True)
    ]
    return [
        Hit(start, end, "credential", "context", 0.65)
        for (start, end), chance, least in zip(spans, chances, needed, strict=True)
        if chance >= least or OPENS.match(text, end)
    ]

"""What must not be stored as it is: seven kinds of sensitive content, zh and en (R91).

:func:`scan` finds it, :func:`mask` hides it. Both are pure; what is then refused, masked or kept
is policy, and lives with the mitigation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxlab.language.disclosure import weigh_many
from ctxlab.language.keeping import Met
from ctxlab.language.sensitive_cards import find_accounts, find_card_details
from ctxlab.language.sensitive_codes import find_codes
from ctxlab.language.sensitive_documents import find_documents
from ctxlab.language.sensitive_labels import Labels
from ctxlab.language.sensitive_numbers import Hit, find_numbers
from ctxlab.language.sensitive_pieces import find_pieces, find_recipes
from ctxlab.language.sensitive_postal import without_postcodes
from ctxlab.language.sensitive_script import plain
from ctxlab.language.sensitive_secrets import find_secrets
from ctxlab.language.sensitive_tokens import find_tokens
from ctxlab.language.sensitive_topics import find_topics
from ctxlab.language.sensitive_words import find_words
from ctxlab.messages import check_text

__all__ = ["CATEGORIES", "Finding", "mask", "scan", "scan_many"]

CATEGORIES = (
    "health",
    "payment",
    "government_id",
    "credential",
    "contact",
    "special",
    "minor",
)


@dataclass(frozen=True)
class Finding:
    """A span of sensitive content.

    Attributes
    ----------
    start, end : int
        The span in the text as given, in characters (code points).
    category : str
        One of ``CATEGORIES``.
    rule : str
        What recognised it, e.g. ``card``, ``iban``, ``diagnosis``.
    confidence : float
        In [0, 1]. Check digits give about 0.95, a label beside a number 0.8, wording alone less.
    """

    start: int
    end: int
    category: str
    rule: str
    confidence: float


def scan(text: str) -> list[Finding]:
    """Find sensitive content, sorted and without overlaps.

    Examples
    --------
    >>> [(f.category, f.rule) for f in scan("卡号4111111111111111谢谢")]
    [('payment', 'card')]
    >>> scan("I forgot my password and this queue is killing me")
    []
    """
    return scan_many([text])[0]


def scan_many(texts: Sequence[str]) -> list[list[Finding]]:
    """Scan many texts; what the second opinion embeds goes through the model in one batch.

    Examples
    --------
    >>> [len(found) for found in scan_many(["卡号4111111111111111", "parcel is late"])]
    [1, 0]
    """
    asked = dict.fromkeys(map(check_text, texts))
    fresh = [text for text in asked if text not in _CLEAN]
    found = dict(zip(fresh, _scan(fresh), strict=True))
    for text in fresh:
        if not found[text]:
            _CLEAN.add(text)
    return [list(found.get(text, ())) for text in texts]


# One message is scanned when it's stored, and once more when memories are drawn from it.
_CLEAN = Met(most=20_000)


def _scan(texts: Sequence[str]) -> list[list[Finding]]:
    views = [plain(text) for text in texts]
    weighed = weigh_many([v.text for v in views], [find_topics(v.text) for v in views])
    found: list[list[Finding]] = []
    for text, view, topics in zip(texts, views, weighed, strict=True):
        labels = Labels(view.text)
        hits = [*find_numbers(view.text, labels), *find_tokens(view.text, labels)]
        hits += [*find_accounts(view.text, labels), *find_card_details(view.text, labels, hits)]
        hits += [*find_documents(view.text, labels), *find_secrets(view.text)]
        hits += [*find_pieces(view.text, labels, hits), *find_recipes(view.text)]
        hits += find_codes(view.text, labels, hits)
        hits += find_words(view.text, hits)
        hits = without_postcodes(view.text, hits)
        hits += topics
        spans = [(*view.span(h.start, h.end), h) for h in hits if h.end > h.start]
        found.append(_resolve(len(text), spans))
    return found


def _resolve(length: int, spans: Iterable[tuple[int, int, Hit]]) -> list[Finding]:
    """Give each character to the surest finding; a less sure one keeps its longest free stretch."""
    taken = bytearray(length)
    kept: list[Finding] = []
    for start, end, hit in sorted(spans, key=lambda s: (-s[2].confidence, s[0] - s[1], s[0])):
        left, right = _free(taken, start, end)
        if right - left >= min(2, end - start):
            taken[left:right] = b"\1" * (right - left)
            kept.append(Finding(left, right, hit.category, hit.rule, hit.confidence))
    return sorted(kept, key=lambda finding: finding.start)


def _free(taken: bytearray, start: int, end: int) -> tuple[int, int]:
    best = position = start
    stop = start
    while position < end:
        used = taken.find(1, position, end)
        used = end if used < 0 else used
        if used - position > stop - best:
            best, stop = position, used
        position = taken.find(0, used, end)
        position = end if position < 0 else position
    return best, stop


def mask(text: str, findings: Sequence[Finding]) -> str:
    """Put ``[category]`` in the place of each finding; the rest stays as it is.

    Examples
    --------
    >>> mask("call 13800138000 今天", scan("call 13800138000 今天"))
    'call [contact] 今天'
    """
    pieces: list[str] = []
    position = 0
    for finding in sorted(findings, key=lambda f: f.start):
        pieces += [text[position : finding.start], f"[{finding.category}]"]
        position = finding.end
    return "".join([*pieces, text[position:]])

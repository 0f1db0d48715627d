"""How well a scanner finds sensitive spans, and how often it cries wolf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ctxlab.language.sensitive import Finding

__all__ = ["score_spans"]


def score_spans(
    rows: Iterable[Mapping[str, Any]], scan: Callable[[str], Sequence[Finding]]
) -> dict[str, Any]:
    """Score a scanner on labelled sentences.

    Parameters
    ----------
    rows : iterable of mapping
        ``text`` and ``spans``, each span with its ``text`` and ``category``. A row without spans
        is a look-alike.
    scan : callable
        Text to findings.

    Returns
    -------
    dict
        ``recall``: share of spans covered to at least half their length by findings of their
        category; ``found`` and ``spans``, the counts; ``flagged``: share of look-alikes with any
        finding; ``lookalikes``, their number; ``by_category``: recall of each.

    Examples
    --------
    >>> from ctxlab.language.sensitive import scan
    >>> rows = [{"text": "mail a.b@example.org", "spans": [
    ...     {"text": "a.b@example.org", "category": "contact"}]}, {"text": "hi", "spans": []}]
    >>> score = score_spans(rows, scan)
    >>> score["recall"], score["flagged"]
    (1.0, 0.0)
    """
    found: Counter[str] = Counter()
    spans: Counter[str] = Counter()
    lookalikes = flagged = 0
    for row in rows:
        findings = scan(row["text"])
        for span in row["spans"]:
            spans[span["category"]] += 1
            found[span["category"]] += _is_found(row["text"], span, findings)
        if not row["spans"]:
            lookalikes += 1
            flagged += bool(findings)
    return {
        "recall": found.total() / max(1, spans.total()),
        "found": found.total(),
        "spans": spans.total(),
        "flagged": flagged / max(1, lookalikes),
        "lookalikes": lookalikes,
        "by_category": {name: found[name] / spans[name] for name in sorted(spans)},
    }


def _is_found(text: str, span: Mapping[str, str], findings: Sequence[Finding]) -> bool:
    start = text.find(span["text"])
    end = start + len(span["text"])
    covered = sum(
        max(0, min(end, finding.end) - max(start, finding.start))
        for finding in findings
        if finding.category == span["category"]
    )
    return start >= 0 and 2 * covered >= end - start

"""How well `cx.extract` does on labelled dialogues: what it found, what it shouldn't have kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ctxlab.language.extraction import Draft, extract
from ctxlab.language.numerals import numerals
from ctxlab.language.text import fold

__all__ = ["drafts_of", "holds", "score_extraction"]


def drafts_of(row: dict[str, Any]) -> list[Draft]:
    """Extract from a row of ``datasets/language/dialogues``."""
    return extract([{**message, "time": row["time"]} for message in row["messages"]])


def holds(text: str, literal: str) -> bool:
    """Tell whether a text holds a literal, in any case and width, as words or digits.

    Examples
    --------
    >>> holds("fifteen more seats", "15"), holds("order A10299", "A1029")
    (True, False)
    """
    return any(_inside(a, b) for a, b in ((text, literal), (_digits(text), _digits(literal))))


def score_extraction(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Score dialogues.

    Returns
    -------
    dict
        ``found``: share of the key literals of labelled memories that some draft holds;
        ``exact``: the same, character by character; ``unwanted``: share of the unwanted strings
        that some draft holds; ``drafts_per_memory``; ``kind``: of the memories with a literal, the
        share whose best matching draft has the same kind; ``dialogues``: how many.
    """
    total = found = exact = bad = stored = memories = drafts = kinds = judged = 0
    for row in rows:
        made = drafts_of(row)
        text = "\n".join(draft.text for draft in made)
        drafts, memories = drafts + len(made), memories + len(row["memories"])
        for memory in row["memories"]:
            total += len(memory["literals"])
            found += sum(holds(text, literal) for literal in memory["literals"])
            exact += sum(literal in text for literal in memory["literals"])
            best = max(
                made, default=None, key=lambda d: sum(holds(d.text, x) for x in memory["literals"])
            )
            if best is not None and any(holds(best.text, x) for x in memory["literals"]):
                judged, kinds = judged + 1, kinds + (best.kind == memory["kind"])
        bad += len(row["unwanted"])
        stored += sum(_inside(text, literal) for literal in row["unwanted"])
    return {
        "found": found / max(1, total), "exact": exact / max(1, total),
        "unwanted": stored / max(1, bad), "drafts_per_memory": drafts / max(1, memories),
        "kind": kinds / max(1, judged), "dialogues": float(len(rows)),
    }  # fmt: skip


def _inside(text: str, literal: str) -> bool:
    edge = "A-Za-z0-9"  # a number inside a longer one is another number
    left = f"(?<![{edge}])" if re.match(f"[{edge}]", literal) else ""
    right = f"(?![{edge}])" if re.search(rf"[{edge}]\Z", literal) else ""
    return re.search(left + re.escape(literal) + right, text, re.IGNORECASE) is not None


def _digits(text: str) -> str:
    plain = fold(text).text
    for numeral in reversed(numerals(plain)):
        plain = plain[: numeral.start] + numeral.digits + plain[numeral.end :]
    return re.sub(r"(?<=\d),(?=\d{3})", "", plain)

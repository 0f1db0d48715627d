"""Measure `cx.scan` on presidio-research's synthetic set, beside stock Presidio's own figures.

The set is read from a path the user gives; nothing of it ships. Six in seven of its spans are
names, places, organisations and dates, which R91's categories don't cover, so two rows are
reported: on the entity types that map to a category, and on all spans as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["presidio"]

MAPPED = {
    "CREDIT_CARD": "payment",
    "IBAN_CODE": "payment",
    "US_SSN": "government_id",
    "US_DRIVER_LICENSE": "government_id",
    "PHONE_NUMBER": "contact",
    "EMAIL_ADDRESS": "contact",
}


def presidio(path: str | Path) -> pd.DataFrame:
    """Score the scanner on ``synth_dataset_v2.json``, by characters.

    A character counts as found if any finding covers it; on the mapped types the finding must be
    of the mapped category. F is given for beta 2, as that project plots it, and for beta 1.

    Parameters
    ----------
    path : str or Path
        The JSON file: a list of ``{"full_text", "spans": [{"entity_type", "start_position",
        "end_position"}]}``.

    Returns
    -------
    pandas.DataFrame
        Columns ``scope`` ("mapped", "all", and one row for each mapped type, recall only),
        ``spans``, ``precision``, ``recall``, ``f1``, ``f2``.

    References
    ----------
    presidio-research, notebooks 4 and 5, report F 0.618 for stock Presidio and 0.845 with a
    transformer on this set, on all spans.
    """
    import pandas as pd

    from ..language.sensitive import scan

    rows = json.loads(Path(path).read_text(encoding="utf-8"))
    table = [_score(scope, rows, scan) for scope in ("mapped", "all", *MAPPED)]
    return pd.DataFrame(table)


def _score(scope: str, rows: list[dict[str, Any]], scan: Any) -> dict[str, Any]:
    hit = found = wanted = spans = 0
    for row in rows:
        truth = {
            position: span["entity_type"]
            for span in _spans(row, scope)
            for position in range(span["start_position"], span["end_position"])
        }
        findings = scan(row["full_text"])
        claimed = {
            position: finding.category
            for finding in findings
            if scope == "all" or finding.category in MAPPED.values()
            for position in range(finding.start, finding.end)
        }
        spans += sum(1 for _ in _spans(row, scope))
        wanted += len(truth)
        found += len(claimed)
        hit += sum(
            scope == "all" or claimed[position] == MAPPED[kind]
            for position, kind in truth.items()
            if position in claimed
        )
    recall = hit / max(1, wanted)
    if scope in MAPPED:  # what is claimed elsewhere may be right for another type
        return {"scope": scope, "spans": spans, "recall": recall}
    precision = hit / max(1, found)
    scores = {f"f{beta}": _f(precision, recall, beta) for beta in (1, 2)}
    return {"scope": scope, "spans": spans, "precision": precision, "recall": recall, **scores}


def _spans(row: Mapping[str, Any], scope: str) -> Iterator[Mapping[str, Any]]:
    for span in row["spans"]:
        kind = span["entity_type"]
        if scope in ("all", kind) or (scope == "mapped" and kind in MAPPED):
            yield span


def _f(precision: float, recall: float, beta: int) -> float:
    weighted = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / weighted if weighted else 0.0

"""Record first, optimise later: one JSON line a request, without content (R82)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .context.request import Context
from .errors import DataError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MetricsLog", "read_metrics", "thresholds"]


@dataclass
class MetricsLog:
    """Append requests' numbers to a JSONL file that rotates.

    Parameters
    ----------
    path : str or Path
        The file; older ones get ``.1``, ``.2``, …
    max_bytes : int
        Size at which a new file begins.
    keep : int
        Older files kept.
    """

    path: str | Path
    max_bytes: int = 10_000_000
    keep: int = 5

    def __post_init__(self) -> None:
        self._handler = RotatingFileHandler(
            self.path, maxBytes=self.max_bytes, backupCount=self.keep, encoding="utf-8", delay=True
        )

    def write(self, context: Context, when: datetime, **more: Any) -> None:
        """Log one request: turns, tokens by layer, route, latency by step; no content."""
        ledger = context.ledger
        row = {
            "time": when.isoformat(),
            "turns": ledger.turns,
            "mode": context.route.mode,
            "refers_back": bool(context.route.features.get("refers_back")),
            "total": ledger.total,
            "window": ledger.window,
            "tokens": dict(ledger.used),
            "dropped": {layer: tokens for layer, (tokens, _) in ledger.dropped.items()},
            "cacheable": ledger.cacheable,
            "ms": {step: round(ms, 3) for step, ms in context.trace.ms.items()},
            **more,
        }
        line = json.dumps(row, ensure_ascii=False)
        self._handler.emit(logging.makeLogRecord({"msg": line}))

    def close(self) -> None:
        """Close the file."""
        self._handler.close()


def read_metrics(path: str | Path) -> pd.DataFrame:
    """Return a log, its rotated files included, oldest first; nested fields as ``tokens.recent``.

    Raises
    ------
    DataError
        If a line isn't JSON, naming file and line; the last line of a killed process is dropped.
    """
    import pandas as pd

    base = Path(path)
    files = sorted(base.parent.glob(base.name + ".*"), key=lambda p: -int(p.suffix[1:] or 0))
    rows: list[dict[str, Any]] = []
    for file in [*files, base]:
        if file.exists():
            rows += _rows(file)
    return pd.json_normalize(rows)


def _rows(file: Path) -> Iterable[dict[str, Any]]:
    lines = file.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            if number == len(lines):
                return
            raise DataError(f"{file}, line {number}: {error}") from error


def thresholds(log: pd.DataFrame) -> pd.DataFrame:
    """Return the distributions that thresholds are chosen from: quantiles of each number.

    One row per quantity (turns, tokens by layer, latency by step in ms), with the quantiles 50,
    90, 95 and 99 % and the maximum.
    """
    numbers = log.select_dtypes("number")
    table = numbers.quantile([0.5, 0.9, 0.95, 0.99]).T
    table.columns = ["p50", "p90", "p95", "p99"]
    table["max"] = numbers.max()
    return table

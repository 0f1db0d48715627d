"""Tables of the user's own: a data frame, a CSV or JSONL file, dicts or bare texts (R123)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from ..errors import DataError

__all__ = ["rows_of"]


def rows_of(
    data: Any, needs: Sequence[str] = ("text",), may: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a table, each with the columns asked for; empty cells are None.

    Parameters
    ----------
    data : DataFrame, path, or sequence of dict, str or dataclass
        A path ends in ``.csv`` or ``.jsonl``. A bare text is a row with nothing but ``text``.
    needs, may : sequence of str
        Columns that must be there, and those that are taken where they are; others are left out.

    Raises
    ------
    DataError
        If the file can't be read, a column is missing, or there are no rows.

    Examples
    --------
    >>> rows_of(["call me"], may=["agent"])
    [{'text': 'call me', 'agent': None}]
    """
    where = str(data) if isinstance(data, str | Path) else "the given table"
    found = [_plain(row) for row in _records(data)]
    out = []
    for i, row in enumerate(found, 1):
        missing = [name for name in needs if row.get(name) is None or row[name] == ""]
        if missing:
            has = ", ".join(map(str, row)) or "nothing"
            raise DataError(f"{where}, row {i}: no {missing[0]!r}; it has {has}")
        out.append({name: row.get(name) for name in (*needs, *may)})
    if not out:
        raise DataError(f"{where}: no rows; expected columns {', '.join(needs)}")
    return out


def _records(data: Any) -> Iterable[Any]:
    if isinstance(data, str | Path):
        return _read(Path(data))
    if hasattr(data, "to_dict") and hasattr(data, "columns"):
        return list(data.to_dict("records"))
    if isinstance(data, Iterable) and not isinstance(data, Mapping):
        return list(data)
    raise DataError(f"expected a table, a path or a list of dicts, got {type(data).__name__}")


def _read(path: Path) -> list[Any]:
    try:
        if path.suffix.lower() == ".csv":
            import pandas as pd

            # Ids such as 0012 are texts; an empty cell is nothing, not a number.
            table = pd.read_csv(path, dtype=str, keep_default_na=False)
            return list(table.to_dict("records"))
        lines = path.read_text("utf-8-sig").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}; expected CSV or one JSON object a line") from error


def _plain(row: Any) -> dict[str, Any]:
    if isinstance(row, str):
        return {"text": row}
    if is_dataclass(row) and not isinstance(row, type):
        row = asdict(row)
    elif hasattr(row, "_asdict"):  # a record, a hit
        row = row._asdict()
    if not isinstance(row, Mapping):
        raise DataError(f"expected a row as a dict, got {type(row).__name__}: {row!r:.60}")
    # A data frame writes "nothing" as a number that isn't equal to itself.
    return {str(k): None if v == "" or _is_nan(v) else v for k, v in row.items()}


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value

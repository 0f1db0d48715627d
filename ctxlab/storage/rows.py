"""Records as rows: what stands in columns, what in the body, and each made only when asked for.

Columns hold what queries filter and rank by. The body is JSON of the rest, without what a record
has by default or what a column says already: a third of its bytes, to write and to read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import Any

from ..types import BY_HAND, Record, Source
from .encoding import encode_items
from .schema import from_micros, to_micros

__all__ = ["Row", "Rows", "is_core", "make_record", "read_body", "to_record", "to_row"]
Row = Mapping[str, Any]

# Fields that stand in the body under their name, unless they are as usual.
_USUAL: dict[str, Any] = {
    **dict.fromkeys(("attribute", "value", "successor")),
    "actionability": "actionable",
    "tier": "ordinary",
    "confidence": 1,
    **dict.fromkeys(("sensitivity", "supersedes", "merged"), ()),
}
_AS_USUAL = tuple(_USUAL.values())
_where_unusual = attrgetter(*_USUAL)


def to_row(record: Record, change: Row, changed: int, **columns: Any) -> dict[str, Any]:
    """Return the row of a record.

    Parameters
    ----------
    change : mapping
        What made this version: action, by, reason.
    changed : int
        When it began to hold, in microseconds.
    columns : optional
        Those that a record says nothing of.
    """
    valid = to_micros(record.valid_from)
    created = valid if record.created is record.valid_from else to_micros(record.created)
    body: dict[str, Any] = {"text": record.text}
    said = _where_unusual(record)
    if said != _AS_USUAL:
        for (name, usual), value in zip(_USUAL.items(), said, strict=True):
            if value != usual:
                body[name] = value
    source = record.source
    if source is not BY_HAND and source != BY_HAND:
        body["source"] = (source.type, source.session_id, source.message_ids)
    if valid != changed:
        body["valid_from"] = valid
    if created != valid:
        body["created"] = created
    if record.valid_to is not None:
        body["valid_to"] = to_micros(record.valid_to)
    return {
        "entity": record.entity,
        "id": record.id,
        "agent": record.agent,
        "audience": record.audience,
        "kind": record.kind,
        "status": record.status,
        "version": record.version,
        "updated": created if record.updated is record.created else to_micros(record.updated),
        "changed": changed,
        "expires": None if record.expires is None else to_micros(record.expires),
        "accessed": None if record.last_access is None else to_micros(record.last_access),
        "accesses": record.access_count,
        "body": encode_items({**body, "change": encode_items(change)}),
        **columns,
    }


def read_body(body: Any) -> Row:
    """Return a body as a mapping; it may be parsed or not."""
    read: Row = _parse(body)[0] if isinstance(body, str) else body
    return read


_parse = json.JSONDecoder().raw_decode  # `loads` looks for what can't be there, twice as long


def is_core(body: Any) -> bool:
    """Whether a body is of the core tier; it may be parsed or not."""
    if isinstance(body, str) and '"tier":"core"' not in body:
        return False  # most aren't, and parsing takes ten times as long
    return bool(read_body(body).get("tier") == "core")


def to_record(row: Row) -> Record:
    """Return the record of a row; its body may be parsed or not."""
    given = row.get
    values = (*_first(row), given("accessed"), given("accesses"), row["body"])
    return make_record(*values)


def make_record(
    entity: str,
    record_id: str,
    agent: str,
    audience: str,
    kind: str,
    status: str,
    version: int,
    updated: int,
    changed: int,
    expires: int | None,
    accessed: int | None,
    accesses: int | None,
    body: Any,
) -> Record:
    """Return the record of a row's columns, in their order; its body may be parsed or not."""
    body = read_body(body)
    said = body.get
    began = said("valid_from", changed)
    valid_from = from_micros(began)
    micros = said("created", began)
    created = valid_from if micros == began else from_micros(micros)
    source = BY_HAND
    if "source" in body:
        form, session_id, message_ids = body["source"]
        source = Source(form, session_id, tuple(message_ids))
    return Record(
        record_id,
        entity,
        agent,
        body["text"],
        created,
        valid_from if updated == began else from_micros(updated),
        valid_from,
        kind,
        said("attribute"),
        said("value"),
        said("actionability", "actionable"),
        audience,
        tuple(said("sensitivity", ())),
        said("tier", "ordinary"),
        source,
        said("confidence", 1.0),
        _instant(said("valid_to")),
        _instant(expires),
        accesses or 0,
        _instant(accessed),
        version,
        status,
        tuple(said("supersedes", ())),
        tuple(said("merged", ())),
        said("successor"),
    )


_first: Any = itemgetter(
    *("entity", "id", "agent", "audience", "kind", "status", "version", "updated", "changed"),
    "expires",
)


def _instant(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


class Rows:
    """An entity's rows, each made a mapping when it is asked for: most never are.

    Parameters
    ----------
    entity : str
    columns : mapping
        From `live_columns`. Vectors are dropped: whoever holds the rows holds them in a matrix.
    """

    def __init__(self, entity: str, columns: Mapping[str, tuple[Any, ...]]) -> None:
        self._entity = entity
        self._columns = {name: values for name, values in columns.items() if name != "vector"}
        self._made: dict[int, dict[str, Any]] = {}
        self._count = len(columns["id"])

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, i: int) -> dict[str, Any]:
        if i not in self._made:
            if not 0 <= i < self._count:
                raise IndexError(f"row {i} of {self._count}")
            row = {name: values[i] for name, values in self._columns.items()}
            self._made[i] = {"entity": self._entity, "vector": None, **row}
        return self._made[i]

    def value(self, i: int, name: str) -> Any:
        """Return one column of a row, without making the row."""
        return self._made[i][name] if i in self._made else self._columns[name][i]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[i] for i in range(self._count))

    def extend(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add rows at the end."""
        self._made.update(zip(range(self._count, self._count + len(rows)), rows, strict=True))
        self._count += len(rows)

    def put(self, i: int, row: dict[str, Any]) -> None:
        """Set a row; one past the end is added."""
        self._count = max(self._count, i + 1)
        self._made[i] = row

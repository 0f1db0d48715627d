"""A write as it is asked for, checked in form before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ..clock import as_utc
from ..types import BY_HAND, KINDS, RecordError, Source, check_entity, check_name

__all__ = ["Item", "parse_item"]

_LONGEST = 20_000  # characters; a memory is a sentence, conversations belong in sessions
_FIELDS = frozenset({
    "text", "entity", "agent", "at", "source", "kind", "attribute", "value", "audience", "ttl",
    "strict", "vector", "tier", "confidence", "actionability",
})  # fmt: skip


@dataclass(slots=True)  # not frozen, which would treble the time to make one
class Item:
    """A write as asked for, valid in form."""

    text: str
    entity: str
    agent: str
    at: datetime
    source: Source = BY_HAND
    kind: str | None = None
    attribute: str | None = None
    value: Any = None
    audience: str | None = None
    ttl: timedelta | None = None
    strict: bool = False
    vector: Any = None
    tier: str = "ordinary"
    confidence: float | None = None
    actionability: str | None = None


def parse_item(
    data: Mapping[str, Any], now: datetime, entity: str | None = None, agent: str | None = None
) -> Item:
    """Check a write's fields, naming the one at fault.

    `entity`, `agent`: where `data` doesn't say.

    Raises
    ------
    RecordError, IdentityError, NaiveDatetime
        If a field is unknown, missing, of the wrong type or out of range.
    """
    if not data.keys() <= _FIELDS:
        unknown, known = data.keys() - _FIELDS, ", ".join(sorted(_FIELDS))
        raise RecordError(f"there is no such field; there are {known}", min(map(str, unknown)))
    given = data.get
    text = given("text")
    if not isinstance(text, str) or not text.strip():
        raise RecordError(f"expected text that isn't blank, got {text!r:.80}", "text")
    if len(text) > _LONGEST:
        raise RecordError(
            f"{len(text):,} characters, {_LONGEST:,} at most: a memory is a sentence", "text"
        )
    for name, allowed in _CHOICES.items():
        if (value := given(name)) is not None and value not in allowed:
            raise RecordError(f"{value!r} is not one of {', '.join(allowed)}", name)
    attribute, at = given("attribute"), given("at")
    if attribute is not None and (not isinstance(attribute, str) or not 0 < len(attribute) <= 200):
        raise RecordError(f"expected 1 to 200 characters, got {attribute!r:.80}", "attribute")
    confidence = given("confidence")
    if confidence is not None and (
        not isinstance(confidence, int | float) or not 0 <= confidence <= 1
    ):
        raise RecordError(f"expected a number from 0 to 1, got {confidence!r:.80}", "confidence")
    return Item(
        text,
        check_entity(given("entity", entity)),
        check_name(given("agent", agent), "agent"),
        now if at is None else as_utc(at, "at"),
        _source(given("source")),
        given("kind"),
        attribute,
        _json_value(given("value")),
        given("audience"),
        _ttl(given("ttl")),
        given("strict") or False,
        given("vector"),
        given("tier") or "ordinary",
        confidence,
        given("actionability"),
    )


_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "audience": ("shared", "private"),
    "tier": ("core", "ordinary"),
    "actionability": ("actionable", "historical"),
}
_SOURCES = ("manual", "extracted", "consolidated", "imported")


def _source(given: Any) -> Source:
    if isinstance(given, str):
        given = {"type": given}
    if isinstance(given, Mapping):
        try:
            given = Source(**{str(k): v for k, v in given.items()})
        except TypeError as error:
            raise RecordError(f"has type, session_id, message_ids ({error})", "source") from error
    if given is None:
        return BY_HAND
    if not isinstance(given, Source) or given.type not in _SOURCES:
        raise RecordError(
            f"{given!r:.80} is not a Source or one of {', '.join(_SOURCES)}", "source"
        )
    if given.session_id is not None:
        check_name(given.session_id, "source.session_id")
    ids = tuple(check_name(m, "source.message_ids") for m in given.message_ids)
    return Source(given.type, given.session_id, ids)


def _json_value(value: Any) -> Any:
    import json

    if value is None:
        return None
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"{value!r:.80} isn't JSON ({error})", "value") from error


def _ttl(ttl: Any) -> timedelta | None:
    if ttl is None:
        return None
    try:
        span = ttl if isinstance(ttl, timedelta) else timedelta(days=float(ttl))
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"expected a timedelta or days, got {ttl!r:.80}", "ttl") from error
    if not timedelta(0) < span <= timedelta(days=36_500):
        raise RecordError(f"{span} is not between 0 and 100 years", "ttl")
    return span

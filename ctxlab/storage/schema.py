"""Tables of the one database.

Every table leads its primary key with `entity`: the key that rows are filtered, locked, erased
and (on a distributed PostgreSQL) sharded by. An entity is ``kind:id``: ``customer:U001`` for a
known user, ``session:…`` for an anonymous conversation.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.types import TypeDecorator

__all__ = [
    "SCHEMA_VERSION",
    "Instant",
    "Json",
    "audit",
    "chunks",
    "heads",
    "marks",
    "memories",
    "messages",
    "meta",
    "metadata",
    "sessions",
    "shares",
    "state",
    "versions",
]

SCHEMA_VERSION = 1
metadata = MetaData()


class Instant(TypeDecorator[datetime]):
    """An aware instant, stored as integer microseconds since 1970 so that order is exact."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an aware datetime into microseconds."""
        return None if value is None else to_micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an aware UTC datetime."""
        return None if value is None else from_micros(value)


def to_micros(when: datetime) -> int:
    """Return microseconds since 1970 (integer arithmetic: floats lose microseconds)."""
    delta = when - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def from_micros(micros: int) -> datetime:
    """Return the aware UTC instant."""
    seconds, rest = divmod(micros, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Json(TypeDecorator[Any]):
    """A JSON value as text: the same bytes in both databases, NUL and all."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write readable text; only lone surrogates, which UTF-8 can't hold, are escaped."""
        if value is None:
            return None
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        try:
            text.encode()
        except UnicodeEncodeError:
            text = json.dumps(value, separators=(",", ":"))
        return text

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it back."""
        return None if value is None else json.loads(value)


meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("user_id", Text),
    Column("account_id", Text),
    Column("agent", Text, nullable=False),
    Column("tz", Text, nullable=False),
    Column("started", Instant, nullable=False),
    Column("active", Instant, nullable=False),
    Column("ended", Instant),
    Column("end_reason", Text),
    Column("bound_by", Text),
    Column("conclusion", Json),
    Index("sessions_by_id", "id"),
    Index("sessions_open", "ended", "active"),
)

messages = Table(
    "messages",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("body", Json, nullable=False),
    Column("time", Instant, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("context_id", Text),
    Index("messages_by_id", "entity", "session_id", "id", unique=True),
    Index("messages_by_time", "entity", "time"),
)

state = Table(
    "state",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", Json),
    Column("updated", Instant, nullable=False),
    Column("turn", Integer, nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("chunk", Integer, primary_key=True),
    Column("first_turn", Integer, nullable=False),
    Column("last_turn", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("summary", Json, nullable=False),
    Column("time", Instant, nullable=False),
)

# What was made of a few messages, once: items, triples, and a vector by which they are found again.
digests = Table(
    "digests",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("agent", Text, nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("body", Json, nullable=False),
    Column("model", Text),  # signature of the embedder that made the vector
    Column("vector", LargeBinary),  # float16
    Column("time", Instant, nullable=False),
)

# Sessions that the offline pass has been through, and when.
marks = Table(
    "marks",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("time", BigInteger, nullable=False),
)

# What queries filter and rank by stands in columns, in plain microseconds because these rows are
# read by the hundred; what is only shown stands in `body`.
memories = Table(
    "memories",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("agent", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),  # when this version began to hold
    Column("expires", BigInteger),
    Column("accessed", BigInteger),
    Column("accesses", Integer, nullable=False, default=0),
    Column("session_id", Text),  # the conversation that made this version
    Column("origin", Text),  # digest of what was said where: a replay finds it
    Column("body", Json, nullable=False),
    Column("space", Integer),  # generation of embedding model the vector belongs to
    Column("vector", LargeBinary),  # float16
    Index("memories_by_session", "session_id"),
    Index("memories_by_expiry", "expires"),
)

# A record's earlier versions; the newest is the row in `memories`.
versions = Table(
    "versions",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("session_id", Text),
    Column("origin", Text),
    Column("fields", Json, nullable=False),
    Column("body", Json, nullable=False),
    Index("versions_by_session", "session_id"),
)

shares = Table(
    "shares",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("role", Text, primary_key=True),
    Column("by", Text, nullable=False),
    Column("reason", Json, nullable=False),
    Column("time", BigInteger, nullable=False),
)

# Content-free, so it outlives an erasure. The chain covers the digest of a reason, not the reason,
# which may be erased.
audit = Table(
    "audit",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("records", Json, nullable=False),
    Column("rule", Text, nullable=False),
    Column("reason", Json),
    Column("reason_digest", Text),
    Column("hash", Text, nullable=False),
)

# The end of each entity's chain, and how often its memories changed (caches go by it).
heads = Table(
    "heads",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", Text, nullable=False),
    Column("revision", Integer, nullable=False),
)

"""Tables of the one database.

Every table leads its primary key with `entity`: the key that rows are filtered, locked, erased
and (on a distributed PostgreSQL) sharded by. An entity is ``kind:id``: ``customer:U001`` for a
known user, ``session:…`` for an anonymous conversation.

On PostgreSQL every table but `meta` is partitioned by hash of `entity` (R130). Requests read and
write one entity, so the planner goes to one partition, and a vacuum or an index works on an eighth
of the rows. No statement joins rows of two entities and no key refers to another table: that is
all Citus asks of a schema. To spread the same tables over machines, open the empty database once
with ctxlab, then distribute each on that column (tables of one column type are placed together),
and copy `meta`, which is a few rows, to every node::

    SELECT create_reference_table('meta');
    SELECT create_distributed_table(name::regclass, 'entity') FROM unnest(ARRAY['sessions',
        'messages', 'state', 'chunks', 'digests', 'marks', 'memories', 'versions', 'shares',
        'packs', 'audit', 'heads']) AS name;

The tests run on plain PostgreSQL; a Citus cluster isn't among what they can start. What looks for
work over all customers (sweep, consolidation, the check of the audit log, a session by its id
alone) asks each table by itself and is run on all shards at once.

References
----------
Citus, "Create and distribute tables" and "Choosing distribution column",
https://docs.citusdata.com.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    Dialect,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    event,
    text,
)
from sqlalchemy.dialects.postgresql import TEXT
from sqlalchemy.types import TypeDecorator

from .blobs import Bytes, Half
from .encoding import Encoded, encode

__all__ = [
    "PARTITIONS",
    "SCHEMA_VERSION",
    "Half",
    "Instant",
    "Json",
    "Name",
    "audit",
    "chunks",
    "heads",
    "marks",
    "memories",
    "messages",
    "meta",
    "metadata",
    "packs",
    "sessions",
    "shares",
    "state",
    "versions",
]

SCHEMA_VERSION = 2
PARTITIONS = 8
"""Parts of each table on PostgreSQL: each more costs every statement and saves less."""
metadata = MetaData()

Name = Text().with_variant(TEXT(collation="C"), "postgresql")
"""Ids and the like: compared and ordered byte by byte in both databases, whatever the locale."""


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
    return _EPOCH + micros * _MICROSECOND


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)  # multiplied: half the time of making one by name


class Json(TypeDecorator[Any]):
    """A JSON value as text: the same bytes in both databases, NUL and all."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write it, unless it is written already."""
        if isinstance(value, Encoded):
            return str(value)
        return None if value is None else str(encode(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it back."""
        return None if value is None else json.loads(value)


def _table(name: str, *parts: Any, narrow: bool = False) -> Table:
    """Define a table that PostgreSQL partitions by hash of its entity.

    `narrow`: SQLite keeps its short rows in the key's own tree, so that a write touches one page
    instead of two.
    """
    table = Table(
        name,
        metadata,
        *parts,
        postgresql_partition_by="HASH (entity)",
        sqlite_with_rowid=not narrow,
    )
    for n in range(PARTITIONS):
        bounds = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {n})"
        ddl: Any = DDL  # has no types of its own
        part = ddl(f"CREATE TABLE {name}_{n} PARTITION OF {name} {bounds}")
        event.listen(table, "after_create", part.execute_if(dialect="postgresql"))
    return table


def _where_set(name: str, column: str) -> Index:
    """Define an index of the rows that have a value: most have none and cost no write."""
    has = text(f"{column} IS NOT NULL")
    return Index(name, column, sqlite_where=has, postgresql_where=has)


meta = Table(
    "meta",
    metadata,
    Column("key", Name, primary_key=True),
    Column("value", Text, nullable=False),
)

sessions = _table(
    "sessions",
    Column("entity", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("user_id", Name),
    Column("account_id", Name),
    Column("agent", Name, nullable=False),
    Column("tz", Name, nullable=False),
    Column("started", Instant, nullable=False),
    Column("active", Instant, nullable=False),
    Column("ended", Instant),
    Column("end_reason", Name),
    Column("bound_by", Name),
    Column("conclusion", Json),
    Index("sessions_by_id", "id"),
    Index("sessions_open", "ended", "active"),
)

messages = _table(
    "messages",
    Column("entity", Name, primary_key=True),
    Column("session_id", Name, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("id", Name, nullable=False),
    Column("agent", Name, nullable=False),
    Column("body", Json, nullable=False),
    Column("time", Instant, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("context_id", Name),
    Index("messages_by_id", "entity", "session_id", "id", unique=True),
    Index("messages_by_time", "entity", "time"),
)

state = _table(
    "state",
    Column("entity", Name, primary_key=True),
    Column("session_id", Name, primary_key=True),
    Column("key", Name, primary_key=True),
    Column("value", Json),
    Column("updated", Instant, nullable=False),
    Column("turn", Integer, nullable=False),
)

chunks = _table(
    "chunks",
    Column("entity", Name, primary_key=True),
    Column("session_id", Name, primary_key=True),
    Column("chunk", Integer, primary_key=True),
    Column("first_turn", Integer, nullable=False),
    Column("last_turn", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("summary", Json, nullable=False),
    Column("time", Instant, nullable=False),
)

# What was made of a few messages, once: items, triples, and a vector by which they are found again.
digests = _table(
    "digests",
    Column("entity", Name, primary_key=True),
    Column("session_id", Name, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("agent", Name, nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("body", Json, nullable=False),
    Column("model", Name),  # signature of the embedder that made the vector
    Column("vector", Half),
    Column("time", Instant, nullable=False),
)

# Sessions that the offline pass has been through, and when.
marks = _table(
    "marks",
    Column("entity", Name, primary_key=True),
    Column("session_id", Name, primary_key=True),
    Column("time", BigInteger, nullable=False),
)

# What queries filter and rank by stands in columns, in plain microseconds because these rows are
# read by the hundred; what is only shown stands in `body`.
memories = _table(
    "memories",
    Column("entity", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("agent", Name, nullable=False),
    Column("audience", Name, nullable=False),
    Column("kind", Name, nullable=False),
    Column("status", Name, nullable=False),
    Column("version", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),  # when this version began to hold
    Column("expires", BigInteger),
    Column("accessed", BigInteger),
    Column("accesses", Integer, nullable=False, default=0),
    Column("session_id", Name),  # the conversation that made this version
    Column("origin", Name),  # digest of what was said where: a replay finds it
    Column("body", Json, nullable=False),
    Column("space", Integer),  # generation of embedding model the vector belongs to
    Column("vector", Half),
    _where_set("memories_by_session", "session_id"),
    _where_set("memories_by_expiry", "expires"),
)

# A record's earlier versions; the newest is the row in `memories`.
versions = _table(
    "versions",
    Column("entity", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("session_id", Name),
    Column("origin", Name),
    Column("fields", Json, nullable=False),
    Column("body", Json, nullable=False),
    _where_set("versions_by_session", "session_id"),
)

shares = _table(
    "shares",
    Column("entity", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("role", Name, primary_key=True),
    Column("by", Name, nullable=False),
    Column("reason", Json, nullable=False),
    Column("time", BigInteger, nullable=False),
)

# Copies of what a search by vector compares, in one row; see `packs.py`.
packs = _table(
    "packs",
    Column("entity", Name, primary_key=True),
    Column("revision", Integer, nullable=False),  # the entity's: any other, and it's out of date
    Column("space", Integer, nullable=False),
    Column("names", Text, nullable=False),
    Column("numbers", Bytes, nullable=False),
    Column("vectors", Bytes, nullable=False),
)

# Content-free, so it outlives an erasure. The chain covers the digest of a reason, not the reason,
# which may be erased.
audit = _table(
    "audit",
    Column("entity", Name, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
    Column("actor", Name, nullable=False),
    Column("action", Name, nullable=False),
    Column("records", Json, nullable=False),
    Column("rule", Name, nullable=False),
    Column("reason", Json),
    Column("reason_digest", Name),
    Column("hash", Name, nullable=False),
    narrow=True,
)

# The end of each entity's chain, and how often its memories changed (caches go by it).
heads = _table(
    "heads",
    Column("entity", Name, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", Name, nullable=False),
    Column("revision", Integer, nullable=False),
    narrow=True,
)

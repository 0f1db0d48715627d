"""Erasure on PostgreSQL: rows gone for every reader, vacuumed, and looked for again (R91).

PostgreSQL keeps a deleted row until nobody may see it any more, and then until a vacuum clears it.
Its files belong to the server: what stays there until it is overwritten is named in the
certificate, not searched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from .schema import PARTITIONS, metadata
from .store import Store

__all__ = ["clear", "raw_rows"]

# Snapshots that may still see what had been deleted before transaction `bar`.
_OLDER = """
    SELECT count(*) FROM (
        SELECT backend_xmin AS xmin FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database()
        UNION ALL SELECT transaction FROM pg_prepared_xacts
        UNION ALL SELECT xmin FROM pg_replication_slots
    ) AS held WHERE age(xmin) > age('{bar}'::xid)
"""
_PART = """
    SELECT n FROM generate_series(0, :parts - 1) AS n
    WHERE satisfies_hash_partition(CAST('memories' AS regclass), :parts, n, CAST(:entity AS text))
"""
_OURS = """
    SELECT count(*) FROM pg_class
    WHERE relname = ANY(:names) AND pg_has_role(relowner, 'MEMBER') AND pg_table_is_visible(oid)
"""


def clear(store: Store, entity: str, tables: Sequence[sa.Table], patience: float) -> bool:
    """Vacuum the parts that held an entity's rows; says whether that made an end of them.

    It doesn't while another transaction may still see them, or if the tables are another's.

    Parameters
    ----------
    tables : sequence of Table
        Those that rows were deleted from.
    patience : float
        Seconds to wait for transactions that began before the deletion.
    """
    (bar,) = store.run_alone("SELECT pg_current_xact_id()::xid")
    until = time.monotonic() + patience
    while held := bool(store.run_alone(_OLDER.format(bar=bar))[0]):
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    with store.read() as connection:
        part = connection.scalar(sa.text(_PART), {"parts": PARTITIONS, "entity": entity})
        names = [f"{table.name}_{part}" for table in tables]
        # PostgreSQL passes over what isn't the user's own, with no more than a warning.
        ours = connection.scalar(sa.text(_OURS), {"names": names}) == len(names)
    for name in names if ours else ():
        store.run_alone(f"VACUUM (INDEX_CLEANUP ON) {name}")
    return ours and not held


def raw_rows(connection: Connection, entity: str | None = None) -> Iterator[tuple[str, Any]]:
    """Give each table's name and rows as stored: all rows, or those of one entity."""
    for table in metadata.sorted_tables:
        stored = [sa.type_coerce(c, getattr(c.type, "impl", c.type)) for c in table.c]
        query = sa.select(*stored).execution_options(yield_per=1000)
        if entity is not None:
            if "entity" not in table.c:
                continue
            query = query.where(table.c.entity == entity)
        for row in connection.execute(query):
            yield table.name, row

"""Statements straight to the driver say what SQLAlchemy's own way would, on both databases."""

from __future__ import annotations

import numpy as np
import pytest
import sqlalchemy as sa

from ctxlab.errors import StoreError
from ctxlab.storage.hot import Hot, HotInsert, together
from ctxlab.storage.schema import memories, meta
from ctxlab.storage.store import Store

ROW = {
    "entity": "customer:U1",
    "id": "m-1",
    "agent": "support",
    "audience": "shared",
    "kind": "fact",
    "status": "live",
    "version": 1,
    "updated": 2**40,
    "changed": 0,
    "accesses": 0,
    "body": {"text": "100% 杭州 \0 \ud800", "source": ["manual", None, []]},
    "space": 1,
    "vector": np.array([0.5, -2.0, 6e-8], dtype=np.float16).tobytes(),
}
ONE = sa.select(memories).where(memories.c.entity == sa.bindparam("entity"))


@pytest.fixture
def store(database_url):
    store = Store(database_url)
    yield store
    store.close()


def test_what_is_inserted_and_read_hot_is_what_it_was(store):
    insert, read = HotInsert(memories), Hot(ONE)
    with store.write("customer:U1") as connection, together(connection):
        insert.many(connection, [ROW])
        insert.many(connection, [{**ROW, "id": f"m-{n}"} for n in (2, 3)])
        insert.many(connection, [])
    with store.read() as connection:
        cold = [tuple(row) for row in connection.execute(ONE, {"entity": "customer:U1"})]
        hot = [tuple(row) for row in read(connection, entity="customer:U1")]
        assert not read(connection, entity="customer:U10")
    names = memories.c.keys()
    first = dict(zip(names, cold[0], strict=True))
    assert {name: first[name] for name in ROW} == ROW
    assert first["expires"] is None  # what a row leaves out is null
    assert sorted(hot) == sorted(cold)


def test_values_written_into_a_statement_stay_in_it(store):
    query = sa.select(memories.c.id).where(
        memories.c.entity == sa.bindparam("entity"), memories.c.status == "live"
    )
    with store.write("customer:U1") as connection:
        rows = [ROW, {**ROW, "id": "m-2", "status": "merged"}]
        HotInsert(memories).many(connection, rows)
        assert [row[0] for row in Hot(query)(connection, entity="customer:U1")] == ["m-1"]


def test_rows_put_by_place_are_those_put_by_name(store):
    insert = HotInsert(meta)
    move = Hot(
        meta.update().where(meta.c.key == sa.bindparam("k")).values(value=sa.bindparam("new")),
        names=("k", "new"),  # the statement has them the other way round
    )
    with store.write("") as connection, together(connection):
        insert.put(connection, [("a", "1"), ("b", "%?")])
        insert.put(connection, [("c", "3")])
        insert.put(connection, [])
        move.put(connection, [("a", "4"), ("b", "5")])
        move.put(connection, [("c", "6")])
    with store.read() as connection:
        rows = connection.execute(sa.select(meta).where(meta.c.key.in_(list("abc"))))
        assert sorted(map(tuple, rows)) == [("a", "4"), ("b", "5"), ("c", "6")]


def test_an_update_touches_the_rows_it_names(store):
    move = Hot(
        meta.update()
        .where(meta.c.key == sa.bindparam("k"))
        .values(value=meta.c.value + sa.bindparam("more", type_=sa.Text))
    )
    with store.write("") as connection:
        HotInsert(meta).many(connection, [{"key": k, "value": k} for k in "abc"])
        move.many(connection, [{"k": "a", "more": "1"}, {"k": "b", "more": "%"}])
        move.many(connection, [{"k": "b", "more": "?"}])
    with store.read() as connection:
        rows = connection.execute(sa.select(meta).where(meta.c.key.in_(list("abc"))))
        assert sorted(map(tuple, rows)) == [("a", "a1"), ("b", "b%?"), ("c", "c")]


@pytest.mark.parametrize("count", [1, 2])
def test_what_the_driver_refuses_is_a_store_error_and_nothing_is_written(store, count):
    with (
        pytest.raises(StoreError),
        store.write("customer:U1") as connection,
        together(connection),
    ):
        HotInsert(memories).many(connection, [ROW, {**ROW, "id": "m-2"}])
        HotInsert(memories).many(connection, [ROW] * count)
    with store.read() as connection:
        assert not connection.execute(ONE, {"entity": "customer:U1"}).all()

"""The first search of an entity that isn't in memory finds what one of a loaded shelf finds."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.storage.packs import FEW, MANY
from ctxlab.storage.schema import SCHEMA_VERSION, meta, packs
from ctxlab.storage.store import Store

from .conftest import START, Letters, use_slots

ENTITY, OTHER = "customer:U1", "customer:U10"
WHY = {"by": "t", "reason": "t"}
QUESTION = Letters().encode(["slot1 is 1"])[0]
SOME = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
MOVES = "write write write write feel expire share unshare forget erase wait".split()
moves = st.lists(
    st.tuples(
        st.sampled_from(MOVES),
        st.sampled_from([ENTITY, OTHER]),
        st.sampled_from(["support", "sales"]),
        st.integers(0, 5),
    ),
    max_size=10,
)


def fill(memory, entity=ENTITY, count=FEW, **fields):
    return [
        memory.write(f"{word} is {n}", entity=entity, agent="support", kind="fact", **fields)
        for n, word in zip(range(count), map(chr, range(97, 97 + count)), strict=True)
    ]


def ask(memory, entity=ENTITY, agent="support", **settings):
    settings = {"k": 99, "min_score": 0.0, **settings}
    return memory.search(QUESTION, entity=entity, agent=agent, **settings)


def made(memory, entity=ENTITY):
    """Have a pack made: an unanswered search asks for it, and the note of a read brings it."""
    memory._shelves.drop()
    ask(memory, entity)
    memory.flush()
    memory._shelves.drop()


def glimpsed(memory, entity=ENTITY, **who):
    """Search, and say whether that was done without a shelf."""
    hits = ask(memory, entity, **who)
    return hits, memory._shelves.peek(entity) is None


def count(memory):
    with memory.store.read() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(packs))


def do(memory, move, entity, role, n):
    known = memory.profile(entity=entity, agent=role, limit=99)
    one = known[n % len(known)].id if known else None
    who = {"entity": entity, "agent": role}
    if move == "write":
        audience = "private" if n % 2 else "shared"
        memory.write(f"slot{n % 3} is {n}", kind="fact", audience=audience, **who)
    elif move == "feel":
        memory.write(f"slot{n} makes me sad", kind="emotion", audience="shared", **who)
    elif move == "expire":
        memory.write(f"slot{n} holds a while", kind="fact", audience="shared", ttl=n + 1, **who)
    elif move == "wait":
        memory.clock.advance(timedelta(days=n))
    elif move == "erase":
        memory.erase(entity, **WHY)
    elif one is not None and move == "forget":
        memory.forget(one, entity=entity, **WHY)
    elif one is not None:
        getattr(memory, move)(one, entity=entity, to="sales", **WHY)


@SOME
@given(moves)
def test_a_glimpse_finds_what_a_shelf_does(database_url, empty, history):
    empty()
    clock = cx.ManualClock(START)
    with (
        use_slots(cx.Memory(database_url, Letters(), clock=clock)) as one,
        use_slots(cx.Memory(database_url, Letters(), clock=clock)) as two,
    ):
        fill(one)
        for move in [("write", OTHER, "sales", 0), *history]:
            made(two)
            do(one, *move)
            for entity in (ENTITY, OTHER):
                for role in ("support", "sales"):
                    two._shelves.drop()
                    first, second, third = (ask(two, entity, role) for _ in range(3))
                    assert two._shelves.peek(entity) is not None
                    assert [h.record for h in first] == [h.record for h in second]
                    scores = [h.score for h in second]
                    assert [h.score for h in first] == pytest.approx(scores, abs=1e-5)
                    assert [h.fade for h in first] == pytest.approx([h.fade for h in third])


@pytest.fixture
def memory(make):
    memory = make()
    fill(memory)
    made(memory)
    return memory


def test_the_first_search_needs_no_shelf_and_the_second_loads_it(memory):
    first, without = glimpsed(memory)
    assert without
    assert len(first) == FEW
    second, without = glimpsed(memory)
    assert not without
    assert [h.record for h in first] == [h.record for h in second]


def test_what_is_written_since_is_found(memory, make):
    writer = make()
    writer.write("slot1 is 1", entity=ENTITY, agent="support", kind="fact")
    hits, without = glimpsed(memory)
    assert not without
    assert hits[0].record.text == "slot1 is 1"


def test_reads_leave_it_right_and_are_counted(memory, make):
    reader = make()
    ask(reader)
    reader.flush()
    hits, without = glimpsed(memory)
    assert without
    assert {h.record.access_count for h in hits} == {2}  # made's own search, and the reader's


def test_more_than_a_pack_holds_loads_the_shelf(memory, make):
    memory.search("a is 0", entity=ENTITY, agent="support")
    assert memory._shelves.peek(ENTITY) is not None
    for count, without in ((FEW - 1, False), (MANY + 1, False)):
        entity = f"customer:{count}"
        items = [
            {"text": f"note {n}", "kind": "fact", "entity": entity, "agent": "support"}
            for n in range(count)
        ]
        plain = make(cx.Config().with_({"mitigations.duplicates": False}))
        plain.write_many(items)
        made(plain, entity)
        assert glimpsed(plain, entity)[1] == without


def test_curves_that_count_uses_load_the_shelf(memory, make):
    acting = make(cx.Config().with_({"decay.curve": "act-r"}))
    assert not glimpsed(acting)[1]
    assert glimpsed(memory)[1]


def test_another_models_pack_is_none(memory, make):
    class Others(Letters):
        pass

    model = Others()
    model.signature = type(model.signature)("others", 64, "1")
    other = make(embedder=model)
    with pytest.raises(cx.EmbedderMismatch):
        ask(other)
    other.reembed()
    assert not glimpsed(other)[1]


@pytest.mark.parametrize("how", ["forget", "sweep", "erase"])
def test_what_is_deleted_takes_the_pack_along(make, how, clock):
    memory = make()
    outcomes = fill(memory, ttl=1 if how == "sweep" else None)
    made(memory)
    with memory.store.read() as connection:
        vectors = bytes(connection.scalar(sa.select(packs.c.vectors)))
    if how == "erase":
        certificate = memory.erase(ENTITY, **WHY)
        assert (certificate.residue, certificate.counts["packs"]) == (0, 1)
    elif how == "forget":
        memory.forget(outcomes[0].record.id, entity=ENTITY, **WHY)
    else:
        clock.advance(timedelta(days=2))
        memory.sweep()
    assert count(memory) == 0
    if memory.store.path:
        assert vectors not in Path(memory.store.path).read_bytes()
        assert np.frombuffer(vectors, np.float16).any()


def test_an_export_holds_no_copy(memory):
    assert "packs" not in memory.export(ENTITY, **WHY)


def test_a_database_of_the_first_schema_is_brought_up(database_url, empty):
    empty()
    store = Store(database_url)
    with store.write("") as connection:
        packs.drop(connection)
        mine = meta.update().where(meta.c.key == "schema")
        connection.execute(mine.values(value="1"))
    store.close()
    with cx.Memory(database_url, Letters()) as memory:
        fill(memory)
        made(memory)
        assert glimpsed(memory)[1]
        with memory.store.read() as connection:
            found = connection.scalar(sa.select(meta.c.value).where(meta.c.key == "schema"))
        assert int(found) == SCHEMA_VERSION

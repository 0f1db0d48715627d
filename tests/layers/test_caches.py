"""Caches stay right across processes: each sees what one that has just opened sees (R131)."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.storage.store import Store

from .conftest import START, Letters, use_slots

ENTITIES = ("customer:U1", "customer:U10")
ROLES = ("support", "sales")
WHY = {"by": "t", "reason": "t"}
MOVES = ("write", "write", "write", "share", "unshare", "forget", "revert", "erase", "sweep")
SOME = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

moves = st.lists(
    st.tuples(
        st.integers(0, 1),  # which of the two processes
        st.sampled_from(MOVES),
        st.sampled_from(ENTITIES),
        st.sampled_from(ROLES),
        st.integers(0, 5),
    ),
    max_size=8,
)


def do(memory, move, entity, role, n):
    """Make one move; what it needs may be gone, or not there yet."""
    known = memory.profile(entity=entity, agent=role, limit=99)
    one = known[n % len(known)].id if known else None
    if move == "write":
        audience = "private" if n % 2 else "shared"
        text = f"slot{n % 3} is {n}"
        memory.write(text, entity=entity, agent=role, kind="fact", audience=audience)
    elif move == "erase":
        memory.erase(entity, **WHY)
    elif move == "sweep":
        memory.sweep()
    elif one is not None:
        if move == "forget":
            memory.forget(one, entity=entity, **WHY)
        elif move == "revert":
            memory.revert(one, 1, entity=entity, **WHY)
        else:
            getattr(memory, move)(one, entity=entity, to="sales", **WHY)


def seen(memory):
    """Return all that any role is shown of any entity."""
    shown = {}
    for entity in ENTITIES:
        for role in ROLES:
            who = {"entity": entity, "agent": role}
            hits = memory.search("slot1 is 1", **who, min_score=0, k=99)
            shown[entity, role] = (
                sorted(r.id + r.text for r in memory.profile(**who, limit=99)),
                sorted((h.record.id, h.record.version, round(h.score, 5)) for h in hits),
                memory.knows(entity),
            )
    return shown


@SOME
@given(moves)
def test_two_processes_see_what_a_third_would(database_url, empty, history):
    empty()
    clock = cx.ManualClock(START)

    def opened():
        return use_slots(cx.Memory(database_url, Letters(), clock=clock))

    with opened() as one, opened() as two:
        agree(one, two, history, opened)


@SOME
@given(moves)
def test_two_memories_on_one_store_see_what_a_third_would(database_url, empty, history):
    empty()
    clock = cx.ManualClock(START)

    def opened():
        return use_slots(cx.Memory(database_url, Letters(), clock=clock))

    store = Store(database_url)
    one, two = (use_slots(cx.Memory(store, Letters(), clock=clock)) for _ in range(2))
    agree(one, two, history, opened)
    store.close()


def agree(one, two, history, opened):
    """Let both make their moves; each must see at once what the other did."""
    for which, *move in history:
        do((one, two)[which], *move)
        assert seen(one) == seen(two)
    with opened() as fresh:
        assert seen(one) == seen(fresh)
    assert one.verify_audit()


def test_two_memories_on_one_store_note_the_same_model(database_url):
    store = Store(database_url)
    one, two = (cx.Memory(store, Letters()) for _ in range(2))
    who = {"entity": "customer:U1", "agent": "support"}
    assert not two.search("likes jazz", **who)
    one.write("likes jazz", **who, kind="fact")  # the first vector: the model is noted
    assert two.search("likes jazz", **who)[0].record.text == "likes jazz"
    one.close(), two.close(), store.close()

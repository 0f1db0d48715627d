"""What holds for any history: no other entity's record, never both of two contradictory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.types import check_entity

from .conftest import START, Letters, use_slots

LOOK_ALIKES = (
    "customer:alice", "customer:alice.smith", "customer:a_b", "customer:a-b", "customer:U1",
    "customer:U10", "customer:u1", "customer:U1 ", "account:U1", "customer:%", "customer:U1:x",
)  # fmt: skip
ROLES = ("support", "sales")
QUIET = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
FEW = settings(QUIET, max_examples=6)  # an empty database costs more on a server


def fresh(url="sqlite://"):
    clock = cx.ManualClock(START)
    return use_slots(cx.Memory(url, embedder=Letters(), clock=clock)), clock


writes = st.lists(
    st.tuples(
        st.sampled_from(LOOK_ALIKES),
        st.sampled_from(ROLES),
        st.sampled_from(["shared", "private"]),
        st.sampled_from(["city", "plan"]),
        st.sampled_from(["Truro", "Leeds", "York", "still Truro", "Truro plus a flat"]),
    ),
    max_size=14,
)


@QUIET
@given(writes)
def test_no_call_returns_another_entitys_record_nor_a_hidden_one(history):
    no_call_crosses(fresh()[0], history)


@FEW
@given(history=writes)
def test_nor_does_it_on_postgresql(postgres, history):
    no_call_crosses(fresh(postgres.emptied())[0], history)


def no_call_crosses(memory, history):
    with memory:
        for entity, agent, audience, slot, value in history:
            memory.write(
                f"{slot} is {value}", entity=entity, agent=agent, kind="fact", audience=audience
            )
        for entity in LOOK_ALIKES:
            for agent in ROLES:
                who = {"entity": entity, "agent": agent}
                found = [h.record for h in memory.search("city is Truro", **who, min_score=0, k=99)]
                found += [h.record for h in memory.search("city", **who, mode="keyword", k=99)]
                found += memory.profile(**who, limit=99)
                found += memory.as_of(START, **who)
                for record in found:
                    assert record.entity == entity
                    assert record.audience == "shared" or record.agent == agent


@QUIET
@given(writes, st.randoms(use_true_random=False))
def test_never_both_of_two_contradictory_and_never_neither(history, random):
    never_both(*fresh(), history, random)


@FEW
@given(history=writes, random=st.randoms(use_true_random=False))
def test_nor_are_they_on_postgresql(postgres, history, random):
    never_both(*fresh(postgres.emptied()), history, random)


def never_both(memory, clock, history, random):
    with memory:
        told: dict[str, list[str]] = {}
        for n, (_, agent, _, slot, value) in enumerate(history):
            clock.advance(timedelta(hours=1))
            outcome = memory.write(
                f"{slot} is {value}",
                entity="customer:U1",
                agent=agent,
                kind="fact",
                audience="shared",
                source=cx.Source("extracted", f"s{n % 3}", (f"m{n}",)),
            )
            told.setdefault(slot, []).append(outcome.record.id)
            if random.random() < 0.2:
                back = random.choice(told[slot])
                memory.revert(back, 1, entity="customer:U1", by="t", reason="t")
            for name in told:
                live = [
                    r.text
                    for r in memory.profile(entity="customer:U1", agent="support", limit=99)
                    if r.text.startswith(name)
                ]
                cities = {text.replace("still ", "").split(" plus")[0] for text in live}
                assert len(cities) == 1, live
        assert memory.verify_audit()


@QUIET
@given(
    st.timedeltas(timedelta(seconds=1), timedelta(days=400)),
    st.integers(-840, 840),
    st.timedeltas(timedelta(seconds=-400), timedelta(days=800)),
)
def test_a_ttl_ends_at_its_instant_in_any_zone(ttl, offset, later):
    from datetime import timezone

    memory, clock = fresh()
    zone = timezone(timedelta(minutes=offset))
    at = datetime(2026, 3, 29, 0, 30, tzinfo=UTC).astimezone(zone)
    with memory:
        clock.set(at)
        outcome = memory.write(
            "voucher is open", entity="customer:U1", agent="support", kind="fact",
            audience="shared", ttl=ttl, at=at,
        )  # fmt: skip
        clock.set(at + max(later, timedelta(0)))
        alive = bool(memory.profile(entity="customer:U1", agent="support"))
        assert outcome.record.expires == (at + ttl).astimezone(UTC)
        assert alive == (max(later, timedelta(0)) < ttl)


@QUIET
@given(st.text(max_size=40))
def test_entities_are_taken_exactly_or_refused(text):
    kind, colon, name = text.partition(":")
    legal = bool(kind and colon and name) and text.strip() != "" and "\0" not in text
    legal = legal and not any("\ud800" <= c <= "\udfff" for c in text)
    try:
        assert check_entity(text) == text
    except cx.IdentityError:
        assert not legal
    else:
        assert legal

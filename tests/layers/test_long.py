"""Ten thousand scoped queries over a thousand look-alike entities; two hundred erasures."""

from __future__ import annotations

import random

import pytest

import ctxlab as cx

from .conftest import START, Letters

pytestmark = pytest.mark.long
APART = cx.Config().with_({"mitigations.duplicates": False, "mitigations.privacy": False})
ROLES = ("support", "sales", "billing")


def look_alikes(n):
    """Ids that a careless prefix, wildcard or case rule would confuse."""
    stems = ("alice", "a_b", "U1", "客户", "x%")
    ends = ("", ".smith", "-b", "0", ":1", " ", "'", "_", "%", "😀")
    names = [f"{s}{e}{i if i else ''}" for i in range(n) for s in stems for e in ends]
    return [f"customer:{name}" for name in names[:n]]


def fill(memory, entities, each):
    """Give every entity records that name it, some private to a role."""
    rng = random.Random(7)
    items = [
        {
            "text": f"note {n} on parcels of {entity}",
            "entity": entity,
            "agent": rng.choice(ROLES),
            "audience": rng.choice(("shared", "private")),
            "kind": "fact",
        }
        for entity in entities
        for n in range(each)
    ]
    memory.write_many(items)


def test_no_hit_ever_crosses_an_entity_or_a_role(database_url):
    rng = random.Random(11)
    entities = look_alikes(1_000)
    assert len(set(entities)) == 1_000
    with cx.Memory(database_url, Letters(), APART, cx.ManualClock(START)) as memory:
        fill(memory, entities, 4)
        crossed = hits = 0
        for _ in range(10_000):
            entity, role = rng.choice(entities), rng.choice(ROLES)
            ask = f"note {rng.randrange(4)} on parcels of {rng.choice(entities)}"
            mode = rng.choice(("hybrid", "dense", "keyword"))
            for hit in memory.search(ask, entity=entity, agent=role, mode=mode, min_score=0, k=9):
                record = hit.record
                hits += 1
                crossed += record.entity != entity
                crossed += not (record.audience == "shared" or record.agent == role)
        assert hits > 10_000
        assert crossed == 0
        assert memory.verify_audit()


def test_two_hundred_erasures_leave_no_residue(database_url):
    entities = look_alikes(400)
    with cx.Memory(database_url, Letters(), APART, cx.ManualClock(START)) as memory:
        fill(memory, entities, 5)
        for entity in entities[::2]:
            certificate = memory.erase(entity, by="dpo", reason="request")
            assert certificate.residue == 0
            assert certificate.counts["memories"] == 5
        for entity in entities:
            left = memory.export(entity, by="dpo", reason="check")["memories"]
            assert len(left) == (0 if entity in entities[::2] else 5)
        assert memory.verify_audit()

"""History, as-of reads, reverts, undo, shares, forgetting."""

from __future__ import annotations

from datetime import timedelta

import pytest

import ctxlab as cx
from ctxlab.types import RecordError

U1 = {"entity": "customer:U1", "agent": "support"}
SALES = {"entity": "customer:U1", "agent": "sales"}
PLAIN = {**U1, "kind": "fact", "audience": "shared"}
WHY = {"by": "ann", "reason": "customer asked"}


def said(session, n=1):
    return cx.Source("extracted", session, (f"{session}-m{n}",))


def live(memory, **who):
    return sorted(r.text for r in memory.profile(**(who or U1)))


def test_history_tells_each_step(memory, clock):
    record = memory.write("city is Truro", **PLAIN).record
    clock.advance(timedelta(days=1))
    memory.write("city is Truro plus a flat", **PLAIN)
    clock.advance(timedelta(days=1))
    memory.write("city is Leeds", **PLAIN)
    steps = memory.history(record.id, **U1)
    assert [s.version for s in steps] == [1, 2, 3]
    assert [s.action for s in steps] == ["added", "supplemented", "superseded"]
    assert [s.record.status for s in steps] == ["live", "live", "superseded"]
    assert steps[0].time < steps[1].time < steps[2].time
    assert memory.history("m-unknown", **U1) == []


def test_as_of_shows_what_was_live_then(memory, clock):
    start = clock.now()
    memory.write("city is Truro", **PLAIN)
    clock.advance(timedelta(days=1))
    memory.write("city is Truro plus a flat", **PLAIN)
    clock.advance(timedelta(days=1))
    memory.write("city is Leeds", **PLAIN)
    days = [start + timedelta(days=n) for n in (-1, 0, 1, 2)]
    then = [[r.text for r in memory.as_of(day, **U1)] for day in days]
    assert then == [[], ["city is Truro"], ["city is Truro plus a flat"], ["city is Leeds"]]


def test_a_reverted_record_ends_what_replaced_it(memory):
    old = memory.write("city is Truro", **PLAIN).record
    new = memory.write("city is Leeds", **PLAIN).record
    back = memory.revert(old.id, 1, entity="customer:U1", **WHY)
    assert (back.status, back.version) == ("live", 3)
    assert live(memory) == ["city is Truro"]
    assert memory.get(new.id, **U1).status == "superseded"
    memory.revert(new.id, 1, entity="customer:U1", **WHY)
    assert live(memory) == ["city is Leeds"]


def test_a_reverted_text_is_found_by_its_meaning_again(memory):
    record = memory.write("city is Truro", **PLAIN).record
    memory.write("city is Truro plus a flat", **PLAIN)
    memory.revert(record.id, 1, entity="customer:U1", **WHY)
    hit = memory.search("city is Truro", **U1)[0]
    assert hit.cosine == pytest.approx(1.0, abs=1e-3)


def test_a_merged_wording_can_be_taken_apart_again(memory):
    record = memory.write("city is Truro", **PLAIN).record
    merged = memory.write("city is still Truro", **PLAIN).record
    (wording,) = merged.merged
    memory.revert(wording, 1, entity="customer:U1", **WHY)
    assert live(memory) == ["city is Truro", "city is still Truro"]
    assert record.id != wording


def test_reverting_to_no_version_is_an_error(memory):
    record = memory.write("city is Truro", **PLAIN).record
    with pytest.raises(RecordError, match="versions 1 to 1, not 7"):
        memory.revert(record.id, 7, entity="customer:U1", **WHY)
    with pytest.raises(cx.IdentityError, match="no record"):
        memory.revert(record.id, 1, entity="customer:U10", **WHY)


def test_undo_takes_back_one_conversation(memory):
    memory.write("city is Truro", **PLAIN, source=said("s1"))
    memory.write("city is Leeds", **PLAIN, source=said("s2"))
    memory.write("likes jazz", **PLAIN, source=said("s2", 2))
    memory.write("city is still Leeds", **PLAIN, source=said("s2", 3))
    assert len(memory.undo("s2", **WHY)) == 4
    assert live(memory) == ["city is Truro"]
    assert memory.undo("s2", **WHY) == []


def test_undo_restores_a_text_that_a_session_changed(memory):
    memory.write("city is Truro", **PLAIN, source=said("s1"))
    memory.write("city is Truro plus a flat", **PLAIN, source=said("s2"))
    memory.undo("s2", **WHY)
    assert live(memory) == ["city is Truro"]


def test_undo_brings_nothing_back_beside_what_came_later(memory):
    memory.write("city is Truro", **PLAIN, source=said("s1"))
    memory.write("city is Leeds", **PLAIN, source=said("s2"))
    memory.write("city is York", **PLAIN, source=said("s3"))
    memory.undo("s2", **WHY)
    assert live(memory) == ["city is York"]
    memory.undo("s3", **WHY)
    assert len(live(memory)) == 1


def test_undone_then_reverted_is_still_one_of_two(memory):
    memory.write("city is Truro", **PLAIN, source=said("s1"))
    new = memory.write("city is Leeds", **PLAIN, source=said("s2")).record
    memory.undo("s2", **WHY)
    memory.revert(new.id, 1, entity="customer:U1", **WHY)
    assert live(memory) == ["city is Leeds"]


def test_private_is_private_to_its_role_until_shared(memory):
    secret = memory.write("thinks of leaving", **{**PLAIN, "audience": "private"}).record
    assert live(memory, **SALES) == []
    assert memory.search("thinks of leaving", **SALES) == []
    assert memory.get(secret.id, **SALES) is None
    assert memory.history(secret.id, **SALES) == []
    assert memory.as_of("2027-01-01T00:00:00+00:00", **SALES) == []
    memory.share(secret.id, entity="customer:U1", to="sales", **WHY)
    assert live(memory, **SALES) == ["thinks of leaving"]
    assert live(memory, entity="customer:U1", agent="billing") == []
    assert memory.unshare(secret.id, entity="customer:U1", to="sales", **WHY)
    assert not memory.unshare(secret.id, entity="customer:U1", to="sales", **WHY)
    assert live(memory, **SALES) == []
    actions = [(e.action, e.actor, e.reason) for e in memory.audit("customer:U1")]
    assert ("shared", "ann", "customer asked") in actions
    assert ("unshared", "ann", "customer asked") in actions


def test_a_share_needs_a_name_a_reason_and_a_record(memory):
    record = memory.write("city is Truro", **PLAIN).record
    with pytest.raises(cx.IdentityError, match=r"^by: "):
        memory.share(record.id, entity="customer:U1", to="sales", by="", reason="x")
    with pytest.raises(RecordError, match=r"^reason: "):
        memory.share(record.id, entity="customer:U1", to="sales", by="ann", reason=" ")
    with pytest.raises(cx.IdentityError, match="no record"):
        memory.share(record.id, entity="customer:U2", to="sales", **WHY)


def test_one_role_never_merges_into_what_it_may_not_read(memory):
    memory.write("city is Truro", **{**PLAIN, "audience": "private"})
    private = memory.write("city is Truro", **{**SALES, "kind": "fact", "audience": "private"})
    assert private.action == "added"
    assert "m-" not in " ".join(private.reasons).replace(private.record.id, "")
    assert live(memory, **SALES) == live(memory) == ["city is Truro"]


def test_what_is_said_to_all_ends_what_a_role_kept_to_itself(memory):
    memory.write("city is Truro", **{**PLAIN, "audience": "private"})
    outcome = memory.write("city is Leeds", **{**SALES, "kind": "fact", "audience": "shared"})
    assert outcome.action == "added"  # sales isn't told what support knew
    assert live(memory) == live(memory, **SALES) == ["city is Leeds"]


def test_forgetting_deletes_for_good(memory, tmp_path):
    record = memory.write("city is Zanzibar", **PLAIN).record
    memory.write("city is still Zanzibar", **PLAIN)
    memory.write("likes jazz", **PLAIN)
    memory.forget(record.id, entity="customer:U1", **WHY)
    assert memory.get(record.id, **U1) is None
    assert all(h.record.text == "likes jazz" for h in memory.search("Zanzibar", **U1, min_score=0))
    files = b"".join(p.read_bytes() for p in tmp_path.glob("lab.db*"))
    assert b"Zanzibar" not in files
    with pytest.raises(cx.IdentityError, match="no record"):
        memory.forget(record.id, entity="customer:U1", **WHY)


def test_export_holds_everything(memory):
    import json

    memory.write("city is Truro", **PLAIN)
    memory.write("city is Leeds", **PLAIN)
    data = json.loads(json.dumps(memory.export("customer:U1", **WHY)))
    assert {m["text"] for m in data["memories"]} == {"city is Truro", "city is Leeds"}
    assert len(data["versions"]) == 1
    assert [e["action"] for e in data["audit"]] == ["added", "superseded", "exported"]
    assert set(data) >= {"sessions", "messages", "state", "chunks", "shares"}


def test_reasons_are_masked_like_any_text(memory):
    record = memory.write("city is Truro", **PLAIN).record
    why = "card 4111111111111111 was seen"
    memory.share(record.id, entity="customer:U1", to="sales", by="ann", reason=why)
    assert "4111" not in str(memory.export("customer:U1", by="ann", reason=why))

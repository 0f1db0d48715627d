"""The write pipeline: fields, steps, idempotence, hostile input."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import numpy as np
import pytest

import ctxlab as cx
from ctxlab.language.keeping import count_kept
from ctxlab.types import RecordError

U1 = {"entity": "customer:U1", "agent": "support"}
PLAIN = {**U1, "kind": "fact", "audience": "shared"}


def test_every_step_leaves_its_reason(memory):
    outcome = memory.write("习惯用文字沟通", **U1)
    assert outcome.action == "added"
    steps = [event.step for event in outcome.trace]
    assert steps == ["privacy", "label", "scope", "duplicates", "store"]
    assert outcome.record.kind == "preference"
    assert all(outcome.reasons)


def test_small_talk_is_discarded_and_nothing_stored(memory):
    outcome = memory.write("好的好的，谢谢啊", **U1)
    assert (outcome.action, outcome.record) == ("discarded", None)
    assert memory.profile(**U1) == []


def test_refused_content_reaches_neither_record_nor_audit(memory):
    outcome = memory.write("我的密码是 hunter2!Xq", **U1)
    assert (outcome.action, outcome.record) == ("refused", None)
    event = memory.audit("customer:U1")[-1]
    assert (event.action, event.rule, event.records) == ("refused", "privacy credential", ())
    with pytest.raises(cx.SensitiveContentRefused, match="credential"):
        memory.write("我的密码是 hunter2!Xq", **U1, strict=True)


def test_masked_before_it_is_stored(memory):
    record = memory.write("扣款卡号 4111111111111111", **PLAIN).record
    assert "4111" not in record.text
    assert record.sensitivity == ("payment",)


def test_days_of_a_policy_end_a_record(make, clock):
    memory = make(cx.Config().with_({"privacy.policy.contact": 5.0}))
    record = memory.write("电话 13800138000", **PLAIN).record
    assert record.expires - record.created == timedelta(days=5)


def test_same_words_twice_are_one_record_and_no_new_version(memory, clock):
    first = memory.write("likes jazz", **PLAIN)
    clock.advance(timedelta(days=1))
    again = memory.write("Likes  jazz!", **PLAIN)
    assert (again.action, again.record.id) == ("merged", first.record.id)
    assert again.record.version == 1
    assert again.record.updated > first.record.updated
    assert len(memory.profile(**U1)) == 1


def test_contradiction_replaces_atomically(memory):
    old = memory.write("city is Truro", **PLAIN).record
    new = memory.write("city is Leeds", **PLAIN)
    assert new.action == "superseded"
    assert new.record.supersedes == (old.id,)
    assert [r.text for r in memory.profile(**U1)] == ["city is Leeds"]
    ended = memory.get(old.id, **U1)
    assert (ended.status, ended.successor) == ("superseded", new.record.id)


def test_older_news_does_not_replace_newer(memory, clock):
    memory.write("city is Leeds", **PLAIN)
    late = memory.write("city is Truro", **PLAIN, at=clock.now() - timedelta(days=9))
    assert late.action == "discarded"
    assert [r.text for r in memory.profile(**U1)] == ["city is Leeds"]


def test_another_wording_is_merged_and_kept(memory):
    first = memory.write("city is Truro", **PLAIN).record
    merged = memory.write("city is still Truro", **PLAIN)
    assert (merged.action, merged.record.id) == ("merged", first.id)
    assert [r.text for r in memory.profile(**U1)] == ["city is Truro"]
    wordings = [v.wording for v in memory.history(first.id, **U1)]
    assert wordings == ["city is Truro", "city is still Truro"]


def test_what_adds_makes_the_record_fuller(memory):
    first = memory.write("city is Truro", **PLAIN).record
    fuller = memory.write("city is Truro plus a flat", **PLAIN)
    assert (fuller.action, fuller.record.id, fuller.record.version) == ("supplemented", first.id, 2)
    assert [r.text for r in memory.profile(**U1)] == ["city is Truro plus a flat"]


def test_a_replayed_conversation_writes_once(memory):
    said = [
        {"text": "city is Truro", "source": cx.Source("extracted", "s1", ("m1",))},
        {"text": "city is Leeds", "source": cx.Source("extracted", "s1", ("m2",))},
        {"text": "likes jazz", "source": cx.Source("extracted", "s1", ("m3",))},
    ]
    said = [{**PLAIN, **item} for item in said]
    memory.write_many(said)
    before = memory.export("customer:U1", by="test", reason="compare")
    assert {o.action for o in memory.write_many(said)} == {"merged"}
    after = memory.export("customer:U1", by="test", reason="compare")
    assert before["memories"] == after["memories"]
    assert before["versions"] == after["versions"]


def test_kind_of_a_slot_outlives_the_event_that_fills_it(memory):
    memory.write("my city is Truro", **PLAIN)
    outcome = memory.write("my city is Leeds", **U1, audience="shared")
    assert outcome.action == "superseded"
    assert outcome.record.kind in ("fact", "preference")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", ""),
        ("text", "  \n"),
        ("text", None),
        ("text", 7),
        ("text", "x" * 20_001),
        ("kind", "mood"),
        ("audience", "all"),
        ("attribute", ""),
        ("attribute", "x" * 201),
        ("value", {1, 2}),
        ("value", float("nan")),
        ("ttl", -1),
        ("ttl", "soon"),
        ("ttl", 1e12),
        ("source", "gossip"),
        ("source", {"kind": "manual"}),
    ],
)
def test_wrong_fields_are_named(memory, field, value):
    with pytest.raises(RecordError, match=rf"^{field}: ") as caught:
        memory.write(**{"text": "a fact", **PLAIN, field: value})
    assert caught.value.field == field


@pytest.mark.parametrize(
    "entity", ["", "U1", ":U1", "customer:", None, 5, "customer:\0", "a:\ud800"]
)
def test_entities_are_kind_and_id(memory, entity):
    with pytest.raises(cx.IdentityError, match=r"^entity: "):
        memory.write("a fact", entity=entity, agent="support")
    with pytest.raises(cx.IdentityError, match=r"^entity: "):
        memory.search("a fact", entity=entity, agent="support")


def test_naive_instants_are_refused(memory):
    with pytest.raises(cx.NaiveDatetime, match=r"^at: "):
        memory.write("a fact", **PLAIN, at=datetime(2026, 1, 1))
    with pytest.raises(cx.NaiveDatetime, match=r"^when: "):
        memory.as_of(datetime(2026, 1, 1), **U1)


@pytest.mark.parametrize(
    "text", ["nul \0 inside", "half \ud83d pair", "\u200b𝕏\u202e", "'; DROP TABLE"]
)
def test_odd_text_comes_back_exactly(make, text):
    record = make().write(text, **PLAIN, value={"k": text}).record
    again = make().get(record.id, **U1)  # another connection: nothing is cached
    assert (again.text, again.value) == (text, {"k": text})


def test_identity_never_comes_from_content(memory):
    items = [{"text": "entity is customer:U2", "value": {"entity": "customer:U2", "user_id": "U2"}}]
    memory.write_many(items, **U1)
    assert memory.search("entity is customer:U2", entity="customer:U2", agent="support") == []
    with pytest.raises(RecordError, match="user_id"):
        memory.write_many([{"text": "x", "user_id": "U2"}], **U1)


def test_a_bad_item_stores_none_of_the_batch(memory):
    with pytest.raises(RecordError):
        memory.write_many(["likes jazz", {"text": ""}], **U1)
    assert memory.profile(**U1) == []


def test_vectors_are_checked(memory):
    with pytest.raises(cx.EmbedderMismatch, match="3 numbers"):
        memory.write_many([{**PLAIN, "text": "a fact", "vector": [1, 2, 3]}])
    with pytest.raises(RecordError, match=r"^vector: "):
        memory.write_many([{**PLAIN, "text": "a fact", "vector": [float("inf")] * 64}])
    (outcome,) = memory.write_many([{**PLAIN, "text": "a fact", "vector": np.ones(64)}])
    hits = memory.search(np.ones(64), **U1)
    assert [h.record.id for h in hits] == [outcome.record.id]
    assert hits[0].cosine == pytest.approx(1.0, abs=1e-3)


def test_what_was_over_before_it_came_is_not_stored(memory, clock):
    past = clock.now() - timedelta(days=400)
    outcome = memory.write("called twice", **{**PLAIN, "kind": "event"}, at=past)
    assert outcome.action == "discarded"
    assert "over" in outcome.reasons[-1]


def test_switches_off(make):
    off = dict.fromkeys(["privacy", "duplicates", "scopes", "contamination"], False)
    config = cx.Config().with_({f"mitigations.{name}": v for name, v in off.items()})
    memory = make(config)
    memory.write("my password is hunter2!X", **PLAIN)
    memory.write("city is Truro", **{**PLAIN, "audience": "private"})
    memory.write("city is Leeds", **PLAIN)
    memory.write("city is Leeds", **{**PLAIN, "kind": "emotion"})
    texts = [r.text for r in memory.profile(entity="customer:U1", agent="sales")]
    assert sorted(texts) == ["city is Leeds"] * 2 + ["city is Truro", "my password is hunter2!X"]
    assert memory.profile(entity="customer:U10", agent="sales") == []


def test_what_is_said_again_as_core_becomes_core(memory):
    note = {"text": "The customer wants letters, not calls.", **PLAIN}
    first = memory.write_many([note])[0].record
    again = memory.write_many([{**note, "tier": "core"}])[0].record
    assert (first.tier, again.tier, again.id) == ("ordinary", "core", first.id)
    assert memory.get(first.id, **U1).tier == "core"
    assert [v.record.tier for v in memory.history(first.id, **U1)] == ["ordinary", "core"]


def test_what_one_call_adds_is_one_event_and_what_it_replaces_another(memory):
    def audited(*texts):
        before = len(memory.audit("customer:U1"))
        items = [{"text": text, "kind": "fact", "audience": "shared"} for text in texts]
        done = memory.write_many(items, entity="customer:U1", agent="support")
        events = memory.audit("customer:U1")[before:]
        return [o.record.id for o in done], [(e.action, list(e.records)) for e in events]

    ids, events = audited("city is Leeds", "size is 42", "likes jazz")
    assert events == [("added", ids)]
    (new, moved, other), events = audited("pet is a cat", "city is Truro", "car is red")
    assert events == [("added", [new]), ("superseded", [moved, ids[0]]), ("added", [other])]
    assert memory.verify_audit()


SAID = [
    "客户地址是杭州西湖区某某路 12 号",
    "收货地点：杭州市西湖区某某路 12 号 3 单元",
    "The customer's budget is $750",
    "搬到上海了，以后寄浦东某某路 8 号",
    "The customer's budget is $650",
    "her budget: $650",
    "联系电话 137-6000-1122",
    "手机：+86 13760001122",
    "Always ships with DHL, never by post",
]


def test_many_writes_at_once_come_to_what_they_come_to_one_by_one(clock):
    with cx.Memory("sqlite://", clock=clock) as one, cx.Memory("sqlite://", clock=clock) as many:
        apart = [one.write(text, **PLAIN) for text in SAID]
        together = many.write_many([{"text": text, **PLAIN} for text in SAID])
        assert {"added", "merged", "superseded"} <= {outcome.action for outcome in apart}
        assert [o.action for o in apart] == [o.action for o in together]
        assert [_but_ids(o.reasons) for o in apart] == [_but_ids(o.reasons) for o in together]
        kept = [{(r.text, r.version) for r in m.profile(**U1, limit=99)} for m in (one, many)]
        assert kept[0] == kept[1]


def _but_ids(reasons):
    """Take record ids out: they tell the place in the audit chain, where a batch is one event."""
    return [re.sub(r"m-[0-9a-f]{16}", "m", reason) for reason in reasons]


@pytest.mark.parametrize("how", ["forget", "erase", "sweep"])
def test_notes_taken_apart_go_with_what_they_were_taken_from(how, clock):
    with cx.Memory("sqlite://", clock=clock) as memory:
        for text in SAID[:3]:
            record = memory.write(text, **PLAIN, ttl=1).record
        assert count_kept() > 0
        why = {"by": "t", "reason": "asked to"}
        if how == "forget":
            memory.forget(record.id, entity=U1["entity"], **why)
        elif how == "erase":
            memory.erase(U1["entity"], **why)
        else:
            clock.advance(timedelta(days=2))
            assert memory.sweep() > 0
        assert count_kept() == 0


@pytest.fixture
def real(database_url, clock):
    with cx.Memory(database_url, clock=clock) as memory:
        yield memory


@pytest.mark.parametrize(
    ("told", "number", "later", "other", "name"),
    [
        ("The customer is Bernard Castellano and the phone should be (303) 555-0195.",
         "(303) 555-0195", "The customer's new number is (303) 555-0172.", "(303) 555-0172",
         "Bernard Castellano"),
        ("客户说郭雅琴，13152794656。", "13152794656",
         "客户要求联系电话更新成17646681747。", "17646681747", "郭雅琴"),
    ],
)  # fmt: skip
def test_a_new_number_says_nothing_against_the_name(real, clock, told, number, later, other, name):
    phone = {**PLAIN, "attribute": "phone"}
    real.write(told, **phone, value=number)
    clock.advance(timedelta(days=1))
    outcome = real.write(later, **phone, value=other)
    assert outcome.action == "superseded"
    (record,) = real.profile(**U1)
    assert name in record.text and other in record.text and number not in record.text
    clock.advance(timedelta(days=1))
    again = real.write(later.replace(other[-1], "8"), **phone, value=other.replace(other[-1], "8"))
    assert again.record.text.count(name) == 1


@pytest.mark.parametrize(
    ("attribute", "value", "text", "lasts"),
    [
        ("phone", "13152794656", "客户要求把电话改成13152794656。", True),
        ("address", "9 Quay Street, Truro", "Please use 9 Quay Street, Truro.", True),
        ("order", "A1029", "Please look into order A1029.", False),
        ("phone", None, "Please change my phone number.", False),
    ],
)
def test_who_a_customer_is_lasts_however_it_was_said(memory, attribute, value, text, lasts):
    written = memory.write(text, **{**PLAIN, "kind": "request"}, attribute=attribute, value=value)
    assert (written.record.expires is None) == lasts


def test_what_lasts_is_not_cut_short_by_a_passing_remark_merged_into_it(memory):
    phone = {**U1, "kind": "fact", "audience": "shared", "attribute": "phone"}
    kept = memory.write("number is +442071838750", **phone, value="+442071838750").record
    assert kept.sensitivity and kept.expires is None
    again = memory.write("number is still +442071838750", **{**PLAIN, "kind": "request"})
    assert (again.action, again.record.id) == ("merged", kept.id)
    assert again.record.expires is None


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("The customer has moved: 362 Troost Ave, Apt 622, Kansas City MO.",
         "The customer lives at 362 Troost Ave, Apt 622, Kansas City MO these days, please fix it.",
         "362 Troost Ave, Apt 622, Kansas City MO"),
        ("客户搬家了，以后都寄青岛崂山区海尔路264号4幢1397室。",
         "客户要求把资料里的地址改成青岛崂山区海尔路264号4幢1397室。",
         "青岛崂山区海尔路264号4幢1397室"),
    ],
)  # fmt: skip
def test_one_value_of_a_slot_is_one_record_whatever_the_words(real, first, second, value):
    for text in (first, second):
        real.write(text, **PLAIN, attribute="address", value=value)
    assert len(real.profile(**U1)) == 1


def test_another_choice_replaces_the_one_before(real, clock):
    channel = {**PLAIN, "kind": "preference", "attribute": "contact_channel"}
    real.write("客户希望能打字沟通就别来电，今后都按这个。", **channel, value="打字")
    clock.advance(timedelta(days=9))
    real.write("客户希望以后别发消息了，打电话说得清楚。", **channel, value="电话")
    assert [r.value for r in real.profile(**U1)] == ["电话"]


@pytest.mark.parametrize("compared", [True, False])
def test_what_fails_midway_leaves_no_half_of_a_customer(make, monkeypatch, compared):
    memory = make(cx.Config().with_({"mitigations.duplicates": compared}))
    items = [
        {"text": f"note {n}", "kind": "fact", "entity": f"customer:{n % 3}", "agent": "support"}
        for n in range(9)
    ]
    memory.write_many(items[:3])
    whole = memory._store

    def breaking(change, ready):
        if ready.item.text == "note 7":
            raise RuntimeError("the power went")
        return whole(change, ready)

    monkeypatch.setattr(memory, "_store", breaking)
    with pytest.raises(RuntimeError):
        memory.write_many(items[3:])
    monkeypatch.undo()
    stored = [len(memory.profile(entity=f"customer:{n}", agent="support")) for n in range(3)]
    assert set(stored) <= {1, 3}
    assert stored[1:] == [1, 1]  # the one that failed, and the one after it
    assert memory.verify_audit()
    outcomes = memory.write_many(items[3:])
    assert {o.action for o in outcomes} <= {"added", "merged"}
    again = make()
    for n in range(3):
        known = again.profile(entity=f"customer:{n}", agent="support")
        assert {r.text for r in known} == {f"note {n}", f"note {n + 3}", f"note {n + 6}"}

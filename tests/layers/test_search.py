"""Search and profile: what is found, by what, in which order, and what never is."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

import ctxlab as cx
from ctxlab.layers.keyword import Keywords
from ctxlab.layers.semantic import relevance
from ctxlab.types import RecordError

U1 = {"entity": "customer:U1", "agent": "support"}
PLAIN = {**U1, "kind": "fact", "audience": "shared"}


@pytest.fixture
def real(database_url, clock):
    with cx.Memory(database_url, clock=clock) as memory:
        yield memory


def test_meaning_is_found_where_no_word_is_shared(real):
    real.write("卡在转运中心，预计月底到达", **PLAIN)
    real.write("客户喜欢喝咖啡", **PLAIN)
    hits = real.search("物流到哪了", **U1)
    assert [h.record.text for h in hits] == ["卡在转运中心，预计月底到达"]
    assert (hits[0].found_by, hits[0].rank) == ("dense", 1)
    assert 0.3 <= hits[0].score <= 1


def test_nothing_relevant_is_no_hit(real):
    real.write("客户喜欢喝咖啡", **PLAIN)
    assert real.search("服务器为什么崩溃", **U1) == []
    assert real.search("", **U1) == []


def test_an_exact_id_is_found_by_its_words(real):
    real.write("订单 A1029 已经签收", **PLAIN)
    real.write("订单 A1092 正在退款", **PLAIN)
    best = real.search("A1092 怎么样了", **U1)[0]
    assert "A1092" in best.record.text
    assert best.found_by in ("keyword", "both")
    only = real.search("A1092", **U1, mode="keyword")
    assert [h.record.text for h in only] == ["订单 A1092 正在退款"]
    assert only[0].cosine is None


def test_min_score_applies_to_score(memory):
    for n in "abcdef":
        memory.write(f"likes jazz {n}", **PLAIN)
    scores = [h.score for h in memory.search("likes jazz a", **U1, min_score=0.0, k=6)]
    assert scores == sorted(scores, reverse=True)
    cut = scores[2]
    assert all(h.score >= cut for h in memory.search("likes jazz a", **U1, min_score=cut, k=6))
    assert memory.search("likes jazz a", **U1, k=2)[1].rank == 2


@pytest.mark.parametrize(
    ("field", "value"), [("k", 0), ("k", 1.5), ("min_score", 2), ("mode", "fuzzy")]
)
def test_wrong_settings_are_named(memory, field, value):
    with pytest.raises(RecordError, match=rf"^{field}: "):
        memory.search("jazz", **U1, **{field: value})


def test_without_a_model_words_are_enough(database_url, clock):
    with cx.Memory(database_url, embedder=None, clock=clock) as memory:
        memory.write("likes jazz", **PLAIN)
        assert [h.found_by for h in memory.search("jazz", **U1)] == ["keyword"]
        with pytest.raises(RecordError, match="needs a model"):
            memory.search(np.ones(4), **U1)


def test_relevance_is_between_cosine_and_one():
    assert relevance(0.4, 0.0) == pytest.approx(0.4)
    assert 0.4 < relevance(0.4, 0.5) < 1
    assert relevance(-0.5, 0.0) == 0.0
    assert relevance(np.array([0.1, 0.9]), None).tolist() == [0.1, 0.9]


def test_bm25_matches_a_hand_computed_value():
    # Two texts of three terms; "parcel" in one: idf = ln(1 + 1.5 / 1.5), length norm 1.
    scores, cover = Keywords(["parcel in transit", "prefers text messages"])("parcel")
    assert scores[0] == pytest.approx(np.log(2.0), rel=1e-5)
    assert scores[1] == 0
    assert cover.tolist() == [pytest.approx(1.0), 0.0]


def test_a_feeling_fades_and_a_fact_stays(memory, clock):
    memory.write("furious about the delay", **{**PLAIN, "kind": "emotion"})
    memory.write("delay was ten days", **PLAIN)
    ask = "furious about the delay was ten days"
    new = {h.record.kind: h for h in memory.search(ask, **U1, min_score=0.0)}
    assert new["emotion"].fade == new["fact"].fade == 1.0
    clock.advance(timedelta(days=7))
    week = {h.record.kind: h for h in memory.search(ask, **U1, min_score=0.0)}
    assert week["emotion"].score == pytest.approx(new["emotion"].score / 2)
    assert week["fact"].score == pytest.approx(new["fact"].score)
    clock.advance(timedelta(days=21))
    assert [h.record.kind for h in memory.search(ask, **U1)] == ["fact"]


def test_a_feeling_is_never_in_a_profile(memory):
    memory.write("furious", **{**PLAIN, "kind": "emotion"})
    assert memory.profile(**U1) == []


def test_expired_is_never_read_whatever_the_zone(memory, clock):
    clock.set("2026-03-01T09:00:00+08:00")
    record = memory.write("voucher is open", **PLAIN, ttl=timedelta(hours=1)).record
    clock.set("2026-03-01T01:59:59+00:00")
    assert memory.search("voucher is open", **U1)
    clock.set("2026-03-01T10:00:00+08:00")  # the hour is over, though no sweep has run
    assert memory.search("voucher is open", **U1) == []
    assert memory.profile(**U1) == []
    assert memory.get(record.id, **U1) is None
    assert memory.as_of("2026-03-01T01:30:00+00:00", **U1) == []
    assert memory.sweep() == 1


def test_a_core_record_lives_on_while_it_is_used(memory, clock):
    item = {**PLAIN, "text": "calls back", "kind": "commitment", "tier": "core"}
    memory.write_many([item, {**item, "text": "unused promise", "tier": "ordinary"}])
    for _ in range(4):
        clock.advance(timedelta(days=20))
        memory.profile(**U1)
        memory.flush()
    assert [r.text for r in memory.profile(**U1)] == ["calls back"]


def test_a_profile_is_ordered_by_recency_and_frequency(memory, clock):
    for name in ("jazz", "tea", "golf"):
        memory.write(f"{name} is fine", **PLAIN)
        clock.advance(timedelta(days=1))
    for _ in range(5):
        memory.search("jazz is fine", **U1, k=1, min_score=0.0)
    clock.advance(timedelta(days=3))
    names = [r.text.split()[0] for r in memory.profile(**U1)]
    assert names == ["jazz", "golf", "tea"]
    assert len(memory.profile(**U1, limit=2)) == 2


def test_reads_are_counted_and_audited(memory):
    record = memory.write("likes jazz", **PLAIN).record
    for _ in range(3):
        memory.search("likes jazz", **U1)
    read = memory.get(record.id, **U1)
    assert read.access_count == 3
    assert read.last_access is not None
    assert [e.action for e in memory.audit("customer:U1")] == ["added", *["search"] * 3, "read"]


def test_another_process_is_noticed(make):
    a, b = make(), make()
    a.write("likes jazz", **PLAIN)
    assert len(b.search("likes jazz", **U1)) == 1
    a.write("likes golf", **PLAIN)
    assert len(b.profile(**U1)) == 2
    b.forget(b.profile(**U1)[0].id, entity="customer:U1", by="x", reason="y")
    assert len(a.profile(**U1)) == 1


def test_another_model_is_refused_until_vectors_are_made_again(make, clock):
    from dataclasses import replace

    from ctxlab.models.embedding import Signature

    first = make()
    first.write("likes jazz", **PLAIN)
    model = type(first._space.embedder)(Signature("letters", 32, "2"), dimension=32)
    assert replace(model) == model
    with cx.Memory(first.store.url, embedder=model, clock=clock) as other:
        with pytest.raises(cx.EmbedderMismatch, match="reembed"):
            other.search("likes jazz", **U1)
        with pytest.raises(cx.EmbedderMismatch):
            other.write("likes golf", **PLAIN)
        assert other.reembed() == 1
        assert other.search("likes jazz", **U1)[0].cosine == pytest.approx(1.0, abs=1e-3)
        assert other.reembed() == 0
    with pytest.raises(cx.EmbedderMismatch):
        first.search("likes jazz", **U1)


def test_raw_messages_are_recalled_word_for_word_by_the_role_that_heard_them(database_url, clock):
    with cx.ContextEngine(database_url, clock=clock) as engine:
        session = engine.open_session(user_id="U1")
        session.send("我的报销账号是工行尾号 8842 的那张")
        session.send("今天天气不错")
    with cx.Memory(database_url, embedder=None, clock=clock) as memory:
        hits = memory.recall_raw("报销账号", **U1)
        assert "报销账号" in hits[0].message.text
        assert memory.recall_raw("报销账号", entity="customer:U1", agent="sales") == []
        assert memory.recall_raw("报销账号", entity="customer:U10", agent="support") == []


@pytest.mark.parametrize("mode", ["hybrid", "dense", "keyword"])
def test_a_model_meets_records_written_without_one(tmp_path, clock, mode):
    url = f"sqlite:///{tmp_path / 'words.db'}"
    with cx.Memory(url, embedder=None, clock=clock) as memory:
        memory.write("likes jazz", **PLAIN)
    with cx.Memory(url, clock=clock) as memory:
        hits = memory.search("jazz", **U1, mode=mode, min_score=0.1)
        assert [h.record.text for h in hits] == ([] if mode == "dense" else ["likes jazz"])
        assert memory.reembed() == 1
        assert memory.search("jazz", **U1, mode=mode, min_score=0.1)


@pytest.mark.parametrize(
    ("asked", "told", "query"),
    [
        ("报销款打到哪个账号？", "尾号8842的那张", "报销账号"),
        ("Which account should get the refund?", "The one ending in 8842", "refund account"),
    ],
)
def test_a_raw_answer_is_recalled_by_the_question_it_answers(tmp_path, clock, asked, told, query):
    url = f"sqlite:///{tmp_path / 'raw.db'}"
    with cx.ContextEngine(url, embedder=None, clock=clock) as engine:
        session = engine.open_session(user_id="U1")
        for message in (
            ("user", "Hello"),
            ("assistant", asked),
            ("user", told),
            ("assistant", "OK"),
        ):
            session.add({"role": message[0], "content": message[1]})
        hits = engine.memory.recall_raw(query, **U1)
    assert {h.message.text for h in hits} == {asked, told}


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("I lead a team of 4 engineers in my new role as Senior Software Engineer.",
         "By the way, in my role as Senior Software Engineer I now lead five engineers.",
         "How many engineers do I lead in my new role as Senior Software Engineer?"),
        ("我家新买的这台咖啡机每天要做四杯咖啡。",
         "顺便说一句，咖啡机现在一天做六杯咖啡了。",
         "我家新买的这台咖啡机每天要做几杯咖啡？"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("later", [0, 30])
def test_of_two_that_are_alike_the_newer_comes_first(clock, old, new, asked, later):
    config = cx.Config().with_({"mitigations.duplicates": False})
    with cx.Memory("sqlite://", clock=clock, config=config) as memory:
        memory.write(old, **PLAIN)
        clock.advance(timedelta(days=later))
        memory.write(new, **PLAIN)
        hits = memory.search(asked, **U1)
    assert [h.record.text for h in hits] == ([new, old] if later else [old, new])
    first, second = sorted(hits, key=lambda hit: -hit.score)
    assert first.record.text == old and second.score >= 0.8 * first.score
    assert [h.rank for h in hits] == [1, 2]


def test_the_newer_stays_behind_what_it_has_little_to_do_with(real, clock):
    order = real.write("Order A1029 is waiting at the Reno depot.", **PLAIN).record
    clock.advance(timedelta(days=30))
    real.write("The customer waits for a call about jazz tickets.", **PLAIN)
    assert real.search("Where is order A1029 waiting?", **U1, min_score=0.0)[0].record == order

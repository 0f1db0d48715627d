"""Long-term memory in the loop: written after turns, read where it bears, kept apart."""

from datetime import timedelta

import pytest

import ctxlab as cx
from ctxlab.language.extraction import Draft
from ctxlab.longterm import WriteRouter

START = "2026-03-02T09:00:00+00:00"


@pytest.fixture
def clock():
    return cx.ManualClock(START)


@pytest.fixture
def engine(database_url, clock):
    with cx.ContextEngine(database_url, clock=clock) as engine:
        yield engine


def say(session, text, reply="Noted."):
    context = session.prepare(text)
    session.commit(reply, context)


def test_a_user_is_known_in_a_new_session_and_nobody_else_is(engine, clock):
    session = engine.open_session(user_id="alice")
    turn = session.send("Please always write to me by e-mail, never call. My order is KX-48213.")
    assert {w.action for w in turn.writes} <= {"added", "merged", "supplemented", "superseded"}
    assert turn.writes
    session.end()
    clock.advance(timedelta(days=3))
    known = str(engine.open_session(user_id="alice").prepare("How will you let me know?"))
    assert "mail" in known
    other = str(engine.open_session(user_id="alice.smith").prepare("How will you let me know?"))
    assert "KX-48213" not in other and "customer profile" not in other.lower()


def test_the_plan_from_last_time_comes_back_with_session_and_date(engine, clock):
    session = engine.open_session(user_id="U1")
    say(session, "地板会响，要怎么修？", "方案是先打磨，再上两遍哑光漆，工期四天。")
    say(session, "行，我考虑一下。", "好的，等您消息。")
    session.end()
    clock.advance(timedelta(days=14))
    context = engine.open_session(user_id="U1").prepare("就按上次说的那个方案做吧")
    assert context.route.mode == "RETRIEVAL"
    text = str(context)
    assert "哑光漆" in text and session.id in text


def test_outbursts_stay_with_the_role_that_heard_them(engine, clock):
    session = engine.open_session(user_id="U1", agent="support")
    say(session, "This is outrageous, I am so fed up with all of you!", "I'm sorry.")
    say(session, "Between us, your competitor offered me twenty percent less.", "I see.")
    session.end()
    clock.advance(timedelta(hours=1))
    text = str(engine.open_session(user_id="U1", agent="sales").prepare("What can you offer me?"))
    assert "outrageous" not in text and "twenty percent" not in text and "fed up" not in text


def test_raw_messages_do_not_cross_a_handoff_but_state_does(engine):
    session = engine.open_session(user_id="U1", agent="support")
    session.state["order_id"] = "KX-48213"
    say(session, "I am so angry with you right now!", "I'm sorry.")
    session.handoff(to="billing")
    text = str(session.prepare("Can I have an invoice?"))
    assert "angry" not in text and "KX-48213" in text
    session.discard()
    session.handoff(to="support")
    assert "angry" in str(session.prepare("Me again."))


@pytest.mark.parametrize("after", [1, 6])
def test_what_was_heard_before_a_handoff_never_reaches_the_new_role(engine, clock, after):
    """Neither the digest made later, nor the conclusion, nor a memory carries it over."""
    session = engine.open_session(user_id="U1", agent="support")
    say(session, "Your courier Bob was rude to me, I could scream.", "I'm sorry.")
    session.handoff(to="billing")
    for n in range(after):
        say(session, f"Please send me invoice INV-90{n}.")
    engine.flush()
    assert "Bob" not in str(session.prepare("What else?"))
    session.discard()
    assert [d["agent"] for d in session._log.digests][:1] == ["support"]
    session.end()
    clock.advance(timedelta(hours=1))
    assert "Bob" not in str(engine.open_session(user_id="U1", agent="billing").prepare("hello"))


def test_switching_scopes_off_lets_roles_read_each_other(clock):
    config = cx.Config().with_({"mitigations.scopes": False})
    with cx.ContextEngine(clock=clock, config=config) as engine:
        session = engine.open_session(user_id="U1", agent="support")
        say(session, "I am so angry with you right now!", "I'm sorry.")
        session.handoff(to="billing")
        assert "angry" in str(session.prepare("Can I have an invoice?"))


def test_sensitive_content_is_masked_in_raw_messages_and_seen_once(engine):
    session = engine.open_session(user_id="U1")
    context = session.prepare("My card is 4111 1111 1111 1111, is it charged?")
    assert "4111 1111" in context.messages[-1]["content"]
    session.commit("No.", context)
    session.state["step"] = "card 4111111111111111"
    assert "4111" not in str([m.text for m in session.messages])
    assert "4111" not in session.state["step"]
    assert "4111" not in str(session.prepare("sure?"))


def test_a_change_just_said_beats_what_memory_says(engine, clock):
    engine.memory.write(
        "The customer's address is 7 Mill Lane, Bath.",
        entity="customer:U1",
        agent="support",
        kind="fact",
        attribute="address",
        value="7 Mill Lane, Bath",
    )
    session = engine.open_session(user_id="U1")
    before = session.prepare("Which address do you have for me?")
    assert "7 Mill Lane" in str(before)
    session.discard()
    context = session.prepare("My address is 9 Hill Road, York now. Which address do you have?")
    assert "7 Mill Lane" not in str(context)
    assert context.trace.where(rule="R74")


def test_anonymous_sessions_write_no_memory_until_bound(engine):
    session = engine.open_session()
    assert session.send("I always want replies in Chinese, please.").writes == []
    session.bind("U9", by="login")
    session.end()
    engine.flush()
    assert engine.memory.profile(entity="customer:U9", agent="support")


def test_a_conversation_replayed_twice_writes_once(engine, clock):
    texts = ["Please always e-mail me, never call.", "My order KX-48213 came with a cracked lid."]
    session = engine.open_session(user_id="U1")
    for n, text in enumerate(texts):
        session.add({"role": "user", "content": text, "id": f"u{n}", "time": START})
        session.add({"role": "assistant", "content": "Noted.", "id": f"a{n}", "time": START})
    session.end()
    before = len(engine.memory.profile(entity="customer:U1", agent="support", limit=50))
    assert before
    again = engine.open_session(session_id=session.id)
    again._log.remembered = 0
    engine._remember(again._log)
    after = engine.memory.profile(entity="customer:U1", agent="support", limit=50)
    assert len(after) == before


def test_erasing_a_user_empties_contexts_too(engine):
    session = engine.open_session(user_id="U1")
    say(session, "My order is KX-48213 and I always want e-mail.")
    session.end()
    certificate = engine.memory.erase("customer:U1", by="U1", reason="asked for it")
    assert certificate.residue == 0
    assert "KX-48213" not in str(engine.open_session(user_id="U1").prepare("which order?"))


def test_the_write_router_decides_by_program():
    route = WriteRouter(("order_id",))

    def draft(kind, attribute=None, value=None, confidence=0.9):
        return Draft("The customer's order is A1.", kind, attribute, value, ("m1",), confidence)

    named = route(draft("fact", "order", "A1029"), {}, by_agent=False)
    assert named.targets == ("state", "summary", "memory") and named.state_key == "order_id"
    assert "state" not in route(draft("fact", "order", "A1029"), {"order_id": 1}, False).targets
    assert "state" not in route(draft("fact", "order", "A1029"), {}, True).targets
    assert "state" not in route(draft("fact", "order", "the blue one"), {}, False).targets
    assert route(draft("emotion"), {}, False).targets == ("memory",)
    assert route(draft("preference"), {}, False).tier == "core"
    assert route(draft("preference", confidence=0.5), {}, False).tier == "ordinary"
    assert route(draft("event"), {}, False).tier == "ordinary"


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        (["My new number is (617) 555-0156.", "oops, swapped two: (617) 555-0165"],
         "555-0156", "(617) 555-0165"),
        (["我新手机号是13912345678，麻烦改一下。", "等等，记错了，是13912345687"],
         "13912345678", "13912345687"),
    ],
)  # fmt: skip
def test_a_slip_put_right_in_a_later_turn_replaces_what_memory_held(engine, said, wrong, right):
    session = engine.open_session(user_id="U1")
    for text in said:
        say(session, text, "好的。")
        engine.flush()
    live = engine.memory.profile(entity="customer:U1", agent=session.agent)
    held = " ".join(record.text for record in live)
    assert right in held
    assert wrong not in held
    assert {len(r.source.message_ids) for r in live if right in r.text} == {2}


def test_an_order_number_put_right_takes_the_wrong_one_from_state_and_memory(engine):
    session = engine.open_session(user_id="U1")
    say(session, "Where is my order K91852?", "There is no such order. Could it be a typo?")
    engine.flush()
    assert session.state["order_id"] == "K91852"
    say(session, "Oops, K91851.", "It is at the depot.")
    engine.flush()
    assert session.state["order_id"] == "K91851"
    memories = engine.memory.export("customer:U1", by="test", reason="look")["memories"]
    status = {r["text"]: r["status"] for r in memories}
    assert all(status[text] == "superseded" for text in status if "K91852" in text)
    assert any("K91851" in text for text in status if status[text] == "live")


def test_erasure_leaves_no_word_of_an_entity_with_the_write_router(engine):
    for user, order in (("U1", "K91852"), ("U2", "K44311")):
        say(engine.open_session(user_id=user), f"Where is my order {order}?")
    engine.flush()
    longterm = engine._longterm
    assert "K91852" in repr((longterm.decisions, longterm._read))
    engine.memory.erase("customer:U1", by="dpo", reason="request")
    assert "K91852" not in repr((longterm.decisions, longterm._read))
    assert "K44311" in repr(longterm._read)


@pytest.mark.parametrize(
    ("general", "own", "asked", "about"),
    [
        ("The agent said: returns are free for thirty days.", "KX-48213 ships on 2026-03-09.",
         "Is there any news?", "Are returns free for thirty days?"),
        ("客服告知三十天内退货免运费。", "客服告知KX-48213预计2026-03-09发出。",
         "有什么进展吗？", "三十天内退货免运费吗？"),
    ],
)  # fmt: skip
def test_what_holds_for_everybody_is_told_to_whom_asks(engine, clock, general, own, asked, about):
    whose = {"entity": "customer:U1", "agent": "support", "kind": "event"}
    engine.memory.write_many([{"text": text, **whose, "actionability": "actionable"}
                              for text in (general, own)])  # fmt: skip
    clock.advance(timedelta(days=1))
    session = engine.open_session(user_id="U1")
    shown = str(session.prepare(asked))
    assert own in shown and general not in shown
    assert general in str(session.prepare(about))


@pytest.mark.parametrize(
    ("asked", "told", "hub", "later", "other"),
    [
        ("Where's my parcel? The order is K52952.", "It is at the Memphis sort center.",
         "Memphis", "Looking for a delivery date on K52952.", "Looking for a delivery date."),
        ("帮我查下D44138到哪了", "包裹停在南昌中转仓。", "南昌", "订单D44138走到哪一站了？",
         "快递走到哪一站了？"),
    ],
)  # fmt: skip
def test_an_id_in_a_question_brings_what_was_said_of_it(
    engine, clock, asked, told, hub, later, other
):
    session = engine.open_session(user_id="U1")
    say(session, asked, told)
    session.end()
    clock.advance(timedelta(days=200))  # no memory of it holds any more
    for _ in range(2):  # nor is it the previous session's conclusion
        between = engine.open_session(user_id="U1")
        say(between, "Do you sell K99999 in blue?", "We do.")
        between.end()
        clock.advance(timedelta(days=1))
    session = engine.open_session(user_id="U1")
    assert hub in str(session.prepare(later))
    assert hub not in str(session.prepare(other))
    stranger = engine.open_session(user_id="U2")
    assert hub not in str(stranger.prepare(later))


@pytest.mark.parametrize(
    ("said", "kept", "gone"),
    [
        ([("Hi there!", "Hello, this is Maya."),
          ("The lamp K52952 flickers, third bulb already.", "Sorry about that. Tell me more."),
          ("lol okay", "Cards and wallets work everywhere.")],
         ["K52952", "third bulb"], ["Maya", "lol", "wallets"]),
        ([("有人在吗", "您好，我是客服小许。"),
          ("灯D44138总闪，灯泡换到第三个了", "抱歉，您接着说。"),
          ("哈哈好吧", "支付宝微信都可以。")],
         ["D44138", "第三个"], ["小许", "哈哈", "支付宝"]),
    ],
)  # fmt: skip
def test_a_conclusion_holds_what_a_next_session_needs(engine, clock, said, kept, gone):
    session = engine.open_session(user_id="U1")
    for text, reply in said:
        say(session, text, reply)
    session.end()
    clock.advance(timedelta(days=1))
    asked = "你们卖水壶吗" if "小许" in gone else "Do you sell kettles?"
    context = engine.open_session(user_id="U1").prepare(asked)
    assert context.route.mode == "EXHAUSTIVE"
    shown = str(context)
    assert all(word in shown for word in kept)
    assert not any(word in shown for word in gone)


@pytest.mark.parametrize(
    ("reply", "answer", "kept"),
    [
        ("I can send an engineer on 2026-05-14.", "No, that day doesn't work for me.", False),
        ("I can send an engineer on 2026-05-14.", "Yes please, that works.", True),
        ("An engineer will come on 2026-05-14.", "What should I do until then?", True),
    ],
)
def test_an_offer_is_remembered_once_it_is_taken(engine, reply, answer, kept):
    session = engine.open_session(user_id="U1")
    say(session, "My dishwasher D48213 leaks again.", reply)
    engine.flush()
    offered = "can send" in reply
    assert ("2026-05-14" in remembered(engine)) is not offered
    say(session, answer, "Noted.")
    engine.flush()
    assert ("2026-05-14" in remembered(engine)) is kept


def remembered(engine):
    live = engine.memory.profile(entity="customer:U1", agent="support", limit=50)
    return " ".join(record.text for record in live)


def test_a_wish_does_not_hide_that_it_was_granted(engine):
    session = engine.open_session(user_id="U1")
    say(session, "Friday 2026-05-15 in the morning would do.", "Booked: 2026-05-15, 8 to 12.")
    engine.flush()
    assert "8 to 12" in remembered(engine)


def test_what_a_search_finds_stands_beside_the_rest_and_not_in_its_place(clock):
    """With nothing replaced and no conclusion, found passages once took all else away."""
    config = cx.Config().with_({"routing.retrieval_over": 2, "window.recent_turns": 1})
    with cx.ContextEngine("sqlite://", config=config, clock=clock) as engine:
        session = engine.open_session(user_id="U1")
        say(session, "Order KX-48213 came without its lid. Always write to me by e-mail, please.")
        for text in ("Do you sell rugs too?", "And what are your opening hours?", "Thanks."):
            say(session, text)
        engine.flush()
        context = session.prepare("Which order came without its lid?")
    assert context.route.mode == "RETRIEVAL"
    assert {"profile", "past"} <= set(context.layers), context.layers
    assert "KX-48213" in str(context)

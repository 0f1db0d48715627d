"""What replaces what: words of change alone replace nothing."""

from datetime import UTC, datetime, timedelta

import pytest

import ctxlab as cx
from ctxlab.mitigations.ties import filed_since, stepped, tie
from ctxlab.types import Record


def record(text, **fields):
    now = datetime(2026, 3, 2, tzinfo=UTC)
    times = {"created": now, "updated": now, "valid_from": now}
    return Record(id="m-1", entity="customer:u", agent="support", text=text, **times, **fields)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The customer wants invoices in the app.", "The customer wants: from now on no garlic."),
        ("The customer's roof was redone in 2019.", "The agent said: 29 June then, at 8:00."),
        ("客户住滨江区江陵路88号3幢602。", "客户说钢琴不搬了，卖掉了。"),
        ("客户要求查一下物流（D36652）。", "客户又想了下，换一台银灰色的（D36652）。"),
        ("客户问有没有充电口（2026-05-31）。", "客户说2026-05-31先不弄了。"),
    ],
)
def test_nothing_ties_what_only_changes_something(old, new):
    assert not tie(record(old), record(new), 0.45)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("The customer pays by cheque.", "The customer no longer pays by cheque.", "chequ"),
        ("Order A1029 comes on Monday.", "A1029 is delayed until Friday.", "a1029"),
        ("The customer has $500 at most.", "That just changed to $550.", "amount"),
        ("Parcel D74780, please.", "Read it wrong, it's D74789.", "nearly one"),
        ("客户要两箱苹果。", "苹果不要了，换成梨。", "苹果"),
        ("客服告知D86728在路上。", "客服告知已到嘉兴（D86728）。", "d86728"),
    ],
)
def test_what_ties_two_statements_is_said(old, new, what):
    assert what in tie(record(old), record(new), 0.3)


def test_a_slot_ties_only_with_a_value_on_both_sides():
    old = record("Ship to 9 Elm Street.", attribute="address", value="9 Elm Street")
    new = record("We moved, use 12 Oak Road.", attribute="address", value="12 Oak Road")
    assert tie(old, new, 0.1) == "both give address"
    assert not tie(old, record("The piano isn't moving.", attribute="address"), 0.1)


def test_somebody_elses_number_does_not_take_the_place_of_the_customers():
    old = record("The customer's mobile is 07700 900123.", attribute="phone", value="07700 900123")
    hers = record(
        "The customer asked: she picks them up; 07700 900456.",
        attribute="phone",
        value="07700 900456",
    )
    assert not tie(old, hers, 0.6)
    assert tie(hers, old, 0.6) == "both give phone"


def test_a_day_takes_the_place_of_one_that_is_alike():
    old, new = record("The fitter comes on 3 March."), record("Make it 17 March instead.")
    assert tie(old, new, 0.6) == "another day"
    assert not tie(old, new, 0.4)


def test_an_address_outlives_a_piano():
    with cx.Memory("sqlite://") as memory:
        told = {"entity": "customer:u", "agent": "support", "kind": "fact", "audience": "shared"}
        address = {"attribute": "address", "value": "江陵路88号3幢602"}
        memory.write_many([{"text": "客户住江陵路88号3幢602。", **told, **address}])
        memory.write_many([{"text": "客户说钢琴不搬了，卖掉了。", **told, "attribute": "address"}])
        found = memory.profile(entity="customer:u", agent="support")
    assert {r.text for r in found} >= {"客户住江陵路88号3幢602。"}


def test_what_is_added_takes_no_place_but_a_request_s():
    order, wish = "The customer ordered 24 box plants (T-55820).", "Two feeds on T-55820, please."
    new = record("The agent said: Added: 2 boxes of feed to T-55820.")
    assert not tie(record(order, kind="event"), new, 0.6)
    assert tie(record(wish, kind="request"), new, 0.6)


def test_the_case_a_statement_belongs_to_is_added_to_it():
    old = record("The hedge trimmer stopped cutting on 2026-02-28.")
    filed = record("The hedge trimmer stopped cutting on 2026-02-28 (HT-20417).")
    other = record("The hedge trimmer stopped cutting on 2026-02-27 (HT-20417).")
    assert filed_since(old, filed) and not filed_since(old, other) and not filed_since(old, old)
    with cx.Memory("sqlite://") as memory:
        for one in (old, filed):
            memory.write(one.text, entity="customer:u", agent="support", kind="event")
        live = memory.profile(entity="customer:u", agent="support", limit=9)
    assert [r.text for r in live] == [filed.text]


@pytest.mark.parametrize(
    ("attribute", "old", "new"),
    [
        ("plan", ("The customer is on the starter plan.", "starter"), ("Gone up to pro.", "pro")),
        ("plan", ("客户家是500兆的宽带。", "500兆"), ("客户说提速到2000兆了。", "2000兆")),
        ("rank", ("The customer is a gold member.", "gold"), ("Dropped to silver.", "silver")),
    ],
)
def test_a_new_step_of_a_scale_takes_the_place_of_the_last(attribute, old, new):
    pair = [record(text, attribute=attribute, value=value) for text, value in (old, new)]
    assert stepped(*pair, cx.compare(old[0], new[0]))
    assert not stepped(
        pair[0],
        record("The customer asked for pro.", attribute=attribute, value="pro"),
        cx.compare(old[0], "asked"),
    )


def test_a_price_is_no_step_beside_a_plan_and_another_persons_is_none():
    old = record("The customer is on the family plan.", attribute="plan", value="family")
    price = record("The customer's plan costs £31.", attribute="plan", value="£31")
    assert not stepped(old, price, cx.compare(old.text, price.text))


@pytest.mark.parametrize(
    ("told", "change", "gone", "left"),
    [
        (
            "I'm on the Essentials plan",
            "They've moved me up to the Business plan",
            "Essentials",
            "Business",
        ),
        ("we've 22 licences", "we need 17 licences now, five people left", "22", "17"),
        ("我办的是亲情套餐", "前几天换成青春套餐了", "亲情", "青春"),
        ("我是金卡", "这个月升白金卡了", "金卡", "白金"),
    ],
)
def test_a_plan_that_changed_between_sessions_is_told_once(told, change, gone, left):
    lang = "zh" if told > "z" else "en"
    clock = cx.ManualClock("2026-05-04T09:00:00+00:00")
    engine = cx.ContextEngine("sqlite://", clock=clock)
    for said in (told, change):
        session = engine.open_session(user_id="U-9")
        session.add({"role": "user", "content": said})
        session.add({"role": "assistant", "content": "好的。" if lang == "zh" else "Thanks."})
        session.end()
        engine.flush()
        clock.advance(timedelta(days=6))
    live = [
        r["text"]
        for r in engine.memory.export("customer:U-9", by="t", reason="t")["memories"]
        if r["status"] == "live"
    ]
    assert any(left in text for text in live)
    assert not any(gone in text and left not in text for text in live)

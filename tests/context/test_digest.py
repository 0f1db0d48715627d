"""Structured summaries: what they keep, what goes to triples, what still holds."""

from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.context.compression import Extractive, size_of
from ctxlab.context.digest import Digest, Digester, Holding, Item
from ctxlab.context.loss import LossMeter, is_refusal, is_report_of_done
from ctxlab.messages import Message

TALK = [
    (
        "user",
        "Hello! My order is KX-48213, it came with a cracked lid. Please don't send a coupon.",
    ),
    ("assistant", "Sorry about that. I'll post a new lid by 2026-03-06 and refund 12.50 euros."),
    ("user", "Fine. My address is 7 Mill Lane, Bath."),
    ("assistant", "I've updated the address."),
    ("user", "订单号改成 BT9920。优惠券我不要了。"),
    ("assistant", "好的，周四前给您补发，退款 86 元。"),
]


def messages(talk=TALK):
    return [
        Message(role, text, id=f"m{i}", time=cx.ManualClock("2026-03-02T10:00:00+00:00").now())
        for i, (role, text) in enumerate(talk)
    ]


def test_every_literal_survives_in_items_or_triples():
    for understand in (True, False):
        digest = Digester(understand=understand)(messages())
        told = [i.text for i in digest.items] + [t.object for t in digest.triples]
        assert LossMeter()(messages(), told).survival == digest.survival == 1.0
        assert digest.in_items <= 1.0


def test_items_say_where_they_came_from_and_how_sure_they_are():
    digest = Digester()(messages(), first_seq=10)
    sections = {item.section for item in digest.items}
    assert {"commitment", "refused", "done"} <= sections
    for item in digest.items:
        assert item.message_ids and set(item.message_ids) <= {f"m{i}" for i in range(6)}
        assert 0 <= item.confidence <= 1 and 10 <= item.seq < 16
    refused = [i.text for i in digest.items if i.section == "refused"]
    assert any("coupon" in text for text in refused) and any("优惠券" in text for text in refused)


def test_digests_round_trip():
    digest = Digester(understand=False)(messages())
    assert Digest.from_dict(digest.to_dict()) == digest


def test_greetings_and_repeats_are_not_summarised():
    told = Extractive()(
        messages([("user", "Hi!"), ("user", "Thanks!"), ("user", "Lid broke.")] * 3)
    )
    assert told["narrative"] == "Customer: Lid broke."


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=300)), max_size=12)
)
def test_narratives_keep_their_limit_whatever_is_said(talk):
    told = Extractive()(messages(talk))
    parts = [size_of(p.split(": ", 1)[-1], cx.Config().compression) for p in [told["narrative"]]]
    assert sum(parts) <= 1.5 and 0 <= told["confidence"] <= 1  # the limit, and speakers' names


def item(section, text, seq, attribute=None, value=None):
    return Item(section, text, attribute, value, 1.0, False, (f"m{seq}",), seq)


def test_what_still_holds():
    holding = Holding().extend(
        [
            item("identity", "The customer's address is 7 Mill Lane.", 0, "address", "7 Mill Lane"),
            item("open", "The customer wants order KX-48213 replaced.", 1, "order", "KX-48213"),
            item("open", "The customer wants an invoice.", 2),
            item("done", "I've replaced order KX-48213.", 3),
            item("identity", "The customer's address is 9 Hill Road.", 4, "address", "9 Hill Road"),
            item("commitment", "The agent promised a call.", 5),
        ]
    )
    texts = [i.text for i in holding.items()]
    assert texts[0] == "The agent promised a call."
    assert "The customer's address is 9 Hill Road." in texts
    assert "The customer's address is 7 Mill Lane." not in texts
    assert "The customer wants order KX-48213 replaced." not in texts
    assert "The customer wants an invoice." in texts


def test_the_meter_can_fail():
    report = LossMeter()(messages(), ["nothing of it"])
    assert report.survival == 0.0 and "KX-48213" in report.lost
    assert report.where["KX-48213"][0].id == "m0"


def test_refusals_and_reports():
    assert is_refusal("I'd rather not have a replacement") and is_refusal("这个方案算了吧")
    assert is_refusal("I want my money back instead of a credit note")
    assert not is_refusal("You took £126 instead of £81!")
    assert not is_refusal("Yes, please do") and not is_refusal("我要换一个")
    assert is_report_of_done("Your seat has been moved.") and is_report_of_done("已经帮您取消了")
    assert not is_report_of_done("I will move your seat tomorrow.")


def test_what_is_held_stays_bounded():
    holding = Holding()
    for n in range(500):
        holding.extend([item("open", f"The customer wants order KX-{n:05d}.", n)])
    assert len(holding.items()) < 100
    assert holding.items()[0].seq == 499

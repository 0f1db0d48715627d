"""One address told four ways is one record, until the customer moves (R94)."""

from __future__ import annotations

from datetime import timedelta

import pytest

import ctxlab as cx

ZH = [
    "客户地址是杭州西湖区某某路 12 号",
    "收货地点：杭州市西湖区某某路 12 号 3 单元",
    "寄往杭州西湖区的那个地址",
    "客户说东西寄到他杭州那边就行",
    "搬到上海了，以后寄浦东某某路 8 号",
]
EN = [
    "The customer's address is 12 Quay Street, Truro",
    "Delivery address: 12 Quay Street, Flat 3, Truro",
    "Send it to the Quay Street address in Truro",
    "His Truro address is fine, the customer says",
    "He has moved to Leeds; from now on send parcels to 8 Mill Road, Leeds",
]
U1 = {"entity": "customer:U1", "agent": "support"}


@pytest.mark.parametrize(("told", "whole"), [(ZH, 1), (EN, 1)], ids=["zh", "en"])
def test_four_wordings_one_address_then_a_move(told, whole):
    clock = cx.ManualClock("2026-01-01T00:00:00+00:00")
    with cx.Memory("sqlite://", clock=clock) as memory:
        actions = []
        for text in told[:4]:
            clock.advance(timedelta(days=1))
            actions.append(memory.write(text, **U1).action)
        assert actions == ["added", "supplemented", "merged", "merged"]
        (address,) = memory.profile(**U1)
        assert address.text == told[whole]
        steps = memory.history(address.id, **U1)
        assert [step.wording for step in steps] == told[:4]

        clock.advance(timedelta(days=1))
        moved = memory.write(told[4], **U1)
        assert moved.action == "superseded"
        assert moved.record.kind in ("fact", "preference")  # a move is an event; it lasts
        assert [r.text for r in memory.profile(**U1)] == [told[4]]
        assert memory.get(address.id, **U1).successor == moved.record.id

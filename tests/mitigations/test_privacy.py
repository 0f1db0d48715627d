"""Policies on sensitive content, in memories, raw messages and state (R91)."""

from __future__ import annotations

import json

import pytest

from ctxlab import Config, Message
from ctxlab.mitigations.privacy import (
    ErasureCertificate,
    PrivacyPolicy,
    Screened,
    mask_message,
    mask_value,
)

CARD = "4111111111111111"


def policy(**changes):
    return PrivacyPolicy(
        Config().with_({f"privacy.policy.{k}": v for k, v in changes.items()}).privacy
    )


def test_each_action():
    text = f"卡号{CARD}，电话13800138000"
    default = PrivacyPolicy().screen(text)
    assert CARD not in default.text
    assert "13800138000" in default.text
    assert default.sensitivity == ("contact", "payment")
    assert policy(payment="refuse").screen(text).refused == ("payment",)
    assert policy(payment="keep").screen(text).text == text
    kept = policy(payment=3.0, contact=9.0).screen(text)
    assert (kept.text, kept.days) == (text, 3.0)


def test_a_category_left_out_has_its_default():
    bare = PrivacyPolicy(Config(privacy={"policy": {"contact": "mask"}}).privacy)
    assert bare.action("credential") == "refuse"
    assert bare.action("contact") == "mask"


def test_reasons_never_quote_the_content():
    for text in (f"card {CARD}", "my password is hunter2!Xq"):
        screened = PrivacyPolicy().screen(text)
        assert screened.reasons
        assert not any(CARD in r or "hunter2" in r for r in screened.reasons)


def test_values_are_read_with_their_names():
    assert PrivacyPolicy().screen("signed in", "password", "hunter2").refused == ("credential",)
    nested = PrivacyPolicy().screen("pays", None, {"card": [CARD, 5, None, True]})
    assert nested.value == {"card": ["[payment]", 5, None, True]}


def test_off_changes_nothing():
    off = PrivacyPolicy(on=False)
    message = Message.of(f"card {CARD}")
    assert off.screen(f"card {CARD}", "a", CARD).text == f"card {CARD}"
    assert mask_message(message, off) == message
    assert mask_value({"card": CARD}, policy=off) == {"card": CARD}


@pytest.mark.parametrize("lead", ["my card is ", "卡号"])
def test_raw_messages_are_masked_never_refused(lead):
    said = mask_message(Message.of(f"{lead}{CARD}，密码是 hunter2!Xq，电话 13800138000"))
    assert CARD not in said.text
    assert "hunter2" not in said.text
    assert "13800138000" in said.text  # contact is kept, so that an agent can call back


def test_every_part_of_a_message_is_masked():
    call = {"id": "c1", "type": "function"}
    call["function"] = {"name": "pay", "arguments": json.dumps({"card": CARD, "amount": 5})}
    asked = mask_message(Message.of({"role": "assistant", "content": None, "tool_calls": [call]}))
    assert json.loads(asked.tool_calls[0].arguments) == {"card": "[payment]", "amount": 5}
    parts = [{"type": "text", "text": f"card {CARD}"}, {"type": "image_url", "image_url": {}}]
    seen = mask_message(Message.of({"role": "user", "content": parts}))
    assert seen.content[0]["text"] == "card [payment]"
    assert seen.content[1] == parts[1]
    result = json.dumps({"card": CARD, "ok": True})
    got = mask_message(Message.of({"role": "tool", "tool_call_id": "c1", "content": result}))
    assert json.loads(got.text) == {"card": "[payment]", "ok": True}


def test_clean_messages_stay_byte_for_byte():
    for text in ("where is my parcel?", '{"a":  1}', "[not json", ""):
        assert mask_message(Message.of(text)).content == text


def test_a_certificate_shows_when_it_was_changed():
    from dataclasses import replace
    from datetime import UTC, datetime

    certificate = ErasureCertificate(
        "customer:U1", "ann", "asked", datetime(2026, 1, 1, tzinfo=UTC), {"memories": 3}, 0,
        {"lab.db": 4096}, 12, ("backups",),
    ).sealed()  # fmt: skip
    assert certificate.is_genuine()
    assert not replace(certificate, residue=1).is_genuine()


def test_a_value_copied_from_its_text_is_judged_where_it_stands():
    policy = PrivacyPolicy()
    told = "The agent has found it: order 7730-118, bought in January."
    assert policy.screen(told, "warranty", "7730-11") == Screened(told, "warranty", "7730-11")
    card = policy.screen("Refund to 4111111111111111 please", "refund", "4111111111111111")
    assert "4111" not in f"{card.text} {card.value}"
    partly = policy.screen("Refund to 4111111111111111 please", "refund", "1111111111111 please")
    assert "1111" not in partly.value
    # What the caller calls it by may be what makes it a secret.
    assert policy.screen("It's 447192, keep it", "password", "447192").refused == ("credential",)

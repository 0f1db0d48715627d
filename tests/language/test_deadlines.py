"""By which day something is due."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.deadlines import with_deadlines

SAID = datetime(2026, 6, 5, 16, 30)  # a Friday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We'll reply within two working days.", "2026-06-09"),
        ("It'll be with you in 5 business days", "2026-06-12"),
        ("within a week", "2026-06-12"),
        ("He'll ring within the hour", "2026-06-05"),
        ("within 24 hours", "2026-06-06"),
        ("两个工作日内回复您", "2026-06-09"),
        ("3天内退到您卡上", "2026-06-08"),
        ("一小时内到", "2026-06-05"),
    ],
)
def test_a_term_gets_its_day(text, day):
    assert day in with_deadlines(text, SAID)


@pytest.mark.parametrize(
    "text",
    [
        "Return it within 14 days of delivery", "within 30 days from purchase", "签收后7天内可退",
        "3 to 5 working days", "open 24 hours", "within reason", "自购买之日起15天内",
    ],
)  # fmt: skip
def test_what_counts_from_something_else_stays(text):
    assert with_deadlines(text, SAID) == text


@given(st.text(max_size=80))
def test_nothing_that_was_said_is_lost(text):
    shown = with_deadlines(text, SAID)
    assert len(shown) >= len(text)
    assert shown == text or "2026-" in shown


def test_a_promise_is_told_with_its_day(told):
    assert "2026-" in told(
        "Where's my refund, order A1029?", "You'll have it within 3 working days."
    )

"""Traditional Chinese is understood as simplified, and kept as it was written."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language.attributes import find_attribute, find_value
from ctxlab.language.comparing import compare
from ctxlab.language.dates import resolve_dates
from ctxlab.language.extraction import extract
from ctxlab.language.labelling import label
from ctxlab.language.script import as_written, simplified
from ctxlab.language.sensitive import scan

NOW = datetime(2026, 3, 18, 2, 15, tzinfo=UTC)


@given(st.text())
def test_a_sign_stands_for_a_sign(text):
    assert len(simplified(text)) == len(text)
    assert simplified(simplified(text)) == simplified(text)


@pytest.mark.parametrize(
    ("traditional", "plain"),
    [
        ("以後發票請寄到我的電子郵件，不要寄紙本", "以后发票请寄到我的电子邮件，不要寄纸本"),
        ("麻煩幫我把週五的師傅改到下週一", "麻烦帮我把周五的师傅改到下周一"),
        ("氣死我了，打了五次電話沒人理", "气死我了，打了五次电话没人理"),
        ("您放心，明天下午會派人過去", "您放心，明天下午会派人过去"),
    ],
)
def test_both_scripts_are_labelled_alike(traditional, plain):
    assert label(traditional).kind == label(plain).kind


def test_what_is_kept_stands_in_the_signs_of_the_speaker():
    said = (
        "我的冷氣機遙控器壞了，訂單編號 RX552013，請週五送新的過來，地址是台中市公益路 88 號 3 樓"
    )
    drafts = extract([{"role": "user", "content": said}], now=NOW)
    text = "".join(draft.text for draft in drafts)
    assert "訂單編號 RX552013" in text
    assert "2026-03-20" in text
    assert "遙控器" in text
    assert "遥控器" not in text
    assert all(draft.value is None or draft.value in draft.text for draft in drafts)


def test_slots_and_days_are_read_in_both_scripts():
    assert find_attribute("以後請用簡訊通知我，不要打電話") == "contact_channel"
    assert find_value("地址是台中市公益路 88 號 3 樓", "address") == "台中市公益路 88 號 3 樓"
    assert resolve_dates("下禮拜三，預計3/27到店", NOW) == "2026-03-25，預計2026-03-27到店"


def test_scripts_hide_no_secret_and_make_no_news():
    assert {found.category for found in scan("我的網路銀行密碼是 Tulip#77，別說出去")} == {
        "credential"
    }
    assert compare("聯絡電話 0922-118-334", "联络电话 0922118334").relation == "duplicate"


def test_words_of_the_retelling_stay():
    assert as_written(
        "客户要求改期，退款八百元。", ["我是老客戶，要求改期，退款八百元"]
    ).startswith("客户要求")
    assert as_written("客户要求改期。", ["要求改期"]) == "客户要求改期。"

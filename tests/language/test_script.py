"""Both Chinese scripts, and Cantonese, read as Mandarin in simplified characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.language import features
from ctxlab.language.labelling import label
from ctxlab.language.script import mandarin, simplified
from ctxlab.models.embedding import get_embedder

PAIRS = [
    ("以後發票都寄到我公司，不要寄家裡", "以后发票都寄到我公司，不要寄家里"),
    ("這個訂單還沒到，幫我查一下", "这个订单还没到，帮我查一下"),
    ("師傅說禮拜三會再過來換零件", "师傅说礼拜三会再过来换零件"),
]


@given(st.text())
def test_places_hold(text: str) -> None:
    assert len(simplified(text)) == len(text)


@pytest.mark.parametrize(("traditional", "plain"), PAIRS)
def test_the_heads_see_one_script(traditional: str, plain: str) -> None:
    assert simplified(traditional) == plain
    assert simplified(plain) == plain
    reading = features.read([traditional, plain], get_embedder("use"))
    assert (reading.dense[0] == reading.dense[1]).all()
    assert reading.grams[0] == reading.grams[1]
    assert label(traditional) == label(plain)


@pytest.mark.parametrize(
    ("cantonese", "plain"),
    [
        ("呢張單係我嘅", "这张单是我的"),
        ("點解仲未送到，佢哋去咗邊度？", "为什么仲未送到，他们去了哪里？"),
        ("唔好再打電話畀我", "不要再打电话给我"),
        ("聽日返嚟攞，唔該晒", "明天回来拿，谢谢"),
        ("同你哋冇關係", "同你们没有关系"),
    ],
)
def test_cantonese_is_read_as_mandarin(cantonese: str, plain: str) -> None:
    assert mandarin(cantonese) == plain


@pytest.mark.parametrize(
    "text", ["系统没有反应，请联系我", "这几天的单子我都返回去看了", "Call me."]
)
def test_mandarin_stays(text: str) -> None:
    assert mandarin(text) == text

"""Cantonese, and traditional characters, read as Mandarin in simplified ones."""

from __future__ import annotations

import pytest

from ctxlab.language import features
from ctxlab.language.cantonese import mandarin
from ctxlab.language.labelling import label
from ctxlab.models.embedding import get_embedder


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


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("以後發票都寄到我公司，不要寄家裡", "以后发票都寄到我公司，不要寄家里"),
        ("聽日佢哋會再嚟換零件", "明天他们会再来换零件"),
    ],
)
def test_the_heads_see_one_chinese(written: str, plain: str) -> None:
    reading = features.read([written, plain], get_embedder("use"))
    assert (reading.dense[0] == reading.dense[1]).all()
    assert reading.grams[0] == reading.grams[1]
    assert label(written) == label(plain)

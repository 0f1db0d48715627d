"""Local Chinese read as the standard: what is only an accent, and what only looks like one."""

from __future__ import annotations

import pytest

from ctxlab.language.northern import standard


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("后儿个我上您那儿取", "后天我上您那取"),
        ("咱院儿里没得信号", "我们院里没有信号"),
        ("你几时到？礼拜三行不行", "你什么时候到？星期三行不行"),
        ("甭来了，搁门口就行", "不用来了，放门口就行"),
    ],
)
def test_local_words_are_read_as_standard(said: str, plain: str) -> None:
    assert standard(said) == plain


@pytest.mark.parametrize(
    "text",
    ["孤儿院的儿童科", "女儿的儿子上幼儿园", "耽搁了半天", "没得到回复", "在教堂做礼拜", "Erhu"],
)
def test_look_alikes_stay(text: str) -> None:
    assert standard(text) == text

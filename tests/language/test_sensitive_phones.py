"""Whose number it is: nobody's own, a business's, or a person's."""

from __future__ import annotations

import pytest

from ctxlab.language.sensitive import scan


def contacts(text: str) -> list[str]:
    return [text[f.start : f.end] for f in scan(text) if f.category == "contact"]


@pytest.mark.parametrize(
    "text",
    [
        "I rang 0161 496 0990, is that your number?",
        "0161 496 0990, that's your own line, isn't it",
        "your shop's phone, 0161 496 0990, rings out",
        "02-2771-9900是你们吗",
        "你们店铺的电话是不是27719900",
    ],
)
def test_a_number_that_is_asked_about_is_nobodys(text: str) -> None:
    assert contacts(text) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("alternate no. +44 7700 900321 is my sister's", "+44 7700 900321"),
        ("家里 2771 9900，晚上有人", "2771 9900"),
        ("vx：otter_77 加一下", "otter_77"),
        ("write to lena punkt vogt at web punkt de", "lena punkt vogt at web punkt de"),
    ],
)
def test_a_persons_number_or_name_is_found(text: str, number: str) -> None:
    assert contacts(text) == [number]

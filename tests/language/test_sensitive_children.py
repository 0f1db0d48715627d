"""Who is a child, and what only has an age, a school or a brother."""

from __future__ import annotations

import pytest

from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_topics import STRONG, find_topics


def children(text: str) -> list[float]:
    return [hit.confidence for hit in find_topics(text) if hit.category == "minor"]


@pytest.mark.parametrize(
    "text",
    [
        "问我妹妹微信就行",
        "我儿子手机充不进电",
        "那只八哥六岁了,会说话",
        "公司才四岁,账上没几个钱",
        "新来的小姑娘干了四个月,挺好",
        "动画里那个男孩九岁",
        "the toaster is about seven years old",
        "it's barely two years old and the hinge has gone",
        "Is the budgie allowed? She's five",
        "he's in second year at university",
        "Hi, it's Moira from Ashgrove Primary about our chairs",
    ],
)
def test_no_rule_stands_by_an_age_or_school_of_another(text: str) -> None:
    assert not [sure for sure in children(text) if sure >= STRONG]
    assert "minor" not in {finding.category for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "我妹妹八岁,鞋码多少合适",
        "我儿子浩浩在用",
        "我今年14,能自己办卡吗",
        "my daughter's with me, she's five",
        "our lad goes to Ashgrove Primary",
        "my girl is in sixth standard",
        "the baby is napping, knock softly",
        "Her dog is old but our girl isn't, she's five",
    ],
)
def test_a_child_is_still_one(text: str) -> None:
    assert "minor" in {finding.category for finding in scan(text)}

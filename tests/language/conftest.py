"""What the tests of what is made of a talk share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ctxlab.language.extraction import extract

NOON = "2026-05-03T12:00:00+00:00"


@pytest.fixture
def told() -> Callable[..., str]:
    """Extract from turns that alternate, the customer's first: one memory a line."""

    def tell(*turns: str) -> str:
        roles = ("user", "assistant")
        talk = [{"role": roles[i % 2], "content": x, "time": NOON} for i, x in enumerate(turns)]
        return "\n".join(draft.text for draft in extract(talk))

    return tell

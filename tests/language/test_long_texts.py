"""Time grows with a text's length and not with its square, whatever the text."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from ctxlab.language.bearing import Talk, Turn
from ctxlab.language.dates import find_dates
from ctxlab.language.hearing import own_words
from ctxlab.language.procedure import runs_talk
from ctxlab.language.sensitive_secrets import find_secrets
from ctxlab.language.values import values_in

SAID = datetime(2026, 3, 3)
_SHORT, _TIMES = 3_000, 8


def _dates(length: int) -> None:
    find_dates("ticket " * (length // 7) + "paid on the 3rd", SAID)


def read_all(text: str) -> None:
    talk = Talk([Turn(False, text)])
    for place in talk.places():
        talk.numbers(place)
        talk.grams(place)


WORK = {
    "one line": lambda n: own_words("a " * (n // 2), by_agent=True),
    "many items": lambda n: own_words("- a\n" * (n // 4), by_agent=True),
    "blank lines": lambda n: own_words("- a\n- b\n- c" + " \n" * (n // 2) + "x", by_agent=True),
    "courtesies": lambda n: runs_talk("sure " * (n // 5)),
    "tickets": _dates,
    "days": lambda n: find_dates("3月5日到4月6日，" * (n // 10), SAID),
    "passwords": lambda n: list(find_secrets("密码" * (n // 2))),
    "letters": lambda n: values_in("a" * n),
    "digits": lambda n: values_in("1" * n),
    "values": lambda n: read_all("£12 or 4 pm, " * (n // 13)),
}


def _seconds(work, length):
    best = 9.0
    for _ in range(3):
        begin = time.process_time()
        work(length)
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.long  # it measures time
@pytest.mark.parametrize("name", WORK)
def test_time_grows_with_the_length(name):
    """The square of eight is far from eight: no limit in seconds, which a machine would break."""
    work = WORK[name]
    work(_SHORT)
    few, many = _seconds(work, _SHORT), _seconds(work, _SHORT * _TIMES)
    assert many < 4 * _TIMES * few + 0.02, (few, many)

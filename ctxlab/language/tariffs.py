"""What an agent quotes of prices and terms that nobody has chosen (R30).

"The large one is £89, the small one £64" is a price list read out, "you can also upgrade for $8" an
advertisement: neither tells of the customer. A sentence that addresses what is the customer's, or
says what was done, is no such thing, whatever it costs. The signs are in ``tariffs.json``, as
alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["quotes"]


@cache
def _signs(name: str) -> re.Pattern[str]:
    lists = words_beside(__file__)
    joined = "|".join(lists[name]).replace("{sum}", f"(?:{lists['sum'][0]})")
    return re.compile(joined, re.IGNORECASE)


def quotes(sentence: str) -> bool:
    """Tell whether an agent's sentence only quotes a price, a term or an advertisement.

    Examples
    --------
    >>> quotes("Rooms at the front cost €15 more."), quotes("Your room costs €15 more.")
    (True, False)
    >>> quotes("大号89元，小号64元。"), quotes("您的大号89元，运费6元。"), quotes("已给您减15元。")
    (True, False, False)
    """
    advertises = _signs("advertises").search(sentence)
    return bool(advertises or (_signs("lists").search(sentence) and not _own(sentence)))


def _own(sentence: str) -> bool:
    return _signs("own").search(sentence) is not None

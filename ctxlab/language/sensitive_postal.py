"""A PIN that is a postcode: six digits that say where to deliver, in India.

"Delivery to PIN 682016, Kochi isn't serviceable" and "the card's PIN is 682016" name two things
by one word. What is spoken of beside it tells them apart; where nothing is, it stays a secret.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxlab.language.sensitive_numbers import Hit

__all__ = ["without_postcodes"]

_CALLED = re.compile(r"\bpin(?: ?codes?)?\b", re.IGNORECASE)
_POSTCODE = re.compile(r"(?<![\d-])[1-8]\d{2} ?\d{3}(?![\d-])")  # none begins with 0 or 9
_DELIVERED = re.compile(
    r"\b(?:deliver\w*|courier|ship\w*|(?:un|non-?)?serviceable|dispatch\w*|"
    r"parcel|address|locality|area|district|city|town|village|taluk|nagar|colony|layout|sector|"
    r"pin ?codes)\b",
    re.IGNORECASE,
)
# "600028 Mandaveli", "682016, Kochi", "Pune 411004"
_PLACE_AFTER = re.compile(r",? ?(?-i:[A-Z])[a-z]{3,}")
_PLACE_BEFORE = re.compile(r"(?-i:[A-Z])[a-z]{3,}(?:,? (?:pin(?: ?code)?)?[ :.-]*| ?- ?)\Z")
_KEPT = re.compile(
    r"\b(?:atm|cards?|debit|credit|upi|m?pin(?= to)|bank\w*|sim|locks?|doors?|log-?in|log in|"
    r"enter\w*|typ(?:e|ed|ing)|forgot\w*|reset|gate|safe|key ?pad|alarm|wallet|otp|password|"
    r"net ?banking|secret|unlock\w*|voice ?mail|locker|box)\b",
    re.IGNORECASE,
)


def without_postcodes(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """Leave out what was taken for a PIN and only says where a parcel goes.

    Parameters
    ----------
    text : str
        A normal form.
    hits : sequence of Hit
        What was found in it.

    Examples
    --------
    >>> def left(text):
    ...     return without_postcodes(text, [Hit(4, 10, "credential", "pin", 0.85)])
    >>> left("PIN 682016, Kochi"), len(left("PIN 682016 for the card"))
    ([], 1)
    """
    secrets = [hit for hit in hits if hit.category == "credential"]
    if not secrets or not _CALLED.search(text) or _KEPT.search(text):
        return list(hits)
    told = _DELIVERED.search(text) is not None
    places = {
        match.span()
        for match in _POSTCODE.finditer(text)
        if told
        or _PLACE_AFTER.match(text, match.end())
        or _PLACE_BEFORE.search(text, max(0, match.start() - 32), match.start())
    }
    return [hit for hit in hits if hit.category != "credential" or hit[:2] not in places]

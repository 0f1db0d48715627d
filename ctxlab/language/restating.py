"""When two notes say the same in nearly the same words (R94).

What one writer notes on two days differs by a word: "wants the blue tiles", "would like the blue
tiles". The head has learned that one word exchanged makes another thing, and would keep both. Where
each word has its like on the other side, nothing was exchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxlab.language.pairing import PairReading

__all__ = ["repeats"]

_IN_PLACE = 0.6  # share of the words that an alignment finds in place
_NEAR = 0.9  # cosine
_SIGNS = (
    "ceased", "replaced", "moved", "sized", "settled", "corrected", "once", "other",
)  # fmt: skip


def repeats(reading: PairReading) -> bool:
    """Tell whether two notes say the same, by an exact part or word by word."""
    features = reading.features
    if _retells(features):
        return True
    if reading.slots.agree:
        return features["word:old in new"] == features["word:new in old"] == 1
    # A name holds them together as well, if nothing is said in a word of its own.
    bare = features["same:none lost"] and features["same:none fresh"]
    return bool(reading.facets["names"].same and bare and not features["sign:negated"])


def _retells(features: dict[str, float]) -> bool:
    """Tell whether a sentence stays in place and at most one side has a word of its own."""
    return (
        not features["same:strange"]
        and features["word:ratio"] >= _IN_PLACE
        and features["mean:cos"] >= _NEAR
        and not (features["sign:polarity"] or features["sign:negated"])
        and not any(features[f"sign:{name} more"] for name in _SIGNS)
    )

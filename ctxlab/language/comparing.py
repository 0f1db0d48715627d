"""`cx.compare`: what a newer note is to an older one (R94).

Similar is not the same: an embedding puts 喜欢 next to 不喜欢 and A1029 next to A1092. So the two
notes are taken apart into exact slots and named facets; a fitted head weighs what agrees, what
differs and what the new note says of itself ("from now on", "just this once"); and whatever the
head says, nothing merges while a part differs that must agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ctxlab.language.attributes import SINGLE, find_attribute
from ctxlab.language.facets import other_times
from ctxlab.language.heads import load_head
from ctxlab.language.judging import STRAIGHT, chances
from ctxlab.language.pairing import PairReading, embed_pairs, read_pairs
from ctxlab.language.recurring import other_thing
from ctxlab.language.restating import repeats
from ctxlab.language.sides import Side, side_of
from ctxlab.language.slots import Slot
from ctxlab.messages import check_text
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "EXCHANGED",
    "Comparison",
    "Relation",
    "compare",
    "compare_many",
    "contradictions",
    "foresee",
]

Relation = Literal["duplicate", "supplement", "supersede", "distinct"]

_MERGES = ("duplicate", "supplement")
_FACET = {"people": "person", "places": "place", "cities": "city", "choices": "choice",
          "names": "name", "topics": "topic"}  # fmt: skip
_MUST_AGREE = ("people", "places", "cities", "names")
_SIGN = {"once": "says it is an exception", "other": "says it is another", "adds": "adds",
         "standing": "says it lasts", "corrected": "corrects"}  # fmt: skip
_CHANGES = ("ceased", "replaced", "moved", "sized", "settled", "corrected")
_EXCHANGED = 0.7  # share of words in place from which one exchanged part makes another thing
_EXCHANGED_ALONE = 0.5  # the same if nothing else is added
_RECURS = 0.6  # share of the words on both sides from which a negation stands alone
_FLIP_RECURS = 0.35  # share of the old words that recur when a main clause is negated
_OPPOSED = "opposites"
_OPPOSED_RECURS = 0.25  # the same, in any form, of two words that mean the opposite
# A question has no value to compare, and one word makes another; meaning alone has to carry it.
_SAME_QUESTION = 0.95  # cosine
_HELD = 0.5  # how much less agreement suffices when one note only names a part of the other
# Where one note alone negates anything, one in five of the merges held to be less likely than 0.95
# was false, on authors left out: such a pair has to look surer.
_ACROSS_NEGATION = 0.9
_REPLACES = 0.25  # least chance of replacing for a pair that may well say the same
_PARTS = ("flat", "floor", "building", "entrance")  # an address gains by them
_FLIPPED = "one side negates what the other says"
_BESIDE = "stands beside a new one, with words of change"
_SETTLED = "what was open is settled"
EXCHANGED = "same sentence with one part exchanged"
_CHANGED = "says it changed"
_APART = ("says it is", "person", "place added", "place differs", "topic differs")
_ONLY_NOW = re.compile(
    r"\b(?:just|only) (?:this|for) (?:once|time|one|today|the day|now)\b|"
    r"\bthis once\b|\bone[- ]off\b"
    r"|\bas an exception\b|\bfor once\b|\b(?:this time|today|tonight) only\b|"
    r"这一?[次回](?!起)|仅此|就(?:这[一次回]|[今明后]天)|下不为例|例外|破例|特例|特批|(?:今年|这[次周月])特殊",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:is|are|as|for) (?:a different|another|not the same)\b|是另[外一1]|不是(?:同一|一回事)"
)
_MOST = 14  # lines of evidence


@dataclass(frozen=True)
class Comparison:
    """What a newer note is to an older one, and why.

    Attributes
    ----------
    relation : str
        "duplicate": nothing new. "supplement": repeats and adds. "supersede": another value of the
        same slot, from now on. "distinct": only alike.
    score : float
        Calibrated confidence in ``relation``, 0 to 1.
    evidence : tuple of str
        What agreed and what differed, such as "phone agrees: 13800138000".
    """

    relation: Relation
    score: float
    evidence: tuple[str, ...]

    @property
    def merges(self) -> bool:
        """True if the two notes may become one."""
        return self.relation in _MERGES


def compare(old: str, new: str, attribute: str | None = None) -> Comparison:
    """Compare two notes on one customer.

    Parameters
    ----------
    old, new : str
        The notes, in Chinese, English or both, the older first; 2,000 characters are read.
    attribute : str, optional
        The slot that both are known to speak of, such as "address"; by default what the words of
        both say.

    Returns
    -------
    Comparison
        The relation with its confidence and evidence.

    Examples
    --------
    >>> compare("联系电话 137-6000-1122", "手机：+86 13760001122").relation
    'duplicate'
    >>> compare("Order A1029 is a coat", "Order A1092 is a coat").relation
    'distinct'
    >>> compare("The customer's budget is $750", "The customer's budget is $650").relation
    'supersede'
    """
    return compare_many([(old, new)], [attribute])[0]


def compare_many(
    pairs: Sequence[tuple[str, str]], attributes: Sequence[str | None] | None = None
) -> list[Comparison]:
    """Compare many pairs of notes as `compare` does; all that is embedded goes in one batch.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Old and new notes.
    attributes : sequence of str or None, optional
        For each pair the slot that both are known to speak of.

    Examples
    --------
    >>> old = "Budget is $750"
    >>> [c.relation for c in compare_many([(old, "budget: $750"), (old, "Budget is $650")])]
    ['duplicate', 'supersede']
    """
    known = attributes or [None] * len(pairs)
    for old, new in pairs:
        check_text(old, "old")
        check_text(new, "new")
    found = [_at_sight(side_of(old), side_of(new)) for old, new in pairs]
    open_ = [i for i, comparison in enumerate(found) if comparison is None]
    if open_:
        from numpy import stack

        asked = [pairs[i] for i in open_]
        readings = read_pairs(asked, get_embedder("use"), [known[i] is not None for i in open_])
        rows = chances(stack([reading.vector() for reading in readings]))
        for i, reading, row in zip(open_, readings, rows, strict=True):
            found[i] = _weigh(*pairs[i], known[i], reading, row)
    return found  # type: ignore[return-value]  # every gap is filled


def foresee(pairs: Iterable[tuple[str, str]]) -> None:
    """Embed what comparing these pairs will take, in one batch, so that each then costs little.

    For many writes in a row, where each comparison hangs on the one before; what isn't compared
    after all was only embedded in vain.
    """
    asked = [(o, n) for o, n in pairs if _at_sight(side_of(o), side_of(n)) is None]
    if asked:
        embed_pairs(asked, get_embedder("use"))


def _at_sight(old: Side, new: Side) -> Comparison | None:
    """Compare two notes of the same words, or of none; None if they have to be read."""
    if old.bare == new.bare:
        return Comparison("duplicate", 1.0, ("same text after normalisation",))
    if old.blank or new.blank:
        return Comparison("distinct", 1.0, ("one side says nothing",))
    return None


def _weigh(
    old: str, new: str, attribute: str | None, reading: PairReading, row: NDArray[np.float32]
) -> Comparison:
    relation, score, reasons = _decide(reading, row)
    evidence = tuple(dict.fromkeys([*reasons, *_evidence(reading)]))[:_MOST]
    sides = side_of(old), side_of(new)
    old, new = (side.text for side in sides)
    if _ONLY_NOW.search(new) and not (_ONLY_NOW.search(old) or reading.signs["standing"]):
        # Beside a standing value, what holds once neither replaces nor repeats it.
        return Comparison("distinct", round(score, 4), ("says it is this once", *evidence))
    slot = attribute or _shared_slot(old, new, evidence)
    exchanged = slot in SINGLE and _exchanged(slot, reading, evidence)
    if exchanged and slot.endswith("_time") and other_thing(*sides):  # type: ignore[union-attr]
        exchanged = False  # when the rug came doesn't change by when the lamp is to come
    if relation == "distinct" and exchanged:
        # Or both of two contradictory values stay.
        relation, evidence = "supersede", (f"{slot} holds one value at a time", *evidence)
    return Comparison(relation, round(score, 4), evidence)


def _shared_slot(old: str, new: str, evidence: tuple[str, ...]) -> str | None:
    """Name the slot that both speak of, if nothing but its value was exchanged or it changed.

    Words alone don't tell "sender's number" from "recipient's number".
    """
    changed = any(line.startswith(_CHANGED) for line in evidence)
    if EXCHANGED not in evidence and not changed:
        return None
    slots = {find_attribute(old), find_attribute(new)}
    if changed:  # "$500 is all I have", then "the budget changed to $550"
        slots.discard(None)
    return slots.pop() if len(slots) == 1 else None


def _exchanged(slot: str | None, reading: PairReading, evidence: tuple[str, ...]) -> bool:
    """Tell whether a slot that holds one value at a time is given another.

    Two addresses of one customer contradict each other unless something in the words sets them
    apart: another person or place, a matter of its own, "just this once".
    """
    apart = [line for line in evidence if line.startswith(_APART)]
    if any(line.startswith(_CHANGED) for line in evidence):  # to move house is to name a place
        apart = [line for line in apart if not line.startswith("place added")]
    if apart:
        return False
    besides = ("number",) if (slot or "").endswith("_time") else ("number", "date", "time")
    other = any(a.kind not in besides for a, _ in reading.slots.differ)
    choices = reading.facets["choices"]
    # "From now on by phone, typing is slow": the old choice is named, and another that lasts.
    kinds = {value.partition(" ")[0] for value in choices.same}
    beside = any(value.partition(" ")[0] in kinds for value in choices.added)
    return other or bool(choices.differ) or (beside and bool(reading.signs["standing"]))


def _decide(reading: PairReading, row: NDArray[np.float32]) -> tuple[Relation, float, list[str]]:
    head = load_head(STRAIGHT)
    odds = {name: float(chance) for name, chance in zip(head.classes, row, strict=True)}
    apart = {name: chance for name, chance in odds.items() if name not in _MERGES}
    merging = sum(odds[name] for name in _MERGES)
    least = head.extra["merge"]["zh" if reading.features["chinese"] else "en"]
    reasons = list(contradictions(reading))
    total = 1.0
    changed = _turned(reasons) or any(reason.endswith(_BESIDE) for reason in reasons)
    if changed and not reading.signs["once"]:
        odds = {"supersede": 1 - odds["distinct"] / 2}
    elif reasons:  # a merge is out of the question, so the others share its chance
        odds, total = apart, sum(apart.values())
    elif merging >= least * _HELD and (_holds(reading) or repeats(reading)):
        odds = {name: odds[name] for name in _MERGES}
    elif merging < max(least, asked(reading)):
        reasons.append(f"too little agreement to merge: {merging:.2f}")
        odds = apart if apart["supersede"] >= _REPLACES else {"distinct": apart["distinct"]}
    best = max(odds, key=lambda name: odds[name])
    if best == "duplicate" and any(slot.kind in _PARTS for slot in reading.slots.added):
        best = "supplement"
    return best, odds[best] / total, reasons  # type: ignore[return-value]  # the head's classes


def asked(reading: PairReading) -> float:
    """Give the least chance of merging that two notes need, whatever the language."""
    features = reading.features
    # Where the clauses that lie nearest negate alike, it is something besides that is negated.
    across = features["sign:polarity"] and features["part:unturned"] < _RECURS
    return _ACROSS_NEGATION if across or _on_one_id(reading) else 0.0


def _on_one_id(reading: PairReading) -> bool:
    """Tell whether each says something of its own of one id: "A1029 is paid", "… goes to York"."""
    same = any(slot.kind == "id" for slot, _ in reading.slots.agree)
    return same and reading.features["same:strange"] > 0


def _turned(reasons: list[str]) -> bool:
    """Tell whether nothing differs but that one note negates the other, or settles it.

    The negation may be the one part that is exchanged: 愿意收 and 不想再收.
    """
    told = {reason for reason in reasons if not reason.startswith(_OPPOSED)}
    return bool({_FLIPPED, _SETTLED} & told) and told <= {_FLIPPED, _SETTLED, EXCHANGED}


def _holds(reading: PairReading) -> bool:
    """Tell whether one note only names a part of the other: "the Oak Street address"."""
    known = [reading.facets[name] for name in ("people", "cities", "names", "places")]
    anchored = reading.slots.agree or any(facets.same for facets in known[1:3])
    lost = reading.slots.missing or any(facets.missing for facets in known)
    more = reading.slots.added or any(facets.added for facets in known)
    signs = (*_CHANGES, "once", "other")
    return (
        bool(anchored)
        and bool(lost) != bool(more)
        and not _on_one_id(reading)
        # "A1029 is paid", "A1029 goes to York": what is named again isn't what was said of it.
        and (bool(lost) or reading.features["word:old in new"] >= _RECURS)
        and not any(reading.features[f"sign:{name} more"] for name in signs)
    )


def contradictions(reading: PairReading) -> tuple[str, ...]:
    """List what differs though it must agree: none of these pairs may merge."""
    found = [f"{a.kind} differs: {a.text} / {b.text}" for a, b in reading.slots.differ]
    features, facets = reading.features, reading.facets
    for name in _MUST_AGREE:
        found += [f"{_FACET[name]} differs: {a} / {b}" for a, b in facets[name].differ]
    # 电话 and 微信 may both label the one number that agrees.
    if not features["slot:id agree"]:
        found += [f"choice differs: {a} / {b}" for a, b in facets["choices"].differ]
    # "A2 can't be read from afar, make it A0": what is objected to goes as well.
    if features["slot:rival"] and any(
        features[f"sign:{name} more"] for name in (*_CHANGES, "objects")
    ):
        found.append(f"the old value {_BESIDE}")
    found += _displaced(reading)
    # Around an exact part that agrees, other words are often only another way to introduce it.
    fixed = features["slot:any agree"]
    enough = _EXCHANGED if features["word:inserted"] or fixed else _EXCHANGED_ALONE
    if features["word:exchanged"] >= enough:
        found.append(EXCHANGED)
    if features["word:turned round"]:
        found.append("two parts changed places")
    if _flips(reading):
        found.append(_FLIPPED)
    if reading.opposed and features["same:least"] >= _OPPOSED_RECURS:
        found.append(f"{_OPPOSED}: {' / '.join(reading.opposed[:2])}")
    if reading.questions and features["mean:cos"] < _SAME_QUESTION:
        found.append(f"two questions, cosine only {features['mean:cos']:.2f}")
    return tuple(found)


def _flips(reading: PairReading) -> bool:
    features = reading.features
    if features["part:unturned"] >= _RECURS:  # it's a clause of its own that negates
        return False
    main = reading.flipped and features["word:old in new"] >= _FLIP_RECURS
    return main or features["sign:negated overlap"] >= _RECURS


def _displaced(reading: PairReading) -> Iterator[str]:
    """Tell of a choice or a state that the new note names only to take it back, or of another."""
    features, choices = reading.features, reading.facets["choices"]
    changed = any(features[f"sign:{name} more"] for name in (*_CHANGES, "not"))
    names = reading.facets["names"]
    exchanged = any(features[f"sign:{name} more"] for name in ("ceased", "replaced", "moved"))
    if exchanged and names.same and names.added:
        yield f"the old name {_BESIDE}"
    kinds = {value.partition(" ")[0] for value in choices.same}
    if changed and any(value.partition(" ")[0] in kinds for value in choices.added):
        yield f"the old choice {_BESIDE}"
    if (
        features["sign:unsettled old"]
        and features["sign:settled more"]
        and not (features["sign:unsettled new"] or features["sign:negated"])
    ):
        yield _SETTLED
    if _ANOTHER.search(reading.said[1]) and not _ANOTHER.search(reading.said[0]):
        yield "is said to be another"
    if times := other_times(*reading.said):
        yield f"time differs: {times}"
    if reading.subject:
        yield f"speaks of another person: {reading.subject}"


def _evidence(reading: PairReading) -> Iterator[str]:
    slots = reading.slots
    yield from (f"{a.kind} agrees: {_said(a, b)}" for a, b in slots.agree)
    yield from (f"{a.kind} differs: {a.text} / {b.text}" for a, b in slots.differ)
    yield from (f"{slot.kind} added: {slot.text}" for slot in slots.added)
    yield from (f"{slot.kind} not repeated: {slot.text}" for slot in slots.missing)
    for name, facets in reading.facets.items():
        label = _FACET[name]
        yield from (f"{label} differs: {a} / {b}" for a, b in facets.differ)
        yield from (f"{label} agrees: {value}" for value in sorted(facets.same))
        told = {b for _, b in facets.differ}
        yield from (f"{label} added: {value}" for value in sorted(facets.added - told))
    change = [word for name in _CHANGES[:-1] for word in reading.signs[name]]
    if change:
        yield f"{_CHANGED}: {', '.join(dict.fromkeys(change))}"
    for name, words in _SIGN.items():
        if reading.signs[name]:
            yield f"{words}: {', '.join(dict.fromkeys(reading.signs[name]))}"
    if reading.features["sign:polarity"]:
        yield "negation on one side only"
    yield f"{reading.features['word:old in new']:.0%} of the old wording recurs"
    yield f"cosine {reading.features['mean:cos']:.2f}"


def _said(a: Slot, b: Slot) -> str:
    return a.text if a.text == b.text else f"{a.text} = {b.text}"

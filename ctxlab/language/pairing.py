"""What the relation head sees of two notes: slots, wording, signs, people and meaning side by side.

Meaning alone confuses what must be told apart (杭州/苏州, likes/dislikes). What tells them apart is
which parts agree, which contradict, and whether the new note says that something changed. The
words are in ``relation_cues.json``, as alternatives of regular expressions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxlab.language.closeness import Vectors, Wording, content, meaning, read_wording
from ctxlab.language.facets import Facets, read_facets, read_subject
from ctxlab.language.keeping import kept
from ctxlab.language.recurring import recur
from ctxlab.language.sides import Side, side_of
from ctxlab.language.slots import Slot, SlotMatch, match_slots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.models.embedding import Embedder

__all__ = ["PairReading", "embed_pairs", "read_pair", "read_pairs"]

_KEPT = 2_048  # pairs: one bulk of writes is foreseen, then decided

_GROUP = {
    "phone": "id", "id": "id", "email": "id", "date": "date", "weekday": "day", "clock": "clock",
    "money": "amount", "percent": "amount", "house": "place", "flat": "place", "floor": "place",
    "building": "place", "entrance": "place", "lane": "place", "number": "number",
}  # fmt: skip
_GROUPS = (*dict.fromkeys(_GROUP.values()), "quantity")
_CHANGE = ("standing", "ceased", "replaced", "moved", "sized", "now", "corrected", "settled")
_CROSSED = (
    "slot:any differ", "slot:any agree", "slot:rival", "choices:differ", "people:added",
    "word:old in new", "word:parallel", "sign:polarity", "mean:cos",
)  # fmt: skip


@dataclass(frozen=True)
class PairReading:
    """Two notes taken apart.

    Attributes
    ----------
    said : (str, str)
        Their everyday forms.
    slots : SlotMatch
        Exact parts, compared by value.
    facets : dict of str to Facets
        Closed choices, people, places, cities, topics and names.
    signs : dict of str to list of str
        Words of change, exception, addition … in the new note.
    flipped : bool
        Only one note negates its main clause, and the new one has no clause more to do so in.
    opposed : tuple of str
        Words of either note that mean the opposite of each other, if neither is negated.
    questions : bool
        Both ask.
    subject : str
        A person whom only one note names, as the one it is about; empty if there is none.
    features : dict of str to float
        The named inputs of the head.
    meaning : numpy.ndarray
        float32 (3 * dimension,): product, distance, and the new note's own vector.
    """

    said: tuple[str, str]
    slots: SlotMatch
    facets: dict[str, Facets]
    signs: dict[str, list[str]]
    flipped: bool
    opposed: tuple[str, ...]
    questions: bool
    subject: str
    features: dict[str, float]
    meaning: NDArray[np.float32]

    def vector(self) -> NDArray[np.float32]:
        """Give the dense input of the head, float32 (inputs,): features, then meaning."""
        import numpy as np

        named = np.fromiter(self.features.values(), np.float32, len(self.features))
        return np.concatenate([named, self.meaning])


def read_pair(old: str, new: str, embedder: Embedder, *, known_slot: bool = False) -> PairReading:
    """Take two notes apart.

    Parameters
    ----------
    old, new : str
        The notes, the older first.
    embedder : Embedder
        The default one, on which the head is fitted.
    known_slot : bool
        The caller knows that both speak of one attribute.
    """
    return read_pairs([(old, new)], embedder, [known_slot])[0]


def read_pairs(
    pairs: Sequence[tuple[str, str]], embedder: Embedder, known_slots: Sequence[bool]
) -> list[PairReading]:
    """Take many pairs of notes apart; all that has to be embedded goes in one batch."""
    read, vectors = embed_pairs(pairs, embedder)
    return [
        _reading(slots, words, vectors, known)
        for (slots, words), known in zip(read, known_slots, strict=True)
    ]


def embed_pairs(
    pairs: Sequence[tuple[str, str]], embedder: Embedder
) -> tuple[list[tuple[SlotMatch, Wording]], Vectors]:
    """Read pairs of notes as far as their words go, and embed what their meaning takes."""
    read = [_by_words(old, new) for old, new in pairs]
    return read, Vectors(embedder, (text for _, words in read for text in words.to_embed()))


@kept(most=_KEPT)
def _by_words(old: str, new: str) -> tuple[SlotMatch, Wording]:
    a, b = side_of(old), side_of(new)
    slots = match_slots(a.slots, b.slots)
    # What agrees by value agrees as a word too: 5000 元 and 五千块, two spellings of a phone.
    return slots, read_wording(a, b, _level(a.plain, b.plain, slots))


def _reading(slots: SlotMatch, words: Wording, vectors: Vectors, known_slot: bool) -> PairReading:
    old, new = words.old, words.new
    facets = read_facets(old, new, words.bridge.crossed)
    subject = read_subject(old, new, facets)
    features = {
        "known slot": float(known_slot), "chinese": float(new.chinese),
        "people:subject": float(bool(subject)),
    }  # fmt: skip
    features |= _slot_features(slots) | _sign_features(old, new)
    for name, facet in facets.items():
        features[f"{name}:same"] = min(2, len(facet.same))
        features[f"{name}:differ"] = min(2, len(facet.differ))
        features[f"{name}:added"] = min(2, len(facet.added))
        features[f"{name}:missing"] = min(2, len(facet.missing))
    both = min(words.features["word:old in new"], words.features["word:new in old"])
    denied, opposed = _turned(words, main=False), words.bridge.opposed
    features |= recur(words, facets["names"], denied)
    recanted = _recanted(opposed, old.plain, new.plain)
    turned = denied and not opposed  # who can't remember forgets
    features |= words.features | {
        "sign:negated": float(turned), "sign:negated overlap": turned * both,
        "sign:negated same": turned * words.features["same:least"],
        "same:opposed": float(bool(opposed) and not (denied or recanted)),
        "same:opposed denied": float(bool(opposed) and (denied or recanted)),
    }  # fmt: skip
    features |= _change_features(words, features, slots, facets["choices"])
    close, meanings = meaning(words, vectors)
    features |= close | _crossed(features | close)
    signs = [(sign, features[f"sign:{sign} new"]) for sign in ("changed", "once", "other")]
    for name in _CROSSED:
        value = features[name]
        for sign, said in signs:
            features[f"{name} x {sign}"] = value * said
    flipped = _turned(words, main=True) and not (opposed or _goes_on(old, new))
    flipped = flipped and not (old.negated and new.negated)  # "cash, no cards", "won't use a card"
    asked = old.asks and new.asks
    if denied or recanted or old.affirmed or new.affirmed:
        opposed = ()
    return PairReading(
        (old.plain, new.plain),
        slots,
        facets,
        new.signs,
        flipped,
        opposed,
        asked,
        subject,
        features,
        meanings,
    )


def _crossed(features: dict[str, float]) -> dict[str, float]:
    """Read the measures of closeness together: alike in wording, yet each with a word of its own.

    A linear head can't see by itself that an unmatched word on *both* sides of one sentence makes
    another thing of it, while on one side it is an addition.
    """
    recurs = min(features["word:old in new"], features["word:new in old"])
    strange = min(features["soft:old lost"], features["soft:new fresh"])
    rest = 1 - min(1.0, features["rest:cos"])
    return {
        "cross:strange": strange,
        "cross:strange in place": strange * features["word:ratio"],
        "cross:rest in place": rest * features["word:ratio"],
        "cross:rest recurs": rest * recurs,
        "cross:least": (1 - features["soft:old min"]) * (1 - features["soft:new min"]),
        "cross:rest agrees": features["slot:any agree"] * rest,
        "cross:strange agrees": features["slot:any agree"] * strange,
        "cross:reworded": features["mean:cos"] * (1 - recurs),
        "cross:both more": float(
            features["slot:any added"] > 0 and features["slot:any missing"] > 0
        ),
        "cross:cos": features["mean:cos"] ** 2,
        "cross:covered": features["soft:old mean"] * features["soft:new mean"],
    }


def _change_features(
    words: Wording, features: dict[str, float], slots: SlotMatch, choices: Facets
) -> dict[str, float]:
    """Tell what a change leaves besides its own words; "moved to the 14th" leaves nothing."""
    changed = features["sign:changed new"] > 0
    taken = [said for name in _CHANGE for said in words.new.signs[name]]
    taken += [slot.text for slot in words.new.slots]
    fresh = sum(
        not any(word.form in said or said in word.form for said in taken)
        for word in words.bridge.fresh
    )
    value = bool(slots.differ or choices.differ)
    return {
        "change:fresh": math.log1p(fresh),
        "change:bare": float(changed and not fresh),
        "change:value": float(changed and value),
        "change:bare value": float(changed and value and not fresh),
        "change:value only": float(value and not fresh),
    }


def _level(old: str, new: str, slots: SlotMatch) -> tuple[str, str]:
    """Put one made-up word for each part that agrees by value, on both sides."""
    names: dict[int, str] = {}
    rewritten = [
        (a, b) for a, b in slots.agree if a.text != b.text and "number" != a.kind == b.kind
    ]
    for number, (a, b) in enumerate(rewritten):
        # A part may agree with several; all of them are then one.
        name = names.get(id(a)) or names.get(id(b)) or f" q{chr(97 + number % 26)}q "
        names[id(a)] = names[id(b)] = name
    levelled = []
    for text, side in ((old, 0), (new, 1)):
        agreed = {id(pair[side]): pair[side] for pair in rewritten}
        for slot in sorted(agreed.values(), key=lambda slot: -slot.start):
            text = text[: slot.start] + names[id(slot)] + text[slot.start + len(slot.text) :]
        levelled.append(text)
    return levelled[0], levelled[1]


def _turned(words: Wording, *, main: bool) -> bool:
    """Tell whether one note alone negates; 没付 is only another word for 欠."""
    within = (*words.bridge.crossed, *words.bridge.opposed)
    negated = [side.negates(within, main=main) for side in (words.old, words.new)]
    return negated[0] != negated[1]


_AND_NOT = re.compile(r"(?:\b(?:and|but|so|or|nor)\b|[且也但又并])[^,，。;；.]*$")


def _goes_on(old: Side, new: Side) -> bool:
    """Tell whether the new note has a clause more to negate in: "draws, and never paints"."""
    if len(new.spans) > len(old.spans):
        return True
    before = new.asserted
    if before == new.plain or not _AND_NOT.search(before):
        return False
    return set(old.content) <= set(content(before))


_NO = re.compile(
    r"(?:\b(?:no|not|without|never)|n't)(?: (?:a|any|much|very|too|so))?\s*$|[不没无别非]有?$"
)


def _recanted(opposed: Sequence[str], old: str, new: str) -> bool:
    """Tell whether one of two opposites is itself negated: silent, and no noise."""
    negated = 0
    for form in opposed:
        note = old if form in old else new
        place = max(note.find(form), 0)
        negated += _NO.search(note, max(0, place - 16), place) is not None
    return negated % 2 == 1


_LIKE = {"id": "number"}  # a short id is read as a number where no word names it
_PARTS = ("differ", "missing", "added", "agree")
_NO_SLOTS = {f"slot:{name} {part}": 0.0 for name in _GROUPS for part in _PARTS}


def _slot_features(match: SlotMatch) -> dict[str, float]:
    found = _NO_SLOTS.copy()
    parts = {
        "differ": [a for a, _ in match.differ], "missing": match.missing, "added": match.added,
        "agree": [a for a, _ in match.agree],
    }  # fmt: skip
    for part, slots in parts.items():
        for slot in slots:
            name = f"slot:{_group(slot)} {part}"
            found[name] = min(2, found[name] + 1)
    for part in ("agree", "differ", "missing", "added"):
        found[f"slot:any {part}"] = math.log1p(len(parts[part]))
    # The old value is named beside another of its kind: "the 0318 is cut off, use 0642".
    kinds = set(map(_sort, parts["agree"]))
    found["slot:rival"] = float(any(_sort(slot) in kinds for slot in match.added))
    return found


def _sort(slot: Slot) -> tuple[str, str]:
    """Name what a slot could be a rival of: 7 years of age are none of 1 child."""
    unit = str(slot.value[1]) if slot.kind == "number" else ""
    return _LIKE.get(slot.kind, slot.kind), unit


def _group(slot: Slot) -> str:
    return _GROUP.get(slot.kind, "quantity")


def _sign_features(old: Side, new: Side) -> dict[str, float]:
    found = {}
    for name, after in new.said.items():
        before = old.said[name]
        found[f"sign:{name} old"] = before
        found[f"sign:{name} new"] = after
        found[f"sign:{name} more"] = float(after > before)
    found["sign:changed new"] = min(1.5, sum(found[f"sign:{name} new"] for name in _CHANGE) / 2)
    found["sign:negated"] = 0.0
    past = [found[f"sign:past {when}"] > found[f"sign:ahead {when}"] for when in ("old", "new")]
    ahead = [found[f"sign:ahead {when}"] > found[f"sign:past {when}"] for when in ("old", "new")]
    found["sign:past then ahead"] = float(past[0] and ahead[1])
    found["sign:ahead then past"] = float(ahead[0] and past[1])
    found["sign:asked once"] = float((found["sign:asked old"] > 0) != (found["sign:asked new"] > 0))
    found["sign:polarity"] = float((found["sign:not old"] > 0) != (found["sign:not new"] > 0))
    return found

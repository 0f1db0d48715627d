"""What the relation head sees of two notes: slots, wording, signs, people and meaning side by side.

Meaning alone confuses what must be told apart (杭州/苏州, likes/dislikes). What tells them apart is
which parts agree, which contradict, and whether the new note says that something changed. The
words are in ``relation_cues.json``, as alternatives of regular expressions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxlab.language.closeness import (
    SHORT_FORMS,
    STOP_WORDS,
    Vectors,
    Wording,
    meaning,
    read_wording,
)
from ctxlab.language.keeping import kept
from ctxlab.language.sides import FACETS, Side, cue_patterns, is_calendar, side_of
from ctxlab.language.slots import Slot, SlotMatch, match_slots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.models.embedding import Embedder

__all__ = ["Facets", "PairReading", "embed_pairs", "read_pair", "read_pairs"]

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

_OWNER = re.compile(
    r"(?:(?:the )?(?:customer|guest|client)'s|(?:his|her|my|their|our|the|a))?|"
    r"[我他她]?家?的?|客户的?|[\u4e00-\u9fff]{2,4}的|(?:mrs?\.?|ms\.?|dr\.?)? ?[a-z]+'s"
)
_WITH = re.compile(r" (?:is|will be) (?:the|in|at|home|there|also)\b|[在能会也可]")


@dataclass(frozen=True)
class Facets:
    """What two notes name of one kind (people, places, choices …), as labels.

    Attributes
    ----------
    same, missing, added : frozenset of str
        Named by both, by the old note alone, by the new note alone.
    differ : tuple of (str, str)
        An old and a new label that stand for the same slot.
    """

    same: frozenset[str]
    missing: frozenset[str]
    added: frozenset[str]
    differ: tuple[tuple[str, str], ...]


_NOTHING = Facets(frozenset(), frozenset(), frozenset(), ())


@dataclass(frozen=True)
class PairReading:
    """Two notes taken apart.

    Attributes
    ----------
    slots : SlotMatch
        Exact parts, compared by value.
    facets : dict of str to Facets
        Closed choices, people, places, cities, topics and names.
    signs : dict of str to list of str
        Words of change, exception, addition … in the new note.
    flipped : bool
        Only one note negates its main clause, and the new one has no clause more to do so in.
    questions : bool
        Both ask.
    subject : str
        A person whom only one note names, as the one it is about; empty if there is none.
    features : dict of str to float
        The named inputs of the head.
    meaning : numpy.ndarray
        float32 (3 * dimension,): product, distance, and the new note's own vector.
    """

    slots: SlotMatch
    facets: dict[str, Facets]
    signs: dict[str, list[str]]
    flipped: bool
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
    facets = _facets(old, new)
    features = {"known slot": float(known_slot), "chinese": float(new.chinese)}
    features |= _slot_features(slots) | _sign_features(old, new)
    for name, facet in facets.items():
        features[f"{name}:same"] = min(2, len(facet.same))
        features[f"{name}:differ"] = min(2, len(facet.differ))
        features[f"{name}:added"] = min(2, len(facet.added))
        features[f"{name}:missing"] = min(2, len(facet.missing))
    both = min(words.features["word:old in new"], words.features["word:new in old"])
    features |= words.features | {"sign:negated overlap": features["sign:negated"] * both}
    close, meanings = meaning(words, vectors)
    features |= close | _crossed(features | close)
    signs = [(sign, features[f"sign:{sign} new"]) for sign in ("changed", "once", "other")]
    for name in _CROSSED:
        value = features[name]
        for sign, said in signs:
            features[f"{name} x {sign}"] = value * said
    people = facets["people"]
    subject = _subject(new.plain, people.added) or _subject(old.plain, people.missing)
    subject = subject or _other_sex(old.plain, new.plain)
    subject = subject or _recast(old.plain, new.plain, people.same)
    subject = subject or _titled(old.plain, new.plain, facets["names"].same)
    flipped = old.main_negated != new.main_negated and new.spans <= old.spans
    asked = old.asks and new.asks
    return PairReading(slots, facets, new.signs, flipped, asked, subject, features, meanings)


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


def _facets(old: Side, new: Side) -> dict[str, Facets]:
    found = {name: _compare_sets(old.labels[name], new.labels[name]) for name in FACETS[:-1]}
    return found | {"names": _compare_sets(_names(old, new), _names(new, old))}


def _subject(note: str, people: Iterable[str]) -> str:
    """Name the relative or friend that a note opens with, of those the other note doesn't name."""
    for label in sorted(people):
        if match := cue_patterns()["people"][label].search(note):
            lead = note[: match.start()].strip()
            if _OWNER.fullmatch(lead) and not _WITH.match(note, match.end()):
                return label
    return ""


# "The neighbour is …" may say who it is; "the neighbour wants …" tells of the neighbour.
_IS = re.compile(r"(?:'s)? (?:is|was|are|who|with|and|that)\b|[,，、。]|$|[是叫姓的和]")
_NAMED = re.compile(
    r"(?:\b(?:is|are|was|called|named|by|contact)|[:：]|是|叫|由|归|[代找]) ?\S{0,6}$"
)


def _recast(old: str, new: str, people: Iterable[str]) -> str:
    """Name the person whom the old note has in another part and the new one tells of."""
    for label in sorted(people):
        cue = cue_patterns()["people"][label]
        before, after = cue.search(old), cue.search(new)
        if before is None or after is None:
            continue
        lead = old[: before.start()].strip()
        tells = _OWNER.fullmatch(new[: after.start()].strip()) and not _IS.match(new, after.end())
        if tells and not (_OWNER.fullmatch(lead) or _NAMED.search(lead)):
            return label
    return ""


_TITLE = r"先生|女士|太太|小姐|师傅|老师|阿姨|叔叔?|医生|经理"


def _titled(old: str, new: str, names: Iterable[str]) -> str:
    """Name Mr X whom the old note has in another part and the new one tells of."""
    for name in sorted(names):
        said = re.escape(name)
        told = re.match(rf"(?:mrs?|ms|dr)\.? {said}\b|{said}(?:{_TITLE})", new)
        lead = old.partition(name)[0].strip()
        other = re.fullmatch(r"(?:mrs?|ms|dr)?\.?", lead) is None and not _NAMED.search(lead)
        if told and other and name in old and not _IS.match(new, told.end()):
            return name
    return ""


_HE = re.compile(r"\b(?:he|his|him)\b|他(?!人|们)")
_SHE = re.compile(r"\b(?:she|hers?)\b|她")


def _other_sex(old: str, new: str) -> str:
    """Say "he" or "she" if the old note speaks of the one and the new only of the other."""
    said = [(bool(_HE.search(text)), bool(_SHE.search(text))) for text in (old, new)]
    if said == [(True, False), (False, True)]:
        return "she"
    return "he" if said == [(False, True), (True, False)] else ""


def _compare_sets(old: Set[str], new: Set[str]) -> Facets:
    if not old and not new:
        return _NOTHING
    missing, added = old - new, new - old
    # "channel email" contradicts "channel post", not "colour red"; one word is a kind of its own.
    kind = {label: label.partition(" ")[0] if " " in label else "" for label in old | new}
    differ = []
    for a in sorted(missing):
        rivals = sorted(b for b in added if kind[a] == kind[b])
        if rivals and not any(kind[a] == kind[b] for b in old & new):
            differ.append((a, rivals[0]))
    return Facets(frozenset(old & new), frozenset(missing), frozenset(added), tuple(differ))


def _names(side: Side, other: Side) -> set[str]:
    # A capital that opens a sentence is a name if it also stands inside one.
    inner = side.inner_names | (side.capitals & other.inner_names)
    found = {name.lower() for name in inner if len(name) > 3 or not name.isupper()}
    found = {name for name in found if not is_calendar(name)} | side.chinese_names
    return {SHORT_FORMS.get(name, name) for name in found} - STOP_WORDS


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
    kinds = {_LIKE.get(a.kind, a.kind) for a in parts["agree"]}
    rivals = (_LIKE.get(slot.kind, slot.kind) in kinds for slot in match.added)
    found["slot:rival"] = float(any(rivals))
    return found


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
    found["sign:negated"] = float(old.negated != new.negated)
    found["sign:polarity"] = float((found["sign:not old"] > 0) != (found["sign:not new"] > 0))
    return found

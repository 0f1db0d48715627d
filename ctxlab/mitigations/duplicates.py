"""Duplicates: one fact, one live record; what replaces what, and why (R94).

Similarity only proposes: "likes" and "doesn't like" lie closer than two wordings of one wish. What
two statements are to each other is `cx.compare`'s to say, from slots, numbers, names and negation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from ..config import Duplicates
from ..language.keeping import kept
from ..types import Record
from .wording import both, joined, news_in

if TYPE_CHECKING:
    from ..language.comparing import Comparison

__all__ = ["Candidate", "Decision", "DuplicatePolicy", "same_words_key"]

_MOST = 8  # comparisons per write, the likeliest first
_LEAD = 4  # characters of such words
_CONTACTS = ("phone", "email")
_CHOICES = ("contact_channel", "courier", "invoice", "language", "payment_method", "plan")
_SPOKEN_OF = {"payment_method", "plan", "rank"}  # much is said of what one has
_SHORT = 20  # characters that say no more than whose a number is
_DIGITS = re.compile(r"\d+")
_AGENT = re.compile(r"The (?:agent|company)\b|客服")  # as `extract` retells an agent's words
_BETWEEN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A live record that a new statement may repeat or contradict.

    Attributes
    ----------
    record : Record
    cosine : float
        To the new statement, in [-1, 1].
    visible : bool
        Whether the writing role may read it. What it may not read is never merged into: the
        writer would lose sight of its own words.
    """

    record: Record
    cosine: float
    visible: bool = True


@dataclass(slots=True)
class Decision:
    """What to do with a new statement.

    Attributes
    ----------
    action : str
        ``added``, ``known`` (same words), ``merged``, ``supplemented``, ``superseded`` (it
        replaces `replaced`) or ``discarded`` (older than what contradicts it).
    target : Record, optional
        The record that stays and now says it.
    replaced, absorbed : tuple of Record
        Records that no longer hold; records of other roles that say the same.
    text : str
        Text the target should have, or the new record if it replaces others.
    reasons : tuple of str
        Why.
    """

    action: str
    target: Record | None = None
    replaced: tuple[Record, ...] = ()
    absorbed: tuple[Record, ...] = ()
    text: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class DuplicatePolicy:
    """Decides what a new statement is to those that are live.

    Parameters
    ----------
    config : Duplicates
        `candidate_score`: cosine from which two statements are compared.
    on : bool
        Off: everything is added.
    compare : callable, optional
        ``(old, new, attribute) -> Comparison``; default ``cx.compare``.
    """

    config: Duplicates = field(default_factory=Duplicates)
    on: bool = True
    compare: Callable[..., Comparison] | None = None

    def __call__(self, new: Record, candidates: Sequence[Candidate]) -> Decision:
        """Decide.

        Parameters
        ----------
        new : Record
            As it would be added.
        candidates : sequence of Candidate
            Live records of the same entity.
        """
        if not self.on or not candidates:
            return Decision("added", text=new.text, reasons=("R94: nothing to compare with",))
        key = same_words_key(new.text)
        for candidate in candidates:
            if candidate.visible and same_words_key(candidate.record.text) == key:
                reason = f"R94: {candidate.record.id} says it in the same words"
                return Decision("known", candidate.record, text=new.text, reasons=(reason,))
        likely = self._likely(new, candidates)
        relations = self._relations([c.record for c in likely], new)
        ours = self.compare is None
        checked = (_checked(c, new, r, ours) for c, r in zip(likely, relations, strict=True))
        return _weigh(new, list(zip(likely, checked, strict=True)), len(candidates))

    def foresee(self, writes: Sequence[tuple[Record, Sequence[Candidate]]]) -> None:
        """Embed in one batch what deciding many writes will take; decides nothing.

        Parameters
        ----------
        writes : sequence of (Record, sequence of Candidate)
            New statements, and what each may meet.
        """
        if not self.on or self.compare is not None:
            return
        from ..language.comparing import foresee

        likely = ((new, c) for new, found in writes for c in self._likely(new, found))
        foresee((c.record.text, new.text) for new, c in likely)

    def _likely(self, new: Record, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return what is worth comparing: the same slot, or near enough in meaning."""
        felt = new.kind == "emotion"
        likely = [
            c
            for c in candidates
            if (c.record.kind == "emotion") == felt  # a feeling contradicts no fact
            and (c.cosine >= self.config.candidate_score or _same_slot(c.record, new))
            # A private statement of one role and a private one of another never touch.
            and (c.visible or new.audience == "shared")
        ]
        likely.sort(key=lambda c: (not _same_slot(c.record, new), -c.cosine, c.record.id))
        return likely[:_MOST]

    def _relations(self, olds: Sequence[Record], new: Record) -> list[Comparison]:
        known = [new.attribute if _same_slot(old, new) else None for old in olds]
        if self.compare is not None:
            given = zip(olds, known, strict=True)
            return [self.compare(old.text, new.text, attribute=slot) for old, slot in given]
        from ..language.comparing import compare_many

        return compare_many([(old.text, new.text) for old in olds], known)


def _checked(candidate: Candidate, new: Record, found: Comparison, ours: bool) -> Comparison:
    """Mend the verdicts that cost most when they are wrong; `ours`: not a caller's own compare."""
    from .ties import filed_since, stepped, tie

    old = candidate.record
    if found.relation in ("duplicate", "supplement") and _answers(old, new):
        return replace(found, relation="distinct")  # or a wish hides that it was granted
    if found.relation == "duplicate" and (news := news_in(old.text, new.text)):
        return replace(found, relation=news)  # a wrong merge loses what was said
    if found.relation == "duplicate" and _chosen_anew(old, new):
        return replace(found, relation="supersede")
    if found.relation == "supersede":
        tied = tie(old, new, candidate.cosine) if ours else "so says the comparison given"
        apart = _in_one_breath(old, new) or _only_asks(old, new) or _on_another_slot(old, new)
        if not tied or apart or _only_promises(old, new):
            return replace(found, relation="distinct")
        return replace(found, evidence=(tied, *found.evidence))
    if found.relation == "distinct":
        if _put_right(old, new, found) or _moved_on(old, new, found) or stepped(old, new, found):
            return replace(found, relation="supersede")
        if _same_value(old, new):
            return replace(found, relation="duplicate")
        if filed_since(old, new):
            return replace(found, relation="supplement")
    return found


def _answers(old: Record, new: Record) -> bool:
    """Whether one tells what an agent did or promised, and the other what the customer said."""
    by_agent = [_AGENT.match(record.text) is not None for record in (old, new)]
    return old.kind != new.kind and by_agent[0] != by_agent[1]


def _chosen_anew(old: Record, new: Record) -> bool:
    """Whether another choice was made: "type to me, don't ring", and "ring me, don't type".

    If it was only put in other words, the newer ones hold as well.
    """
    if new.attribute not in _CHOICES or not _same_slot(old, new) or not (old.value and new.value):
        return False
    a, b = same_words_key(str(old.value)), same_words_key(str(new.value))
    return a not in b and b not in a


def _moved_on(old: Record, new: Record, found: Comparison) -> bool:
    """Whether a customer's number or choice is said to change, not to be somebody else's."""
    if (
        new.attribute not in _CONTACTS + _CHOICES
        or not _same_slot(old, new)
        or not (old.value and new.value)
    ):
        return False
    said = " ".join(found.evidence)
    return "says it changed" in said and "another person" not in said


def _same_value(old: Record, new: Record) -> bool:
    """Whether two statements fill a slot that holds one value with the same one, and no more.

    "We've moved, send it all to 9 Elm Street" and "please make 9 Elm Street my address" have few
    words in common. One that takes the value back contradicts the other, and isn't here.
    """
    from ..language.attributes import SINGLE
    from ..language.slots import match_slots, read_slots

    slot = new.attribute in SINGLE - _SPOKEN_OF and _same_slot(old, new)
    if not (slot and old.value and new.value):
        return False
    match = match_slots(read_slots(old.text), read_slots(new.text))
    a, b = same_words_key(str(old.value)), same_words_key(str(new.value))
    # In Chinese nothing marks where a value begins: it may have taken in words that lead up to it.
    pairs = zip(reversed(a), reversed(b), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    leads = (x[: len(x) - same] for x in (a, b))
    alike = a == b or (same >= _SHORT // 2 and all(len(x) <= _LEAD for x in leads))
    return alike and not (match.differ or match.added)


def _same_slot(old: Record, new: Record) -> bool:
    return new.attribute is not None and old.attribute == new.attribute


def _one_slot(old: Record, new: Record) -> bool:
    """Whether a record can hold both: it has one slot, so that one of two would be lost."""
    return not old.attribute or not new.attribute or old.attribute == new.attribute


def _put_right(old: Record, new: Record, found: Comparison) -> bool:
    """Whether the new statement is the old one with a slip put right, or a mind changed.

    It rests on the same messages and on one more, which took a value back, and but for that it has
    the same words: two orders whose ids are alike don't.
    """
    from ..language.comparing import EXCHANGED

    a, b = old.source, new.source
    if a.session_id is None or a.session_id != b.session_id:
        return False
    words = [_DIGITS.sub("", same_words_key(record.text)) for record in (old, new)]
    alike = words[0] == words[1] or EXCHANGED in found.evidence
    return set() < set(a.message_ids) < set(b.message_ids) and alike


def _only_asks(old: Record, new: Record) -> bool:
    """Whether a wish that names nothing meets what is the case and names something."""
    from ..language.slots import read_slots

    wish = new.kind == "request" and old.kind in ("fact", "event", "commitment")
    return wish and bool(read_slots(old.text)) and not read_slots(new.text)


def _only_promises(old: Record, new: Record) -> bool:
    """Whether an agent promises to do something about what is the case, or is to be so for good."""
    promise = new.kind == "commitment" and _AGENT.match(new.text) is not None
    return promise and old.kind in ("fact", "preference") and not _dates_differ(old, new)


def _dates_differ(old: Record, new: Record) -> bool:
    from ..language.slots import match_slots, read_slots

    differ = match_slots(read_slots(old.text), read_slots(new.text)).differ
    return any(slot.kind == "date" for slot, _ in differ)


def _on_another_slot(old: Record, new: Record) -> bool:
    """Whether a line of a customer's file meets what fills no such line."""
    from ..language.attributes import SINGLE, find_value

    filed = old.attribute in SINGLE and bool(old.value)
    return filed and not _same_slot(old, new) and not find_value(new.text, old.attribute)


def _in_one_breath(old: Record, new: Record) -> bool:
    """Whether all that a statement rests on is what the other rests on too: both were meant."""
    a, b = old.source, new.source
    same = a.session_id is not None and a.session_id == b.session_id
    return same and bool(b.message_ids) and set(b.message_ids) <= set(a.message_ids)


def _weigh(new: Record, found: Sequence[tuple[Candidate, Comparison]], count: int) -> Decision:
    """Put the comparisons together; what is surest comes first."""
    by = {
        relation: [c for c, r in found if r.relation == relation]
        for relation in ("duplicate", "supplement", "supersede")
    }
    reasons = tuple(
        f"R94: {r.relation} of {c.record.id} ({r.score:.2f}, cosine {c.cosine:.2f}; "
        f"{next(iter(r.evidence), 'nothing differs')})"
        for c, r in found
        if c.visible and r.relation != "distinct"
    )
    rivals = by["supersede"]
    newer = [c for c in rivals if c.record.updated > new.updated]
    if newer and not by["duplicate"]:
        shown = next((c.record for c in newer if c.visible), None)
        reason = f"R94: {shown.id if shown else 'a record'} contradicts it and is newer"
        return Decision("discarded", shown, reasons=(*reasons, reason))
    replaced = tuple(c.record for c in rivals if c.record.updated <= new.updated)
    absorbed = tuple(c.record for c in by["duplicate"] if not c.visible)
    same = [c.record for c in by["duplicate"] if c.visible]
    if same:
        return Decision("merged", same[0], replaced, absorbed, same[0].text, reasons)
    if replaced:
        # A role isn't told that it contradicted what it may not read.
        action = "superseded" if any(c.visible for c in rivals) else "added"
        seen = [c.record for c in rivals if c.visible and c.record.audience == new.audience]
        latest = max(seen, key=lambda record: record.updated, default=None)
        beside = "" if latest is None else _beside(latest, new)
        whole = both(new.text, beside) if beside else new.text
        return Decision(action, None, replaced, absorbed, whole, reasons)
    for candidate in (c for c in by["supplement"] if c.visible):
        text = joined(candidate.record.text, new.text)
        if text not in (candidate.record.text, new.text) and not _one_slot(candidate.record, new):
            continue
        # Detail of another audience would leak into, or vanish from, what others may read.
        if text is not None and candidate.record.audience == new.audience:
            action = "merged" if text == candidate.record.text else "supplemented"
            return Decision(action, candidate.record, (), absorbed, text, reasons)
    if not reasons:
        reasons = (f"R94: unlike any of {count} live records ({len(found)} compared)",)
    return Decision("added", None, (), absorbed, new.text, reasons)


_OWN_NAME = r"\b(?:[Nn]ame(?:'s| is)?|customer(?:'s| is)|answered|[Tt]his is|[Ii]t's|[Ii]'m):? "


def _beside(old: Record, new: Record) -> str:
    """Return what else a contact that is replaced was told with: whose it is.

    "I'm Ann Lee, and it's 555-0142" gives her name too; a new number says nothing against that.
    """
    if old.attribute not in _CONTACTS or not _same_slot(old, new) or not (old.value and new.value):
        return ""
    from ..language.attributes import find_attribute, find_value
    from ..language.text import clause_spans, guess_language

    if guess_language(old.text) != "zh":
        name = find_value(old.text, "name") or ""
        own = name not in new.text and re.search(_OWN_NAME + re.escape(name), old.text)
        return f"The customer's name is {name}." if own else ""
    told = same_words_key(new.text)
    clauses = (old.text[start:end].rstrip("。；") for start, end in clause_spans(old.text))
    rest = [
        clause
        for clause in clauses
        if not _DIGITS.search(clause)
        and find_attribute(clause) != old.attribute
        and same_words_key(clause) not in told
    ]
    while sum(map(len, rest)) > _SHORT:
        rest.pop()  # what the number was told with stands first
    return "，".join(rest) + "。" if rest else ""


@kept(most=4_096)
def same_words_key(text: str) -> str:
    """Return what two spellings of the same words share: width, case, spaces, punctuation gone.

    Examples
    --------
    >>> same_words_key("收货地点： 杭州。") == same_words_key("收货地点:杭州")
    True
    >>> same_words_key("costs 1.5") == same_words_key("costs 15")
    False
    """
    from ..language.text import fold

    return _BETWEEN.sub(_meaning, fold(text).text.lower())


def _meaning(match: re.Match[str]) -> str:
    """Keep of what stands between words only what makes another number: 1.5, -5, $5, 5%."""
    between, text = match[0], match.string
    after, before = text[match.end() : match.end() + 1], text[: match.start()][-1:]
    if before.isdigit() and after.isdigit():
        return between.strip() or " "
    if after.isdigit() and between[-1] in "+-$€£¥":
        return between[-1]
    return "%" if before.isdigit() and between[0] == "%" else ""

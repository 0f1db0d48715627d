"""Structured summaries: items with their sources, and triples for what they leave out (R20 to R27).

A digest covers some messages once. Its items are what the context shows; its triples are what a
search can still find when the items had no room; whatever neither holds word for word is put into
a triple before the messages may leave the context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache, cached_property
from typing import Any

from ..language.attributes import key_literals
from ..language.extraction import Draft, extract
from ..language.labelling import StatementLabel, label_many
from ..language.text import guess_language, sentences
from ..messages import Message
from .loss import LossMeter, is_refusal, is_report_of_done

__all__ = ["BINDING", "SECTIONS", "Digest", "Digester", "Holding", "Item", "Triple"]

# R20, in the order in which a context shows them: what binds the agent first.
SECTIONS = ("commitment", "refused", "open", "identity", "fact", "done")
BINDING = ("commitment", "refused")  # shown whatever else is told
_IDENTITY = {"account", "address", "contact", "contact_channel", "contact_time", "email"}
_IDENTITY |= {"invoice", "language", "name", "payment_method", "phone", "plan", "rank"}
_SECTION_OF = {"preference": "identity", "request": "open", "event": "fact", "fact": "fact"}
_TITLES = {
    "en": {
        "commitment": "promised",
        "refused": "refused",
        "open": "open",
        "identity": "customer",
        "fact": "fact",
        "done": "done",
    },
    "zh": {
        "commitment": "承诺",
        "refused": "已拒绝",
        "open": "待办",
        "identity": "客户",
        "fact": "事实",
        "done": "已办",
    },
}
# What the title says already: a retold sentence's opening, and the frame of question and answer.
_OPENINGS = {
    "commitment": r"The agent promised:? |客服承诺",
    "refused": r"The customer (?:wants|said|asked): |客户(?:要求|希望|说)",
    "open": r"The customer (?:asked|wants|said): |客户(?:要求|问|说)",
    "identity": r"The customer (?:said|wants): |客户(?:说|希望)",
    "fact": r"The customer said: |客户说",
    "done": r"The agent said: |客服告知",
}
_OPENING = {section: re.compile(opening) for section, opening in _OPENINGS.items()}
_ANSWER = re.compile(
    r'Asked "(.+)", the customer answered: (.+)|客服问(「.+」)，客户答：(.+)', re.S
)
_HOT = 0.15  # chance of feeling from which a sentence that says nothing else counts as a mood
_ID_DIGITS = 4  # shorter numbers are counts and amounts
_MAX_HELD = 60  # items of one section
_UNSURE = 0.6  # below it, what is told as done isn't taken for a promise
_MAX_ITEM = 240  # characters; a longer statement is cut, and its literals go to triples


@dataclass(frozen=True)
class Item:
    """One line of a structured summary (R20, R21).

    Attributes
    ----------
    section : str
        ``commitment refused open identity fact done``.
    text : str
    attribute, value : str, optional
    confidence : float
        0 to 1.
    verbatim : bool
        Whether the text is as it was said; else retold.
    message_ids : tuple of str
    seq : int
        Place of the first source message in the session.
    """

    section: str
    text: str
    attribute: str | None
    value: str | None
    confidence: float
    verbatim: bool
    message_ids: tuple[str, ...]
    seq: int

    @property
    def line(self) -> str:
        """The item as a context shows it."""
        language = "zh" if guess_language(self.text) == "zh" else "en"
        opening = _OPENING[self.section].match(self.text)
        text = self.text[opening.end() :] if opening else self.text
        if answer := _ANSWER.fullmatch(text):
            asked, told, wen, da = answer.groups()
            text = f'"{asked}" {told}' if asked else f"{wen}{da}"
        return f"[{_TITLES[language][self.section]}] {text}"

    @cached_property
    def literals(self) -> frozenset[str]:
        """Ids, amounts, dates and names it holds, and its value."""
        return frozenset(key_literals(self.text)) | ({self.value} if self.value else set())


@dataclass(frozen=True)
class Triple:
    """A fact on its own: it survives a summary that forgot it (R24)."""

    subject: str
    predicate: str
    object: str
    message_id: str
    time: str = ""


@dataclass(frozen=True)
class Digest:
    """What was made of some messages.

    Attributes
    ----------
    items, triples : tuple
        What the context shows, and what a search can still find.
    in_items, survival : float
        Share of key literals in the items, and in items and triples together; 0 to 1.
    emotions : tuple of str
        Sentences that only carry feeling: they stay in their session (R90).
    """

    items: tuple[Item, ...]
    triples: tuple[Triple, ...]
    in_items: float
    survival: float
    emotions: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready data."""
        return {
            **{name: getattr(self, name) for name in _names(Digest)},
            "items": [{name: getattr(x, name) for name in _names(Item)} for x in self.items],
            "triples": [{name: getattr(x, name) for name in _names(Triple)} for x in self.triples],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Digest:
        """Read it back."""
        items = tuple(Item(**{**x, "message_ids": tuple(x["message_ids"])}) for x in data["items"])
        triples = tuple(Triple(**x) for x in data["triples"])
        emotions = tuple(data.get("emotions", ()))
        return cls(items, triples, data["in_items"], data["survival"], emotions)


@dataclass(frozen=True)
class Digester:
    """Extractive structured summary: local, deterministic, Chinese and English (R26).

    Parameters
    ----------
    tz : str
        Zone in which relative dates are meant.
    understand : bool
        False: no model is loaded; items are what rules find, all else goes to triples.
    """

    tz: str = "UTC"
    understand: bool = True

    def __call__(self, messages: Sequence[Message], first_seq: int = 0) -> Digest:
        """Digest messages; `first_seq` is the place of the first one in its session."""
        talk = [m for m in messages if m.role in ("user", "assistant") and m.text]
        place = {m.id or str(i): first_seq + i for i, m in enumerate(messages)}
        drafts = extract(messages, tz=self.tz) if self.understand else []
        items = [self._item(d, messages, place) for d in drafts if d.kind != "emotion"]
        items += self._spoken(talk, items, place)
        if not self.understand:
            items += self._named(talk, place)
        triples = [self._triple(item) for item in items]
        meter = LossMeter()
        literals = meter.literals(messages)
        shown = meter.compare(literals, [item.text for item in items])
        # What no item holds goes into a triple, so nothing leaves the context untold.
        for literal, (message, sentence) in shown.where.items():
            who = "customer" if message.role == "user" else "agent"
            said = sentence if len(sentence) <= 2 * _MAX_ITEM else _around(sentence, literal)
            triples.append(Triple(who, "said", said, message.id or "", _iso(message.time)))
        told = [item.text for item in items] + [t.object for t in triples]
        report = meter.compare(literals, told)
        unique = tuple(dict.fromkeys(triples))
        emotions = self._emotions(talk) if self.understand else ()
        shares = round(shown.survival, 3), round(report.survival, 3)
        return Digest(tuple(items), unique, *shares, emotions)

    @staticmethod
    def _emotions(talk: Sequence[Message]) -> tuple[str, ...]:
        """Return sentences that tell a next session nothing but a mood, a possible one included.

        What is left out of an old transcript by mistake is small talk; what stays by mistake
        colours a new conversation (R90).
        """
        said = [s for m in talk if m.role == "user" for s in sentences(m.text)]
        labels = label_many(said, speaker="customer") if said else []
        return tuple(s for s, found in zip(said, labels, strict=True) if _is_mood(s, found))

    def _item(self, draft: Draft, messages: Sequence[Message], place: dict[str, int]) -> Item:
        section = "commitment" if draft.kind == "commitment" else _SECTION_OF[draft.kind]
        if draft.attribute in _IDENTITY and section in ("fact", "identity"):
            section = "identity"
        unsure = draft.confidence < _UNSURE
        if unsure and section == "commitment" and is_report_of_done(draft.text):
            section = "done"
        by_user = any(m.id in draft.message_ids and m.role == "user" for m in messages)
        if by_user and section in ("open", "identity", "fact") and is_refusal(draft.text):
            section = "refused"
        return Item(
            section,
            draft.text[:_MAX_ITEM],
            draft.attribute,
            draft.value,
            round(draft.confidence, 3),
            False,
            draft.message_ids,
            min((place[i] for i in draft.message_ids if i in place), default=0),
        )

    @staticmethod
    def _spoken(talk: Sequence[Message], items: list[Item], place: dict[str, int]) -> list[Item]:
        """Return refusals and reports of things done that extraction doesn't make memories of."""
        have = {(i, item.section) for item in items for i in item.message_ids}
        found = []
        for message in talk:
            section = "refused" if message.role == "user" else "done"
            test = is_refusal if message.role == "user" else is_report_of_done
            said = [s for s in sentences(message.text) if test(s)]
            if not said or (message.id, section) in have:
                continue
            text, ids = " ".join(said)[:_MAX_ITEM], (message.id or "",)
            found.append(
                Item(section, text, None, None, 0.7, True, ids, place.get(message.id or "", 0))
            )
        return found

    @staticmethod
    def _named(talk: Sequence[Message], place: dict[str, int]) -> list[Item]:
        """Return what customers said with an id in it: all that rules can tell of importance."""
        found = []
        for message in talk:
            for sentence in sentences(message.text) if message.role == "user" else ():
                ids = [x for x in key_literals(sentence) if sum(map(str.isdigit, x)) >= _ID_DIGITS]
                if ids and len(sentence) <= _MAX_ITEM:
                    seq, source = place.get(message.id or "", 0), (message.id or "",)
                    found.append(Item("fact", sentence, None, ids[0], 0.5, True, source, seq))
        return found

    @staticmethod
    def _triple(item: Item) -> Triple:
        subject = "agent" if item.section in ("commitment", "done") else "customer"
        predicate = item.attribute or item.section
        return Triple(
            subject, predicate, item.text, item.message_ids[0] if item.message_ids else ""
        )


def _is_mood(sentence: str, found: StatementLabel) -> bool:
    if found.kind == "emotion":
        return True
    empty = found.kind == "chitchat" and not any(map(str.isdigit, sentence))
    return (
        empty
        and max(found.scores.get("emotion", 0.0), found.scores.get("private", 0.0) / 2) >= _HOT
    )


class Holding:
    """A session's items merged into what still holds, extended one digest at a time.

    A newer value of the same attribute replaces the older; the same words count once; an open task
    is closed by a later report of it done. Only the newest of each section are kept, so that a
    turn costs the same however long the session; the rest stays findable in its digests.

    Examples
    --------
    >>> said = [Item("open", "wants order A1029 replaced", "order", "A1029", 1, False, ("m1",), 0),
    ...         Item("done", "order A1029 is replaced", "order", "A1029", 1, False, ("m2",), 1)]
    >>> [item.text for item in Holding().extend(said).items()]
    ['order A1029 is replaced']
    """

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Item]] = {section: {} for section in SECTIONS}
        self._literals: dict[str, frozenset[str]] = {}  # of open tasks, by key

    def extend(self, items: Iterable[Item]) -> Holding:
        """Take in items, oldest first."""
        for item in items:
            self._add(item)
        return self

    def items(self) -> list[Item]:
        """Return what holds: firm items, then the rest."""
        firm, rest = self.ranked()
        return firm + rest

    def ranked(self) -> tuple[list[Item], list[Item]]:
        """Return firm items and the rest, each by section, the newest first within it.

        Firm is what binds, and what holds a literal that nothing above it holds.
        """
        firm: list[Item] = []
        rest: list[Item] = []
        seen: set[str] = set()
        for held in self._held.values():
            for item in reversed(held.values()):
                stands = item.section in BINDING or not item.literals <= seen
                (firm if stands else rest).append(item)
                seen |= item.literals
        return firm, rest

    def _add(self, item: Item) -> None:
        held, key = self._held[item.section], _key(item.text)
        if item.section == "identity" and item.attribute and item.value:
            key = f"={item.attribute}"
        if item.section == "done":
            self._close(item)
        if item.section == "open":
            self._literals[key] = frozenset(key_literals(item.text))
        held.pop(key, None)
        held[key] = item
        if len(held) > _MAX_HELD:
            oldest = next(iter(held))
            del held[oldest]
            self._literals.pop(oldest, None)

    def _close(self, done: Item) -> None:
        told = frozenset(key_literals(done.text))
        tasks = self._held["open"]
        for key, task in list(tasks.items()):
            same = task.attribute is not None and task.attribute == done.attribute
            if same or told & self._literals.get(key, frozenset()):
                del tasks[key]
                self._literals.pop(key, None)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Return a dataclass's fields: `asdict` copies every leaf, which costs as much as a digest."""
    return tuple(field.name for field in fields(kind))


def _around(sentence: str, literal: str) -> str:
    """Cut a long sentence around the literal it must keep."""
    at = max(sentence.find(literal), 0)
    return sentence[max(0, at - _MAX_ITEM) : at + len(literal) + _MAX_ITEM]


def _iso(when: datetime | None) -> str:
    return when.isoformat() if when else ""

"""In how many turns each fact about a customer was said, over all finished sessions (R100).

Records know the messages they were made of; digests know what else their session said. Which fact
an item of a digest states is decided as at a write: by its words, else by the duplicates policy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from .context.digest import Digest, Item
from .language.extraction import YES
from .layers.memory import Memory
from .messages import Message
from .mitigations.duplicates import Candidate, DuplicatePolicy, same_words_key
from .mitigations.scopes import ScopePolicy
from .storage import audit, records
from .storage import conversations as sql
from .types import Record, Source

__all__ = ["Fact", "find_facts"]

_UNDONE = "R34 session "  # rule of the audit event of an undo
_TIMES = 2  # R100: turns that must say a fact
# Business fields without which no customer can be served; matched whole or at the end of a name:
# `shipping_address` is an address, `order_status` is no order.
_CORE_FIELDS = frozenset({
    "account", "address", "contract", "email", "invoice", "invoice_title", "name", "order",
    "phone", "plan", "rights", "subscription",
})  # fmt: skip
_TASKS = ("request", "commitment")
_TASK_SECTIONS = ("open", "commitment")
_SECTION_KIND = {"identity": "preference", "refused": "preference"}  # of what has no core field

# What is the customer's own: an agent who reports it changed is believed. That an order or an
# invoice was merely spoken of by an agent makes it no field of the customer's.
_OWN_FIELDS = _CORE_FIELDS - {"contract", "invoice", "order"}

_CONTACTS = ("address", "email", "name", "phone")
_FOR_GOOD = re.compile(
    r"\b(?:update|updating|chang|switch|correct|new\b|from now)|更新|更改|[改换新]|以后", re.I
)
_ONE_CASE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,4}-?\d{4,}")  # of that order, not of the customer

Turn = tuple[str, str]  # session id; number of the turn, or the message where turns aren't stored


def find_facts(memory: Memory, entity: str) -> list[Fact]:
    """Return what an entity's conversations said, each statement with the turns that say it."""
    past = Past.read(memory, entity)
    facts = past.facts()
    Grouping(memory, facts, past).take_items()
    return facts


class Place(NamedTuple):
    """Where a message stands: its turn, who said it, when, and whether it only says yes."""

    turn: int | None
    role: str
    time: datetime
    affirms: bool = False


@dataclass
class Fact:
    """A statement, and every turn in which the customer makes it.

    The record has no id while none says it. An agent's words are linked but not counted: that an
    agent repeats a parcel's status or a price tells nothing more of the customer.
    """

    record: Record
    keys: set[str]
    turns: set[Turn] = field(default_factory=set)
    messages: dict[str, tuple[datetime, str]] = field(default_factory=dict)  # id -> time, session
    confirmed: bool = False
    open: bool = False
    contradicted: bool = False

    def judge(self) -> tuple[bool, str]:
        """Decide by R100; returns why, too."""
        record = self.record
        if record.kind == "emotion":
            return False, "a feeling fades"
        if record.kind in _TASKS and not self._states_contact():
            return False, "a task is followed until it is done"
        if self.open:
            return False, "its session isn't over"
        if self.contradicted:
            return False, "contradicted later"
        if len(self.turns) >= _TIMES:
            return True, f"said in {len(self.turns)} turns"
        if self.confirmed:
            return True, "confirmed by the customer"
        if self._fills_core():
            return True, f"{record.attribute} is a core business field"
        return False, "said once" if self.turns else "said by an agent alone"

    def _fills_core(self) -> bool:
        name = (self.record.attribute or "").replace("-", "_")
        fields = _CORE_FIELDS if self.turns else _OWN_FIELDS
        named = name in fields or name.rpartition("_")[2] in fields
        return named and self.record.value is not None

    def _states_contact(self) -> bool:
        """Whether a request says for good how to reach the customer: "my new number is …"."""
        record = self.record
        if record.kind != "request" or record.attribute not in _CONTACTS or not record.value:
            return False
        rest = record.text.replace(str(record.value), "")
        return bool(_FOR_GOOD.search(rest)) and not _ONE_CASE.search(rest)

    def source(self) -> Source:
        """Name all messages; the session is the last to say it, which is whom an undo goes by."""
        said = sorted(self.messages.items(), key=lambda pair: pair[1][0])
        session = said[-1][1][1] if said else self.record.source.session_id
        return Source("consolidated", session, tuple(message_id for message_id, _ in said))

    def readable(self, agent: str) -> bool:
        """Whether what a role said may count for it (R92)."""
        return self.record.audience == "shared" or self.record.agent == agent


@dataclass
class Past:
    """All that is stored of one entity, read at once."""

    rows: list[records.Row]
    earlier: list[records.Row]
    digests: list[sql.Row]
    places: dict[tuple[str, str], Place]  # by session and message
    open: set[str]
    void: set[str]  # sessions that don't count: open ones, and those that were undone
    forgotten: datetime | None
    now: datetime

    @classmethod
    def read(cls, memory: Memory, entity: str) -> Past:
        with memory.store.read() as connection:
            sessions = sql.sessions_of(connection, entity)
            opened = {row["id"] for row in sessions if row["ended"] is None}
            places = {}
            for row in sessions:
                turn = 0
                for said in sql.messages_from(connection, entity, row["id"]):
                    role, words = said["body"]["role"], Message.of(said["body"]).text
                    turn += role == "user"
                    yes = role == "user" and YES.match(words) is not None
                    places[row["id"], said["id"]] = Place(turn, role, said["time"], yes)
            events = audit.events(connection, entity)
            undone = {e.rule.removeprefix(_UNDONE) for e in events if e.rule.startswith(_UNDONE)}
            void = opened | undone
            return cls(
                records.rows_of(connection, entity),
                records.versions_of(connection, entity),
                [
                    row
                    for row in sql.digests_of(connection, entity, None)
                    if row["session_id"] not in void
                ],
                places,
                opened,
                void,
                max((e.time for e in events if e.action == "forgotten"), default=None),
                memory.clock.now(),
            )

    @cached_property
    def stored(self) -> set[str]:
        """Sessions whose messages are here."""
        return {session for session, _ in self.places}

    def facts(self) -> list[Fact]:
        """Return the live records that conversations made, each with what it was made of."""
        others = {row["id"]: row for row in self.rows if row["status"] == "merged"}
        facts = []
        for row in self.rows:
            record = records.to_record(row)
            over = record.expires is not None and record.expires <= self.now
            if record.status != "live" or over or record.source.type == "manual":
                continue
            fact = Fact(record, {same_words_key(record.text)})
            fact.open = record.source.session_id in self.open
            steps = [v for v in self.earlier if v["id"] == record.id]
            for step in [*steps, row, *(others[i] for i in record.merged if i in others)]:
                self._count(fact, step)
            self._count_repeats(fact)
            facts.append(fact)
        return facts

    def _count(self, fact: Fact, step: records.Row) -> None:
        """Take in one version of a record, or one wording that was merged into it."""
        said = records.to_record(step)
        fact.keys |= {same_words_key(said.text)}
        if words := step["body"]["change"].get("said"):
            fact.keys.add(same_words_key(words))
        self.add(fact, said.source.session_id, said.source.message_ids)
        session = step["session_id"]
        known = self.void | self.stored | {session for session, _ in fact.turns}
        if session is not None and session not in known:
            fact.turns.add((session, ""))  # changed there; by which message isn't kept

    def _count_repeats(self, fact: Fact) -> None:
        """Count a repetition in the same words, of which a record keeps only the time."""
        record = fact.record
        if record.updated <= record.created:
            return
        own = [
            self.places.get((record.source.session_id or "", i)) for i in record.source.message_ids
        ]
        roles = {place.role for place in own if place}
        for (session, message_id), place in self.places.items():
            # A question and its reply may bear one instant: the same party repeats itself.
            if place.time == record.updated and place.role in roles:
                self.add(fact, session, (message_id,))
        kept = record.source.session_id in self.stored
        if not kept and len(fact.turns) < _TIMES:  # the time is all there is
            fact.turns.add(("", record.updated.isoformat()))

    def add(self, fact: Fact, session: str | None, message_ids: tuple[str, ...]) -> None:
        """Count messages that say a fact: those of one turn count once, an echo not at all."""
        if session is None or session in self.void:
            return
        unknown = Place(None, "", fact.record.created)
        places = [self.places.get((session, message_id), unknown) for message_id in message_ids]
        for message_id, place in zip(message_ids, places, strict=True):
            fact.messages[message_id] = (place.time, session)
        said = [p for p in zip(places, message_ids, strict=True) if p[0].role in ("user", "")]
        if said:
            # Words that answer a question belong to the turn of the answer.
            place, message_id = said[-1]
            fact.turns.discard((session, ""))
            fact.turns.add((session, message_id if place.turn is None else str(place.turn)))
        # "Is it still Mill Lane?" "Yes": the agent says it, the customer stands by it. Any other
        # answer is the customer's own statement.
        asked = any(place.role == "assistant" for place in places)
        fact.confirmed |= asked and places[-1].affirms


@dataclass
class Grouping:
    """Finds which fact each item of a digest states, by the policy that decides at write."""

    memory: Memory
    facts: list[Fact]
    past: Past

    def take_items(self) -> None:
        """Count the items of all digests, and add what no record says."""
        dead = {
            same_words_key(records.to_record(row).text)
            for row in self.past.rows
            if row["status"] in ("superseded", "retracted")
        }
        for record, session, message_ids in self._items():
            key = same_words_key(record.text)
            readable = [f for f in self.facts if f.readable(record.agent)]
            fact = next((f for f in readable if key in f.keys), None)
            if fact is None and key not in dead:
                fact = self._decide(record, readable)
            if fact is not None:
                fact.keys.add(key)
                self.past.add(fact, session, message_ids)

    def _items(self) -> Iterator[tuple[Record, str, tuple[str, ...]]]:
        """Give the digests' items as records that a write would make, in the order of time."""
        found = []
        for row in self.past.digests:
            for item in Digest.from_dict(row["body"]).items:
                places = [self.past.places.get((row["session_id"], i)) for i in item.message_ids]
                at = next((place.time for place in places if place), row["time"])
                if item.section not in _TASK_SECTIONS:
                    found.append((self._record(row, item, at), row["session_id"], item.message_ids))
        return iter(sorted(found, key=lambda f: f[0].updated))

    def _record(self, row: Mapping[str, Any], item: Item, at: datetime) -> Record:
        kind = "fact" if item.attribute in _CORE_FIELDS else _SECTION_KIND.get(item.section, "fact")
        config = self.memory.config
        scopes = ScopePolicy(config.scopes, config.mitigations.scopes)
        audience, _ = scopes.audience(None, item.attribute, kind, None)
        return Record(
            id="",
            entity=row["entity"],
            agent=row["agent"],
            text=item.text,
            created=at,
            updated=at,
            valid_from=at,
            kind=kind,
            attribute=item.attribute,
            value=item.value,
            audience=audience,
        )

    def _decide(self, record: Record, readable: list[Fact]) -> Fact | None:
        """Ask the policy; what is new becomes a fact of its own, what is out of date nothing."""
        config = self.memory.config
        policy = DuplicatePolicy(config.duplicates, config.mitigations.duplicates)
        near = self._near(record, readable)
        decision = policy(record, [Candidate(f.record, cosine) for f, cosine in near])
        for fact, _ in near:
            fact.contradicted |= any(fact.record is old for old in decision.replaced)
        for fact, _ in near:
            if decision.target is fact.record and decision.action != "discarded":
                return fact
        forgotten = self.past.forgotten
        if decision.action == "discarded" or (forgotten and forgotten >= record.updated):
            return None  # somebody had things deleted: nothing may come back by this door
        fact = Fact(record, set())
        self.facts.append(fact)
        return fact

    def _near(self, record: Record, facts: list[Fact]) -> list[tuple[Fact, float]]:
        """Return facts near in meaning or of the same field, with their cosine."""
        from .models.embedding import get_embedder

        if not facts:
            return []
        # Comparing is fitted on the default model and uses it whatever model the memory has.
        model = get_embedder("auto")
        vectors = model.encode([record.topic_text, *(f.record.topic_text for f in facts)])
        cosines = (vectors[1:] @ vectors[0]).tolist()
        floor, field_ = self.memory.config.duplicates.candidate_score, record.attribute
        return [
            (fact, cosine)
            for fact, cosine in zip(facts, cosines, strict=True)
            if cosine >= floor or (field_ is not None and fact.record.attribute == field_)
        ]

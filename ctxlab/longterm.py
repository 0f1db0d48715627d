"""Long-term memory in the loop: what a request reads of it, and what a turn writes (R30, R61, R71).

Reads and writes name the session's entity; an anonymous session has none (R6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .config import Config
from .context.blocks import Block
from .context.loss import is_refusal, is_report_of_done
from .errors import SessionExpired
from .layers.memory import Memory
from .layers.session import SessionLog
from .trace import Trace
from .types import Hit, Record, Source, WriteOutcome

__all__ = ["LongTerm", "WriteDecision", "WriteRouter"]

# What is known of the customer (a slot of their file), how they want to be treated, and what is
# open with this role bears on every question; the rest on those it is relevant to (R71).
_FILE = frozenset(
    "address phone email name language contact_channel contact_time payment_method courier "
    "diet size account plan rank".split()
)
_OPEN = ("commitment", "event", "request")
_CASES = frozenset("booking charge complaint fault order refund return ticket".split())
_STATE_OF = {"order": "order_id"}
_ID = re.compile(r"[\w-]*\d{3}[\w-]*")  # a state key takes an id, not a phrase that holds one
_HERS = re.compile(r"The customer promised|客户承诺")  # "one moment": not the agent's to keep
_LONG_NUMBER = re.compile(r"\d{4}")
_CHANGES = frozenset({"address", "plan", "rank", "account", "email", "phone", "name"})
_CANDIDATES = 50  # records of a profile that are looked at
_FRESH = 12  # messages looked at for what memory can't know yet
_TAKEN_BACK = 10  # turns among which a slip is sought
_DECISIONS = 1000  # of the write router, kept for inspection
_SURE = 0.8  # confidence from which a stated preference is core (R36)


@dataclass(frozen=True)
class WriteDecision:
    """Where one drafted statement goes, and why (R61).

    Attributes
    ----------
    targets : tuple of str
        Of ``state``, ``summary``, ``memory``; empty: nowhere.
    tier : str
        ``core`` or ``ordinary``, if it goes to memory.
    reason : str
    state_key : str
        Key of the state, if it goes there.
    """

    targets: tuple[str, ...]
    tier: str
    reason: str
    state_key: str = ""


@dataclass(frozen=True)
class WriteRouter:
    """Decides by program where each statement of a turn goes (R36, R61).

    Parameters
    ----------
    state_keys : tuple of str
        Declared keys of the task's state.

    Examples
    --------
    >>> from ctxlab.language.extraction import Draft
    >>> draft = Draft("The customer prefers e-mail.", "preference", None, None, ("m1",), 0.9)
    >>> WriteRouter(("order_id",))(draft, {}, by_agent=False).tier
    'core'
    """

    state_keys: tuple[str, ...] = ()

    def __call__(self, draft: Any, state: Mapping[str, Any], by_agent: bool) -> WriteDecision:
        """Decide for one draft; `state` holds the keys written so far."""
        targets, state_key = ["summary", "memory"], ""
        reason = f"{draft.kind} by {'the agent' if by_agent else 'the customer'}"
        key = _STATE_OF.get(draft.attribute or "", "")
        named = key in self.state_keys and key not in state and not by_agent
        if named and _ID.fullmatch(draft.value or ""):
            # A program's own write is never overruled by a reading of the customer's words.
            targets.insert(0, "state")
            state_key = key
            reason += f"; {key} was never written"
        if draft.kind == "emotion":
            targets.remove("summary")
        core = draft.kind == "preference" and draft.confidence >= _SURE and not by_agent
        done = by_agent and draft.attribute in _CHANGES and is_report_of_done(draft.text)
        if core or done:
            reason += "; a stable preference" if core else "; a change confirmed done"
        tier = "core" if core or done else "ordinary"
        return WriteDecision(tuple(targets), tier, reason, state_key)


@dataclass
class LongTerm:
    """One memory in the service of sessions."""

    memory: Memory
    config: Config
    router: WriteRouter
    decisions: list[tuple[str, str, str]] = field(default_factory=list, repr=False)
    _read: dict[tuple[str, str, str], Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.memory.on_erase.append(self._forget)

    def _forget(self, entity: str) -> None:
        """Drop the words that are kept of an entity that is being erased (R91)."""
        self.decisions.clear()  # for inspection alone: not worth tracing whose they are
        for key in [key for key in self._read if key[0] == entity]:
            del self._read[key]

    # ------------------------------------------------------------------ reading

    def read(self, log: SessionLog, question: str, trace: Trace) -> dict[str, Block]:
        """Return the profile and the memories that bear on a question (R37, R40, R71)."""
        if log.row["user_id"] is None:
            return {}
        entities = [x for x in _entities(log) if self.memory.knows(x)]
        if not entities:
            return {}
        from .language.attributes import find_attribute

        role = str(log.row["agent"])
        records: list[Record] = []
        hits: list[Hit] = []
        settings = self.config.semantic
        for entity in entities:
            # Chosen by what bears on the question first, and cut to the limit after.
            records += self.memory.profile(entity=entity, agent=role, limit=_CANDIDATES)
            if question.strip():
                wide = max(settings.k, self.config.durable.profile_limit)
                hits += self.memory.search(question, entity=entity, agent=role, k=wide)
        records = [r for r in records if not self._in_talk(r, log, trace)]
        hits = [h for h in hits if not self._in_talk(h.record, log, trace)]
        if not records and not hits:
            return {}
        if len(entities) > 1:
            hits.sort(key=lambda hit: -hit.score)
        said = self._said_since(log, question)
        blocks = {}
        found = {h.record.id: h for h in hits}
        profile = self._profile(
            records, found, said, (role, find_attribute(question), log.id), trace
        )
        if profile:
            lines = tuple(_line(r) for r in profile)
            refs = tuple(r.id for r in profile)
            newest = max(r.updated for r in profile)
            title = "Customer profile"
            blocks["profile"] = Block("profile", lines, log.entity, newest, title, refs)
        rest = [h for h in hits if h.record not in profile]
        kept = [h for h in rest if self._holds(h.record, said, trace)]
        past = kept[: settings.k]
        for hit in past:
            reason = f"relevance {hit.score:.2f}, by {hit.found_by}"
            trace.add("retrieve", "R40", hit.record.id, "found", reason)
        if past:
            lines = tuple(
                f"[{h.score:.0%}] ({h.record.updated:%Y-%m-%d}) {h.record.text}"[
                    : settings.max_chars
                ]
                for h in past
            )
            title = "Relevant past, with its relevance"
            refs = tuple(h.record.id for h in past)
            blocks["past"] = Block("past", lines, log.entity, None, title, refs)
        return blocks

    def replaced(self, log: SessionLog, within: str) -> list[str]:
        """Return values in a text that hold no longer, whatever a transcript says (R74)."""
        if log.row["user_id"] is None:
            return []
        role, known = str(log.row["agent"]), filter(self.memory.knows, _entities(log))
        found = [self.memory.replaced(entity=x, agent=role, within=within) for x in known]
        return [literal for literals in found for literal in literals]

    def _profile(
        self,
        records: Sequence[Record],
        hits: Mapping[str, Hit],
        said: Mapping[str, str],
        asked: tuple[str, str | None, str],
        trace: Trace,
    ) -> list[Record]:
        """Keep what is core, what always bears, and what bears on this question."""
        kept: list[Record] = []
        for record in records:
            if len(kept) == self.config.durable.profile_limit:
                break
            if not self._holds(record, said, trace):
                continue
            reason = self._bears(record, hits.get(record.id), *asked)
            if not reason:
                trace.add("load", "R71", record.id, "left out", "doesn't bear on the question")
                continue
            kept.append(record)
            trace.add("load", "R37", record.id, "kept", reason)
        return kept

    @staticmethod
    def _bears(record: Record, hit: Hit | None, role: str, slot: str | None, here: str) -> str:
        """Say why a record bears on a question (R71); nothing if it doesn't."""
        if record.tier == "core":
            return "core"
        acts, names = record.actionability == "actionable", _names(record)
        # What happens changes a customer's file, but says nothing of what they like.
        if record.attribute in (_CHANGES if record.kind == "event" else _FILE) and names:
            return f"{record.attribute} bears on every question"
        if record.kind == "preference" and (names or is_refusal(record.text)):
            return "a preference bears on every question"
        if record.kind == "preference" and record.attribute and acts:
            return f"a preference about {record.attribute} bears on every question"
        if record.kind == "fact" and record.source.type != "extracted":
            return "a fact put there on purpose"
        # What names nothing of this customer's ("cards are fine, too") bears if it's asked about.
        if record.attribute and record.kind == "fact" and role == record.agent and names:
            return f"{record.attribute}, told to this role"
        if record.attribute and record.attribute == slot:
            return f"the question is about {slot}"
        # What this session's own talk left open is its summary's to say.
        earlier = record.source.session_id != here
        binds = record.kind == "commitment" and (names or not _HERS.match(record.text))
        opened = binds or (record.kind in _OPEN and names and earlier)
        if opened and acts and role == record.agent:
            return f"an open {record.kind} with this role"
        if slot in _CASES and record.kind in _OPEN and acts and _LONG_NUMBER.search(record.text):
            return f"an open case with another role, and the question is about a {slot}"
        return "" if hit is None else f"relevance {hit.score:.2f}"

    def _in_talk(self, record: Record, log: SessionLog, trace: Trace) -> bool:
        """Whether this session's latest turns say it: they go word for word (R13)."""
        source, turns = record.source, log.turn_count - self.config.window.recent_turns
        if source.session_id != log.id or log.turn_of(source.message_ids) < max(turns, 0):
            return False
        trace.add("load", "R13", record.id, "left out", "said in the latest turns of this session")
        return True

    def _holds(self, record: Record, said: Mapping[str, str], trace: Trace) -> bool:
        """Leave out a memory that the customer has just changed (R74)."""
        now = said.get(record.attribute or "")
        if not now or record.value is None or str(record.value) == now:
            return True
        reason = f"the customer just said {record.attribute} is {now!r}"
        trace.add("assemble", "R74", record.id, "left out", reason)
        return False

    def _said_since(self, log: SessionLog, question: str) -> dict[str, str]:
        """Return attribute -> value of what the customer said that memory can't know yet."""
        from .language.attributes import find_attribute, find_value

        said: dict[str, str] = {}
        fresh = [m.text for m in log.unremembered(_FRESH) if m.role == "user"]
        for text in [*fresh, question]:
            attribute = find_attribute(text)
            value = find_value(text, attribute) if attribute in _CHANGES else None
            if attribute and value:
                said[attribute] = value
        return said

    # ------------------------------------------------------------------ writing

    def write(self, log: SessionLog) -> list[WriteOutcome]:
        """Draft memories from new messages and write them; safe to repeat (R30, R61).

        The message before the new ones goes along, so that a bare answer is understood by its
        question. If the new ones may take something back ("sorry, 0165"), more do: what was put
        right is drafted again, and replaces what memory holds. From earlier messages alone nothing
        is drafted. An agent's offer waits for what the customer says to it.
        """
        from .language.extraction import extract
        from .language.repairs import takes_back
        from .language.ripening import ripe

        start, end = log.remembered, log.turns.length
        fresh = log.messages_between(start, end)
        mends = any(takes_back(m.text) for m in fresh if m.role == "user")
        before = log.messages_between(self._heard_since(log, start, mends), start - 1)
        messages, new = [*before, *fresh], {m.id for m in fresh}
        withheld: list[Any] = []  # what the heads leave out of drafts, with reasons
        drafts = extract(messages, tz=log.row["tz"], withheld=withheld)
        self.decisions += [
            (log.id, one.text, f"nowhere: {one.reason}")
            for one in withheld
            if new & set(one.message_ids)
        ]
        agents = {m.id for m in messages if m.role == "assistant"}
        times = {m.id or "": m.time for m in messages}
        items = []
        for draft in ripe(drafts, fresh, before):
            by_agent = bool(agents & set(draft.message_ids))
            decision = self.router(draft, self._written(log, draft, new), by_agent)
            where = ", ".join(decision.targets) or "nowhere"
            self.decisions.append((log.id, draft.text, f"{where}: {decision.reason}"))
            del self.decisions[:-_DECISIONS]
            if decision.state_key:
                with suppress(SessionExpired):  # ended by another process: nothing needs it now
                    log.set_state(decision.state_key, draft.value)
                    self._read[log.entity, log.id, decision.state_key] = draft.value
                    for old in list(self._read)[:-_DECISIONS]:
                        del self._read[old]
            if "memory" in decision.targets and log.row["user_id"] is not None:
                items.append(self._item(log, draft, decision.tier, times))
        outcomes = self.memory.write_many(items) if items else []
        log.remembered = end
        return outcomes

    def _written(self, log: SessionLog, draft: Any, new: set[str | None]) -> dict[str, Any]:
        """Return the state without what was read off a message that a new one has put right."""
        mended = bool(set(draft.message_ids) - new)
        return {
            key: slot
            for key, slot in log.state.items()
            if not (
                mended and slot.value and slot.value == self._read.get((log.entity, log.id, key))
            )
        }

    @staticmethod
    def _heard_since(log: SessionLog, start: int, mends: bool) -> int:
        """Return the first message that bears on those from `start`: never another role's (R92)."""
        if not start:
            return 0
        turns, at = log.turns.all, log.turn_at(start - 1)
        first = at
        while (
            mends
            and first
            and at - first < _TAKEN_BACK
            and turns[first - 1].agent == turns[at].agent
        ):
            first -= 1
        return turns[first].entries[0].seq if mends else start - 1

    @staticmethod
    def _item(log: SessionLog, draft: Any, tier: str, times: Mapping[str, Any]) -> dict[str, Any]:
        when = next((times[i] for i in draft.message_ids if times.get(i)), None)
        return {
            "text": draft.text,
            "entity": log.entity,
            "agent": str(log.row["agent"]),
            "at": when,
            "source": Source("extracted", log.id, tuple(draft.message_ids)),
            "kind": draft.kind,
            "attribute": draft.attribute,
            "value": draft.value,
            "audience": draft.audience,
            "actionability": draft.actionability,
            "confidence": draft.confidence,
            "tier": tier,
        }


def _entities(log: SessionLog) -> list[str]:
    """Return whose memories bear on a session: its user's, and an account's that users share."""
    account = log.row["account_id"]
    return [log.entity, *([f"account:{account}"] if account else [])]


def _names(record: Record) -> bool:
    """Whether a record names something of this customer's own: a number, or a slot's value.

    An event that fills no slot names something only by an id or a day: agents quote prices and
    terms that hold for everybody.
    """
    if record.attribute in _FILE and record.value is not None:
        return True
    if record.kind == "event" and not record.attribute:
        return _LONG_NUMBER.search(record.text) is not None
    return any(map(str.isdigit, record.text))


def _line(record: Record) -> str:
    return f"({record.updated:%Y-%m-%d}) {record.text}"

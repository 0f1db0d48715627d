"""Layer two: the write pipeline, privacy ▶ label ▶ scope ▶ duplicates ▶ store (R30 to R37).

What needs a model or a scan happens before the entity is locked; what needs the entity's records
happens after, in one transaction. Nothing is written before the last step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from ..config import Config
from ..errors import SensitiveContentRefused
from ..mitigations.contamination import settle
from ..mitigations.duplicates import Candidate, Decision, DuplicatePolicy
from ..mitigations.privacy import PrivacyPolicy, Screened
from ..mitigations.scopes import ScopePolicy
from ..trace import Trace
from ..types import Record, WriteOutcome
from .items import Item
from .shelf import Shelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..language.labelling import StatementLabel

__all__ = ["Ready", "Writer"]

_LASTING = ("fact", "preference")
_OWN = frozenset({"address", "email", "name", "phone"})  # slots of who the customer is
_OPEN = frozenset({"fact", "preference", "request", "commitment"})


def _lasting(kind: str, attribute: str | None, value: Any) -> str:
    """Return the kind whose lifetime a statement has (R33).

    "Please change my number to 555-0142" is asked once; that it's the number holds on.
    """
    own = attribute in _OWN and value is not None
    return "fact" if own and kind in ("request", "event") else kind


@dataclass(slots=True)
class Ready:
    """A write that passed privacy, label and scope, or was stopped by them."""

    item: Item
    trace: Trace
    seen: Screened
    record: Record | None = None  # as it would be added
    stopped: str = ""  # "refused" or "discarded"
    rule: str = ""
    topical: bool = False  # the attribute was guessed from the words
    reasons: tuple[str, ...] = ()  # what comparing said
    vector: NDArray[np.float32] | None = None
    origin: str | None = None
    privacy_limit: datetime | None = None

    def outcome(self, action: Any, record: Record | None) -> WriteOutcome:
        """Say what became of it."""
        return WriteOutcome(action, record, self.trace)


@dataclass(frozen=True)
class Writer:
    """The steps of a write, each a policy.

    Parameters
    ----------
    config : Config
        Days to live, and the policies' settings.
    """

    config: Config
    privacy: PrivacyPolicy = field(default_factory=PrivacyPolicy)
    scopes: ScopePolicy = field(default_factory=ScopePolicy)
    duplicates: DuplicatePolicy = field(default_factory=DuplicatePolicy)

    @classmethod
    def of(cls, config: Config) -> Writer:
        """Make one from settings."""
        switch = config.mitigations
        return cls(
            config,
            PrivacyPolicy(config.privacy, switch.privacy),
            ScopePolicy(config.scopes, switch.scopes),
            DuplicatePolicy(config.duplicates, switch.duplicates),
        )

    # ------------------------------------------------------------------ before the lock

    def prepare(self, items: Sequence[Item], now: datetime) -> list[Ready]:
        """Pass items through privacy, label and scope.

        Raises
        ------
        SensitiveContentRefused
            If policy refuses an item that asked for ``strict``.
        """
        screened = self.privacy.screen_many([(i.text, i.attribute, i.value) for i in items])
        ready = [self._screen(i, seen) for i, seen in zip(items, screened, strict=True)]
        unlabelled = [
            r for r in ready if not r.stopped and (r.item.kind is None or r.item.audience is None)
        ]
        labels: list[StatementLabel] = []
        if unlabelled:
            from ..language.labelling import label_many

            labels = label_many([r.seen.text for r in unlabelled])
        by_id = {id(r): label for r, label in zip(unlabelled, labels, strict=True)}
        for r in ready:
            if not r.stopped:
                self._label(r, by_id.get(id(r)))
            if r.record is not None and r.record.expires is not None and r.record.expires <= now:
                reason = f"its time was over at {r.record.expires.isoformat()}, before it came"
                r.trace.add("store", "R33", "text", "discarded", reason)
                r.stopped, r.rule, r.record = "discarded", "R33 expired", None
        return ready

    def _screen(self, item: Item, seen: Screened) -> Ready:
        ready = Ready(item, Trace(), seen)
        for reason in seen.reasons:
            ready.trace.add("privacy", "R91", "text", "refused" if seen.refused else "kept", reason)
        if seen.refused:
            if item.strict:
                raise SensitiveContentRefused(
                    f"policy refuses {', '.join(seen.refused)}: leave it out, or set "
                    f"privacy.policy.{seen.refused[0]} to mask, keep or a number of days"
                )
            ready.stopped, ready.rule = "refused", "privacy " + " ".join(seen.refused)
            return ready
        if not seen.reasons:
            ready.trace.add("privacy", "R91", "text", "kept", "nothing sensitive found")
        if seen.days is not None:
            ready.privacy_limit = item.at + timedelta(days=seen.days)
        return ready

    def _label(self, ready: Ready, label: StatementLabel | None) -> None:
        """Settle what is still open, and make the record."""
        item, seen = ready.item, ready.seen
        kind, reason = item.kind, "kind said by the caller"
        if kind is None and label is not None:
            kind, reason = settle(label)
        ready.trace.add("label", "R90", "text", kind or "chitchat", reason)
        if kind is None:
            ready.stopped, ready.rule = "discarded", "R30 nothing to remember"
            return
        attribute, value = seen.attribute, seen.value
        if attribute is None and label is not None:
            attribute, value = self._guess_slot(seen)
            ready.topical = attribute is not None
        # A guessed attribute opens no doors: only what the caller names is shared by name.
        audience, reason = self.scopes.audience(item.audience, item.attribute, kind, label)
        ready.trace.add("scope", "R92", "text", audience, reason)
        open_ = kind in _OPEN if label is None else label.actionability == "actionable"
        certain = 1.0 if label is None or item.kind is not None else label.confidence
        ready.origin = _origin(item)
        ready.record = Record(
            "",
            item.entity,
            item.agent,
            seen.text,
            item.at,
            item.at,
            item.at,
            kind,
            attribute,
            value,
            item.actionability or ("actionable" if open_ else "historical"),
            audience,
            seen.sensitivity,
            item.tier,
            item.source,
            certain if item.confidence is None else item.confidence,
            expires=self._expiry(ready, _lasting(kind, attribute, value), item.tier),
        )

    def _guess_slot(self, seen: Screened) -> tuple[str | None, Any]:
        from ..language.attributes import find_attribute, find_value

        attribute = find_attribute(seen.text)
        if attribute is None or seen.value is not None:
            return attribute, seen.value
        return attribute, find_value(seen.text, attribute)

    def _expiry(self, ready: Ready, kind: str, tier: str) -> datetime | None:
        """Return the earliest of what the kind, the caller and privacy set (R33, R91)."""
        item = ready.item
        ends = [] if ready.privacy_limit is None else [ready.privacy_limit]
        if item.ttl is not None:
            ends.append(item.at + item.ttl)
        elif (days := self.config.durable.ttl_days.get(kind)) is not None:
            if tier == "core":
                days = max(days, self.config.durable.core_days)
            ends.append(item.at + timedelta(days=days))
        return min(ends) if ends else None

    # ------------------------------------------------------------------ under the lock

    def decide(self, ready: Ready, shelf: Shelf | None, now: int) -> Decision:
        """Compare with the entity's live records; None: there is nothing to compare."""
        record = ready.record
        assert record is not None
        candidates = [] if shelf is None else self._candidates(record, ready, shelf, now)
        decision = self.duplicates(record, candidates)
        ready.reasons = decision.reasons
        for reason in decision.reasons:
            ready.trace.add("duplicates", "R94", "text", decision.action, reason)
        if decision.replaced:
            self._inherit(ready, decision)
        return decision

    def coming(
        self, group: Sequence[Ready], shelf: Shelf, now: int
    ) -> list[tuple[Record, list[Candidate]]]:
        """Return an entity's writes, each with what it may meet, those before it included."""
        import numpy as np

        new = [(r, r.record) for r in group if r.record is not None and r.vector is not None]
        vectors = np.array([r.vector for r, _ in new], np.float32)
        cosines = vectors @ vectors.T
        floor = self.config.duplicates.candidate_score
        writes = []
        for i, (ready, record) in enumerate(new):
            found = self._candidates(record, ready, shelf, now)
            for j in np.flatnonzero(cosines[i, :i] >= floor).tolist():
                old = new[j][1]
                seen = self.scopes.visible(old.agent, old.audience, "", (), record.agent)
                found.append(Candidate(old, float(cosines[i, j]), seen))
            writes.append((record, found))
        return writes

    def _candidates(self, record: Record, ready: Ready, shelf: Shelf, now: int) -> list[Candidate]:
        floor = self.config.duplicates.candidate_score
        return [
            Candidate(
                shelf.record(i), cosine, shelf.visible(shelf.rows[i], record.agent, self.scopes)
            )
            for i, cosine in shelf.near(record, ready.vector, floor, now)
        ]

    def _inherit(self, ready: Ready, decision: Decision) -> None:
        """Keep a lasting slot lasting: "moved to Leeds" is an event, what it fills is a fact."""
        record = ready.record
        assert record is not None
        kinds = [old.kind for old in decision.replaced if old.kind in _LASTING]
        if not kinds or ready.item.kind is not None or record.kind in _LASTING:
            return
        trace = f"{record.kind}, kept as the {kinds[0]} it replaces"
        ready.trace.add("label", "R90", "text", kinds[0], trace)
        expires = self._expiry(ready, kinds[0], record.tier)
        ready.record = record.with_(kind=kinds[0], expires=expires)


def _origin(item: Item) -> str | None:
    """Return a digest of what was said in which messages, so that a replay is recognised."""
    source = item.source
    if source.session_id is None:
        return None
    parts = [item.agent, source.session_id, *source.message_ids, item.text]
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2s(data, digest_size=12).hexdigest()

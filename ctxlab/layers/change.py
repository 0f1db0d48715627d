"""One transaction's changes to one entity's memories: rows, versions, shelf and audit together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..mitigations.duplicates import Decision
from ..storage import audit, records
from ..storage.hot import together
from ..storage.schema import to_micros
from ..storage.vectors import pack
from ..types import Record, WriteOutcome
from .durable import Ready
from .shelf import Shelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

__all__ = ["Change"]
Row = Mapping[str, Any]


class Change:
    """Changes under an entity's lock; ``finish`` chains what was done to the audit log.

    Parameters
    ----------
    connection : Connection
        Inside ``store.write(entity)``.
    shelf : Shelf
        The entity's, fresh; changed in step. If the transaction fails it must be dropped.
    now : datetime
        Instant of the change.
    space : int
        Generation of the vectors that are written.
    """

    def __init__(self, connection: Connection, shelf: Shelf, now: datetime, space: int) -> None:
        self.connection, self._shelf, self.now, self.space = connection, shelf, now, space
        self.entity, self._at = shelf.entity, to_micros(now)
        self.entries: list[audit.Entry] = []
        self._made = 0
        self.changed = False
        self._new: list[dict[str, Any]] = []  # inserted together: one by one costs three times that

    @property
    def shelf(self) -> Shelf:
        """The entity's shelf, with all that this change has done."""
        self.settle()
        self._shelf.catch_up()
        return self._shelf

    # ------------------------------------------------------------------ the four moves

    def add(
        self,
        record: Record,
        vector: NDArray[np.float32] | None,
        change: Row,
        session_id: str | None = None,
        origin: str | None = None,
    ) -> Record:
        """Insert a record under a new id, and return it."""
        # Unique in the entity for good: the chain only grows, through an erasure too.
        seed = f"{self.entity}|{self._shelf.head.seq}|{self._made}".encode()
        name = f"m-{hashlib.blake2s(seed, digest_size=8).hexdigest()}"
        record = record.with_(id=name)
        row = records.to_row(
            record,
            change,
            to_micros(record.valid_from),
            session_id=session_id,
            origin=origin,
            space=None if vector is None else self.space,
            vector=None if vector is None else pack(vector),
        )
        self._new.append(row)
        self._made += 1
        self.changed = True
        return record

    def alter(
        self,
        old: Row,
        record: Record,
        change: Row,
        vector: NDArray[np.float32] | None = None,
        at: datetime | None = None,
        **columns: Any,
    ) -> Record:
        """Make `record` the next version of row `old`, from `at` on."""
        self.settle()
        record = record.with_(version=old["version"] + 1)
        values = records.to_row(
            record,
            change,
            changed=max(self._at if at is None else to_micros(at), old["changed"]),
            **{"session_id": None, "origin": None, **columns},
        )
        for name in ("entity", "id", "accessed", "accesses"):  # reads count on their own
            del values[name]
        if vector is not None:
            values |= {"space": self.space, "vector": pack(vector)}
        records.change(self.connection, old, values)
        self.shelf.apply({**old, **values})
        self.changed = True
        return record

    def renew(self, record: Record) -> Record:
        """Note that a record was said again: no new version, a later expiry."""
        self.settle()
        old = self.row(record.id)
        expires = None if record.expires is None else to_micros(record.expires)
        values = {"updated": to_micros(record.updated), "expires": expires}
        records.update(self.connection, old, values)
        self.shelf.apply({**old, **values})
        self.changed = True
        return record

    def settle(self) -> None:
        """Insert what was added so far: for statements that must see it."""
        if self._new:
            records.add(self.connection, self._new)
            self._shelf.coming += self._new
            self._new = []

    def touch(self) -> None:
        """Note that memories changed by other means: shelves elsewhere are out of date."""
        self.changed = True

    def log(
        self, actor: str, action: str, ids: list[str], rule: str, reason: str | None = None
    ) -> None:
        """Note who did what, for the audit log.

        What is added in a row is one event: it came in one call, and a chain of a thousand links
        says no more than one of a thousand ids.
        """
        last = self.entries[-1] if self.entries else None
        if (
            last is not None
            and action == last.action == "added"
            and len(ids) == 1
            and (actor, rule, reason) == (last.actor, last.rule, last.reason)
        ):
            last.records.extend(ids)
            return
        self.entries.append(audit.Entry(self._at, actor, action, list(ids), rule, reason))

    def finish(self) -> None:
        """Insert what is new, and append the notes to the chain."""
        with together(self.connection):
            self.settle()
            if self.entries:
                shelf = self._shelf
                shelf.head = audit.append(
                    self.connection, self.entity, shelf.head, self.entries, self.changed
                )

    def row(self, record_id: str) -> Row:
        """Return a row in any status."""
        place = self.shelf.place.get(record_id)
        if place is not None:
            return self.shelf.rows[place]
        self.settle()
        return records.rows_of(self.connection, self.entity, [record_id])[0]

    # ------------------------------------------------------------------ a decided write

    def write(self, ready: Ready, decision: Decision, joined: Any) -> WriteOutcome:
        """Carry out what the duplicates policy decided.

        Parameters
        ----------
        joined : ndarray, optional
            Vector of the decision's text, where that is neither the old text nor the new one.
        """
        new, action = ready.record, decision.action
        assert new is not None
        if action == "discarded":
            self.log(new.agent, action, [], "R94 older than what it contradicts")
            return ready.outcome(action, decision.target)
        if action == "known":
            return self._known(ready, decision)
        if action == "supplemented":
            return self._supplement(ready, decision, joined)
        if action == "merged":
            return self._merge(ready, decision)
        gone = [*decision.replaced, *decision.absorbed]
        if gone:
            new = new.with_(
                text=decision.text,
                supersedes=tuple(r.id for r in decision.replaced),
                merged=tuple(r.id for r in decision.absorbed),
            )
        session_id, because = ready.item.source.session_id, _because(ready, "added")
        record = self.add(new, ready.vector, because, session_id, ready.origin)
        if gone:
            self._retire(ready, decision, record)
        self.log(new.agent, action, [record.id, *(r.id for r in gone)], "R94 " + action)
        ready.trace.add("store", "R35", record.id, action, f"version 1, {record.audience}")
        return ready.outcome(action, record)

    def _known(self, ready: Ready, decision: Decision) -> WriteOutcome:
        new, target = ready.record, decision.target
        assert new is not None and target is not None
        fuller = _renewed(target, new, ready.privacy_limit)
        if fuller.tier != target.tier:  # what is core from now on must say so to every reader
            change = _because(ready, "merged")
            target = self.alter(
                self.row(target.id), fuller, change, None, new.updated, **_from(ready)
            )
            now = f"said again, now {fuller.tier}"
            ready.trace.add("store", "R36", target.id, "renewed", now)
            self.log(new.agent, "renewed", [target.id], "R94 same words")
        elif new.updated > target.updated:
            target = self.renew(fuller)
            ready.trace.add("store", "R33", target.id, "renewed", "said again, later")
            self.log(new.agent, "renewed", [target.id], "R94 same words")
        else:
            ready.trace.add("store", "R94", target.id, "unchanged", "said no later than before")
            self.log(new.agent, "merged", [target.id], "R94 same words")
        return ready.outcome("merged", target)

    def _supplement(self, ready: Ready, decision: Decision, joined: Any) -> WriteOutcome:
        new, target = ready.record, decision.target
        assert new is not None and target is not None
        fuller = _renewed(target, new, ready.privacy_limit).with_(
            text=decision.text,
            value=target.value if new.value is None else new.value,
            attribute=target.attribute or new.attribute,
            sensitivity=tuple(sorted({*target.sensitivity, *new.sensitivity})),
        )
        vector = ready.vector if decision.text == new.text else joined
        change = _because(ready, "supplemented") | {"said": new.text}
        record = self.alter(
            self.row(target.id), fuller, change, vector, new.updated, **_from(ready)
        )
        self._retire(ready, decision, record)
        self.log(new.agent, "supplemented", [record.id], "R94 supplement")
        ready.trace.add("store", "R35", record.id, "supplemented", f"version {record.version}")
        return ready.outcome("supplemented", record)

    def _merge(self, ready: Ready, decision: Decision) -> WriteOutcome:
        """Keep the other wording as a record of its own, merged: it can be taken apart again."""
        new, target = ready.record, decision.target
        assert new is not None and target is not None
        wording = self.add(
            new.with_(status="merged", successor=target.id, valid_to=new.valid_from),
            ready.vector,
            _because(ready, "merged"),
            **_from(ready),
        )
        gone = [r.id for r in decision.absorbed]
        fuller = _renewed(target, new, ready.privacy_limit).with_(
            merged=(*target.merged, wording.id, *gone),
            supersedes=(*target.supersedes, *(r.id for r in decision.replaced)),
        )
        change = _because(ready, "merged") | {"other": wording.id}
        columns = {"session_id": new.source.session_id}
        record = self.alter(self.row(target.id), fuller, change, None, new.updated, **columns)
        self._retire(ready, decision, record)
        ids = [record.id, wording.id, *gone, *(r.id for r in decision.replaced)]
        self.log(new.agent, "merged", ids, "R94 duplicate")
        ready.trace.add("store", "R35", record.id, "merged", f"version {record.version}")
        return ready.outcome("merged", record)

    def _retire(self, ready: Ready, decision: Decision, heir: Record) -> None:
        """End what the new statement replaces, and what says the same in another role."""
        at = ready.item.at
        for status, group in (("superseded", decision.replaced), ("merged", decision.absorbed)):
            for record in group:
                ended = record.with_(status=status, successor=heir.id, valid_to=at)
                change = _because(ready, status) | {"other": heir.id}
                columns = {"session_id": heir.source.session_id}
                if ready.item.source.session_id is not None:
                    columns["session_id"] = ready.item.source.session_id
                self.alter(self.row(record.id), ended, change, None, at, **columns)


def _because(ready: Ready, action: str) -> dict[str, Any]:
    return {"action": action, "by": ready.item.agent, "reason": "; ".join(ready.reasons)}


def _from(ready: Ready) -> dict[str, Any]:
    return {"session_id": ready.item.source.session_id, "origin": ready.origin}


def _renewed(target: Record, new: Record, limit: datetime | None) -> Record:
    """Count a record as said again when `new` was; it lives at least as long as `new` would.

    `limit` is what privacy sets for `new`.
    """
    expires = target.expires
    if expires is not None:
        expires = None if new.expires is None else max(expires, new.expires)
    # A retention limit is not lifted by saying the thing again under another heading. The lifetime
    # of a kind is none: a number isn't forgotten because a passing remark repeats it.
    limits = [limit, target.expires if target.sensitivity else None]
    if known := [end for end in limits if end is not None]:
        expires = max(known)
    return target.with_(
        updated=max(target.updated, new.updated),
        expires=expires,
        confidence=max(target.confidence, new.confidence),
        tier="core" if "core" in (target.tier, new.tier) else target.tier,
    )

"""Looking back: a record's history, reads as of an instant, and reverts (R35)."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..clock import as_utc
from ..storage import records
from ..storage.schema import to_micros
from ..types import Record, Source, Version, check_name
from . import lifecycle
from .base import Base

__all__ = ["Chronicle"]


class Chronicle(Base):
    """The part of `Memory` that remembers how memories came to be what they are."""

    def get(self, record_id: str, *, entity: str, agent: str) -> Record | None:
        """Return a record in any status; None if there is none that this role may read."""
        steps = self.history(record_id, entity=entity, agent=agent)
        return steps[-1].record if steps else None

    def history(self, record_id: str, *, entity: str, agent: str) -> list[Version]:
        """Return a record's versions, oldest first; empty if there is none that may be read."""
        entity, agent = self._scoped(entity, agent)
        with self._lock:
            self.flush()
            shelf, now = self._shelf(entity), self._now()
            with self.store.read() as connection:
                rows = records.rows_of(connection, entity, [check_name(record_id, "record_id")])
                if not rows or not self._visible(shelf, rows[0], agent, now):
                    return []
                earlier = records.versions_of(connection, entity, record_id)
                merged = records.to_record(rows[0]).merged
                others = {r["id"]: r for r in records.rows_of(connection, entity, merged)}
            others = {i: r for i, r in others.items() if self._visible(shelf, r, agent, now)}
            self._note(entity, agent, "read", [record_id], now)
            return lifecycle.history(rows[0], earlier, others)

    def as_of(self, when: datetime | str, *, entity: str, agent: str) -> list[Record]:
        """Return the records that were live at an instant, as they were then (R35).

        What has expired since isn't shown: a limit on keeping holds for the past too.
        """
        entity, agent = self._scoped(entity, agent)
        instant = to_micros(as_utc(when, "when"))
        with self._lock:
            shelf, now = self._shelf(entity), self._now()
            with self.store.read() as connection:
                rows = records.rows_of(connection, entity)
                earlier = records.versions_of(connection, entity)
            readable = {r["id"] for r in rows if self._visible(shelf, r, agent, now)}
            steps = lifecycle.as_of(rows, earlier, instant)
            seen = [
                records.to_record(row)
                for row in steps
                if row["id"] in readable and self._visible(shelf, row, agent, max(now, instant))
            ]
            self._note(entity, agent, "as_of", [record.id for record in seen], now)
            return seen

    def replaced(self, *, entity: str, agent: str, within: str | None = None) -> tuple[str, ...]:
        """Return values that newer ones replaced and that no live record holds (R74).

        Parameters
        ----------
        entity, agent : str
            Whose memories, and the role that asks.
        within : str, optional
            Only those that this text holds, which costs what it finds: a request asks this.

        Returns
        -------
        tuple of str
            Ids, numbers and values with digits: what a transcript may still say, and what is
            wrong by now.
        """
        entity, agent = self._scoped(entity, agent)
        with self._lock:
            shelf, now = self._shelf(entity), self._now()
            known = shelf.replaced.get(agent)
            if known is None or known[0] != shelf.head.revision:
                with self.store.read() as connection:
                    rows = records.superseded(connection, entity)
                gone: dict[str, None] = {}
                for row in rows:
                    if self._visible(shelf, row, agent, now):
                        body = records.read_body(row["body"])
                        gone |= dict.fromkeys(lifecycle.values_of(body["text"], body.get("value")))
                known = shelf.head.revision, tuple(gone)
                shelf.replaced[agent] = known  # goes with the shelf, so with an erasure
            found = [x for x in known[1] if within is None or x in within]
            if not found:
                return ()
            live = shelf.readable(agent, self._writer.scopes, now).rows.tolist()
            return tuple(x for x in found if not lifecycle.says(shelf.rows, live, x))

    def revert(self, record_id: str, version: int, *, entity: str, by: str, reason: str) -> Record:
        """Make an earlier version of a record the newest again (R35).

        A superseded record that comes back ends the one in its place; a wording that was merged
        comes back as a record of its own; never do both of two contradictory ones live.

        Raises
        ------
        IdentityError
            If the entity has no such record.
        RecordError
            If it has no such version.
        """
        by, reason = self._signed(entity, by, reason)
        with self._change(entity) as change:
            row = self._found(change.connection, entity, record_id)
            earlier = records.versions_of(change.connection, entity, record_id)
            to = lifecycle.find_version(row, earlier, version)
            said = {"action": "reverted", "by": by, "reason": f"to version {version}: {reason}"}
            record = lifecycle.restore(change, row, to, said, self._embed_one)
            change.log(by, "reverted", [record_id], f"R35 version {version}", reason)
            return record

    def promote(self, record: Record, source: Source, *, by: str, reason: str) -> Record | None:
        """Make an episode lasting knowledge: the record's next version is core (R36, R100).

        What merely happened becomes a fact; agent, audience and words stay as they are, and the
        episode stays in the record's history.

        Parameters
        ----------
        record : Record
            As it was when this was decided.
        source : Source
            All messages that say it.
        by, reason : str
            Who decides and why.

        Returns
        -------
        Record or None
            None if it is gone, replaced or core by now: whoever was first has decided.
        """
        by, reason = self._signed(record.entity, by, reason)
        with self._change(record.entity) as change:
            rows = records.rows_of(change.connection, record.entity, [record.id])
            now = records.to_record(rows[0]) if rows else None
            if now is None or (now.status, now.tier, now.text) != ("live", "ordinary", record.text):
                return None
            kind = "fact" if now.kind == "event" else now.kind
            lasting = now.with_(tier="core", kind=kind, source=source)
            lasting = lasting.with_(expires=self._lasts(now, kind))
            said = {"action": "consolidated", "by": by, "reason": reason}
            columns = {"session_id": source.session_id}
            done = change.alter(rows[0], lasting, said, None, None, **columns)
            change.log(by, "consolidated", [done.id], "R100", reason)
            return done

    def _lasts(self, record: Record, kind: str) -> datetime | None:
        """Return when a record that becomes core expires; a limit set on purpose stays."""
        days, old = self.config.durable.ttl_days, record.expires
        usual = days.get(record.kind)
        short = usual is not None and old and old < record.updated + timedelta(days=usual)
        if old is None or usual is None or short or record.sensitivity:
            return old
        if kind not in days:
            return None
        return max(
            old, record.updated + timedelta(days=max(days[kind], self.config.durable.core_days))
        )

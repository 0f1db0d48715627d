"""Who may read, what is forgotten, and the proof of it (R34, R91, R92)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import EmbedderMismatch
from ..mitigations.privacy import ErasureCertificate, mask_value
from ..storage import audit, erasure, records
from ..storage.schema import to_micros
from ..storage.vectors import pack
from ..types import AuditEvent, AuditReport, Record, check_entity, check_name
from . import lifecycle
from .base import check_text
from .chronicle import Chronicle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

__all__ = ["Governance"]

_OUT_OF_REACH = (
    "backups and copies of the database",
    "disk blocks that the file system has freed",
    "what was sent to a model or written to other logs",
    "memory of other processes until they next use this entity",
    "the entity's id, in the audit log, which holds no content",
)
_OUT_OF_REACH_PG = (
    "PostgreSQL's write-ahead log, its archive and replicas",
    "space in PostgreSQL's files that is freed and not yet overwritten",
    *_OUT_OF_REACH,
)
_WITHHELD = "(withheld: it quoted what was erased)"


class Governance(Chronicle):
    """The part of `Memory` that answers to people: shares, deletion, export, audit."""

    def share(self, record_id: str, *, entity: str, to: str, by: str, reason: str) -> Record:
        """Let another agent role read a record.

        Parameters
        ----------
        record_id, entity : str
            The record.
        to : str
            The role.
        by, reason : str
            Who decides and why; both are audited.

        Raises
        ------
        IdentityError
            If the entity has no such record.
        """
        by, reason = self._signed(entity, by, reason)
        role = check_name(to, "to")
        with self._change(entity) as change:
            row = self._found(change.connection, entity, record_id)
            share = {"entity": entity, "id": record_id, "role": role, "by": by, "reason": reason}
            records.share(change.connection, {**share, "time": to_micros(change.now)})
            change.touch()
            change.log(by, "shared", [record_id], f"R92 to {role}", reason)
        self._shelves.drop(entity)
        return records.to_record(row)

    def unshare(self, record_id: str, *, entity: str, to: str, by: str, reason: str) -> bool:
        """Revoke a share; says whether there was one."""
        by, reason = self._signed(entity, by, reason)
        role = check_name(to, "to")
        with self._change(entity) as change:
            done = records.unshare(change.connection, entity, record_id, role)
            change.touch()
            change.log(by, "unshared", [record_id], f"R92 to {role}", reason)
        self._shelves.drop(entity)
        return done

    def forget(self, record_id: str, *, entity: str, by: str, reason: str) -> int:
        """Delete a record for good: its versions, its shares and the wordings merged into it.

        Returns
        -------
        int
            Records deleted.

        Raises
        ------
        IdentityError
            If the entity has no such record.
        """
        by, reason = self._signed(entity, by, reason)
        with self._change(entity) as change:
            self._found(change.connection, entity, record_id)
            rows = map(records.to_record, records.rows_of(change.connection, entity))
            same = [r.id for r in rows if r.status == "merged" and r.successor == record_id]
            ids = [record_id, *same]
            records.delete(change.connection, entity, ids)
            change.touch()
            change.log(by, "forgotten", ids, "R91", reason)
        self._shelves.drop(entity)
        self._shelves.forget(entity, ids)
        if self.store.sqlite:
            erasure.empty_log(self.store, patience=0.0)
        return len(ids)

    def undo(self, session_id: str, *, by: str, reason: str) -> list[str]:
        """Take back all that one session wrote (R34).

        What it added is retracted, what it replaced or changed returns to what it was, and nothing
        comes back beside what other sessions have put in its place since.

        Returns
        -------
        list of str
            Ids of the records that changed.
        """
        check_name(session_id, "session_id")
        by, reason = check_name(by, "by"), check_text(reason, "reason")
        reason = str(mask_value(reason, policy=self._writer.privacy))
        with self.store.read() as connection:
            entities = sorted({e for e, _ in records.touched_by(connection, session_id)})
        said = {"action": "undone", "by": by, "reason": f"session {session_id}: {reason}"}
        touched: list[str] = []
        for entity in entities:
            with self._change(entity) as change:
                rows = records.rows_of(change.connection, entity)
                earlier = records.versions_of(change.connection, entity)
                done = lifecycle.undo(change, rows, earlier, session_id, said, self._embed_one)
                change.log(by, "undone", done, f"R34 session {session_id}", reason)
                touched += done
        return touched

    def sweep(self) -> int:
        """Delete records whose time is over, with their versions; returns how many (R33)."""
        with self.store.read() as connection:
            over = records.expired(connection, self._now())
        by_entity: dict[str, list[str]] = {}
        for entity, record_id in over:
            by_entity.setdefault(entity, []).append(record_id)
        for entity, ids in by_entity.items():
            with self._change(entity) as change:
                records.delete(change.connection, entity, ids)
                change.touch()
                change.log("sweep", "expired", ids, "R33")
            self._shelves.drop(entity)
            self._shelves.forget(entity, ids)
        if over and self.store.sqlite:
            erasure.empty_log(self.store, patience=0.0)
        return len(over)

    # ------------------------------------------------------------------ the subject's rights

    def export(self, entity: str, *, by: str, reason: str) -> dict[str, Any]:
        """Return all that is stored about an entity, JSON-ready (R91).

        Returns
        -------
        dict
            ``memories``, ``versions``, ``shares``, ``sessions``, ``messages``, ``state``,
            ``chunks``, ``digests``, ``marks`` and ``audit``, with the entity and the time.
        """
        by, reason = self._signed(entity, by, reason)
        with self._change(entity) as change:
            change.log(by, "exported", [], "R91", reason)
        with self.store.read() as connection:
            tables = erasure.everything(connection, entity)
            earlier = records.versions_of(connection, entity)
            log = audit.events(connection, entity)
        mine = [records.to_record(row).to_dict() for row in tables.pop("memories")]
        tables.pop("versions")
        data: dict[str, Any] = {"entity": entity, "time": self.clock.now().isoformat()}
        data |= {"memories": mine, "versions": [records.to_record(r).to_dict() for r in earlier]}
        data |= {name: [_plain(row) for row in rows] for name, rows in tables.items()}
        data["audit"] = [_plain({n: getattr(e, n) for n in e.__slots__}) for e in log]
        return data

    def erase(self, entity: str, *, by: str, reason: str) -> ErasureCertificate:
        """Delete everything about an entity, and look for what may be left (R91).

        Memories, versions, shares, sessions, messages, state, summaries, vectors and caches go.
        Then every byte of a SQLite database and its side files is searched for the deleted text;
        PostgreSQL's tables are vacuumed, and every row that still names the entity is searched.
        The audit log stays: it holds ids, never content.

        Returns
        -------
        ErasureCertificate
            With ``residue == 0`` if nothing was found. Text that another entity holds as well is
            theirs and doesn't count.
        """
        by, reason = self._signed(entity, by, reason)
        with self._lock:
            for hook in self.on_erase:
                hook(entity)
            with self._change(entity, "") as change:  # "": sessions of any engine on this store
                connection = change.connection
                rows = erasure.everything(connection, entity)
                said = [e.reason for e in audit.events(connection, entity) if e.reason]
                pieces = erasure.pieces_of(rows, said)
                counts = erasure.delete_all(connection, entity)
                quoted = any(p in reason.encode("utf-8", "surrogatepass") for p in pieces)
                change.touch()
                change.log(by, "erased", [], "R91", _WITHHELD if quoted else reason)
            self._shelves.drop(entity)
            self._shelves.forget(entity)
            self._drop_vectors(rows["memories"])
            found = erasure.find_residue(self.store, entity, pieces)
            certificate = ErasureCertificate(
                entity=entity,
                by=by,
                reason=reason,
                time=self.clock.now(),
                counts=counts,
                residue=found.left,
                searched=found.searched,
                pieces=len(pieces),
                out_of_reach=_OUT_OF_REACH if self.store.sqlite else _OUT_OF_REACH_PG,
            ).sealed()
            with self._change(entity) as change:
                change.log(by, "certified", [], f"R91 {certificate.digest}")
            return certificate

    def _drop_vectors(self, rows: list[dict[str, Any]]) -> None:
        forget = getattr(self._space.loaded, "forget", None)
        if forget is not None:
            forget(records.to_record(row).topic_text for row in rows)
        from ..models.embedding import get_embedder

        default = get_embedder("auto")  # labels and comparisons embed with it, whatever ours is
        clear = getattr(default, "clear", None)
        if clear is not None:
            clear()  # they embed sentences and clauses too: cheaper to refill than to trace

    # ------------------------------------------------------------------ the log

    def audit(self, entity: str | None = None) -> list[AuditEvent]:
        """Return who did what, when and why: of one entity, or of all; no content (R91)."""
        if entity is not None:
            check_entity(entity)
        self.flush()
        with self.store.read() as connection:
            return audit.events(connection, entity)

    def verify_audit(self, heads: Mapping[str, tuple[int, str]] | None = None) -> AuditReport:
        """Recompute every chain of the audit log.

        Parameters
        ----------
        heads : mapping, optional
            ``report.heads`` of an earlier check, kept elsewhere: detects even a log cut short by
            someone who mended the rest.

        Returns
        -------
        AuditReport
            True if nothing was edited, removed, reordered or cut.
        """
        self.flush()
        with self.store.read() as connection:
            return audit.verify(connection, dict(heads or {}))

    # ------------------------------------------------------------------ change of model

    def reembed(self, progress: bool = False) -> int:
        """Make all vectors again with this memory's model; returns how many (R45).

        Safe to interrupt and call again: a vector not made again yet counts as absent, and its
        record is found by keywords meanwhile.
        """
        from tqdm import tqdm

        if self._space.embedder is None:
            raise EmbedderMismatch("this memory has no model: open it with embedder=")
        with self._lock, self.store.write("") as connection:
            _, space = self._space.claim(connection, again=True)
        self._shelves.drop()
        done = 0
        with tqdm(desc="vectors", unit="", disable=not progress) as bar:
            while True:
                with self.store.read() as connection:
                    rows = records.outdated(connection, space, 256)
                if not rows:
                    return done
                self._make_vectors(rows, space)
                done += len(rows)
                bar.update(len(rows))

    def _make_vectors(self, rows: list[records.Row], space: int) -> None:
        made = self._space.encode([records.to_record(row).topic_text for row in rows])
        assert made is not None
        by_entity: dict[str, list[int]] = {}
        for i, row in enumerate(rows):
            by_entity.setdefault(row["entity"], []).append(i)
        for entity, places in by_entity.items():
            with self._change(entity) as change:
                for i in places:
                    self._set_vector(change.connection, rows[i], pack(made[i]), space)
                change.touch()
                change.log("reembed", "embedded", [rows[i]["id"] for i in places], "R45")
            self._shelves.drop(entity)

    def _set_vector(
        self, connection: Connection, row: records.Row, vector: bytes, space: int
    ) -> None:
        """Set a vector unless the text has changed since it was read."""
        now = records.rows_of(connection, row["entity"], [row["id"]])
        if now and now[0]["version"] == row["version"]:
            records.update(connection, row, {"vector": vector, "space": space})


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Make a row JSON-ready; vectors are left out, they are made from the text beside them."""
    shown = {k: v for k, v in row.items() if not isinstance(v, bytes | memoryview)}
    return {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in shown.items()}

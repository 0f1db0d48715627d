"""What all of `Memory`'s methods share: the store, the lock, the shelves, one way to change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..clock import Clock, SystemClock
from ..config import Config
from ..errors import IdentityError
from ..mitigations.contamination import Fade
from ..mitigations.privacy import mask_value
from ..mitigations.scale import ScalePolicy
from ..storage import audit, records
from ..storage.schema import to_micros
from ..storage.store import Store
from ..types import Hit, RecordError, check_entity, check_name
from .change import Change
from .durable import Ready, Writer
from .glimpse import glimpse, pack
from .reads import WAITING, Reads
from .semantic import Query
from .shelf import Shelf
from .shelves import Shelves
from .space import Space

if TYPE_CHECKING:
    from typing import Self

    from sqlalchemy.engine import Connection

__all__ = ["Base", "check_text"]


class Base:
    """Holds the parts; see `Memory`."""

    def __init__(
        self,
        url: str | Store = "sqlite://",
        embedder: Any = "auto",
        config: Config | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.config = config or Config()
        self.clock = clock or SystemClock()
        self.on_erase: list[Callable[[str], None]] = []
        """Called with the entity before its rows are deleted: drop what you hold of it."""
        self._own = isinstance(url, str)
        self.store = Store(url) if isinstance(url, str) else url
        self._lock = threading.RLock()  # taken before the store's, always
        self._space = Space(self.store, embedder)
        self._fade = Fade(self.config.decay, self.config.mitigations.contamination)
        self._writer = Writer.of(self.config)
        self._shelves = Shelves(
            self.store, self._fade, ScalePolicy(self.config.index, self.config.mitigations.scale)
        )
        self._reads = Reads(self.config.durable)
        self._heaviest = max([1.0, *self.config.semantic.source_weights.values()])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def flush(self) -> None:
        """Write the reads that wait: access counts and audit events."""
        with self._lock:
            waiting = list(self._reads.waiting)
            # One commit for all, where all are on one machine.
            for group in [waiting] if self.store.sqlite else [[entity] for entity in waiting]:
                if group:
                    with self._changes(group):
                        pass  # entering takes them along

    def close(self) -> None:
        """Flush, and close the database if this memory opened it."""
        self.flush()
        with self._lock:
            self._shelves.close()
        if self._own:
            self.store.close()

    # ------------------------------------------------------------------ inside

    @contextmanager
    def _change(self, entity: str, *others: str) -> Iterator[Change]:
        """Hold an entity's lock for one transaction; all or nothing, shelf and audit included.

        `others` are locked as well, and whoever caches them looks again.
        """
        with self._changes([entity], *others) as (change,):
            yield change

    @contextmanager
    def _changes(self, entities: Sequence[str], *others: str) -> Iterator[list[Change]]:
        with self._lock:
            try:
                with self.store.write(*entities, *others) as connection:
                    changes = [self._begin(connection, entity) for entity in entities]
                    yield changes
                    for change in changes:
                        change.finish()
                        pack(change, self._shelves.wanted)
                        self._shelves.follow(change.entity)
            except BaseException:
                for entity in entities:
                    self._shelves.drop(entity)  # it may hold what was rolled back
                raise
            for entity in entities:
                self._reads.forget(entity)

    def _begin(self, connection: Connection, entity: str) -> Change:
        version = self.store.version(entity)
        dimension, space = self._space.current(version, connection)
        shelf = self._shelves.get(entity, dimension, space, version, connection)
        change = Change(connection, shelf, self.clock.now(), space)
        self._reads.write(change)
        return change

    def _shelf(self, entity: str) -> Shelf:
        version = self.store.version(entity)
        if version is not None or self._shelves.peek(entity) is None:
            shelf = self._shelves.get(entity, *self._space.current(version), version)
        else:
            with self.store.glance() as connection:  # both are asked for by one visit
                known = self._space.current(None, connection)
                head = audit.head_of(connection, entity)
            shelf = self._shelves.get(entity, *known, None, head=head)
        shelf.catch_up()
        return shelf

    def _glimpse(self, entity: str, agent: str, query: Query) -> list[Hit] | None:
        """Search by vector without loading an entity's memories, if that can be done."""
        _, space = self._space.current(self.store.version(entity))
        self._space.check()
        return glimpse(self._shelves, entity, agent, query, self._writer.scopes, space)

    def _foresee(self, groups: Sequence[Sequence[Ready]]) -> None:
        """Embed in one batch what many writes' comparisons will take, before any entity is locked.

        Each decision hangs on the writes before it, so they are still made one by one; what has
        changed by then is embedded then.
        """
        policy = self._writer.duplicates
        if not policy.on or sum(map(len, groups)) < 2:
            return
        writes = []
        with self._lock:
            for group in groups:
                shelf = self._shelf(group[0].item.entity)
                self._space.check()
                writes += self._writer.coming(group, shelf, self._now())
        policy.foresee(writes)

    def _note(self, entity: str, agent: str, action: str, ids: list[str], at: int) -> None:
        self._reads.note(entity, agent, action, ids, at)
        if self._reads.count >= WAITING:
            self.flush()

    def _now(self) -> int:
        return to_micros(self.clock.now())

    def _scoped(self, entity: str, agent: str) -> tuple[str, str]:
        return check_entity(entity), check_name(agent, "agent")

    def _signed(self, entity: str, by: str, reason: str) -> tuple[str, str]:
        """Check who asks and why; what is typed as a reason is masked like any raw text."""
        check_entity(entity)
        by, reason = check_name(by, "by"), check_text(reason, "reason")
        return by, str(mask_value(reason, policy=self._writer.privacy))

    def _visible(self, shelf: Shelf, row: records.Row, agent: str, now: int) -> bool:
        """Whether a role may read a row in any status, at an instant."""
        alive = row["expires"] is None or row["expires"] > now
        return alive and shelf.visible(row, agent, self._writer.scopes)

    def _found(self, connection: Connection, entity: str, record_id: str) -> records.Row:
        """Return a record's row.

        Raises
        ------
        IdentityError
            If the entity has no such record.
        """
        rows = records.rows_of(connection, entity, [check_name(record_id, "record_id")])
        if not rows:
            raise IdentityError(f"record_id: {entity} has no record {record_id!r}")
        return rows[0]

    def _embed_one(self, text: str) -> Any:
        vectors = self._space.encode([text])
        return None if vectors is None else vectors[0]


def check_text(text: object, field: str) -> str:
    """Return text that isn't blank.

    Raises
    ------
    RecordError
        Otherwise.
    """
    if not isinstance(text, str) or not text.strip():
        raise RecordError(f"expected text that isn't blank, got {text!r:.80}", field)
    return text

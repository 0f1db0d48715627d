"""The face of layers two and three: write, search, look back (R30 to R45)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ..messages import Message
from ..mitigations.contamination import activation
from ..mitigations.duplicates import Decision
from ..storage import records
from ..storage.schema import to_micros
from ..storage.vectors import unit
from ..types import Hit, RawHit, Record, RecordError, Source, WriteOutcome, check_entity
from .base import check_text
from .change import Change
from .durable import Ready
from .governance import Governance
from .items import Item, parse_item
from .nearest import IndexReport, Nearest
from .passages import Passage, Passages
from .semantic import KEYWORD_MIN, Query, rank

__all__ = ["Memory"]

_CHUNK = 256  # writes prepared together: one batch for the models, short locks
_MODES = ("hybrid", "dense", "keyword")
_ANY = 1e-9  # relevance that any shared word exceeds


class Memory(Governance):
    """Long-term memory of many entities in one database, with or without an engine.

    Parameters
    ----------
    url : str or Store
        ``"sqlite:///lab.db"``, ``"sqlite://"`` (in memory), ``"postgresql+psycopg://…"``.
    embedder : str, Embedder or None
        ``"auto"``, ``"minilm"``, a model's name or folder, an embedder; None: keywords only.
    config : Config, optional
        Thresholds, policies, switches.
    clock : Clock, optional
        Default: the machine's.

    Notes
    -----
    Every method names its entity, ``kind:id``, compared exactly; no call returns another's record.
    Reads are audited and counted in batches: see ``flush``.

    Examples
    --------
    >>> memory = Memory("sqlite://")
    >>> outcome = memory.write("习惯用文字沟通", entity="customer:U001", agent="support")
    >>> outcome.action, outcome.record.kind
    ('added', 'preference')
    >>> hits = memory.search("打电话还是用文字联系", entity="customer:U001", agent="support")
    >>> [hit.record.text for hit in hits]
    ['习惯用文字沟通']
    >>> memory.search("打电话还是用文字联系", entity="customer:U002", agent="support")
    []
    """

    # ------------------------------------------------------------------ writing

    def write(
        self,
        text: str,
        *,
        entity: str,
        agent: str,
        at: datetime | str | None = None,
        source: Source | str | Mapping[str, Any] | None = None,
        kind: str | None = None,
        attribute: str | None = None,
        value: Any = None,
        audience: str | None = None,
        ttl: timedelta | float | None = None,
        strict: bool = False,
    ) -> WriteOutcome:
        """Remember one statement: privacy, label, scope, duplicates, store, in one transaction.

        Parameters
        ----------
        text : str
            One full sentence.
        entity, agent : str
            Whose memory it is; the agent role that heard it.
        at : datetime, optional
            When it was said, aware. Default: now.
        source : Source, str or mapping, optional
            Where it comes from; default ``manual``.
        kind, attribute, value, audience : optional
            What is known of it; the rest is worked out from the words.
        ttl : timedelta or float, optional
            How long it may live, in days if a number; default by kind.
        strict : bool
            Raise if policy refuses it, instead of saying so in the outcome.

        Returns
        -------
        WriteOutcome
            ``.action``, ``.record`` and ``.reasons``.

        Raises
        ------
        RecordError, IdentityError, NaiveDatetime
            A field is wrong; the text names it.
        SensitiveContentRefused
            Policy refuses the content, and `strict`.
        EmbedderMismatch
            The stored vectors come from another model.
        """
        data = {
            "text": text,
            "entity": entity,
            "agent": agent,
            "at": at,
            "source": source,
            "kind": kind,
            "attribute": attribute,
            "value": value,
            "audience": audience,
            "ttl": ttl,
            "strict": strict,
        }
        return self._write([parse_item(data, self.clock.now())])[0]

    def write_many(
        self,
        items: Iterable[str | Mapping[str, Any]],
        entity: str | None = None,
        agent: str | None = None,
        progress: bool = False,
    ) -> list[WriteOutcome]:
        """Remember many statements; the models see them in batches.

        Parameters
        ----------
        items : iterable of str or dict
            Texts, or dicts with `text` and any field of ``write``, and `vector`, `tier`,
            `confidence`, `actionability`.
        entity, agent : str, optional
            For items that don't say.
        progress : bool
            Show a bar.

        Returns
        -------
        list of WriteOutcome
            In the order of `items`. All are checked in form before the first is stored.
        """
        now = self.clock.now()
        parsed = []
        for given in items:
            data = {"text": given} if isinstance(given, str) else given
            if not isinstance(data, Mapping):
                raise RecordError(f"expected texts or dicts, got {type(given).__name__}", "items")
            parsed.append(parse_item(data, now, entity, agent))
        chunks = [parsed[start : start + _CHUNK] for start in range(0, len(parsed), _CHUNK)]
        if not progress:
            return [outcome for chunk in chunks for outcome in self._write(chunk)]
        from tqdm import tqdm

        outcomes: list[WriteOutcome] = []
        with tqdm(total=len(parsed), desc="memories", unit="") as bar:
            for chunk in chunks:
                outcomes += self._write(chunk)
                bar.update(len(chunk))
        return outcomes

    def _write(self, items: Sequence[Item]) -> list[WriteOutcome]:
        ready = self._writer.prepare(items, self.clock.now())
        self._embed(ready)
        by_entity: dict[str, list[int]] = {}
        for i, r in enumerate(ready):
            by_entity.setdefault(r.item.entity, []).append(i)
        compared = any(r.vector is not None for r in ready)
        if compared:
            self._claim_space()
            if self._writer.duplicates.on and len(ready) > 1:
                self._foresee([[ready[i] for i in places] for places in by_entity.values()])
        outcomes: dict[int, WriteOutcome] = {}
        # Comparing takes milliseconds a write, so then each entity is locked by itself.
        together = self.store.sqlite and not self._writer.duplicates.on
        for entities in [list(by_entity)] if together else [[entity] for entity in by_entity]:
            with self._changes(entities) as changes:
                if compared:
                    self._space.check()
                for change in changes:
                    for i in by_entity[change.entity]:
                        outcomes[i] = self._store(change, ready[i])
        return [outcomes[i] for i in range(len(ready))]

    def _embed(self, ready: Sequence[Ready]) -> None:
        """Give each write its vector, all missing ones in one batch, before any lock is held."""
        todo = []
        for r in ready:
            if r.record is not None and r.item.vector is not None:
                model = self._space.embedder
                if model is None:
                    raise RecordError("this memory has no model to compare it with", "vector")
                r.vector = unit(r.item.vector, model.dimension)
            elif r.record is not None:
                todo.append((r, r.record.topic_text))
        made = self._space.encode([text for _, text in todo]) if todo else None
        if made is not None:
            for (r, _), row in zip(todo, made, strict=True):
                r.vector = row

    def _claim_space(self) -> None:
        """Note that the stored vectors are this model's, before the first is written."""
        if self._space.known:
            return
        if self._space.current(self.store.version()) == (0, 0):
            with self._lock, self.store.write("") as connection:  # one model for all entities
                self._space.claim(connection)
            self._shelves.drop()  # loaded without a dimension

    def _store(self, change: Change, ready: Ready) -> WriteOutcome:
        if ready.record is None:
            change.log(ready.item.agent, ready.stopped, [], ready.rule)
            return ready.outcome(ready.stopped, None)
        if (session := ready.item.source.session_id) is not None and ready.origin is not None:
            change.settle()
            known = records.with_origin(change.connection, change.entity, session, ready.origin)
            if known is not None:
                reason = f"{known} was made from exactly this before"
                ready.trace.add("store", "R94", known, "unchanged", reason)
                return ready.outcome("merged", records.to_record(change.row(known)))
        shelf = change.shelf if self._writer.duplicates.on else None
        decision = self._writer.decide(ready, shelf, to_micros(change.now))
        return change.write(ready, decision, self._joined(ready, decision))

    def _joined(self, ready: Ready, decision: Decision) -> Any:
        """Embed a text that was put together from an old one and a new one."""
        new, old = ready.record, decision.target
        if decision.action != "supplemented" or new is None or old is None:
            return None
        record = old.with_(text=decision.text, attribute=old.attribute or new.attribute)
        return self._embed_one(record.topic_text)

    # ------------------------------------------------------------------ reading

    def search(
        self,
        query: Any,
        *,
        entity: str,
        agent: str,
        k: int | None = None,
        min_score: float | None = None,
        mode: str | None = None,
    ) -> list[Hit]:
        """Find what bears on a question (R40 to R43).

        Parameters
        ----------
        query : str or array
            A question; or its vector, of the memory's model, for a dense search.
        entity, agent : str
            Whose memories, and the role that asks.
        k : int, optional
            Hits at most; default ``semantic.k``, 5.
        min_score : float, optional
            Least score, 0 to 1; default ``semantic.min_score``, else the embedder's own.
        mode : str, optional
            ``hybrid`` (default), ``dense`` or ``keyword``.

        Returns
        -------
        list of Hit
            Best first; empty if nothing is relevant enough.
        """
        entity, agent = self._scoped(entity, agent)
        made = self._query(query, k, min_score, mode)
        with self._lock:
            hits = None
            if made.text is None and self._shelves.peek(entity) is None:
                hits = self._glimpse(entity, agent, made)
            if hits is None:
                shelf = self._shelf(entity)
                self._space.check()
                readable = shelf.readable(agent, self._writer.scopes, made.now)
                hits = rank(shelf, made, readable, self._shelves.nearest(shelf))
            self._note(entity, agent, "search", [hit.record.id for hit in hits], made.now)
            return hits

    def _query(self, query: Any, k: int | None, min_score: float | None, mode: str | None) -> Query:
        semantic = self.config.semantic
        mode = mode or semantic.mode
        k = semantic.k if k is None else k
        if mode not in _MODES:
            raise RecordError(f"{mode!r} is not one of {', '.join(_MODES)}", "mode")
        if not isinstance(k, int) or k < 1:
            raise RecordError(f"expected 1 or more, got {k!r:.80}", "k")
        text = query if isinstance(query, str) else None
        model = None if mode == "keyword" and text is not None else self._space.embedder
        vector = None
        if model is not None:
            if text is None:
                vector = unit(query, model.dimension)
            elif text.strip():
                vector = model.encode([text])[0]
        elif text is None or mode == "dense":
            raise RecordError("needs a model: open the memory with embedder=", "mode")
        floor = semantic.min_score if min_score is None else min_score
        if floor is None:
            floor = KEYWORD_MIN if model is None else model.min_score
        if not isinstance(floor, int | float) or not 0 <= floor <= 1:
            raise RecordError(f"expected a number from 0 to 1, got {floor!r:.80}", "min_score")
        weights = semantic.source_weights
        return Query(text, vector, mode, k, floor, self._now(), weights, self._heaviest)

    def indexed(self, entity: str, wait: bool = False) -> IndexReport:
        """Say how an entity is searched: exactly, or by an index that is due, built, or ready.

        Parameters
        ----------
        entity : str
            Whose memories.
        wait : bool
            Until an index that is due is ready.
        """
        with self._lock:
            shelf = self._shelf(check_entity(entity))
            nearest = self._shelves.nearest(shelf) or Nearest(self._shelves.scale)
            return nearest.report(shelf, wait)

    def knows(self, entity: str) -> bool:
        """Whether anything is remembered of an entity; costs microseconds once it was looked at."""
        with self._lock:
            return bool(self._shelf(check_entity(entity)).rows)

    def profile(self, *, entity: str, agent: str, limit: int | None = None) -> list[Record]:
        """Return what is known of an entity: core first, then by recency and frequency of use.

        Parameters
        ----------
        entity, agent : str
            Whose memories, and the role that asks.
        limit : int, optional
            Records at most; default ``durable.profile_limit``, 10.

        Notes
        -----
        Ordered by ACT-R's base-level activation. Feelings are never among them (R90), and being
        in a profile doesn't count as use, or whatever is in it would stay in it.
        """
        entity, agent = self._scoped(entity, agent)
        limit = self.config.durable.profile_limit if limit is None else limit
        if not isinstance(limit, int) or limit < 1:
            raise RecordError(f"expected 1 or more, got {limit!r:.80}", "limit")
        with self._lock:
            if entity in self._reads.waiting:
                self.flush()
            shelf, now = self._shelf(entity), self._now()
            rows = shelf.readable(agent, self._writer.scopes, now).rows.tolist()
            rows = [i for i in rows if self._fade.in_profile(shelf.rows.value(i, "kind"))]
            strength = activation(*shelf.use(now, rows)).tolist()
            ranked = sorted(
                (not shelf.is_core(i), -s, shelf.rows.value(i, "id"), i)
                for i, s in zip(rows, strength, strict=True)
            )
            found = [shelf.record(i) for *_, i in ranked[:limit]]
            self._note(entity, agent, "profile", [record.id for record in found], now)
            return found

    def recall_raw(self, query: str, *, entity: str, agent: str, k: int = 5) -> list[RawHit]:
        """Find raw messages in cold storage, word for word as they were stored (R14).

        Parameters
        ----------
        query : str
            Words to look for.
        entity, agent : str
            Whose messages; a role finds only what was said to it.
        k : int
            Hits at most.

        Notes
        -----
        The answer to a question that holds the words is found with it: "the one ending in 8842".
        """
        entity, agent = self._scoped(entity, agent)
        check_text(query, "query")
        now = self.clock.now()
        since = now - timedelta(days=self.config.session.raw_days)
        role = agent if self._writer.scopes.on else None
        with self._lock:
            with self.store.read() as connection:
                rows = records.raw_messages(connection, entity, role, since)
            said = [Message.of({**r["body"], "id": r["id"], "time": r["time"]}) for r in rows]
            index = Passages()
            for n, (row, message) in enumerate(zip(rows, said, strict=True)):
                index.add(Passage(row["session_id"], n, n, message.text, row["time"]))
            found = [(hit.passage.first, hit.score) for hit in index.search(query, None, k, _ANY)]
            hits = [RawHit(said[n], rows[n]["session_id"], rows[n]["agent"], x) for n, x in found]
            self._note(entity, agent, "raw", [str(hit.message.id) for hit in hits], to_micros(now))
            return hits

"""What of the past a request may need: loaded for one session, one role, one question (R46, R60).

Passages of past sessions and of this one's older turns, the previous session's conclusion, and
what the structured summary holds. Everything is filtered by entity in the query and by role.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .context.background import passage_text
from .context.blocks import Block
from .context.digest import Digest, Holding, Item
from .context.loss import LossMeter
from .layers.passages import Passage, PassageHit, Passages, excerpt, search_together
from .layers.session import Narrative, SessionLog
from .storage import conversations as sql
from .storage.vectors import unpack
from .turns import FRAME

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .models.embedding import Embedder

__all__ = ["Recall"]

_PASSAGE_LENGTHS = 3  # a passage may be this many times as long as another retrieved item (R44)
_MAX_PAST = 400  # passages of past sessions held for one session


@dataclass
class Recall:
    """The past of one session as one role may see it.

    Parameters
    ----------
    log : SessionLog
        The session.
    role : str, optional
        Only what this role heard; None lifts the filter (scopes switched off).
    embedder : Embedder, optional
        Without one, words alone.
    calm : bool
        Leave feelings of past sessions out (the contamination switch).
    """

    log: SessionLog
    role: str | None
    embedder: Embedder | None
    calm: bool = True
    _here: Passages = field(default_factory=Passages, repr=False)
    _before: Passages | None = field(default=None, repr=False)
    _holding: Holding = field(default_factory=Holding, repr=False)
    _items: tuple[list[Narrative], list[Narrative]] = field(default=([], []), repr=False)
    _lines: dict[Item, Narrative] = field(default_factory=dict, repr=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _taken: int = 0
    _covered: int = 0
    _conclusion: Block | None = field(default=None, repr=False)
    _concluded: bool = False

    def items(self) -> tuple[list[Narrative], list[Narrative]]:
        """Return the structured summary's firm lines and the rest, by importance (R20)."""
        self._take()
        return self._items

    def passages(self, query: str, k: int, min_score: float, before: int) -> list[PassageHit]:
        """Search this session's turns before message `before`, and past sessions.

        If the question leans on the past but shares nothing with it ("the plan from last time"),
        the latest passage of the previous session is what it leans on.
        """
        self._take()
        vector = self._embed(query)
        past = self._past()
        parts = ((self._here, before), (past, None))
        hits = search_together(parts, query, vector, k, min_score)
        latest = past.latest()
        if not hits and latest is not None:
            hits = [PassageHit(latest, min_score, None, 0.0)]
        return hits

    def block(self, hits: list[PassageHit], query: str, max_chars: int) -> Block | None:
        """Return hits as a block: relevance in per cent, session and date each (R70, R73)."""
        lines = []
        for hit in hits:
            here = hit.passage.session_id == self.log.id
            where = "this session" if here else f"session {hit.passage.session_id}"
            text = excerpt(hit.passage.text, query, _PASSAGE_LENGTHS * max_chars)
            lines.append(f"[{hit.score:.0%}] ({where}, {hit.passage.time:%Y-%m-%d}) {text}")
        if not lines:
            return None
        return Block("past", tuple(lines), "search", title="Relevant past, with its relevance")

    def emotions(self) -> list[str]:
        """Return this session's sentences that only carry feeling."""
        return [text for row in self.log.digests for text in row["body"].get("emotions", ())]

    def conclusion(self) -> Block | None:
        """Return what was concluded in this user's previous session with the same role."""
        if not self._concluded:
            self._concluded = True
            self._conclusion = self._find_conclusion()
        return self._conclusion

    def _find_conclusion(self) -> Block | None:
        row = self.log.row
        if row["user_id"] is None:
            return None
        with self.log.store.read() as connection:
            rows = sql.sessions_of(connection, self.log.entity)
        done = [
            r
            for r in rows
            if r["conclusion"]
            and r["id"] != row["id"]
            and r["started"] <= row["started"]
            and self.role in (None, r["conclusion"]["agent"])
        ]
        if not done:
            return None
        last = done[-1]
        title = "Conclusion of the previous session"
        lines = tuple(last["conclusion"]["lines"])
        return Block("conclusion", lines, f"session {last['id']}", last["ended"], title)

    def _take(self) -> None:
        """Take in digests written since the last look."""
        with self._guard:  # the background thread does it ahead of the request
            fresh, chunks = self.log.digests[self._taken :], self.log.chunks[self._covered :]
            if fresh:
                self._take_in(fresh)
            if chunks:
                self._cover(chunks)
                self._covered += len(chunks)
            if fresh or chunks:
                firm, rest = self._holding.ranked()
                self._items = [self._lines[x] for x in firm], [self._lines[x] for x in rest]

    def _take_in(self, fresh: Sequence[Mapping[str, Any]]) -> None:
        for row, vector in zip(fresh, self._vectors(fresh), strict=True):
            if self.role in (None, row["agent"]):
                self._holding.extend(Digest.from_dict(row["body"]).items)
                said = [m for m in self.log.messages_between(row["first_seq"], row["last_seq"])]
                first, last = row["first_seq"], row["last_seq"]
                passage = Passage(self.log.id, first, last, passage_text(said), row["time"])
                self._here.add(passage, vector)
        self._taken += len(fresh)
        held = self._holding.items()
        self._lines = {item: self._lines.get(item) or self._line(item) for item in held}

    def _line(self, item: Item) -> Narrative:
        turn, line = self.log.turn_at(item.seq), item.line
        tokens = self.log.counter.count(line + "\n")
        return Narrative(turn, turn, line, tokens, None, FRAME in line)

    def _cover(self, chunks: Sequence[Mapping[str, Any]]) -> None:
        """Mark items whose literals all stand in the prose of the chunk they came from."""
        for row in chunks:
            first, last = row["first_turn"], row["last_turn"]
            here = {x: n for x, n in self._lines.items() if n.told < 0 and first <= n.first <= last}
            ids = {i for item in here for i in item.message_ids}
            # Several items come from one message: each message is held against the prose once.
            literals = {m.id: LossMeter.literals([m]) for m in self.log.messages_of(ids)}
            every = {x: found for one in literals.values() for x, found in one.items()}
            kept = set(LossMeter.compare(every, [row["summary"]["narrative"]]).kept)
            for item, line in here.items():
                wanted = {x for i in item.message_ids for x in literals.get(i, ())}
                if wanted and wanted <= kept:
                    self._lines[item] = replace(line, told=first)

    def _past(self) -> Passages:
        """Return passages of this entity's other sessions; they don't change while one talks."""
        if self._before is None:
            self._before = Passages()
            if self.log.row["user_id"] is None:
                return self._before
            with self.log.store.read() as connection:
                rows = sql.digests_of(connection, self.log.entity, self.role)
                rows = [r for r in rows if r["session_id"] != self.log.id][-_MAX_PAST:]
                texts = [self._text(connection, row, self.calm) for row in rows]
            for row, text, vector in zip(rows, texts, self._vectors(rows), strict=True):
                first, last = row["first_seq"], row["last_seq"]
                passage = Passage(row["session_id"], first, last, text, row["time"])
                self._before.add(passage, vector)
        return self._before

    @staticmethod
    def _text(connection: Any, row: Any, calm: bool) -> str:
        from .messages import Message

        said = sql.messages_from(
            connection, row["entity"], row["session_id"], row["first_seq"], row["last_seq"]
        )
        # An old outburst doesn't colour a new conversation (R90).
        hot = row["body"].get("emotions", ()) if calm else ()
        return passage_text([Message.of(m["body"]) for m in said], hot)

    def _vectors(self, rows: Any) -> list[NDArray[np.float32] | None]:
        """Return stored vectors; those of another model count as none (R45)."""
        if self.embedder is None:
            return [None] * len(rows)
        model = str(self.embedder.signature)
        blobs = [row["vector"] if row["model"] == model else None for row in rows]
        return list(unpack(blobs, self.embedder.dimension))

    def _embed(self, text: str) -> NDArray[np.float32] | None:
        return None if self.embedder is None else self.embedder.encode([text])[0]

"""What of the past a request may need: loaded for one session, one role, one question (R46, R60).

Passages of past sessions and of this one's older turns, the previous session's conclusion, and
what the structured summary holds. Everything is filtered by entity in the query and by role.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .context.background import passage_text
from .context.blocks import Block
from .context.digest import Digest, Holding, Item
from .context.loss import LossMeter
from .context.request import Memo
from .language.dates import find_dates
from .language.terms import index_term, telling_words
from .language.text import guess_language, sentences
from .layers.excerpts import Excerpts
from .layers.passages import Passage, PassageHit, Passages, search_together
from .layers.session import Narrative, SessionLog
from .messages import Message, text_of
from .storage import conversations as sql
from .storage.vectors import unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

    from .models.embedding import Embedder

__all__ = ["Recall"]

# A number of its own, which the digit in a model's name isn't, and one too long to be a count.
_NUMBER = re.compile(r"(?<![A-Za-z\d])\d|[A-Za-z]-?\d{3}")
_LONG_NUMBER = re.compile(r"\d{4}")
_VENTS = 0.3  # chance of feeling from which a sentence isn't told to a next session
_NAMING = 2  # passages about an id that a question names
_CLOSE = 0.5  # relevance from which a passage that names nothing bears
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
    framed: list[str] = field(default_factory=list, repr=False)
    _here: Passages = field(default_factory=Passages, repr=False)
    _before: Passages | None = field(default=None, repr=False)
    _holding: Holding = field(default_factory=Holding, repr=False)
    _ranked: tuple[list[Item], list[Item]] = field(default=([], []), repr=False)
    _items: tuple[list[Narrative], list[Narrative]] = field(default=([], []), repr=False)
    _lines: dict[Item, Narrative] = field(default_factory=dict, repr=False)
    _names: dict[Passage, bool] = field(default_factory=dict, repr=False)  # anything at all?
    _excerpt: Excerpts = field(default_factory=Excerpts, repr=False)
    memo: Memo = field(default_factory=Memo, repr=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _taken: int = 0
    _covered: int = 0
    _conclusion: Block | None = field(default=None, repr=False)
    _concluded: bool = False

    def items(self, profile: Block | None = None) -> tuple[list[Narrative], list[Narrative]]:
        """Return the structured summary's firm lines and the rest, by importance (R20).

        What the profile says in the same words is left out: it was drawn from the same messages.
        """
        self._take()
        with self._guard:
            ranked, lines = self._ranked, self._items
        told = {line.partition(") ")[2] for line in profile.lines} if profile else set()
        if not told:
            return lines
        firm, rest = (
            [line for item, line in zip(items, shown, strict=True) if item.text not in told]
            for items, shown in zip(ranked, lines, strict=True)
        )
        return firm, rest

    def passages(self, query: str, k: int, min_score: float, before: int) -> list[PassageHit]:
        """Search this session's turns before message `before`, and past sessions.

        If the question leans on the past but shares little with it ("the plan from last time"),
        the latest passage of the previous session that names something is what it leans on.
        """
        self._take()
        vector = self._embed(query)
        past = self._past()
        parts = ((self._here, before), (past, None))
        hits = search_together(parts, query, vector, k, min_score)
        hits = [hit for hit in hits if self._bears(hit)]
        latest = past.latest(_NUMBER.search) or past.latest()
        known = {hit.passage for hit in hits}
        if latest and latest not in known and not any(hit.score >= _CLOSE for hit in hits):
            hits = [PassageHit(latest, min_score, None, 0.0), *hits][:k]
        return hits

    def naming(self, ids: Sequence[str], before: int) -> list[PassageHit]:
        """Return the latest passages that hold an id: of this session before `before`, or past.

        A question that names an order asks for what was said of it, whatever the words.
        """
        self._take()
        held: dict[Passage, int] = {}
        for index in (self._here, self._past()):
            for x in ids if index.rows else ():
                for passage in index.holding(x):
                    if passage.session_id != self.log.id or passage.last < before:
                        held[passage] = held.get(passage, 0) + 1
        latest = sorted(held, key=lambda passage: passage.time, reverse=True)[:_NAMING]
        return [PassageHit(x, held[x] / len(ids), None, 1.0) for x in latest]

    def _bears(self, hit: PassageHit) -> bool:
        """Whether a passage bears: from a past session it names something, or is close enough.

        Customers ask, and agents tell, how things are done in general in every conversation; that
        is a little like any question.
        """
        here = hit.passage.session_id == self.log.id
        if here or hit.score >= _CLOSE:
            return True
        if hit.passage not in self._names:
            text, days = hit.passage.text, _days(hit.passage.text, hit.passage.time)
            found = _LONG_NUMBER.search(text) is not None or any(map(_NUMBER.search, days))
            self._names[hit.passage] = found
        return self._names[hit.passage]

    def block(self, hits: list[PassageHit], query: str, max_chars: int) -> Block | None:
        """Return hits as a block: relevance in per cent, session and date each (R70, R73)."""
        lines = []
        words = self._telling(query) if hits else []
        for hit in hits:
            here = hit.passage.session_id == self.log.id
            where = "this session" if here else f"session {hit.passage.session_id}"
            text = self._excerpt(hit.passage.text, words, max_chars)
            lines.append(f"[{hit.score:.0%}] ({where}, {hit.passage.time:%Y-%m-%d}) {text}")
        if not lines:
            return None
        return Block("past", tuple(lines), "search", title="Relevant past, with its relevance")

    def _telling(self, query: str) -> list[str]:
        """Return the words of a question that tell passages apart; all if none does."""
        every = telling_words(query)
        return [x for x in every if self._here.tells(index_term(x))] or every

    def holds(self, limit: int) -> list[str]:
        """Return the structured items a next session needs, as lines, by importance."""
        self._take()
        ranked = [item for kind in self._ranked for item in kind]
        return [item.line for item in ranked if not self._is_passing(item)][:limit]

    def _is_passing(self, item: Item) -> bool:
        """Whether the agent told something that names nothing: true of any customer."""
        if item.section not in ("fact", "done") or _NUMBER.search(item.text):
            return False
        said = self.log.messages_of(item.message_ids)
        return bool(said) and all(m.role == "assistant" for m in said)

    def gist(self, messages: Sequence[Message]) -> list[Message]:
        """Return messages without what tells a next session nothing (R22, R90).

        Feelings; what a customer says to pass the time; what an agent says without naming anything:
        greetings, explanations, how things are done in general.
        """
        hot = set(self.emotions()) if self.calm else set()
        told = [m for m in messages if m.role != "tool"]
        spoken = [s for m in told if m.role == "user" for s in sentences(m.text)]
        empty = hot | (_idle(spoken, self.calm) if self.embedder is not None else set())
        left = []
        for message in told:
            said = sentences(message.text)
            if message.role == "assistant":
                said = [s for s in said if _NUMBER.search(s) or _days(s, message.time)]
            said = [s for s in said if s not in empty]
            # Chats rarely end a sentence; only one with an end can be left out as said already.
            left.append(message.with_(content=" ".join(_ended(s) for s in said)))
        return [m for m in left if m.text]

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
            if fresh or chunks:
                firm, rest = self._ranked
                self._items = [self._lines[x] for x in firm], [self._lines[x] for x in rest]
                self.framed = [line.text for kind in self._items for line in kind if line.framed]

    def _take_in(self, fresh: Sequence[Mapping[str, Any]]) -> None:
        for row, vector in zip(fresh, self._vectors(fresh), strict=True):
            if self.role in (None, row["agent"]):
                self._holding.extend(Digest.from_dict(row["body"]).items)
                first, last = row["first_seq"], row["last_seq"]
                text = passage_text(
                    (m.role, m.text) for m in self.log.messages_between(first, last)
                )
                passage = Passage(self.log.id, first, last, text, row["time"])
                self._here.add(passage, vector)
        self._taken += len(fresh)
        firm, rest = self._ranked = self._holding.ranked()
        known = self._lines
        self._lines = {item: known.get(item) or self._line(item) for item in (*firm, *rest)}

    def _line(self, item: Item) -> Narrative:
        turn = self.log.turn_at(item.seq)
        return Narrative.of(turn, turn, item.line, self.log.counter)

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
        self._covered += len(chunks)

    def _past(self) -> Passages:
        """Return passages of this entity's other sessions; they don't change while one talks."""
        if self._before is None:
            self._before = Passages()
            if self.log.row["user_id"] is None:
                return self._before
            with self.log.store.read() as connection:
                rows = sql.digests_of(connection, self.log.entity, self.role)
                rows = [r for r in rows if r["session_id"] != self.log.id][-_MAX_PAST:]
                texts = _texts(connection, self.log.entity, rows, self.calm)
            for row, text, vector in zip(rows, texts, self._vectors(rows), strict=True):
                first, last = row["first_seq"], row["last_seq"]
                passage = Passage(row["session_id"], first, last, text, row["time"])
                self._before.add(passage, vector)
        return self._before

    def _vectors(self, rows: Any) -> list[NDArray[np.float32] | None]:
        """Return stored vectors; those of another model count as none (R45)."""
        if self.embedder is None:
            return [None] * len(rows)
        model = str(self.embedder.signature)
        blobs = [row["vector"] if row["model"] == model else None for row in rows]
        return list(unpack(blobs, self.embedder.dimension))

    def _embed(self, text: str) -> NDArray[np.float32] | None:
        return None if self.embedder is None else self.embedder.encode([text])[0]


def _texts(
    connection: Connection, entity: str, rows: Sequence[Mapping[str, Any]], calm: bool
) -> list[str]:
    """Return what was said in the turns that digests cover; each session is read once."""
    spans: dict[str, list[int]] = {}
    for row in rows:
        spans.setdefault(row["session_id"], []).extend((row["first_seq"], row["last_seq"]))
    said = {
        session: {
            m["seq"]: (m["body"]["role"], text_of(m["body"].get("content")))
            for m in sql.messages_from(connection, entity, session, min(span), max(span))
        }
        for session, span in spans.items()
    }
    texts = []
    for row in rows:
        covered = range(row["first_seq"], row["last_seq"] + 1)
        here = said[row["session_id"]]
        # An old outburst doesn't colour a new conversation (R90).
        hot = row["body"].get("emotions", ()) if calm else ()
        texts.append(passage_text((here[seq] for seq in covered if seq in here), hot))
    return texts


def _days(text: str, when: datetime | None) -> list[str]:
    """Return the days that a text names, as they stand there."""
    return [text[x.start : x.end] for x in find_dates(text, when)] if when else []


def _ended(sentence: str) -> str:
    if sentence[-1:].isalnum():
        return sentence + ("。" if guess_language(sentence) == "zh" else ".")
    return sentence


def _idle(spoken: Sequence[str], calm: bool) -> set[str]:
    """Return the sentences of a customer that only pass the time, or vent (if `calm`)."""
    from .language.labelling import label_many

    plain = [s for s in spoken if not _NUMBER.search(s)]
    labels = label_many(plain, speaker="customer") if plain else []
    return {
        s
        for s, found in zip(plain, labels, strict=True)
        if found.kind == "chitchat" or (calm and found.scores.get("emotion", 0.0) >= _VENTS)
    }

"""What one entity's search needs, decoded once and kept in step with the database.

Own writes are applied to a shelf, so that a write costs what it adds, at a hundred records and at a
hundred thousand. Another process's writes show as a new revision, and the shelf is loaded again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..mitigations.contamination import Fade
from ..mitigations.duplicates import same_words_key
from ..mitigations.scopes import ScopePolicy
from ..storage import audit, records
from ..storage.packs import NEVER, Pack
from ..storage.schema import from_micros
from ..storage.vectors import unpack
from ..types import Record, topic_text
from .keyword import Keywords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Readable", "Shelf"]

DAY = 86_400e6
_GAPS = 1_000  # rows that may join a shelf, beyond as many as it had, before it is loaded again
_ALIKE = 256  # nearest records that a write is compared with, at most


@dataclass(slots=True)
class Readable:
    """The rows of a shelf that a role may read, at any instant from `since` until before `until`.

    Attributes
    ----------
    mask : ndarray of bool
        By row (n,).
    rows : ndarray of int
        Those that it may, ascending.
    since, until : int
        Microseconds: when the last of the others stopped being readable, when the next will.
    """

    mask: NDArray[np.bool_]
    rows: NDArray[np.int64]
    since: int
    until: int


class Shelf:
    """One entity's live records: arrays for ranking, records made when they are shown.

    A row that is no longer live stays as a gap until the shelf is loaded again.

    Parameters
    ----------
    head : Head
        The chain's end that it was loaded at; its revision is what makes a shelf right.
    columns : mapping
        Rows of `memories`, by id, from ``records.live_columns``.
    shares : mapping
        Agent role to the ids shared with it.
    dimension, space : int
        Of vectors; a row of another space counts as having none.
    """

    def __init__(
        self,
        entity: str,
        head: audit.Head,
        columns: Mapping[str, tuple[Any, ...]],
        shares: Mapping[str, frozenset[str]],
        dimension: int,
        space: int,
        fade: Fade,
    ) -> None:
        import numpy as np

        self.entity, self.head, self.shares = entity, head, shares
        self._fade, self.space = fade, space
        # Column by column: a search of an entity that wasn't in memory is mostly this.
        self.rows = records.Rows(entity, columns)
        self._loaded = len(self.rows)
        self.place: dict[str, int] = dict(zip(columns["id"], range(self._loaded), strict=True))
        """Record id -> its row, in order of rows."""
        vectors = columns["vector"]
        if columns["space"].count(space) < self._loaded:
            mine = zip(vectors, columns["space"], strict=True)
            vectors = tuple(vector if made == space else None for vector, made in mine)
        self._matrix = self.matrix = unpack(vectors, dimension)
        """Unit vectors, float32 (rows, dimension)."""
        ends = [NEVER if end is None else end for end in columns["expires"]]
        last = [at or 0 for at in columns["accessed"]]
        numbers = [ends, columns["updated"], last, columns["accesses"]]
        self._numbers = np.array(numbers, dtype=np.int64)
        self._kinds = list(columns["kind"])
        self._rates: NDArray[np.float64] | None = None  # made when something fades
        self._fades = any(map(self._may_fade, set(self._kinds)))
        self._scope = list(zip(columns["agent"], columns["audience"], strict=True))
        self.made: dict[int, Record] = {}
        """Records by row, as far as they were asked for; see ``record``."""
        self._core: set[int] | None = None
        self._seen: dict[str, NDArray[np.bool_]] = {}  # role -> what it may read while it lives
        self._readable: dict[str, Readable] = {}  # role -> what it found when it last looked
        self._scopes: ScopePolicy | None = None
        self._keywords: Keywords | None = None
        self._index: tuple[dict[str, list[int]], dict[str, list[int]]] | None = None
        self.replaced: dict[str, tuple[int, tuple[str, ...]]] = {}
        """Role -> (revision, values that hold no longer); see ``Memory.replaced``."""
        self.coming: list[dict[str, Any]] = []
        """Rows that were added and aren't taken in yet; see ``catch_up``."""
        self.changed: set[int] = set()
        """Rows whose vector is new since whoever follows this shelf last looked."""

    @property
    def count(self) -> int:
        """How many rows it has, those still to be taken in among them."""
        return len(self.rows) + len(self.coming)

    @property
    def outgrown(self) -> bool:
        """Whether so many rows joined that gaps may outnumber what is live."""
        return self.count > 2 * self._loaded + _GAPS

    @property
    def expires(self) -> NDArray[np.int64]:
        """When each row stops being readable, in microseconds; at once if it isn't live."""
        return self._numbers[0, : len(self.rows)]

    @staticmethod
    def _numbers_of(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
        end = NEVER if row["expires"] is None else row["expires"]
        alive = row["status"] == "live"
        return end if alive else 0, row["updated"], row["accessed"] or 0, row["accesses"]

    def apply(self, row: dict[str, Any]) -> None:
        """Take in a row that was added or changed, and keep it.

        Its `vector`, as stored, is None if it stays what it was.
        """
        import numpy as np

        i = self.place.get(row["id"])
        if i is None:
            self._extend([row])
            return
        vector, row["vector"] = row["vector"], None  # it is in the matrix; held once
        before = self._words(i) if self._keywords is not None else ""
        self.rows.put(i, row)
        self._scope[i] = (row["agent"], row["audience"])
        self._numbers[:, i] = self._numbers_of(row)
        self._kinds[i] = row["kind"]
        self.made.pop(i, None)
        if vector is not None and row["space"] == self.space:
            self._matrix[i] = np.frombuffer(vector, dtype=np.float16)
            self.changed.add(i)
        self._notice(i, row, before)

    def catch_up(self) -> None:
        """Take in the rows that were added since: writes come in runs, and most aren't looked at.

        Nobody is given a shelf that hasn't, to read or to change.
        """
        if self.coming:
            rows, self.coming = self.coming, []
            self._extend(rows)

    def _extend(self, rows: Sequence[dict[str, Any]]) -> None:
        import numpy as np

        first, end = len(self.rows), len(self.rows) + len(rows)
        self._make_room(end)
        self.place.update(zip([row["id"] for row in rows], range(first, end), strict=True))
        self.rows.extend(rows)
        self._scope += [(row["agent"], row["audience"]) for row in rows]
        self._kinds += [row["kind"] for row in rows]
        self._numbers[:, first:end] = np.array([self._numbers_of(row) for row in rows]).T
        vectors = [row["vector"] if row["space"] == self.space else None for row in rows]
        self._matrix[first:end] = unpack(vectors, self._matrix.shape[1])
        self.matrix = self._matrix[:end]
        for i, (row, vector) in enumerate(zip(rows, vectors, strict=True), first):
            row["vector"] = None
            if vector is not None:
                self.changed.add(i)
            self._notice(i, row)

    def _make_room(self, rows: int) -> None:
        if rows <= len(self._matrix):
            return
        more = max(rows, len(self.rows) + max(16, len(self.rows) // 2))  # many writes stay linear
        self._matrix = _longer(self._matrix, 0, more)
        self._numbers = _longer(self._numbers, 1, more)
        if self._rates is not None:
            self._rates = _longer(self._rates, 1, more)
        self._seen = {role: _longer(seen, 0, more) for role, seen in self._seen.items()}

    def _notice(self, i: int, row: Mapping[str, Any], before: str = "") -> None:
        """Keep what was made of the rows right; `before`: the words that row `i` had."""
        self._readable.clear()
        self._fades = self._fades or self._may_fade(row["kind"])
        if self._rates is not None:
            self._rates[:, i] = self._rate(row["kind"])
        if self._core is not None:
            (self._core.add if records.is_core(row["body"]) else self._core.discard)(i)
        for role, seen in self._seen.items():
            assert self._scopes is not None
            seen[i] = self.visible(row, role, self._scopes)
        if self._keywords is not None:
            self._keywords.put(i, self._words(i), before)
        if self._index is not None:
            self._enter(i)

    def _enter(self, i: int) -> None:
        assert self._index is not None
        text, attribute = self._said(i)
        self._index[0].setdefault(same_words_key(text), []).append(i)
        if attribute is not None:
            self._index[1].setdefault(attribute, []).append(i)

    def _said(self, i: int) -> tuple[str, str | None]:
        """Return a row's text and attribute; a record of each would weigh and take more."""
        body = records.read_body(self.rows.value(i, "body"))
        return body["text"], body.get("attribute")

    def near(
        self, record: Record, vector: NDArray[np.float32] | None, floor: float, now: int
    ) -> list[tuple[int, float]]:
        """Return (row, cosine) of the live rows that a record may repeat or contradict.

        They have the same words, the same attribute, or a cosine of `floor` at least; of a heavy
        account's many, the nearest.
        """
        import numpy as np

        if self._index is None:
            self._index = ({}, {})
            for i in range(len(self.rows)):
                self._enter(i)
        alive = self.expires > now
        cosines = np.zeros(len(self.rows)) if vector is None else self.matrix @ vector
        rows = set() if vector is None else _highest(cosines, (cosines >= floor) & alive)
        if record.attribute is not None:
            slot = np.zeros(len(self.rows), dtype=bool)
            slot[self._index[1].get(record.attribute, [])] = True
            rows |= _highest(cosines, slot & alive)
        rows |= set(self._index[0].get(same_words_key(record.text), ()))
        return [(i, float(cosines[i])) for i in sorted(rows) if alive[i]]

    def is_core(self, i: int) -> bool:
        """Whether row `i` is of the core tier."""
        if self._core is None:
            bodies = (self.rows.value(j, "body") for j in range(len(self.rows)))
            self._core = {j for j, body in enumerate(bodies) if records.is_core(body)}
        return i in self._core

    def record(self, i: int) -> Record:
        """Return row `i` as a record."""
        if i not in self.made:
            self.made[i] = records.to_record(self.rows[i])
        return self.made[i]

    def readable(self, role: str, scopes: ScopePolicy, now: int) -> Readable:
        """Return which rows a role may read at an instant."""
        known = self._readable.get(role)
        if known is not None and known.since <= now < known.until and scopes is self._scopes:
            return known
        if scopes is not self._scopes:
            self._seen, self._readable, self._scopes = {}, {}, scopes
        seen = self._sees(role, scopes)
        mask = seen & (self.expires > now)
        over, to_come = self.expires[seen & ~mask], self.expires[mask]
        since, until = int(over.max(initial=0)), int(to_come.min(initial=NEVER))
        found = self._readable[role] = Readable(mask, mask.nonzero()[0], since, until)
        return found

    def _sees(self, role: str, scopes: ScopePolicy) -> NDArray[np.bool_]:
        """Return which rows (n,) are a role's to read while they live."""
        import numpy as np

        if role not in self._seen:
            seen = np.zeros(len(self._matrix), dtype=bool)
            # Few agents heard it all; each of them and its audience is judged once.
            may = {pair: scopes.visible(*pair, "", (), role) for pair in set(self._scope)}
            seen[: len(self.rows)] = [may[pair] for pair in self._scope]
            for record_id in self.shares.get(role, ()):
                if (i := self.place.get(record_id)) is not None:
                    seen[i] = self.visible(self.rows[i], role, scopes)
            self._seen[role] = seen
        return self._seen[role][: len(self.rows)]

    def visible(self, row: Mapping[str, Any], role: str, scopes: ScopePolicy) -> bool:
        """Whether a role may read a row of this entity."""
        shared = self.shares.get(role, frozenset())
        return scopes.visible(row["agent"], row["audience"], row["id"], shared, role)

    def keywords(self) -> Keywords:
        """Return the word index, made when it is first asked for."""
        if self._keywords is None:
            self._keywords = Keywords([self._words(i) for i in range(len(self.rows))])
        return self._keywords

    def _words(self, i: int) -> str:
        return topic_text(*self._said(i)) if self._numbers[0, i] else ""

    def packed(self) -> Pack:
        """Return what a search by vector compares, without gaps."""
        import numpy as np

        rows = self.expires.nonzero()[0]
        triples = [(*pair, kind) for pair, kind in zip(self._scope, self._kinds, strict=True)]
        scopes = sorted({triples[i] for i in rows})
        place = {scope: n for n, scope in enumerate(scopes)}
        places = np.array([place[triples[i]] for i in rows], dtype=np.int64)
        return Pack(
            [self.rows.value(i, "id") for i in rows.tolist()],
            scopes,
            [(name, role) for role, names in self.shares.items() for name in sorted(names)],
            np.array([*self._numbers[:2, rows], places]),
            self.matrix[rows],
        )

    def use(self, now: int, rows: Any = slice(None)) -> tuple[Any, Any, Any]:
        """Return days since said, uses, and days since the last use, of rows (n,)."""
        numbers = self._numbers[:, : len(self.rows)]
        if not isinstance(rows, slice):  # all of them need no copy
            numbers = numbers[:, rows]
        _, updated, accessed, accesses = numbers
        return (now - updated) / DAY, accesses, (now - accessed) / DAY

    def fade(self, now: int, rows: Any = slice(None)) -> NDArray[np.float64] | None:
        """Return what age has left of rows (n,); None if it takes nothing from any."""
        if not self._fades:
            return None
        if self._rates is None:
            import numpy as np

            rates = [self._rate(kind) for kind in self._kinds]
            self._rates = np.zeros((2, len(self._matrix)))
            self._rates[:, : len(rates)] = np.array(rates).T
        half, lasting = self._rates[:, : len(self.rows)][:, rows]
        age, uses, last = self.use(now, rows)
        # A feeling isn't renewed by being looked at.
        return self._fade(age, half, lasting, uses * (lasting > 0), last)

    def _rate(self, kind: str) -> tuple[float, float]:
        return self._fade.half_life(kind), self._fade.lasting(kind)

    def _may_fade(self, kind: str) -> bool:
        # Under ACT-R, even what doesn't fade is weighed by its uses.
        return self._fade.config.curve == "act-r" or isfinite(self._fade.half_life(kind))

    def note_access(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Add accesses: record id -> (how many, when last)."""
        for record_id, (n, at) in counts.items():
            if (i := self.place.get(record_id)) is not None:
                self.rows[i].update(accesses=self.rows[i]["accesses"] + n, accessed=at)
                self._numbers[2:, i] = at, self.rows[i]["accesses"]
                if (known := self.made.get(i)) is not None:  # cheaper than to read it again
                    accesses = {"access_count": self.rows[i]["accesses"]}
                    self.made[i] = known.with_(**accesses, last_access=from_micros(at))


def _longer(array: NDArray[Any], axis: int, size: int) -> NDArray[Any]:
    """Return a copy with zeros up to `size` along an axis (`numpy.pad` takes ten times as long)."""
    import numpy as np

    shape = list(array.shape)
    shape[axis] = size
    copy = np.zeros(shape, dtype=array.dtype)
    copy[tuple(map(slice, array.shape))] = array
    return copy


def _highest(cosines: Any, among: NDArray[np.bool_]) -> set[int]:
    import numpy as np

    rows = np.flatnonzero(among)
    if len(rows) > _ALIKE:
        rows = rows[np.argpartition(-cosines[rows], _ALIKE)[:_ALIKE]]
    return set(rows.tolist())

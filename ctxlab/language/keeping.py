"""What is worked out of people's words and kept for the next time, within bounds (R91).

In memory only, so that nothing of it survives a process; and dropped as a whole whenever any
record is deleted, since what is kept holds words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

__all__ = ["count_kept", "drop_kept", "kept"]

T = TypeVar("T")
_LONGEST = 1_000  # characters: what is longer is rare, and would make a bound on entries no bound
_caches: list[_lru_cache_wrapper[Any]] = []


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


def count_kept() -> int:
    """Count what is kept, over all functions."""
    return sum(cache.cache_info().currsize for cache in _caches)


def drop_kept() -> None:
    """Drop all that is kept."""
    for cache in _caches:
        cache.cache_clear()

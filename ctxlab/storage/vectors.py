"""Vectors as stored bytes, and exact search over one entity's (R40, R93)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import EmbedderMismatch
from ..types import RecordError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["pack", "unit", "unpack", "widen"]


_KEPT = -(2**31) + 2**28 - 1  # the sign, which is carried along, and 28 bits
_RAISED = 2.0**112
_UNIT = 1e-6  # how far a length may be from 1: float32 itself is no more exact


def unit(vector: Any, dimension: int) -> NDArray[np.float32]:
    """Return a float32 unit vector (dimension,) from anything array-like: itself, if it is one.

    Raises
    ------
    RecordError
        If it isn't one row of finite numbers.
    EmbedderMismatch
        If its length isn't that of the memory's model.
    """
    import numpy as np

    try:
        row = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise RecordError(f"not an array of numbers ({error})", "vector") from error
    size = math.sqrt(row.dot(row)) if row.ndim == 1 else math.nan
    if not math.isfinite(size):
        raise RecordError(f"expected one row of finite numbers, got shape {row.shape}", "vector")
    if len(row) != dimension:
        raise EmbedderMismatch(
            f"vector: {len(row)} numbers where this memory's model makes {dimension}: "
            "embed with the same model, or open the memory with embedder= of yours"
        )
    if abs(size - 1) < _UNIT:  # most are, and dividing takes as long as looking
        return row
    return row / np.float32(max(size, 1e-12))


def pack(row: NDArray[np.float32]) -> bytes:
    """Return float16 bytes: half the space of float32, cosines off by less than 0.001."""
    import numpy as np

    return row.astype(np.float16).tobytes()


def unpack(blobs: Sequence[bytes | None], dimension: int) -> NDArray[np.float32]:
    """Return a float32 array (rows, dimension); rows without a vector are zero: similar to none."""
    size = 2 * dimension
    if any(blob is None or len(blob) != size for blob in blobs):
        blobs = [b if b is not None and len(b) == size else bytes(size) for b in blobs]
    joined = b"".join(blobs)  # type: ignore[arg-type]  # none is None any more
    return widen(joined).reshape(len(blobs), dimension)


def widen(data: bytes) -> NDArray[np.float32]:
    """Return the numbers of float16 bytes as float32 (n,).

    Bit by bit, as numpy's own way takes three times as long: a half's exponent and fraction stand
    13 bits lower than a float's, whose exponent counts from 112 further down.
    """
    import numpy as np

    bits = np.frombuffer(data, dtype=np.int16).astype(np.int32)
    bits <<= 13
    bits &= _KEPT
    floats: NDArray[np.float32] = bits.view(np.float32)
    floats *= _RAISED
    return floats

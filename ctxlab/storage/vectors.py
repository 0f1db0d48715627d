"""Vectors as stored bytes, and exact search over one entity's (R40, R93)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import EmbedderMismatch
from ..types import RecordError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["pack", "unit", "unpack"]


def unit(vector: Any, dimension: int) -> NDArray[np.float32]:
    """Return a float32 unit vector (dimension,) from anything array-like.

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
    if row.ndim != 1 or not np.isfinite(row).all():
        raise RecordError(f"expected one row of finite numbers, got shape {row.shape}", "vector")
    if len(row) != dimension:
        raise EmbedderMismatch(
            f"vector: {len(row)} numbers where this memory's model makes {dimension}: "
            "embed with the same model, or open the memory with embedder= of yours"
        )
    return row / max(float(np.linalg.norm(row)), 1e-12)


def pack(row: NDArray[np.float32]) -> bytes:
    """Return float16 bytes: half the space of float32, cosines off by less than 0.001."""
    import numpy as np

    return row.astype(np.float16).tobytes()


def unpack(blobs: Sequence[bytes | None], dimension: int) -> NDArray[np.float32]:
    """Return a float32 array (rows, dimension); rows without a vector are zero: similar to none."""
    import numpy as np

    size = 2 * dimension
    blank = bytes(size)
    joined = b"".join(b if b is not None and len(b) == size else blank for b in blobs)
    flat = np.frombuffer(joined, dtype=np.float16).astype(np.float32)
    return flat.reshape(len(blobs), dimension)

"""How likely each relation of two notes is, by two heads that see them in different ways (R94).

One is linear and reads the named features and the meanings; the other bends, and reads the features
alone: that words differ means one thing where an id agrees and another where nothing does. Over
authors left out the two together lose a fifth fewer of the duplicates than the linear head alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlab.language.heads import load_head, softmax

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BENT", "STRAIGHT", "chances", "joined"]

STRAIGHT, BENT = "relation", "relation_bent"
"""Names of the heads; the linear one also keeps what belongs to both."""


def chances(inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the chance of each class of the head "relation", float32 (pairs, classes).

    Parameters
    ----------
    inputs : numpy.ndarray
        float32 (pairs, inputs), as `PairReading.vector` gives them.
    """
    straight, bent = load_head(STRAIGHT), load_head(BENT)
    one = straight.logits(inputs) / straight.temperature
    logits = joined(one, bent.logits(inputs[:, : len(bent.mean)]))
    return softmax(logits / straight.extra["temperature"])


def joined(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Average two heads' logits, each as a distribution, float32 (pairs, classes)."""
    import numpy as np

    return np.asarray(np.log(softmax(one) * softmax(other) + _NEVER) / 2, np.float32)


_NEVER = 1e-12

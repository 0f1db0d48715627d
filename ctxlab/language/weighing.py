"""The chance that a value bears on the customer's matter, by two small fitted heads (R30).

The first reads words: n-grams of the clause and of what stands around it, and the meaning of
sentence, question and reply. The second, of boosted trees, weighs its margin with what was counted,
as whether the value is said again counts for more after a question than in a price list.
`ctxlab.language.bearing_fit` fits both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxlab.language import features
from ctxlab.language.bearing import NUMBERS, Place, Talk
from ctxlab.language.forest import load_forest
from ctxlab.language.heads import Grams, Head, load_head
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LABELS", "Sight", "margin", "second_input", "see", "weigh"]

LABELS = ("kind", "actionable", "private")
"""Heads whose chances are read of each sentence."""


@dataclass(frozen=True)
class Sight:
    """What the heads see of some places.

    Attributes
    ----------
    numbers : numpy.ndarray
        float32 (places, numbers): `bearing.NUMBERS`.
    labels : numpy.ndarray
        float32 (places, 9): what the sentence is labelled as.
    meaning : numpy.ndarray
        float32 (places, 3 * 512): of the sentence, of the question before, of the reply.
    grams : list of Grams
        Of each place.
    """

    numbers: NDArray[np.float32]
    labels: NDArray[np.float32]
    meaning: NDArray[np.float32]
    grams: list[Grams]

    @property
    def dense(self) -> NDArray[np.float32]:
        """What the first head reads beside n-grams."""
        import numpy as np

        return np.hstack([self.numbers, self.labels, self.meaning])


def see(talk: Talk, places: Sequence[Place]) -> Sight:
    """Read places of a talk. Sentences are embedded in one batch, most of them cached."""
    import numpy as np

    wanted: dict[str, int] = {}

    def row(text: str) -> int:
        return wanted.setdefault(text, len(wanted))

    rows = []
    for place in places:
        i, turns = place.turn, talk.turns
        rows.append((
            row(turns[i].sentence(place.sentence)),
            row(turns[i - 1].sentence(-1) if i else ""),
            row(turns[i + 1].sentence(0) if i + 1 < len(turns) else ""),
        ))  # fmt: skip
    reading = features.read(list(wanted), get_embedder("use"))
    seen = (reading.dense, reading.grams)
    labels = np.hstack([
        load_head("kind").probabilities(*seen),
        *(load_head(name).yes(*seen)[:, None] for name in LABELS[1:]),
    ])  # fmt: skip
    index = np.array(rows, int).reshape(-1, 3)
    vectors = reading.dense[:, : features.WIDTH]
    return Sight(
        np.array([talk.numbers(p) for p in places], np.float32).reshape(-1, len(NUMBERS)),
        labels[index[:, 0]].astype(np.float32),
        vectors[index].reshape(len(index), -1),
        [Grams(talk.grams(p)) for p in places],
    )


def margin(head: Head, sight: Sight) -> NDArray[np.float32]:
    """Give how much more the first head is for a value than against it, in logits (places,)."""
    import numpy as np

    logits = head.logits(sight.dense, sight.grams)
    yes = head.classes.index("yes")
    return np.asarray(logits[:, yes] - logits[:, 1 - yes], np.float32)


def second_input(margins: NDArray[np.float32], sight: Sight) -> NDArray[np.float32]:
    """Put together what the second head reads: the margin, numbers and labels."""
    import numpy as np

    return np.hstack([margins[:, None], sight.numbers, sight.labels]).astype(np.float32)


def weigh(talk: Talk, places: Sequence[Place]) -> list[float]:
    """Give the chance that each place bears on the customer's matter, 0 to 1.

    Examples
    --------
    >>> from ctxlab.language.bearing import Turn
    >>> said = "Please send order A1029 again. My neighbour's cost him £90."
    >>> talk = Talk([Turn(False, said), Turn(True, "A1029 ships tomorrow.")])
    >>> ours, his, *_ = weigh(talk, list(talk.places()))
    >>> ours > his
    True
    """
    if not places:
        return []
    sight = see(talk, places)
    margins = margin(load_head("bearing"), sight)
    return [float(x) for x in load_forest("bearing_weight").yes(second_input(margins, sight))]

"""Offline stand-ins: a tiny embedder and a comparison that reads ``slot is value``."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import ctxlab as cx
from ctxlab.language.comparing import Comparison
from ctxlab.mitigations.duplicates import DuplicatePolicy
from ctxlab.models.embedding import Signature

START = "2026-01-01T00:00:00+00:00"


@dataclass
class Letters:
    """Bags of character pairs: texts that share letters are alike."""

    signature: Signature = Signature("letters", 64, "1")
    min_score: float = 0.3
    dimension: int = 64

    def encode(self, texts):
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for a, b in zip(text, text[1:] or text, strict=False):
                row[(ord(a) * 31 + ord(b)) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def slots(old, new, attribute=None):
    """``city is Leeds`` supersedes ``city is Truro``; ``city is still Truro`` repeats it.

    ``city is Truro plus …`` supplements it; anything else is distinct.
    """
    (a, _, x), (b, _, y) = old.partition(" is "), new.partition(" is ")
    if not x or a != b:
        return Comparison("distinct", 1.0, ())
    if "plus" in y and y.partition(" plus")[0] == x:
        return Comparison("supplement", 1.0, ())
    same = x.split(" plus")[0].split()[-1] == y.split()[-1]
    return Comparison("duplicate" if same else "supersede", 1.0, ())


def use_slots(memory):
    """Make a memory compare by ``slots``."""
    policy = DuplicatePolicy(memory.config.duplicates, memory._writer.duplicates.on, slots)
    memory._writer = replace(memory._writer, duplicates=policy)
    return memory


@pytest.fixture
def clock():
    return cx.ManualClock(START)


@pytest.fixture
def make(database_url, clock):
    """Return a maker of memories over one database, with the stand-ins."""
    made = []

    def make(config=None, embedder=None):
        memory = cx.Memory(database_url, embedder or Letters(), config, clock)
        made.append(memory)
        return use_slots(memory)

    yield make
    for memory in made:
        memory.close()


@pytest.fixture
def memory(make):
    return make()

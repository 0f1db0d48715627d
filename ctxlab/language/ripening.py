"""When what was said may be remembered: an offer holds once it is taken (R30, R36)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ctxlab.language.extraction import Draft
from ctxlab.messages import Message

__all__ = ["is_offer", "ripe", "turns_down"]


def ripe(
    drafts: Iterable[Draft], fresh: Sequence[Message], before: Sequence[Message]
) -> Iterator[Draft]:
    """Yield what may be written of the drafts of new messages and of some before them.

    An agent's offer waits for what the customer says to it, and is nothing if that is no.

    Parameters
    ----------
    drafts : iterable of Draft
        From `extract`, of all these messages.
    fresh, before : sequence of Message
        The new messages, and those before them that were read along.
    """
    new = {m.id for m in fresh}
    # Who spoke last hasn't been answered; who spoke before the new messages has been now.
    open_, answered = (
        {m.id for m in at if m.role == "assistant"} for at in (fresh[-1:], before[-1:])
    )
    refused = next((turns_down(m.text) for m in fresh if m.role == "user"), False)
    for draft in drafts:
        said = set(draft.message_ids)
        if not is_offer(draft.text):
            due = bool(new & said)
        elif said <= answered:
            due = not refused
        else:
            due = bool(new & said) and not said <= open_
        if due:
            yield draft


def is_offer(retold: str) -> bool:
    """Tell whether a retold sentence only offers something: it holds once it is taken.

    Examples
    --------
    >>> is_offer("The agent can send an engineer on 2026-05-14.")
    True
    >>> is_offer("客服告知周四上午可以安排师傅上门。")
    True
    >>> is_offer("An engineer will come on 2026-05-14.")
    False
    """
    return _OFFERED.match(retold) is not None


def turns_down(answer: str) -> bool:
    """Tell whether what is said to an offer turns it down.

    Examples
    --------
    >>> [turns_down(x) for x in ("No, that day doesn't work", "too early for me", "Yes, do")]
    [True, True, False]
    >>> turns_down("周四我没空"), turns_down("好的，麻烦了")
    (True, False)
    """
    return _TURNED_DOWN.search(answer) is not None


_TURNED_DOWN = re.compile(
    r"^\W*(?:(?:hm+|um+|er+m?|oh|ah|well|sorry)\W+)*(?:no|nope|nah|not|neither|none|never)\b"
    r"(?! problem| worries| doubt)|\b(?:does|do|did|would|will|wo|ca|could)(?:n['’]?t| not) "
    r"(?:work|suit|do|make|manage|be (?:home|in|there|around))\b|"
    r"\bno (?:good|use|thanks|thank you)\b|\b(?:leave|forget|skip) it\b|"
    r"\btoo (?:early|late|soon|far|long|dear|expensive|much)\b|\b(?:i'd|i would|i'll) rather\b|"
    r"^\W*(?:不(?!好意思|错|过)|没(?!问题|事|关系)|别|算了)|没(?:空|时间)|来不及|太(?:早|晚|远|贵|久)|"
    r"不(?:行|方便|合适|可以|太方便|在家|考虑|需要)|还是算了",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"The (?:agent|company) (?:can|could|might be able to)(?: also| then| either)? \w+(?! see\b)|"
    r"客服(?:告知|说|表示|承诺|问)?[^，。]{0,12}(?:可以|能够?)(?:也|再|先|免费|直接)*"
    r"(?:为|给|帮|替|安排|派|寄|送|换|退|补|改|预约|约|上门)"
)

"""The compression-loss meter: which key literals a summary kept, and which it lost (R27)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..language.attributes import key_literals
from ..language.dates import find_dates
from ..language.text import folded, sentences
from ..messages import Message

__all__ = ["LossMeter", "LossReport", "is_refusal", "is_report_of_done"]

_REFUSALS = re.compile(
    r"\b(?:no,? thanks?|not interested|(?:do|does|did|would|will)(?:n'?t| not) "
    r"(?:want|need|like|take|accept|bother)|(?:i'?d|would) rather not|i (?:refuse|decline)|"
    r"won'?t be (?:taking|accepting)|skip the|leave it|"
    r"(?:want|prefer|rather|i'd like|give me|send me)\b[^.?!]{0,40}? instead of|"
    r"(?:do not|don'?t|never) (?:\w+ )?(?:send|offer|give|call|ring|charge|sign|add|put|mail)|"
    r"no (?:voucher|coupon|credit|replacement|exchange|callback|call|upgrade|insurance)s?\b)|"
    r"不(?:要|用了|需要|想要|接受|考虑|换了|想换)|算了|拒绝|别(?:再)?(?:给我|寄|打|推)|用不着|没必要",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:i|we)(?:'ve| have) (?:just |now |already )?\w+(?:ed|en|nt|de)\b|"
    r"\b(?:has|have) been \w+(?:ed|en|nt|de)\b|"
    r"\b(?:is|are|that's) (?:now |all )?(?:done|set|sorted|cancell?ed|refunded|booked|updated)\b|"
    r"已经?(?:为您|帮您|给您|替您)?[^，。！？]{0,16}"
    r"(?:了|好|完成|成功|登记|取消|提交|更新|退款|下单)|(?:办|处理|登记|提交|取消|改|换)好了",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether a customer's sentence turns something down.

    Examples
    --------
    >>> is_refusal("I don't want a voucher"), is_refusal("券就不要了"), is_refusal("yes please")
    (True, True, False)
    """
    return _REFUSALS.search(text) is not None


def is_report_of_done(text: str) -> bool:
    """Whether an agent's sentence reports something as done.

    Examples
    --------
    >>> is_report_of_done("I've cancelled the order."), is_report_of_done("已经为您登记换货了")
    (True, True)
    """
    return _DONE.search(text) is not None


@dataclass(frozen=True)
class LossReport:
    """What a summary kept of the messages it stands for.

    Attributes
    ----------
    kept, lost : tuple of str
        Key literals found in the summary, and those that aren't.
    where : dict
        Lost literal -> (message, sentence that held it).
    """

    kept: tuple[str, ...]
    lost: tuple[str, ...]
    where: dict[str, tuple[Message, str]]

    @property
    def survival(self) -> float:
        """Share of key literals kept, 0 to 1; 1 if there were none."""
        total = len(self.kept) + len(self.lost)
        return len(self.kept) / total if total else 1.0


@dataclass(frozen=True)
class LossMeter:
    """Compare messages with what was written of them.

    Key literals are ids, amounts, dates and names, and the sentences that refuse or promise; the
    caller says which sentences promise, since that takes understanding.

    Examples
    --------
    >>> said = [Message.of("Order A1029 came broken, I paid £40.")]
    >>> LossMeter()(said, ["The customer's order A1029 came broken."]).lost
    ('£40',)
    """

    def __call__(self, messages: Iterable[Message], told: Sequence[str]) -> LossReport:
        """Look for each key literal of what the two parties said."""
        return self.compare(self.literals(messages), told)

    @staticmethod
    def literals(messages: Iterable[Message]) -> dict[str, tuple[Message, str]]:
        """Return each key literal of what the two parties said, with where it was said first."""
        where: dict[str, tuple[Message, str]] = {}
        for message in messages:
            if message.role in ("user", "assistant"):
                for sentence in sentences(message.text):
                    for literal in key_literals(sentence):
                        where.setdefault(literal, (message, sentence))
        return where

    @staticmethod
    def compare(where: dict[str, tuple[Message, str]], told: Sequence[str]) -> LossReport:
        """Tell which literals stand in what was told; a date may stand resolved ("2026-03-29")."""
        text = _plain(" ".join(told))
        kept = tuple(
            x for x, (said, _) in where.items() if _plain(x) in text or _resolved(x, said, text)
        )
        known = set(kept)
        lost = {x: found for x, found in where.items() if x not in known}
        return LossReport(kept, tuple(lost), lost)


def _resolved(literal: str, said: Message, text: str) -> bool:
    dates = find_dates(literal, said.time) if said.time else []
    return bool(dates) and all(date.iso in text for date in dates)


def _plain(text: str) -> str:
    """Fold width and case and drop spaces, so that 'A 1029' and 'A1029' are one literal."""
    return "".join(folded(text).lower().split())

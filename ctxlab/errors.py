"""Every error ctxlab raises, each naming the value, the limit and the way out."""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "ConfigError",
    "CtxlabError",
    "DataError",
    "EmbedderMismatch",
    "IdentityError",
    "MessageError",
    "MissingExtra",
    "SensitiveContentRefused",
    "SessionExpired",
    "StateKeyError",
    "StoreError",
]


class CtxlabError(Exception):
    """Parent of all errors that ctxlab raises on purpose."""


class ConfigError(CtxlabError, ValueError):
    """A setting is unknown, of the wrong type or out of range; the text names it."""


class DataError(CtxlabError):
    """A data file is missing, damaged or not in the documented format."""


class MessageError(CtxlabError, ValueError):
    """A message is malformed or stands where no provider would accept it.

    Parameters
    ----------
    text : str
        What is wrong and how to mend it.
    field : str
        The offending field, for example ``"tool_call_id"``.
    """

    def __init__(self, text: str, field: str = "message") -> None:
        super().__init__(f"{field}: {text}")
        self.field = field


class BudgetError(CtxlabError):
    """The parts that may not be dropped are larger than the input budget (R53).

    Parameters
    ----------
    section : str
        Budget section at fault: ``system``, ``memory``, ``recent`` or ``tools``.
    part : str
        The part within it, in words, for example ``"the current user message"``.
    tokens : int
        Size of that part, in tokens.
    excess : int
        Tokens by which the parts that must stay exceed the budget.
    remedy : str
        What the caller can do.
    """

    def __init__(self, section: str, part: str, tokens: int, excess: int, remedy: str) -> None:
        super().__init__(
            f"{part} ({section}: {tokens:,} tokens) does not fit: "
            f"the parts that must stay exceed the input budget by {excess:,} tokens. {remedy}"
        )
        self.section = section
        self.part = part
        self.tokens = tokens
        self.excess = excess


class SessionExpired(CtxlabError):
    """The session is over (idle, too old or ended): open a new one (R2)."""


class IdentityError(CtxlabError):
    """A session or record would change its owner, or has none where one is needed (R5, R6)."""


class StateKeyError(CtxlabError, KeyError):
    """A state key is undeclared, never written, or given a value of the wrong type (R3)."""

    def __str__(self) -> str:  # KeyError would print the repr of the text
        return str(self.args[0])


class EmbedderMismatch(CtxlabError):
    """Stored vectors come from another model or dimension: re-embed, never mix (R45)."""


class SensitiveContentRefused(CtxlabError):
    """Policy refuses to store this content; raised only by ``strict=True`` writes (R91)."""


class StoreError(CtxlabError):
    """The database can't be opened, read or written; the text says which and what to do."""


class MissingExtra(CtxlabError, ImportError):
    """An optional package is absent; the text names the extra to install.

    Examples
    --------
    >>> str(MissingExtra("faiss", "ann"))
    "faiss is not installed: pip install 'ctxlab[ann]'"
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'ctxlab[{extra}]'")
        self.package = package
        self.extra = extra

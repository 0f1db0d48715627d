"""What an exhibit is: a public defect, a small policy that has it, and ctxlab on the same input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...clock import ManualClock
from ...config import Config
from ...engine import ContextEngine
from ...errors import DataError
from ...layers.memory import Memory

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NOON", "WHO", "Both", "Exhibit", "Showing", "engine", "live", "memory"]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
WHO: dict[str, Any] = {"entity": "customer:U1", "agent": "support"}


class Both(NamedTuple):
    """The same in English and in Chinese: words, or an input."""

    en: Any
    zh: Any

    def of(self, lang: str) -> Any:
        """Return one of the two.

        Raises
        ------
        DataError
            If the language is another.
        """
        if lang not in ("en", "zh"):
            raise DataError(f"lang: {lang!r} is not 'zh' or 'en'")
        return self.zh if lang == "zh" else self.en


class Exhibit(ABC):
    """One public defect of a memory system, reproduced small.

    Both policies get the same input and are asked the same: `holds` judges their outcomes without
    knowing whose they are.

    Attributes
    ----------
    id : str
        Short name.
    title, wrong, cure : Both
        What it is called; what goes wrong and why; the rule that cures it.
    link : str
        The public report.
    rule : str
        Requirement of ctxlab that rules it out.
    given : Both
        The tiny input.
    limit : Both, optional
        What ctxlab's cure can't do.
    """

    id: ClassVar[str]
    title: ClassVar[Both]
    wrong: ClassVar[Both]
    cure: ClassVar[Both]
    link: ClassVar[str]
    rule: ClassVar[str]
    given: ClassVar[Both]
    limit: ClassVar[Both | None] = None

    @abstractmethod
    def broken(self, given: Any) -> Any:
        """Do it the wrong way."""

    @abstractmethod
    def ctxlab(self, given: Any) -> Any:
        """Do it with ctxlab's public interface."""

    @abstractmethod
    def holds(self, given: Any, outcome: Any) -> bool:
        """Whether an outcome is right."""

    def show(self, lang: str = "en") -> Showing:
        """Run both policies; what returns prints itself.

        Parameters
        ----------
        lang : str
            ``"zh"`` or ``"en"``: of the input and of the words.
        """
        given = self.given.of(lang)
        broken, ours = self.broken(given), self.ctxlab(given)
        right = (self.holds(given, broken), self.holds(given, ours))
        return Showing(self, lang, given, broken, ours, *right)


_WORDS = {
    "en": "Given|What goes wrong|The defective policy|ctxlab|The rule that cures it|"
    "What it can't do|wrong|right",
    "zh": "输入|问题所在|有缺陷的做法|ctxlab|解法|仍做不到的|错|对",
}


@dataclass(frozen=True)
class Showing:
    """Both outcomes of one exhibit.

    Attributes
    ----------
    exhibit : Exhibit
    lang : str
    given : object
        The input.
    broken, ctxlab : object
        Outcomes of the defective policy and of ctxlab.
    broken_right, ctxlab_right : bool
        Whether each is as it should be.
    """

    exhibit: Exhibit
    lang: str
    given: Any
    broken: Any
    ctxlab: Any
    broken_right: bool
    ctxlab_right: bool

    def to_frame(self) -> pd.DataFrame:
        """Return ``policy``, ``outcome`` and ``right``, one row for each of the two."""
        import pandas as pd

        rows = [
            ("broken", self.broken, self.broken_right),
            ("ctxlab", self.ctxlab, self.ctxlab_right),
        ]
        return pd.DataFrame(rows, columns=["policy", "outcome", "right"])

    def __str__(self) -> str:
        given, wrong, bad, good, cure, limit, no, yes = _WORDS[self.lang].split("|")
        shown, lang = self.exhibit, self.lang
        lines = [
            f"{shown.title.of(lang)}  ({shown.link})",
            f"{given}: {_said(self.given)}",
            f"{wrong}: {shown.wrong.of(lang)}",
            f"{bad} [{yes if self.broken_right else no}]: {_said(self.broken)}",
            f"{good} [{yes if self.ctxlab_right else no}]: {_said(self.ctxlab)}",
            f"{cure} ({shown.rule}): {shown.cure.of(lang)}",
        ]
        if shown.limit is not None:
            lines.append(f"{limit}: {shown.limit.of(lang)}")
        return "\n".join(lines)

    __repr__ = __str__


def _said(value: Any) -> str:
    """Write an input or an outcome on one line."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_said(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return "[" + " | ".join(_said(inner) for inner in value) + "]"
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:199]}…"


# ---------------------------------------------------------------------- what the exhibits share


def memory(config: Config | None = None, embedder: Any = "auto") -> Memory:
    """Return an empty memory whose clock stands at noon."""
    return Memory("sqlite://", embedder, config, ManualClock(NOON))


def engine(config: dict[str, Any] | None = None, **more: Any) -> ContextEngine:
    """Return an engine over an empty database, whose clock stands at noon."""
    settings = Config().with_(config or {})
    given = {"clock": ManualClock(NOON), "embedder": None, **more}
    return ContextEngine("sqlite://", config=settings, **given)


def live(held: Memory, entity: str = "customer:U1") -> list[str]:
    """Return all that is remembered of an entity, oldest first."""
    found = held.profile(entity=entity, agent=WHO["agent"], limit=99)
    return [record.text for record in sorted(found, key=lambda r: (r.created, r.id))]

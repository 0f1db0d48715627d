"""Every threshold in one place, each with its default, its unit and its requirement.

The numbers are starting points (SPEC gives them); fit them to your own logs and save the result:
``Config.load("ctxlab.toml")`` and ``config.save("ctxlab.toml")`` read and write TOML.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from .errors import ConfigError

__all__ = ["PRESETS", "Config"]

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Days = Annotated[float, Field(gt=0.0)]
Sensitivity = Literal["refuse", "mask", "keep"] | Days


class _Section(BaseModel):
    """Frozen, and a misspelt key is an error, not a setting that silently does nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Shares(_Section):
    """Parts of the window, summing to 1 (R51)."""

    system: Share = 0.06
    memory: Share = 0.25  # core memory and summary
    recent: Share = 0.40
    tools: Share = 0.09  # tool definitions and retrieval
    reserve: Share = 0.20  # output and buffer; never spent on input

    @model_validator(mode="after")
    def _sum_to_one(self) -> Shares:
        total = self.system + self.memory + self.recent + self.tools + self.reserve
        if abs(total - 1.0) > 1e-6:
            raise ValueError(f"shares sum to {total:.4f}, not 1")
        return self


class Budget(_Section):
    """Window and its division, in tokens (R50, R51)."""

    window: int = Field(32_000, ge=64)
    shares: Shares = Shares()
    image_tokens: int = Field(765, ge=0)  # a 1024 x 1024 image at high detail
    encoding: str = "o200k_base"
    alarm_growth: float = Field(1.5, gt=1.0)  # R52: input jumped by this factor


class SessionSettings(_Section):
    """Life of a conversation (R2, R15)."""

    idle_minutes: float = Field(30.0, gt=0)
    max_hours: float = Field(24.0, gt=0)
    raw_days: Days = 90.0  # raw messages in cold storage


class Window(_Section):
    """Dialogue kept word for word, in turns (R13)."""

    recent_turns: int = Field(20, ge=1)
    chunk_turns: int = Field(10, ge=1)


class Compression(_Section):
    """When and how much to summarise (R20, R23)."""

    trigger: float = Field(0.60, gt=0, le=1)  # share of the history budget
    every_messages: int = Field(6, ge=1)  # R23: 5 to 8
    max_chars_zh: int = Field(300, ge=20)
    max_words_en: int = Field(120, ge=10)


class Durable(_Section):
    """Long-term records (R33, R37). Days by kind; a kind left out doesn't expire."""

    ttl_days: dict[str, Days] = {
        "commitment": 14.0,
        "request": 30.0,
        "event": 90.0,
        "emotion": 30.0,
        "preference": 365.0,
    }
    core_days: Days = 30.0  # at least this long, renewed by use
    profile_limit: int = Field(10, ge=1)


class Semantic(_Section):
    """Search by meaning (R40 to R44)."""

    k: int = Field(5, ge=1)
    min_score: Share | None = None  # None: the embedder's own calibrated score
    mode: Literal["hybrid", "dense", "keyword"] = "hybrid"
    max_chars: int = Field(200, ge=20)  # per retrieved item
    source_weights: dict[str, float] = {  # R34
        "manual": 1.0,
        "consolidated": 0.95,
        "imported": 0.9,
        "extracted": 0.9,
    }


class Routing(_Section):
    """How this session's history is carried, in turns (R60)."""

    full_below: int = Field(10, ge=1)
    summary_over: int = Field(20, ge=1)
    retrieval_over: int = Field(50, ge=1)
    max_tool_calls: int = Field(3, ge=1)


class Assembly(_Section):
    """Freshness of tool results, in minutes (R72)."""

    tool_fresh_minutes: float = Field(5.0, gt=0)


class Decay(_Section):
    """Fading of relevance by kind (R90); a kind left out doesn't fade."""

    curve: Literal["exponential", "power", "act-r"] = "exponential"
    half_life_days: dict[str, Days] = {"emotion": 7.0, "event": 30.0, "preference": 180.0}


class Privacy(_Section):
    """What happens to sensitive content in memories (R91)."""

    policy: dict[str, Sensitivity] = {
        "credential": "refuse",
        "health": "refuse",
        "special": "refuse",
        "minor": "refuse",
        "payment": "mask",
        "government_id": "mask",
        "contact": "keep",
    }


class Scopes(_Section):
    """Attributes every agent role may read (R92)."""

    shared_attributes: tuple[str, ...] = (
        "account",
        "address",
        "billing",
        "contact",
        "email",
        "invoice",
        "name",
        "order",
        "phone",
        "plan",
    )


class Duplicates(_Section):
    """Cosine from which two records are compared in full (R94)."""

    candidate_score: float = Field(0.35, ge=-1.0, le=1.0)


class Index(_Section):
    """Vectors per entity from which an approximate index pays (R93); see ``tune-index``."""

    crossover: int = Field(20_000, ge=1)
    kind: Literal["hnsw", "ivf"] = "hnsw"
    effort: int = Field(200, ge=1)  # HNSW: candidates kept on the way; IVF: lists looked into


class Mitigations(_Section):
    """The five switches, all on."""

    contamination: bool = True
    privacy: bool = True
    scopes: bool = True
    scale: bool = True
    duplicates: bool = True


class Config(_Section):
    """All settings of one engine. Frozen: derive another with ``with_`` or ``model_copy``.

    Examples
    --------
    >>> Config().budget.window
    32000
    >>> Config().with_({"budget.window": 8000}).budget.window
    8000
    """

    budget: Budget = Budget()
    session: SessionSettings = SessionSettings()
    window: Window = Window()
    compression: Compression = Compression()
    durable: Durable = Durable()
    semantic: Semantic = Semantic()
    routing: Routing = Routing()
    assembly: Assembly = Assembly()
    decay: Decay = Decay()
    privacy: Privacy = Privacy()
    scopes: Scopes = Scopes()
    duplicates: Duplicates = Duplicates()
    index: Index = Index()
    mitigations: Mitigations = Mitigations()

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _config_error(error) from error

    @classmethod
    def load(cls, path: str | Path) -> Config:
        """Read a TOML file; keys left out keep their defaults.

        Raises
        ------
        ConfigError
            If the file is missing, isn't TOML, or a key is unknown or out of range.
        """
        try:
            with open(path, "rb") as file:
                data = tomllib.load(file)
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: {error}") from error
        return cls(**data)

    def save(self, path: str | Path) -> None:
        """Write every setting as TOML (``None`` is left out: it means "the default")."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def to_toml(self) -> str:
        """Return the settings as TOML text."""
        import tomli_w

        return tomli_w.dumps(self.model_dump(mode="json", exclude_none=True))

    @classmethod
    def preset(cls, name: str) -> Config:
        """Return a named starting point: ``small``, ``default`` or ``voice`` (R55)."""
        if name not in PRESETS:
            raise ConfigError(f"no preset {name!r}; there are {', '.join(sorted(PRESETS))}")
        return cls().with_(PRESETS[name])

    def with_(self, changes: dict[str, Any]) -> Config:
        """Return a copy with dotted keys changed and everything validated again.

        Parameters
        ----------
        changes : dict
            For example ``{"semantic.min_score": 0.4, "mitigations.scopes": False}``.
        """
        data = self.model_dump()
        for dotted, value in changes.items():
            *path, last = dotted.split(".")
            node: Any = data
            for key in path:
                node = node.get(key) if isinstance(node, dict) else None
            if not isinstance(node, dict):
                raise ConfigError(f"{dotted}: there is no such setting")
            node[last] = value
        return type(self)(**data)


def _config_error(error: ValidationError) -> ConfigError:
    """Say each fault as ``section.key: what is wrong``."""
    faults = "; ".join(
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
        for fault in error.errors()
    )
    return ConfigError(faults)


# R55. `small`: fewer recalls, rarer summaries; `voice`: everything within 300 ms, so few tokens.
PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "small": {
        "budget.window": 8_000,
        "semantic.k": 3,
        "compression.every_messages": 8,
        "compression.trigger": 0.8,
        "durable.profile_limit": 5,
    },
    "voice": {
        "budget.window": 8_000,
        "semantic.k": 3,
        "semantic.max_chars": 120,
        "window.recent_turns": 10,
        "durable.profile_limit": 5,
    },
}

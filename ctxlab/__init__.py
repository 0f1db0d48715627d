"""ctxlab: a laboratory for context and memory of customer-support LLM agents.

Everything below loads when it is first used, so ``import ctxlab`` costs next to nothing and no
heavy package is imported unasked.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Public name -> the module that holds it. The modules are free to move; the names aren't.
_WHERE = {
    "errors": "BudgetError ConfigError CtxlabError DataError EmbedderMismatch IdentityError "
    "MessageError MissingExtra SensitiveContentRefused SessionExpired StateKeyError StoreError",
    "clock": "ManualClock NaiveDatetime SystemClock",
    "config": "Config",
    "trace": "Trace TraceEvent",
    "messages": "Message ToolCall check_messages",
    "tokens": "TokenCounter",
    "types": "AuditEvent Hit Record RecordError Source WriteOutcome",
    "context.budget": "BudgetPlan Ledger",
    "context.routing": "RouteDecision",
    "context.request": "Context",
    "engine": "ContextEngine",
    "session": "Session Turn",
    "layers.memory": "Memory",
    "mitigations.contamination": "decay_weight",
    "mitigations.privacy": "ErasureCertificate",
    "language.labelling": "StatementLabel label",
    "language.extraction": "Draft extract",
    "language.comparing": "Comparison compare",
    "language.sensitive": "Finding scan",
    "language.references": "Reference refers_back",
    "datasets": "SupportDataset load_support make_support",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}
_SUBPACKAGES = ("evals", "lab")

__all__ = ["__version__", *_MODULE_OF, *_SUBPACKAGES]


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ctxlab' has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value  # found once, then as cheap as any module attribute
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

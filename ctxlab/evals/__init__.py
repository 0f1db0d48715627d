"""Measuring: logs and public sets in, figures out. Names load when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE = {
    "ablation": "Ablation effective_tokens holds_all",
    "exhibits": "Exhibit exhibit museum",
    "evidence": "Haystack Question evidence_recall",
    "failures": "FAILURES failure_bench failure_cases failure_rates",
    "intervals": "Rate wilson",
    "judging": "Verdict judge",
    "labelled_pairs": "read_pairs",
    "lengthening": "lengthen",
    "locomo_set": "load_locomo locomo",
    "longmemeval_set": "load_longmemeval longmemeval",
    "metrics": "compression_cost_share dedupe_precision_recall latency_by_step leak_rate "
    "retrieval_hit_rate stale_emotion_rate supersession_order text_of_context",
    "pairs": "lcqmc sick",
    "pii": "presidio",
    "playing": "endurance_rows",
    "replaying": "Replay replay",
    "review": "read_verdicts sample_for_review",
    "routing": "compare_routers confusion fit_router route_needs",
    "suggesting": "suggest",
    "suites": "SUITES every_system run_suite summarise validation_table",
    "supersession": "load_updates rank_updates",
    "sweeping": "LogSuite NamedSuite SweepWarning sweep",
    "sweeprates": "sweep_rates",
    "thresholds": "Objective ThresholdFit fit_threshold",
    "tuning": "Tuning tune_index",
    "transcripts": "Conversation read_conversations",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = [*_MODULE_OF, "systems"]


def __getattr__(name: str) -> Any:
    if name == "systems":
        return import_module(f"{__name__}.systems")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ctxlab.evals' has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value  # found once, then as cheap as any module attribute
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

"""The metrics log: numbers without content, rotated, readable after a crash."""

import json

import pytest

import ctxlab as cx
from ctxlab.metrics_log import MetricsLog, read_metrics, thresholds


def contexts(n):
    session = cx.ContextEngine(embedder=None).open_session(user_id="U1")
    for i in range(n):
        yield session.prepare(f"secret {i} " * (i + 1))


def test_numbers_without_content(tmp_path):
    log = MetricsLog(tmp_path / "metrics.jsonl")
    now = cx.SystemClock().now()
    for context in contexts(5):
        log.write(context, now, chat_ms=3.5)
    log.close()
    assert "secret" not in (tmp_path / "metrics.jsonl").read_text()
    frame = read_metrics(tmp_path / "metrics.jsonl")
    assert len(frame) == 5 and frame["total"].is_monotonic_increasing
    table = thresholds(frame)
    assert table.loc["tokens.recent", "max"] == frame["tokens.recent"].max()
    assert {"p50", "p90", "p95", "p99", "max"} == set(table.columns)


def test_rotation_and_a_half_written_last_line(tmp_path):
    path = tmp_path / "metrics.jsonl"
    log = MetricsLog(path, max_bytes=2_000, keep=50)
    now = cx.SystemClock().now()
    for context in contexts(20):
        log.write(context, now)
    log.close()
    assert len(list(tmp_path.glob("metrics.jsonl.*"))) >= 2
    assert len(read_metrics(path)) == 20
    with path.open("a") as file:
        file.write('{"turns": 1, "tot')
    assert len(read_metrics(path)) == 20
    path.write_text("not json\n" + json.dumps({"total": 1}) + "\n")
    with pytest.raises(cx.DataError, match="line 1"):
        read_metrics(path)

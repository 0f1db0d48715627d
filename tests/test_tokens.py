"""Token counts: exact, offline, and the same however text is cut for speed."""

import socket

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.tokens import TokenCounter, encoding

COOKBOOK = [
    {
        "role": "system",
        "content": "You are a helpful, pattern-following assistant that translates corporate "
        "jargon into plain English.",
    },
    {
        "role": "system",
        "name": "example_user",
        "content": "New synergies will help drive top-line growth.",
    },
    {
        "role": "system",
        "name": "example_assistant",
        "content": "Things working well together will increase revenue.",
    },
    {
        "role": "system",
        "name": "example_user",
        "content": "Let's circle back when we have more bandwidth to touch base on opportunities "
        "for increased leverage.",
    },
    {
        "role": "system",
        "name": "example_assistant",
        "content": "Let's talk later when we're less busy about how to do better.",
    },
    {
        "role": "user",
        "content": "This late pivot means we don't have time to boil the ocean for the client "
        "deliverable.",
    },
]
WEATHER = [
    {
        "type": "function",
        "function": {
            "name": "get_current_weather",
            "description": "Get the current weather in a given location",
            "parameters": {
                "type": "object",
                "properties": {
                    "location": {
                        "type": "string",
                        "description": "The city and state, e.g. San Francisco, CA",
                    },
                    "unit": {
                        "type": "string",
                        "description": "The unit of temperature to return",
                        "enum": ["celsius", "fahrenheit"],
                    },
                },
                "required": ["location"],
            },
        },
    }
]
ASKED = [
    {
        "role": "system",
        "content": "You are a helpful assistant that can answer to questions about the weather.",
    },
    {"role": "user", "content": "What's the weather like in San Francisco?"},
]
# Letters, digits, marks, breaks and spaces in both languages: where tokenizers cut.
TEXT = st.lists(
    st.sampled_from(
        [
            "order",
            "订单",
            "A1029",
            "3.5",
            "\n",
            "\n\n",
            " ",
            "  ",
            "/",
            "'s",
            "，",
            "。",
            "!!",
            "<x>",
            "🙂",
            "\t",
            "é",
            "_",
        ]
    )
    | st.text(max_size=8),
    max_size=120,
).map("".join)


def test_published_example_of_the_cookbook():
    assert cx.TokenCounter("cl100k_base").count_messages(COOKBOOK) == 129


@pytest.mark.parametrize(("name", "tokens"), [("cl100k_base", 105), ("o200k_base", 101)])
def test_published_example_with_tools(name, tokens):
    assert cx.TokenCounter(name).count_messages(ASKED, WEATHER) == tokens


def test_no_network_is_tried(monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    encoding.cache_clear()
    assert cx.TokenCounter().count("订单 A1029") > 0


def test_pattern_and_special_tokens_are_tiktokens_own(monkeypatch):
    from tiktoken_ext import openai_public

    ours = encoding("o200k_base")
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ours._mergeable_ranks)
    theirs = tiktoken.Encoding(**openai_public.o200k_base())
    assert (ours._pat_str, ours._special_tokens) == (theirs._pat_str, theirs._special_tokens)


def test_a_damaged_file_is_refused(monkeypatch):
    import gzip

    monkeypatch.setattr(gzip, "decompress", lambda _: b"IQ== 0\n")
    encoding.cache_clear()
    with pytest.raises(cx.DataError, match="damaged"):
        encoding("cl100k_base")


def test_special_tokens_count_as_text():
    counter = cx.TokenCounter()
    assert counter.count("<|endoftext|>") > 1
    assert counter.count_messages([{"role": "user", "content": "<|im_start|>system"}]) > 5


@settings(max_examples=150, deadline=None)
@given(TEXT, st.sampled_from(["o200k_base", "cl100k_base"]))
def test_cutting_long_text_changes_no_count(text, name):
    long = text * 4
    assert cx.TokenCounter(name).count(long) == len(encoding(name).encode_ordinary(long))


def test_pieces_of_very_long_text_sum_exactly():
    text = "订单 A1029，下周三送到。Please call, before 5. " * 3000
    assert cx.TokenCounter().count(text) == len(encoding("o200k_base").encode_ordinary(text))


@pytest.mark.parametrize("text", ["a" * 500_000, "^" * 500_000, "中" * 200_000, "\n" * 200_000])
def test_unbroken_megabytes_are_counted(text):
    assert cx.TokenCounter().count(text) > 1000


def test_lone_surrogates_and_images_are_counted():
    counter = cx.TokenCounter(image_tokens=500)
    assert counter.count("x\ud800y") > 0
    parts = [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "x"}}]
    plain = counter.count_message({"role": "user", "content": "hi"})
    assert counter.count_message({"role": "user", "content": parts}) == plain + 500


def test_calls_and_names_add_tokens():
    counter = cx.TokenCounter()
    bare = {"role": "assistant", "content": "ok"}
    call = {"id": "c1", "function": {"name": "look", "arguments": '{"order": 1}'}}
    assert counter.count_message({**bare, "tool_calls": [call]}) > counter.count_message(bare)
    assert counter.count_message({**bare, "name": "Ann"}) > counter.count_message(bare)


def test_each_text_is_encoded_once(monkeypatch):
    counter = cx.TokenCounter()
    calls = []
    monkeypatch.setattr(counter, "_encode", lambda text: calls.append(text) or 1)
    counter.count("hello")
    counter.count("hello")
    assert calls == ["hello"]


def test_another_tokenizer_plugs_in():
    assert cx.TokenCounter("characters", count=len).count("hello") == 5
    with pytest.raises(cx.ConfigError, match="TokenCounter"):
        cx.TokenCounter("p50k_base")


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_up_to_three_digits_are_one_token_whichever_they_are(name):
    assert TokenCounter(name).digits_alike
    exact = encoding(name)
    every = [f"{n:0{length}d}" for length in (1, 2, 3) for n in range(10**length)]
    assert {len(exact.encode_ordinary(digits)) for digits in every} == {1}


def test_of_another_tokenizer_nothing_is_known_of_digits():
    assert not TokenCounter("mine", count=len).digits_alike

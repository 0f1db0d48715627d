"""The same context for Anthropic's API: system blocks apart, roles alternating (R75)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

__all__ = ["to_anthropic"]

_OPENING = "(The agent opened the conversation.)"
_EMPTY = "(no text)"  # that API refuses empty text blocks


def to_anthropic(
    messages: Sequence[dict[str, Any]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Convert an OpenAI-style list that is legal there.

    System messages become system blocks in order; tool results become ``tool_result`` blocks at
    the start of the next user message; names become a prefix, since that API has no name field.

    Examples
    --------
    >>> system, talk = to_anthropic([{"role": "system", "content": "Be kind."},
    ...                              {"role": "user", "content": "hi"}])
    >>> talk
    [{'role': 'user', 'content': [{'type': 'text', 'text': 'hi'}]}]
    """
    system: list[dict[str, Any]] = []
    talk: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "system":
            system += [b for b in _text_blocks(message) if b["text"] != _EMPTY]
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        if not talk and role == "assistant":
            talk.append({"role": "user", "content": [{"type": "text", "text": _OPENING}]})
        if talk and talk[-1]["role"] == role:
            talk[-1]["content"] += _blocks(message)
        else:
            talk.append({"role": role, "content": _blocks(message)})
    return system, talk


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    if message["role"] == "tool":
        call = message["tool_call_id"]
        return [{"type": "tool_result", "tool_use_id": call, "content": _text_blocks(message)}]
    calls = [
        {
            "type": "tool_use",
            "id": call["id"],
            "name": call["function"]["name"],
            "input": _arguments(call["function"]["arguments"]),
        }
        for call in message.get("tool_calls", ())
    ]
    if calls and not message.get("content"):
        return calls
    return _text_blocks(message) + calls


def _text_blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    prefix = f"{message['name']}: " if message.get("name") and message["role"] == "user" else ""
    if content is None or isinstance(content, str):
        text = prefix + (content or "")
        return [{"type": "text", "text": text if text.strip() else _EMPTY}]
    blocks = []
    for part in content:
        if part["type"] == "text":
            blocks.append({"type": "text", "text": prefix + part["text"] or _EMPTY})
        elif part["type"] == "image_url":
            blocks.append(_image(part["image_url"]))
        else:
            blocks.append({"type": "text", "text": json.dumps(part, ensure_ascii=False)})
    return blocks or [{"type": "text", "text": _EMPTY}]


def _image(given: Any) -> dict[str, Any]:
    url = str(given.get("url", "") if isinstance(given, dict) else given)
    if url.startswith("data:") and "," in url:
        head, data = url.split(",", 1)
        media = head[5:].split(";")[0] or "image/png"
        return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
    return {"type": "image", "source": {"type": "url", "url": url}}


def _arguments(text: str) -> dict[str, Any]:
    """Parse a call's arguments; that API wants an object, and models write what they like."""
    try:
        value = json.loads(text or "{}")
    except json.JSONDecodeError:
        return {"_unparsed": text}
    return value if isinstance(value, dict) else {"_value": value}

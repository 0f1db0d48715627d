"""Exact token counts, offline (R50).

tiktoken's own ``get_encoding`` downloads its ranks on first use. The ranks of the two encodings
used here are MIT-licensed data and ship with the package, checked against the SHA-256 that
tiktoken itself expects, so a count needs no network and can't hang on one.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from types import FunctionType
from typing import TYPE_CHECKING, Any

from .errors import ConfigError, DataError, MessageError
from .messages import Message, text_of

if TYPE_CHECKING:
    import tiktoken

__all__ = ["TokenCounter", "encoding"]

_SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}

# Framing published in OpenAI's cookbook, "How to count tokens with tiktoken".
PER_MESSAGE = 3
PER_NAME = 1
PER_REPLY = 3  # every reply is primed with <|start|>assistant<|message|>
# The same page gives these for tool definitions; a function opens with 10 under cl100k_base
# models and 7 under o200k_base ones.
_FUNCTION_OPENS = {"cl100k_base": 10, "o200k_base": 7}
_PROPERTIES_OPEN, _PROPERTY, _ENUM_OPENS, _ENUM_ITEM, _TOOLS_CLOSE = 3, 3, -3, 3, 12
# Calls inside a message are framed too; no figure is published, so this errs upwards.
_PER_CALL = 3

_PIECE = 20_000  # characters; beyond it text is encoded in pieces
_REMEMBERED = 100_000  # texts
# Under both encodings no token runs across a line break into a line that begins like this.
_LINE = re.compile(r"(?<=\n)(?=[^\s/])")
_BEGINS = re.compile(r"[^\s/]").match
_SHORT = 200  # characters; shorter text is encoded at once
# One mark between two letters or digits: it always opens a new token, alone or with what follows.
_SEAM = re.compile(r"(?<=[^\W_])[ ,.;:!?，。；：！？、](?=[^\W_])")


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """Build a tiktoken encoding from the ranks in this package.

    Parameters
    ----------
    name : str
        ``"o200k_base"`` or ``"cl100k_base"``.

    Raises
    ------
    ConfigError
        If the ranks of that encoding don't ship here.
    DataError
        If the shipped file is damaged.
    """
    if name not in _SHA256:
        raise ConfigError(
            f"no ranks for {name!r} ship with ctxlab; there are {', '.join(sorted(_SHA256))}, "
            "and TokenCounter(name, count=…) takes any other tokenizer"
        )
    import tiktoken
    from tiktoken_ext import openai_public

    packed = resources.files("ctxlab").joinpath(f"tokenizer/{name}.tiktoken.gz").read_bytes()
    raw = gzip.decompress(packed)
    if hashlib.sha256(raw).hexdigest() != _SHA256[name]:
        raise DataError(f"tokenizer/{name}.tiktoken.gz is damaged: reinstall ctxlab")
    ranks = {
        base64.b64decode(token): int(rank) for token, rank in (x.split() for x in raw.splitlines())
    }
    # tiktoken keeps an encoding's pattern inside the function that downloads its ranks. A copy of
    # that function whose download is our file keeps tiktoken the one source of the pattern.
    build = getattr(openai_public, name)
    offline = {**build.__globals__, "load_tiktoken_bpe": lambda *_, **__: ranks}
    return tiktoken.Encoding(**FunctionType(build.__code__, offline)())


class TokenCounter:
    """Counts tokens of texts, messages and tool definitions, each text once.

    Parameters
    ----------
    encoding : str
        ``"o200k_base"`` (default) or ``"cl100k_base"``, or any name with `count` given.
    image_tokens : int
        Tokens charged for one image part.
    count : callable, optional
        ``text -> tokens`` of another tokenizer. It should count text in which special tokens are
        spelt out as ordinary text.

    Examples
    --------
    >>> TokenCounter("cl100k_base").count("hello world")
    2
    """

    def __init__(
        self,
        encoding: str = "o200k_base",
        image_tokens: int = 765,
        count: Callable[[str], int] | None = None,
    ) -> None:
        if count is None and encoding not in _SHA256:
            globals()["encoding"](encoding)  # raises the error that names the way out
        self.encoding = encoding
        self.image_tokens = image_tokens
        self._count = count
        self._known: dict[bytes, int] = {}
        self._roles: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Return the tokens of a text; ``<|endoftext|>`` and its like count as ordinary text."""
        if not text:
            return 0
        if not isinstance(text, str):
            raise MessageError(f"expected text, got {type(text).__name__}", "text")
        # Digests, not texts: a cache that held customers' words would have to be erased (R91).
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._known.get(key)
        if known is None:
            lines = _LINE.split(text) if self._count is None and len(text) > _SHORT else [text]
            # Line by line, a memory block that gained a line costs only that line.
            known = self._encode(text) if len(lines) == 1 else sum(map(self.count, lines))
            self._known[key] = known
            if len(self._known) > _REMEMBERED:
                for old in list(self._known)[: _REMEMBERED // 10]:
                    self._known.pop(old, None)
        return known

    def count_message(self, message: Message | Mapping[str, Any]) -> int:
        """Return the tokens of one message with its framing."""
        m = message if isinstance(message, Message) else Message.of(message)
        total = self._opens(m.role) + self.count(text_of(m.content))
        if isinstance(m.content, tuple):
            total += self.image_tokens * sum(part["type"] != "text" for part in m.content)
        if m.name:
            total += PER_NAME + self.count(m.name)
        for call in m.tool_calls:
            total += _PER_CALL + self.count(call.id)
            total += self.count(call.name) + self.count(call.arguments)
        if m.tool_call_id:
            total += self.count(m.tool_call_id)
        return total

    def adds_up(self, lines: Sequence[str]) -> bool:
        """Whether lines, each counted with its line break, come to the tokens of their text.

        They do under both encodings unless a line begins with a slash or a blank; of another
        tokenizer nothing is known.

        Examples
        --------
        >>> TokenCounter().adds_up(["one", "two"]), TokenCounter().adds_up(["one", "/two"])
        (True, False)
        """
        return self._count is None and all(map(_BEGINS, lines))

    @property
    def digits_alike(self) -> bool:
        """Whether texts that differ in ASCII digits only count alike.

        Under both encodings up to three of them in a row are one token, whichever they are; of
        another tokenizer nothing is known.
        """
        return self._count is None

    def count_text_message(self, role: str, text: str) -> int:
        """Return the tokens of a message that is only a role and a text."""
        return self._opens(role) + self.count(text)

    def _opens(self, role: str) -> int:
        """Return the tokens of a message of this role without its text."""
        if role not in self._roles:
            self._roles[role] = PER_MESSAGE + self.count(role)
        return self._roles[role]

    def count_messages(
        self,
        messages: Iterable[Message | Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Return the prompt tokens of a request, the priming of the reply included.

        References
        ----------
        OpenAI cookbook, "How to count tokens with tiktoken": its six-message example comes to
        129 tokens under ``cl100k_base``.
        """
        return PER_REPLY + sum(map(self.count_message, messages)) + self.count_tools(tools)

    def count_tools(self, tools: Sequence[Mapping[str, Any]] | None) -> int:
        """Return the tokens of tool definitions (OpenAI form)."""
        if not tools:
            return 0
        try:
            return _TOOLS_CLOSE + sum(self._count_function(t.get("function", t)) for t in tools)
        except (AttributeError, TypeError) as error:
            raise MessageError(
                "expected a list of definitions in OpenAI form, such as {'type': 'function', "
                f"'function': {{'name': 'lookup', 'parameters': {{…}}}}}}; {error}",
                "tools",
            ) from error

    def _count_function(self, function: Mapping[str, Any]) -> int:
        line = f"{function.get('name', '')}:{str(function.get('description', '')).rstrip('.')}"
        schema = function.get("parameters") or function.get("input_schema") or {}
        opens = _FUNCTION_OPENS.get(self.encoding, max(_FUNCTION_OPENS.values()))
        return opens + self.count(line) + self._count_properties(schema)

    def _count_properties(self, schema: Mapping[str, Any]) -> int:
        properties = schema.get("properties") or {}
        total = _PROPERTIES_OPEN if properties else 0
        for key, spec in properties.items():
            kind, about = spec.get("type", ""), str(spec.get("description", "")).rstrip(".")
            total += _PROPERTY + self.count(f"{key}:{kind}:{about}")
            if "enum" in spec:
                items = [str(item) for item in spec["enum"]]
                total += _ENUM_OPENS + sum(_ENUM_ITEM + self.count(item) for item in items)
            total += self._count_properties(spec)
            if isinstance(spec.get("items"), Mapping):
                total += self._count_properties(spec["items"])
            rest = {k: spec[k] for k in ("anyOf", "oneOf", "allOf", "$ref") if k in spec}
            if rest:  # no published figure: count the JSON itself
                total += self.count(json.dumps(rest, ensure_ascii=False))
        return total

    def _encode(self, text: str) -> int:
        if self._count is not None:
            return self._count(text)
        known = encoding(self.encoding)
        if len(text) <= _PIECE:
            return len(known.encode_ordinary(text))
        # One call on a megabyte of unbroken symbols can exhaust the regular expression's stack.
        return sum(len(known.encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterable[str]:
    """Cut long text where both encodings begin a new token anyway, so that the sum is exact."""
    start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        cuts = [m.start() for m in _SEAM.finditer(text, end - _PIECE // 4, end)]
        end = cuts[-1] if cuts else end  # 5,000 characters without a seam aren't language
        yield text[start:end]
        start = end
    yield text[start:]

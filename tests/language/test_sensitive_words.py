"""Secrets of plain words: found where one is spoken of, and only there."""

from __future__ import annotations

import pytest

from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_words import TAGS, find_words, speaks_of_secrets, tokens, traits


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("mum was a Tillotson before she married, that's your security question", "Tillotson"),
        ("my reminder question, the dog, is Bosun", "Bosun"),
        ("提示问题那只猫叫雪球", "雪球"),
        ("接警问词就说大白鹅", "大白鹅"),
        ("我们跟保姆约的暗号是绿螃蟹", "绿螃蟹"),
    ],
)
def test_a_secret_that_is_told_sideways_is_found(text: str, secret: str) -> None:
    found = [text[f.start : f.end] for f in scan(text) if f.category == "credential"]
    assert any(secret in value or value in secret for value in found)


@pytest.mark.parametrize(
    "text",
    [
        "what do I do if I forgot the memorable word",
        "the password box is greyed out",
        "our passphrase was too short for you",
        "our word games evening starts at eight",
        "why does it ask for my mother's maiden name at all",
        "The customer said: Ask for Ottilie at the hatch.",
        "The agent said: Ask for Bo.",
        "The customer asked: who do they ask for when they get there",
        "安全问题能不能少几个",
        "口令最长几位",
        "接送口令哪里改",
    ],
)
def test_the_name_of_a_secret_is_clean(text: str) -> None:
    assert not [f for f in scan(text) if f.category == "credential"]


def test_what_speaks_of_no_secret_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxlab.language.sensitive_words.load_head", lambda name: 1 / 0)
    assert not speaks_of_secrets("my parcel is late")
    assert list(find_words("my parcel is late", [])) == []
    with pytest.raises(ZeroDivisionError):
        list(find_words("the memorable word is heron", []))


def test_a_token_is_a_word_a_character_or_a_mark() -> None:
    text = "say heron, 暗号"
    assert [token.text for token in tokens(text)] == ["say", "heron", ",", "暗", "号"]
    assert all(text[t.start : t.end] == t.text for t in tokens(text))
    read = traits(tokens(text), 1)
    assert {"is heron", "<1 say", ">1 ,", "behind say"} <= set(read)
    assert TAGS[0] == "begin"

"""Names of illnesses, treatments and medicines: a dictionary, zh and en, and how medicines end.

To be named is not to be had: "is the flu jab free", 「血压计不准」. So a name is one more input of
the head that decides, and a trigger that it must confirm. The names are in
``sensitive_medical.json``; those of illnesses were checked against the words of ICD-10-CM. A
medicine is known by the stem that the World Health Organization gives its kind ("-sartan", 沙坦).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["named_en", "named_zh", "trie"]

_STEMS = (
    r"\w{3,}(?:prils?|sartans?|olol|statins?|azepam|azolam|oxetine|traline|alopram|faxine|prazole|"
    r"conazole|cillin|mycin|floxacin|cycline|gliptin|gliflozin|glutide|glitazone|triptan|parin|"
    r"xaban|gatran|dogrel|dipine|semide|thiazide|nisone|nisolone|methasone|tidine|ciclovir|"
    r"tegravir|buvir|navir|tinib|ciclib|parib|lukast|tropium|setron|tamsulosin|peridol|zapine|"
    r"tiapine|peridone|piprazole|barbital|coxib|formin|zumab|ximab|tuzumab|limumab)"
)
_STEMS_ZH = (
    "[\u4e00-\u9fff]{1,4}(?:西泮|唑仑|普利|沙坦|洛尔|地平|他汀|拉唑|沙星|霉素|西林|环素|列汀|列净|"
    "鲁肽|双胍|格列[酮奈]|单抗|替尼|夫定|[洛韦]韦|西汀|普兰|法辛|氮平|硫平|哌酮|哌唑|戊酸钠|马西平|"
    "三嗪|拉西坦|巴比妥|曲普坦|昔布|洛芬|尼松|米松|可的松|莫司|他韦|沙班|格雷)"
)


def trie(words: Iterable[str]) -> str:
    """Write words as one pattern that reads each letter once.

    Examples
    --------
    >>> trie(["gout", "gouty", "flu"])
    '(?:flu|gout(?:y)?)'
    """
    tree: dict[str, dict[str, object]] = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})  # type: ignore[assignment]
        node[""] = {}
    return _branch(tree)


def _branch(node: dict[str, dict[str, object]]) -> str:
    ends = "" in node
    parts = []
    for letter in sorted(filter(None, node)):
        rest = _branch(node[letter])  # type: ignore[arg-type]
        parts.append(re.escape(letter) + rest)
    if not parts:
        return ""
    if len(parts) == 1 and not ends:
        return parts[0]
    return f"(?:{'|'.join(parts)}){'?' if ends else ''}"


@cache
def named_en() -> str:
    """Give the pattern of English names."""
    names = words_beside(__file__)["en"]
    return f"{trie(name for kind in names.values() for name in kind)}|{_STEMS}"


@cache
def named_zh() -> str:
    """Give the pattern of Chinese names."""
    names = words_beside(__file__)["zh"]
    return f"{trie(name for kind in names.values() for name in kind)}|{_STEMS_ZH}"

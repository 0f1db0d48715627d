"""Chinese as it is spoken in the North and elsewhere, read as the standard: 「今儿」 is 「今天」.

The 「儿」 of Beijing means nothing, and pronouns, question words and days have local forms. Words,
cues and n-grams known in one form are strangers in the other, so what reads them folds them
together, as `cantonese` does. What is stored or shown is never folded.
"""

from __future__ import annotations

import re

__all__ = ["standard"]

# A child is a 「儿」 too: 「女儿」, 「幼儿园」, 「儿科」.
_CURL = re.compile(
    r"(?<=[\u3400-\u9fff])(?<![女婴幼孤侄孙育胎患男小宠健混少])儿(?![子童女媳科歌孙时茶戏化])"
)
_DAY = re.compile(r"([今明昨后前])儿个?")
_WORDS = {
    "咱们": "我们", "咱": "我们", "俺们": "我们", "俺": "我", "阿拉": "我们", "侬": "你",
    "怹": "他", "甭": "不用", "啥": "什么", "咋": "怎么", "忒": "太", "几时": "什么时候",
    "做么": "为什么", "今朝": "今天", "今个": "今天", "昨个": "昨天", "明个": "明天",
    "礼拜天": "星期天", "礼拜": "星期", "搁": "放", "没得": "没有", "晓得": "知道",
    "得嘞": "好的", "中不中": "行不行",
}  # fmt: skip
# 「做礼拜」 is worship, 「没得到」 is not having got, 「耽搁」 is delay.
_LOCAL = re.compile(
    "|".join(
        {"搁": "(?<!耽)搁", "没得": "没得(?![到罪空])", "礼拜": "(?<!做)礼拜(?!堂)"}.get(word, word)
        for word in _WORDS
    )
)


def standard(text: str) -> str:
    """Put standard words for local ones, and leave out what is only an accent.

    Parameters
    ----------
    text : str
        In simplified characters.

    Examples
    --------
    >>> standard("昨儿个夜里门口儿那灯不亮了，咋整")
    '昨天夜里门口那灯不亮了，怎么整'
    >>> standard("女儿在幼儿园")
    '女儿在幼儿园'
    """
    if text.isascii():
        return text
    if "儿" in text:
        text = _CURL.sub("", _DAY.sub(r"\1天", text))
    return _LOCAL.sub(lambda found: _WORDS[found.group()], text)

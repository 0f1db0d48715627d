"""Sensitive content without a format: health, special categories, children, zh and en.

Words alone don't decide. "Blind", 聋 and "pregnant" are said of people, routers and deals, so a
trigger is weighed by what stands around it: a person it can be about, or a machine, an animal, a
product, a place or a figure of speech that takes it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxlab.language import sensitive_lexicon as lexicon
from ctxlab.language.sensitive_medical import named_en, named_zh
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_practice import WEAK_TRIGGERS
from ctxlab.language.sensitive_triggers import TRIGGERS
from ctxlab.language.text import clause_spans, sentence_spans

__all__ = ["MARKED", "RULED_OUT", "SIGNALS", "STRONG", "find_topics", "signals"]

STRONG = 0.6
"""A hit at or above this confidence stands by its wording alone."""
RULED_OUT = 0.1
"""Confidence of an age that is no child's, but a whisky's or a company's: no head revives it."""
_RULES = (*(rule for _, rule, *_ in TRIGGERS), "named", "child")
_SURROUNDINGS = ("person", "figure", "animal", "general", "place", "thing", "question")
SIGNALS = (
    *(f"{rule} {how}" for rule in _RULES for how in ("doubted", "bare", "of a person")),
    *_SURROUNDINGS,
    *(f"message {name}" for name in ("person", "figure", "animal", "general")),
    *(f"{rule} hinted" for _, rule, *_ in WEAK_TRIGGERS),
)
"""What the rules say of a clause, as named inputs of the second opinion."""
_MARKS = {rule: category for category, rule, *_ in (*TRIGGERS, *WEAK_TRIGGERS)} | {
    "named": "health", "child": "minor",
}  # fmt: skip
MARKED = tuple(
    _MARKS.get(name.split()[0], "") if name.split()[-1] != "doubted" else "" for name in SIGNALS
)
"""The category that each of ``SIGNALS`` speaks for; empty if it speaks for none."""
_AT_AN_END = ("question", "figure", "place")  # their patterns know where a text ends
_LONGEST = 600  # characters read at once: sentences beyond it are tables, pastes or noise


class _Patterns(NamedTuple):
    triggers: tuple[tuple[re.Pattern[str], str, str, re.Pattern[str]], ...]
    hints: tuple[tuple[re.Pattern[str], str, re.Pattern[str]], ...]
    child: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    person: re.Pattern[str]
    thing: re.Pattern[str]
    thing_before: re.Pattern[str]
    figure: re.Pattern[str]
    general: re.Pattern[str]
    animal: re.Pattern[str]
    place: re.Pattern[str]
    subject: re.Pattern[str]


_SCRIPTS = {"en": re.compile("[A-Za-z]"), "zh": re.compile("[\u4e00-\u9fff]")}


def _frame(language: str, words: str) -> str:
    """Let a pattern begin only where a word can: most positions then cost one look ahead."""
    if language == "zh":
        return f"(?=[\u4e00-\u9fff0-9])(?:{words})"
    return f"(?<![A-Za-z0-9])(?=[A-Za-z0-9])(?:{words})s?(?![A-Za-z0-9])"


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    """Compile when first needed: doing it on import would slow every start."""
    flags = re.IGNORECASE
    kin, child = lexicon.KIN, lexicon.CHILDREN
    kin_zh, child_zh = lexicon.KIN_ZH, lexicon.CHILDREN_ZH
    person = (
        r"\b(?:i(?:'?m|'?ve|'?d|'?ll)?|my|me|mine|myself|we(?:'?re|'?ve|'?d|'?ll)?|our|us|"
        rf"s?he(?:'?s|'?d)?|him|his|her|who(?:'?s)?|they'?re|{kin}|{child})\b|[我咱俺他她]|"
        f"{kin_zh}|{child_zh}"
    )
    thing = (
        rf"\b(?:the|your|this|that|my|our|an?|new|old) (?:[\w-]+ )?(?:{lexicon.THINGS})(?:'s|s)?"
        rf"(?: \w+)?\s*\Z|\b(?:{lexicon.THINGS})(?:'s|s)?(?: (?:just|really|already|now|also|an?|"
        rf"gone|been|"
        rf"still|has|had|is|was|of mine))*\s*\Z|(?:{lexicon.THINGS_ZH})[\u4e00-\u9fff]{{0,6}}\Z"
    )
    subject = (
        rf"(?:\b(?:i(?:'?m|'?ve)?|we(?:'?re)?|s?he'?s|my|our|his|her|as an?)\b|[我咱他她]|{kin_zh})"
    )
    return _Patterns(
        tuple(
            (_SCRIPTS[language], category, rule, re.compile(_frame(language, words), flags))
            for category, rule, *both in (*TRIGGERS, ("health", "named", named_en(), named_zh()))
            for language, words in zip(_SCRIPTS, both, strict=True)
        ),
        tuple(
            (_SCRIPTS[language], f"{rule} hinted", re.compile(_frame(language, words), flags))
            for _, rule, *both in WEAK_TRIGGERS
            for language, words in zip(_SCRIPTS, both, strict=True)
        ),
        tuple(
            (_SCRIPTS[language], re.compile(_frame(language, "|".join(parts)), flags))
            for language, parts in zip(_SCRIPTS, _child_parts(), strict=True)
        ),
        re.compile(person, flags),
        re.compile(rf"\b(?:{lexicon.THINGS})s?\b|{lexicon.THINGS_ZH}", flags),
        re.compile(thing, flags),
        re.compile(lexicon.FIGURES, flags),
        re.compile(lexicon.GENERAL, flags),
        re.compile(lexicon.ANIMALS, flags),
        re.compile(lexicon.PLACES, flags),
        re.compile(subject, flags),
    )


def _child_parts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Compose what shows a child, en and zh: an age, a name beside a child's noun, a school."""
    child, number, school = lexicon.CHILDREN, lexicon.SMALL_NUMBER, lexicon.SCHOOL
    child_zh, number_zh, school_zh = lexicon.CHILDREN_ZH, lexicon.SMALL_NUMBER_ZH, lexicon.SCHOOL_ZH
    name = (
        r"(?!(?-i:It|That|This|There|Here|What|Which|When|Where|Row|Room|Gate|Flat|Unit|Floor|Line|Page"
        r"|Deck|Lane|Bay|Level|Zone|Table|Step|Order|Ticket|Ref|Every|(?:Mon|Tues|Wednes|Thurs|Fri|Satur"
        r"|Sun)days?|January|February|March|April|June|July|August|September|October|November"
        r"|December)\b)(?-i:[A-Z][\w'’.-]*[a-z])"
    )
    unit = (
        r"(?!\w)(?![.:/,]\d)(?!-?\s?(?:of|times|(?:minutes?|hours?|days?|weeks?|miles?|dollars|"
        "orders?|pairs?|bags?|rooms?|tickets?|o'clock|am|pm|sizes?|copies|devices|accounts|"
        r"lines|percent|stars?|people|nights?|euros?|pounds?|gigs?|mbps|more|left)\b|%))"
    )
    being = (
        r"(?:'s|,|\(| is| who is| who'?s| he'?s| she'?s| aged?| just turned| turned| turns|"
        " turning| maybe| about| around| only| just| nearly| almost| not even| barely| still|"
        " about to turn)+"
    )
    english = (
        # "my three-year-old", "an eighteen-month-old girl"
        rf"(?:\b(?:my|our|her|his|an?|the|their|only) )*(?<![\d.])\b(?:(?:{number})"
        rf"[- ]?(?:years?|yrs?)|[\w-]+[- ]?(?:months?|weeks?|mths?))[- ]?olds?\b(?: (?:{child})"
        r"\b)?",
        # "my son Toby, he's seven", "Saoirse, who's four", "Mei, 6,"
        rf"(?:(?:my|our|his|her|the) )?\b(?:{child})\b(?: {name})?{being} (?:{number}){unit}"
        "(?: (?:and [^,.;]{1,20}))?",
        rf"(?:my |our |his |her )?(?:{child} )?\b{name},?(?: who'?s| who is| is| he'?s| she'?s|"
        f"'s| aged?)(?: only| just| nearly| still)? (?:{number}){unit}",
        # not "Friday 15 May, 8 to 12", "Oslo, 4 nights", "**Blue, 6 hours"
        rf"\b(?<!\d )(?<!\*){name}, (?:{number})(?=[,.;!?)]|\Z| (?:and|who|is|was|has|goes|can|"
        r"needs|loves|lost|wants|years?|yrs?|now)\b)",
        rf"\b(?:my|our|his|her) (?:\w+ )?(?:{child})(?:'s name is|,? (?:named|called))?"
        f",? {name}(?:'s)?(?: {name})?",
        r"\b(?:s?he|they|who)(?:'?s| is|'re| are) (?:only |just |barely |not even |still |"
        rf"nearly )*(?:{number})(?=\s*[,.;!?]|\Z| and\b| years)",
        # "turn 9" by itself is a place in a list
        rf"\b(?:s?he|they|who)(?:'s| is|'re| are) (?:only |just |not even )?(?:{number}|[a-z]+teen)"
        r" (?:months?|weeks?|days?)(?: old)?(?=[,.;!?]|\Z)",
        rf"\b(?:turns|turned|turning|(?:to|will|'ll|just) turn) (?:{number})\b(?! (?:am|pm))",
        # "a kid at Hillview Primary", "my daughter's school, St Brigid's", "starts Year 3"
        rf"\b(?:my |our |his |her )?(?:{child})\b[^.?!;]{{0,30}}? (?:at|from|in|to|attends?)"
        f" (?:{name} ){{1,4}}(?:{school}|college|school)(?: school)?",
        rf"(?:\bat |\bin |\bfrom )?(?:(?!Democrat|Republican|Labour){name} ){{1,4}}(?:{school})\b"
        r"(?: school)?(?! (?:is|are|has|have|uses|ordered|bought|colou?rs?|care|quiz|race)\b)",
        rf"\b(?:my |our |his |her )?(?:{child})'s (?:school|nursery|class|teacher|kindergarten|"
        f"cr[eè]che)(?:,? (?:at )?{name}(?: {name})*)?",
        rf"(?:{name}(?:,? (?:s?he'?s|who'?s|is|s?he))? )?\b(?:in|starts?|starting|started|into|"
        rf"doing) (?:year|grade|class|form) (?:{number})\b(?: at (?:{name} ?)+)?",
        rf"(?:{name}(?:,? (?:s?he'?s|who'?s|is))? )?\b(?:in|starts?|starting|started)"
        " (?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1st|2nd|3rd|"
        rf"[4-9]th) (?:grade|class|year)|reception|(?:{school}))\b(?: at (?:{name} ?)+)?",
        # the year groups of British schools, a class of a Chinese one
        r"\b(?:in|into|is|starts|starting|going into) Y(?:R|[1-9]|1[0-3])\b(?! axis)|"
        r"(?-i:[A-Z][a-z]+) (?:in|from|of) [1-6][A-D](?= (?:forgot|lost|left|needs?|has|is|was|"
        r"can't|won't|broke))",
        rf"\b\w+[- ]graders?\b|\b(?:year|grade) (?:{number}) (?:pupil|student|kid|boy|girl)",
        r"\b(?:i'?m|s?he'?s|is|still|being|only|an?) (?:a )?(?:minor|under ?age|under (?:18|"
        r"eighteen|16|sixteen)|toddler|newborn|schoolboy|schoolgirl)(?![\w-])(?! (?:model|issue|"
        "problem|bug|thing|detail|change|fault|delay|point))",
        rf"\bi'?m (?:only |just )?(?:{number})(?=[,.!?]| and | years| can| so| but|\Z)",
        # "my 10 yo", "my son, 8", "toddlers under five", "a newborn at home", "Class 3B of St Ann"
        rf"(?:\b(?:my|our|her|his|an?|the) )?(?<![\d.])(?:{number}) ?(?:yo|y/o|yr olds?)\b",
        rf"\b(?:my|our|his|her) (?:\w+ )?(?:{child})(?: {name})?, (?:aged? )?(?:{number}){unit}",
        rf"(?:\b(?:my|our|his|her) (?:\w+ )?)?\b(?:{child})(?: {name})?(?:,| is|'s)? (?:{number})"
        r" (?:weeks?|months?)(?: old)?(?=[,.;!?]|\Z| and)",
        # "the kids are nine and six", "two children with us, five and eight"
        rf"\b(?:(?:{child}|they)(?:'re| are)|(?:{child})(?: with (?:us|me))?,)"
        rf"(?: aged?| only| just)? (?:{number})(?:, (?:{number}))*,? and (?:{number}){unit}",
        rf"\b(?:{child}|s?he|{name}) (?:begins|starts|is starting|is beginning) (?:big )?school\b",
        rf"\b(?:{child}) (?:all )?(?:under|below|younger than) (?:{number})\b(?! (?:go|pay|eat|"
        rf"free))",
        r"\b(?:an? )?(?:newborns?|bab(?:y|ies)|toddlers?|infants?) (?:at home|in the house|here|"
        r"asleep|with (?:me|us)|on my \w+)",
        r"\b(?:my|our|his|her) (?:toddler|baby|newborn|infant|(?:wee|little) (?:one|boy|girl|"
        r"lad))s?"
        r"(?!'s?\b)(?! (?:monitor|gate|seat|cot|bath|clothes|formula|carrier|shower|wipes|food|"
        r"grand|"
        r"blue|steps?|bump|project))",
        rf"\ban? (?:baby|infant|newborn|child) of (?:{number}|[a-z]+)(?: (?:weeks?|months?|"
        rf"years?))?",
        rf"(?:{name},? )?\b(?:class|year|grade|form) (?:{number})[A-F]?(?:,? (?:of|at|in))?,?"
        rf" (?:{name} ?){{1,4}}(?:{school})?",
    )  # fmt: skip
    chinese = (
        # 儿子豆豆的水杯: hardly anything but a child's name is said twice
        rf"(?:{child_zh})(?![{lexicon.TWICE_ZH}])(?P<twice>[\u4e00-\u9fff])(?P=twice)",
        # 三岁的外甥, 女儿才六岁, 孩子叫阿满
        f"(?:[我你他她]们?家?(?:的)?)?(?:那个|这个)?(?:{child_zh})[^。！？!?;；]{{0,6}}?(?:才|"
        f"刚|今年|快|还不到|不到|都|满|已经|,|，)*{number_zh}(?:岁半?|周岁|个半?月大?|个多月)",
        f"(?:[我你他她]家?)?(?:才|刚|还不到|不到|未满|刚满|满)?(?<![二三四五六七八九十百0-9])"
        f"{number_zh}(?:岁半?|周岁|"
        rf"个月大?)(?:大)?的?(?:{child_zh})?(?=[^以起+及]|\Z)",
        f"(?:我|咱|俺|他|她|家里?)?们?家?(?:的)?(?:{child_zh})(?:的)?(?:名字)?(?:叫|是叫|名叫|"
        r"小名叫?|大名叫?)[\u4e00-\u9fff]{2,4}",
        f"(?:我|咱)们?家?(?:的)?(?:{child_zh})(?![一二三四五六七八九十两几]|的|在|要|说|用|买|给|今年|上|读|才|都|也|是|"
        "想|还|和|已|从|不|每|老|最|刚|现|对|有|没|他|她|一|把|打|摔|玩|喜|弄|发|过|放|写|做|"
        r"那|这|能|就|会)[\u4e00-\u9fff]{2,3}(?=[,，。.！!、 ]|买|用|读|在|穿|的|\Z)",
        rf"(?:(?:在|上|读|念|就读|送到)[\u4e00-\u9fff]{{0,8}}|[\u4e00-\u9fff]{{2,8}}){school_zh}"
        rf"(?:[\u4e00-\u9fff]{{0,2}}(?:读|上|念)?[一二三四五六1-6]年级|的?(?:{child_zh})|"
        "[读上念]?(?:小班|中班|大班))",
        f"(?:(?:{child_zh})|[他她])[^。！？!?;；]{{0,8}}?(?:在|上|读|念|就读)"
        rf"[\u4e00-\u9fff]{{0,10}}(?:{school_zh}|年级|[小初高][一二三四五六])"
        r"(?:[\u4e00-\u9fff]{0,2}[一二三四五六1-6]年级)?",
        f"(?:(?:{child_zh})[^。！？!?;；]{{0,10}}?)?(?:读|上|念|刚上|小学|初中)?"
        "(?:[一二三四五六七八九1-9]年级|(?<![身层最提楼从到月年])[小初高][一二三](?![十百千次个是米层楼点档]))(?:的?(?:学生|"
        "小学生|孩子|娃))?",
        rf"(?:在|上|读|念)[\u4e00-\u9fff]{{0,8}}{school_zh}",
        r"[一二三四五六1-6]年级?[一二三四五六七八九十0-9]{1,2}班(?:的?[\u4e00-\u9fff]{2,3}(?=的|,|，|\Z))?",
        f"(?:{child_zh})的?(?:学校|班级?|幼儿园)[,，:是在叫]?[\u4e00-\u9fff]{{2,8}}{school_zh}|"
        "未成年人?|(?:小学|初中|高中|中学)生|新生儿|刚满月|才十[一二三四五六七](?!块|元|个|点)|"
        "(?:小孩|娃|宝宝|孩子)(?:才|刚)(?:出生|满月|百天|断奶|学走路|上学)|(?:刚|没)?满月的?"
        "(?:宝宝|娃|孩子)|(?:家里?|屋里)有(?:个)?(?:婴儿|小婴|小宝|奶娃|月子里的)",
    )  # fmt: skip
    return english, chinese


_ADULT = (
    r"\b(?:compan(?:y|ies)|business|laptop|phone|car|van|house|building|account|whisk(?:e)?y|"
    "wine|router|boiler|system|contract|policy|subscription|software|version|model|customers?|"
    r"clients?|hub|cable|sized|years? at|menu|tenanc(?:y|ies)|lease|marriage|warranty|ticket|pool|"
    r"club|lock|mode|seat|gate|grand|rum|cheese|dog|cat|horse|tree|firm|shop|flat|bike|watch)s?\b|"
    "年的?(?:酒|茅台)|老客户|[楼车机房店]龄|套餐|[票锁座餐模车机酒狗猫树店厂]|年级账|店庆|周年|保修|质保|"
    "以[上下]|起步"
)
# "a ten-year-old whisky", "our company turned fourteen": the noun must stand right beside the age.
_ADULT_AFTER = re.compile(rf"[ -]?(?:的|[\w-]+ )?(?:{_ADULT})", re.IGNORECASE)
_ADULT_BEFORE = re.compile(
    rf"(?:{_ADULT})(?:'s)?(?: (?:has|have|had|is|was|are|just|only|recently|finally|that))* ?\Z",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?![\u4e00-\u9fff])|(?: (?!(?:so|but|and|because|please|can|could|"
    r"will|would|if|which|when|then)\b)[\w'-]+){0,4}"
)
# 朵朵,六岁: the name in front is the child's.
_NAME_BEFORE_AGE = re.compile(
    r"(?:^|[,，。;；!！?？ ])(?P<name>[\u4e00-\u9fff]{2,3}(?:[和跟与、][\u4e00-\u9fff]{2,3})?)"
    r"[,，] ?\Z"
)
_AGES = frozenset("0123456789一二两三四五六七八九十")
_QUESTION = re.compile(
    r"[?？]|[吗么呢]\Z|\b(?:how|what|which|when|where|does|do you|are there)\b", re.I
)
_LEAD = 32  # characters of an English clause before a trigger that belong to what it discloses
_LEAD_ZH = 8
_NAMED = 0.7


def find_topics(text: str) -> list[Hit]:
    """Find what may disclose health, special categories or a child; hits may overlap.

    A hit below ``STRONG`` is a mention whose surroundings speak against it.
    """
    hits: list[Hit] = []
    for start, end in sentence_spans(text):
        for begin in range(start, end, _LONGEST):
            piece = text[begin : min(end, begin + _LONGEST)]
            hits += [Hit(begin + h.start, begin + h.end, *h[2:]) for h in _sentence(piece)]
    return hits


def signals(
    text: str, clauses: Sequence[tuple[int, int]], hits: Sequence[Hit]
) -> list[list[float]]:
    """Tell what the rules found in each clause, and what stands around it: one number a signal.

    Parameters
    ----------
    text : str
        The normal form of a message.
    clauses : sequence of (int, int)
        Clauses of it, in characters.
    hits : sequence of Hit
        What :func:`find_topics` found in the whole of it.
    """
    find, message = _patterns(), text[:_LONGEST]
    around = {
        "person": find.person, "figure": find.figure, "animal": find.animal,
        "general": find.general, "place": find.place, "thing": find.thing,
        "question": _QUESTION,
    }  # fmt: skip
    short = len(text) <= _LONGEST
    whole = {name: around[name].search(message) is not None for name in _SURROUNDINGS}
    # What occurs nowhere in a message occurs in none of its clauses: most of it is asked once.
    asked = [name for name in _SURROUNDINGS if whole[name] or not short or name in _AT_AN_END]
    hints = [
        (name, pattern)
        for script, name, pattern in find.hints
        if script.search(text) and (not short or pattern.search(text))
    ]
    blank = dict.fromkeys(SIGNALS, 0.0)
    for name in ("person", "figure", "animal", "general"):
        blank[f"message {name}"] = float(whole[name])
    found = []
    for start, end in clauses:
        said, piece = dict(blank), text[start:end]
        for hit in hits:
            if hit.start < end and start < hit.end:
                how = "doubted" if hit.confidence < STRONG else "bare"
                name = f"{hit.rule} {'of a person' if hit.confidence > STRONG else how}"
                said |= {name: 1.0} if name in said else {}
        said |= {name: float(around[name].search(piece) is not None) for name in asked}
        for name, pattern in hints:
            said[name] = said[name] or float(pattern.search(piece) is not None)
        found.append(list(said.values()))
    return found


def _sentence(sentence: str) -> Iterator[Hit]:
    find = _patterns()
    triggers = [
        (category, rule, match)
        for script, category, rule, pattern in find.triggers
        if script.search(sentence)
        for match in pattern.finditer(sentence)
    ]
    children = [
        match
        for script, pattern in find.child
        if script.search(sentence)
        for match in pattern.finditer(sentence)
    ]
    if not triggers and not children:
        return
    clauses = clause_spans(sentence)
    person = find.person.search(sentence) is not None
    general = find.general.search(sentence) is not None
    for category, rule, match in triggers:
        start, stop = _clause_of(clauses, match)
        clause, before = sentence[start:stop], sentence[start : match.start()]
        confidence = 0.8 if find.person.search(clause) else 0.7 if person else STRONG
        against = (
            (general and confidence < 0.8)
            or find.figure.search(clause)
            or find.animal.search(clause)
            or (category == "health" and find.thing_before.search(before))
            or (category == "special" and find.place.match(sentence, match.end()))
        )
        if rule == "named":  # a dictionary knows no people
            confidence = min(confidence, _NAMED)
        span = _widen(sentence, start, stop, match)
        yield Hit(*span, category, rule, 0.3 if against else confidence)
    for match in children:
        first, last = _clause_of(clauses, match)
        nearby = sentence[max(first, match.start() - 24) : min(last, match.end() + 16)]
        against = general or find.animal.search(nearby)
        confidence = 0.3 if against else 0.75 if person else STRONG
        age = match.start() + len(match[0].partition(" and ")[0])
        if _ADULT_AFTER.match(sentence, age) or _ADULT_BEFORE.search(
            sentence, max(0, match.start() - 24), match.start()
        ):
            confidence = RULED_OUT
        start, end = _widen(sentence, *_clause_of(clauses, match), match)
        named = _NAME_BEFORE_AGE.search(sentence, 0, start) if match[0][:1] in _AGES else None
        yield Hit(named.start("name") if named else start, end, "minor", "child", confidence)


def _clause_of(clauses: list[tuple[int, int]], match: re.Match[str]) -> tuple[int, int]:
    for start, end in clauses:
        if start <= match.start() < end:
            return start, max(end, match.end())
    return match.span()


def _widen(sentence: str, begin: int, stop: int, match: re.Match[str]) -> tuple[int, int]:
    """Take in what leads up to a trigger in its clause and the few words that complete it."""
    chinese = "\u4e00" <= sentence[match.start()] <= "\u9fff"
    left = sentence[begin : match.start()]
    start = match.start() - len(left.lstrip())
    if len(left) > (_LEAD_ZH if chinese else _LEAD):
        subjects = list(_patterns().subject.finditer(left, max(0, len(left) - 24)))
        start = begin + subjects[-1].start() if subjects else match.start()
    tail = _TAIL.match(sentence, match.end(), stop)
    return start, tail.end() if tail else match.end()

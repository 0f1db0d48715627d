"""Retell what was said in the third person, as one full sentence that stands alone (R30).

"I'll send it on Friday" means nothing a month later; "The customer will send it on Friday" does.
Pronouns are turned by who spoke, verbs agree with them, and a sentence whose subject is not the
speaker is put behind a few words that say who said, asked or promised it.
"""

from __future__ import annotations

import re

__all__ = ["retell", "strip_fillers"]

_FILLER = re.compile(
    r"(?:\b(?:(?:hi(?:ya)?|hello|hey|heya|yes|yeah|yep|ok(?:ay)?|so"
    r"|and|but|also|oh|um+|uh|er|ah|hmm+"
    r"|thanks(?: now)?|thank you|noted|understood|of course|got it|by the way|btw|actually"
    r"|sorry(?: to hear that)?|i'm (?:so |very )?sorry|g'day"
    r"|good (?:day|morning|afternoon|evening)|please note|confirmed"
    r"|meanwhile|mind you|you know|good (?:thing|question|job) you (?:asked"
    r"|mentioned it)|since you ask(?:ed)?"
    r"|(?:as|like) i (?:said|told you)|thanks for asking|glad you asked"
    r"|while (?:you're|i'm|we're|i have you) (?:there|at it|on|here)"
    r"|(?:just )?(?:a )?quick (?:one|question|q|query)"
    r"|(?:one|two|three) (?:more )?(?:things?|questions?)(?: please)?"
    r"|aye one|question(?=:))\b"
    r"|\b(?:good|great|fine|perfect|right|well|sure|lovely|done|agreed"
    r"|morning|afternoon|evening|now|ta|cheers|beauty|aye"
    r"|smashing|righto|brilliant|no worries|sweet|k|lol|nah|charming"
    r"|figures|cool|awesome|nice|alright|anyway"
    r"|one more|no problem|sir|madam|ma'am|mate|love|phew|ugh|ha(?:ha)*"
    r"|appreciate (?:it|that))\b(?=[\s]*[,.!:;-])"
    r"|\b(?:sir|madam|ma'am)\b(?= ))[\s,.!:;-]*"
    r"|(?:对了|还有|另外|顺便(?:说|问)?一?下?|那个)[,，。:：、\s]*"
    r"|那(?=我|您|你|就|麻烦|请)"
    r"|哈[罗囉啰喽][,，~～\s]*|(?:麻烦|想|请)?(?:请)?问(?:一)?下(?![周个月次星礼午班单])(?:哈|哦)?[,，~～\s]*(?=[^吗呢？?]{3})"
    r"|(?:老师|师傅|客服|店家|老板|亲)?[你您]们?好(?=我|请|想|麻烦|帮)"
    r"|(?:(?:老师|师傅|客服|店家|老板|掌柜的?|亲)?[你您]们?好|[\u4e00-\u9fff]{0,3}在[吗么]|好[的嘞滴]?|行吧?|嗯+|哦哟?|呃|多?谢谢?啦?"
    r"|谢啦|要得|中|可以|收到|对(?:对|头)*|成|太好了|话说|得"
    r"|没关系|没事|恩+|好[吧咧哒]|是[嘛吗]|不错哦?|太[棒行]了|早晨|加一条|非常?抱歉|实在抱歉|记下了|亲|唔该晒|仲有|啊|哎|诶"
    r"|喂|唉|老师|师傅|闺女|小姐姐|美女|帅哥|同志|嗨|蛤|齁|要(?=[,，])"
    r")(?=[,，。.!！、\s]|$)[,，。.!！、\s]*)+",
    re.I,
)
_THANKS = re.compile(
    r",? ?\b(?:thanks|thank you)\b[^,.;]*$|[，,]?(?:谢谢|抱歉)[^，,。]*$"
    r"|[，,](?:对了|唉|哈+|哦|呀|啊|哈哈|[您你]看)$",
    re.I,
)
_ENDS = " .。!！?？~～…,，;；"
_TAIL = re.compile(r"[\s,，、;；:：-]+\Z")


def strip_fillers(text: str) -> str:
    """Drop greetings and fillers from the beginning of a sentence.

    Examples
    --------
    >>> strip_fillers("Ok, and also, the order is A1029"), strip_fillers("好的，周五来")
    ('the order is A1029', '周五来')
    """
    text = text.strip()
    lead = _FILLER.match(text)
    return _TAIL.sub("", text[lead.end() :] if lead else text)


def retell(
    sentence: str,
    kind: str,
    by_agent: bool,
    question: str = "",
    confirmed: bool = False,
    message: str = "",
) -> str:
    """Retell a sentence in the third person.

    Parameters
    ----------
    sentence : str
        What was said, in Chinese or English (by its script).
    kind : str
        What it is: "commitment", "request", "preference", "fact", "event" or "emotion".
    by_agent : bool
        Whether the agent said it, else the customer.
    question : str
        The question it answers, if it doesn't stand alone.
    confirmed : bool
        Whether it is the agent's question, and the customer said yes.
    message : str
        What it was said in, which tells the language of a bare number.

    Examples
    --------
    >>> retell("I'm at 14 Elm Close and my phone is off", "fact", by_agent=False)
    "The customer is at 14 Elm Close and the customer's phone is off."
    >>> retell("I'll call you on 2026-03-27", "commitment", by_agent=True)
    'The agent promised to call the customer on 2026-03-27.'
    >>> retell("改到周六吧", "request", by_agent=False)
    '客户要求改到周六吧。'
    >>> retell("A1029", "fact", by_agent=False, question="Which order?")
    'Asked "Which order?", the customer answered: A1029.'
    """
    words = sentence + question
    chinese = bool(re.search(r"[\u3400-\u9fff]", words if _WORD.search(words) else message))
    body = _THANKS.sub("", strip_fillers(sentence).rstrip(_ENDS)).rstrip(_ENDS)
    body = body.lstrip(" ,;，；、") or sentence.rstrip(_ENDS)
    if confirmed:
        return _confirmed(body, chinese)
    if chinese:
        return _chinese(body, kind, by_agent, question)
    return _english(body, kind, by_agent, question)


_WORD = re.compile(r"[A-Za-z]{2}|[\u3400-\u9fff]")


def _confirmed(body: str, chinese: bool) -> str:
    if chinese:
        body = _ASKS_YES.sub("", _HEARD.sub("", body, count=1), count=1)
        body = re.sub(r"(要|能|是|需|可)不\1", r"\1", body)  # 要不要改: 要改
        return f"客户确认：{_exchange(body, _ZH_AGENT)}。"
    if offer := _OFFER.match(body):
        return f"The customer agreed that the agent should {_third(body[offer.end() :], True)}."
    if wish := _WISH.match(body):
        return f"The customer wants {_third(body[wish.end() :], True)}."
    if proposed := _WOULD_DO.fullmatch(body):
        body = proposed["what"]
    elif told := _TURNED.match(body):
        body = f"{told[2]} {told[1].lower()}{body[told.end() :]}"
    return f"The customer confirmed: {_third(body, by_agent=True)}."


# A question said yes to is no question any more.
_ASKS_YES = re.compile(
    r"[,，]?\s?(?:您看)?(?:对吗|是吗|对吧|可以吗|行吗|对不对|行不行|可不可以|好不好|可以不|确认吗|方便吗|没问题吧"
    r"|怎么样|如何|吗|呢|好吗)(?=(?:（[^（）]*）)?$)|[,，]您看$|^您(?:是说|看)"
)
_HEARD = re.compile(
    r"^(?:(?:(?:非常)?感谢(?:您的?)?(?:告知|反馈|理解|说明)|谢谢(?:您的?)?(?:告知|反馈)|了解|明白|理解|收到)了?[,，]\s?)+"
)
_WOULD_DO = re.compile(
    r"(?:would|will|does|do|is|are) (?:on )?(?P<what>.+?) (?:do|work|suit|be|ok(?:ay)?"
    r"|all right|alright|fine|good|convenient|possible)"
    r"(?: (?:ok(?:ay)?|all right|alright|fine|good|convenient|possible))?"
    r"(?: (?:for )?you)?",
    re.I,
)
_OFFER = re.compile(
    r"(?:(?:shall|should|can|may|could) (?:i|we)"
    r"|(?:(?:do you|would you)? ?(?:want|like)) (?:me|us) to)"
    r" (?=\w)",
    re.I,
)
_WISH = re.compile(r"(?:do you want|would you like) (?=\w)", re.I)
_TURNED = re.compile(
    r"(is|are|was|were) (it|that|this|they|these|those|your [a-z]+(?: [a-z]+)?"
    r"(?= (?:still|at|on|in|the|a|an|under|correct|\d)\b))(?= \w)",
    re.I,
)


def _picks(question: str, answer: str) -> bool:
    """Tell whether the answer is one of two things that the question leaves to choose."""
    sides = _OR.split(strip_fillers(question))
    named = re.sub(r"\s?[(（][^()（）]*[)）]\Z", "", answer).strip(_ENDS).lower()
    return len(sides) > 1 and bool(named) and sum(named in side.lower() for side in sides) == 1


_OR = re.compile(r"\bor\b|还是|或者?")
_DAY = re.compile(r" ?(?:on )?\d{4}-\d\d-\d\d(?: (?:or|and) (?:on )?\d{4}-\d\d-\d\d)?")
_CODE = re.compile(r"(?<![\w-])[A-Z]{0,4}-?\d[\dA-Z-]{2,}(?![\w-])")


def _asked(question: str, answer: str) -> str:
    """Leave the day or number that was asked about out, where the answer names another."""
    asked, said = _DAY.findall(question), _DAY.search(answer)
    if asked and said and said[0] not in asked:
        return _DAY.sub("", question)
    given = _CODE.search(answer)
    wrong = [
        code for code in _CODE.findall(question)
        if given and code != given[0] and _shape(code) == _shape(given[0])
    ]  # fmt: skip
    for code in wrong:
        question = question.replace(code, "…")
    return question


def _shape(code: str) -> str:
    return re.sub(r"\d", "0", code)


# Chinese has no agreement: words are exchanged, longest first.

_ZH_CUSTOMER = {
    "我哋": "客户", "你哋": "商家", "我们公司": "客户公司", "我们家": "客户家", "咱们": "客户",
    "我们": "客户", "我司": "客户公司", "你家": "商家",
    "本人": "客户本人", "我自己": "客户自己", "俺": "客户", "我": "客户", "你们": "商家",
    "贵公司": "商家", "您": "客服", "你": "客服",
}  # fmt: skip
_ZH_AGENT = {
    "我哋": "客服",
    "我们这边": "客服", "我这边": "客服", "我们": "客服", "我": "客服", "您那边": "客户处",
    "您": "客户", "你": "客户",
}  # fmt: skip
# Chats leave the question mark out; the words ask all the same, unless they mean any at all.
_ZH_ASKS = re.compile(
    r"(?!帮|请|麻烦|给我|替我|.*(?:不管|无论|不论|随便|什么的|都[行可])).*?(?:(?:[吗么嘛呢]|没有?|不)[呀啊哈哦]?\Z"
    r"|([\u4e00-\u9fff])[不没]\1|(?:什么|怎么|哪|谁)(?![都也怕])|多[少久长大重远]|几[点号折级岁]|几天(?=[能可到退发会无内]))"
)
_ZH_SAID = {"commitment": "承诺", "request": "要求", "preference": "希望", "emotion": "表示"}


def _chinese(body: str, kind: str, by_agent: bool, question: str) -> str:
    told = _exchange(body, _ZH_AGENT if by_agent else _ZH_CUSTOMER)
    if question and _picks(question, body):
        return f"客户选了{told}。"
    if question:
        question = _asked(question, body)
        asked = _exchange(strip_fillers(question).rstrip("?？"), _ZH_AGENT)
        return f"客服问「{asked}」，客户答：{told}。"
    who = "客服" if by_agent else "客户"
    verb = _ZH_SAID.get(kind, "" if not by_agent else "告知")
    if not by_agent and kind != "emotion" and _ZH_ASKS.match(body):
        verb = "问"
    if by_agent and kind == "commitment" and told.startswith("客户"):
        verb = "告知"  # what the other side may do is no promise
    if told.startswith(who) and not told.startswith(who + "的"):
        rest = told[len(who) :].lstrip(" ，,")
        if verb in ("", "表示") or (not by_agent and kind != "commitment"):
            return f"{told}。"
        return f"{who}{verb}{rest}。"
    if verb:
        own = re.match(r"客户(?=的|家|公司|名下)", told) if not by_agent else None
        return f"{who}{verb}{'自己' + told[own.end() :] if own else told}。"
    return f"{told}。" if "客户" in told[:6] else f"客户说{told}。"


def _exchange(text: str, table: dict[str, str]) -> str:
    return re.sub("|".join(map(re.escape, table)), lambda m: table[m[0]], text)


# English verbs must agree with the parties that stand where "I" and "you" stood.

_AUX = {
    "am": "is", "'m": " is", "are": "is", "'re": " is", "have": "has", "'ve": " has", "do": "does",
    "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "were": "was", "weren't": "wasn't",
    "'ll": " will", "'d": " would", "dont": "doesn't", "havent": "hasn't",
}  # fmt: skip
_FIXED = re.compile(
    r"will|would|can|could|should|shall|may|might|must|can't|cannot|won't|wouldn't|couldn't"
    r"|shouldn't|was|wasn't|had|hadn't|did|didn't|is|isn't|has|hasn't|got|went|came|sent"
    r"|paid|bought|took|left|sold|said|told|made|gave|found|kept|lost|met|saw|thought|knew"
    r"|read|put|cut|set|spoke|wrote|chose|typed|meant|used|ordered|and|or|but|in|on|at|to"
    r"|for|with|of|from|by|if|when|while|as|too|also|later|it|the|a|an|this|that|these|those"
    r"|my|your|our|his|her|their|me|us|him|them|two|three"
)
_ADVERB = re.compile(
    r"always|never|only|just|still|also|already|often|ever|both|now|all|sometimes"
    r"|\w{3,}ly(?<!reply)(?<!apply)(?<!supply)(?<!comply)(?<!imply)(?<!multiply)"
)
_QUESTION_AUX = re.compile(
    r"can|could|would|should|will|may|must|do|does|did|don't|have|am|is|are|was|were|shall"
    r"|let"
)
_TOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[^A-Za-z]+")
_SUBJECTS = re.compile(
    r"that|and|because|when|if|what|why|as|how|so|but|then|which|before|after|until|since|or"
    r"|unless|once|where|while|whether|than"
)
_OWN, _YOUR = {"my", "our", "mine", "ours"}, {"your", "yours", "ur"}
_MYSELF, _YOU = {"myself", "ourselves"}, {"you", "u", "ye", "youse", "yous", "y"}
_OBJECT, _CROWD = {"me", "us"}, {"lot", "guys", "people", "folks"}  # "you people"


def _third(body: str, by_agent: bool) -> str:
    """Turn pronouns into the parties they stand for, with verbs that agree."""
    me, you = ("the agent", "the customer") if by_agent else ("the customer", "the company")
    tokens = _TOKEN.findall(body.replace("’", "'"))
    out: list[str] = []
    agree = False  # the word that comes next is the verb of a party just named
    words = [t.lower() for t in tokens]
    for index, token in enumerate(tokens):
        word = token.lower()
        head, quote, ending = word.partition("'")
        previous = next((w for w in reversed(words[:index]) if w.strip()), "")
        if not token[0].isalpha() or _in_code(tokens, index):
            agree = agree and not token.strip()
            out.append(token)
        elif word in _OBJECT:
            # "The two of us" are more than the one who says so.
            out.append("them" if word == "us" and previous == "of" else me)
        elif word in _MYSELF:
            out.append("themselves")
        elif word in _OWN or word in _YOUR:
            own = " own" if word in ("mine", "ours", "yours") else ""
            out.append((me if word in _OWN else you) + "'s" + own)
        elif word in _CROWD and previous in _YOU and out[-1:] == [" "]:
            out.pop()
        elif (head in ("i", "we") or head in _YOU) and (quote or word != "y"):
            party = me if head in ("i", "we") else you
            quote, ending = ("", "") if word == "y'all" else (quote, ending)
            subject = head in ("i", "we") or _leads(previous, words[index + 1 :])
            out.append(party + (_AUX.get("'" + ending, "") if quote else ""))
            agree = subject and not quote and not _QUESTION_AUX.fullmatch(previous)
            if previous in _AUX and not quote and subject and out[-2:-1] == [" "]:
                out[-3] = _AUX[previous]  # "do I", "have we"
        elif agree and not _ADVERB.fullmatch(word):
            out.append(_inflect(word) if not _FIXED.fullmatch(word) else token)
            agree = False
        else:
            out.append(token)
    return "".join(out)


def _in_code(tokens: list[str], index: int) -> bool:
    """Whether a letter is part of a code or is spelt out, and no word: "U-1187", "P-E-T-I"."""
    near = tokens[max(0, index - 1) : index], tokens[index + 1 : index + 2]
    beside = "".join(near[0])[-1:] + "".join(near[1])[:1]
    return len(tokens[index]) == 1 and re.search(r"[-\d]", beside) is not None


def _leads(previous: str, rest: list[str]) -> bool:
    """Tell whether "you" is a subject: at the beginning of a clause, or before a plain verb."""
    following = next((w for w in rest if w.strip()), "")
    leads = _SUBJECTS.fullmatch(previous) or _QUESTION_AUX.fullmatch(previous)
    return bool(leads) or not previous[-1:].isalnum() or following in _AUX


def _inflect(verb: str) -> str:
    """Give the third person of a verb; a form that looks past already stays."""
    if verb in _AUX:
        return _AUX[verb].strip()
    past = verb.endswith("ed") and verb not in ("need", "feed", "speed", "proceed", "succeed")
    adverb = verb.endswith(("ly", "ing")) and len(verb) > 5
    if past or adverb or (verb[-1] == "s" and not verb.endswith("ss")):
        return verb
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


_BIDS = re.compile(r"(?:please )?(?:remember|note|keep in mind|don't forget)(?: that)?[:,]? ", re.I)
_EN_SAID = {
    "commitment": "promised: ", "request": "asked: ", "preference": "wants: ", "emotion": "said: ",
    "fact": "said: ", "event": "said: ",
}  # fmt: skip


# "Need to shift it": whose need it is goes without saying, until it is read a month later.
_UNSAID = re.compile(
    r"(?:need|want|bought|ordered|booked|received|forgot|tried|paid|sold|lost|joined|got)"
    r"(?= (?:my|a|an|the|to|it|this|your|some|our|two|three|\d))"
    r"|(?:gotta|wanna|gonna|can't|couldn't|haven't|won't)\b",
    re.I,
)
_LOOSE = {"gotta": "have to", "wanna": "want to", "gonna": "am going to"}
_ASKING = re.compile(
    r"(?:wh(?:at|en|ere|y|o|ich)|how|is|are|do|does|did|can|could|will|would|should|any)(?:'s)? ",
    re.I,
)


def _complete(body: str) -> str:
    """Say who, where a customer leaves it out."""
    if opening := _UNSAID.match(body):
        body = f"I {body[0].lower()}{body[1:]}" if opening[0].isascii() else body
    return re.sub(
        r"\b(i(?:'ve|'m)?) (gotta|wanna|gonna)\b",
        lambda m: f"I {_LOOSE[m[2].lower()]}",
        body,
        flags=re.I,
    )


def _english(body: str, kind: str, by_agent: bool, question: str) -> str:
    told = _third(body if by_agent or question else _complete(body), by_agent)
    if question and _picks(question, body):
        return f"The customer chose: {told}."
    if question:
        return f'Asked "{strip_fillers(_asked(question, body))}", the customer answered: {told}.'
    who = "the agent" if by_agent else "the customer"
    promise = re.match(rf"{who} (?:will|is going to) ", told) if kind == "commitment" else None
    if promise and by_agent:
        text = f"{who} promised to {told[promise.end() :]}"
    elif _BIDS.match(told):  # what a customer bids us remember is a claim like any other
        text = f"{who} said: {_BIDS.sub('', told, count=1)}"
    elif not by_agent and _ASKING.match(body):
        text = f"{who} asked: {told}"
    elif re.match(rf"{who}(?:'s)? ", told) or (
        kind in ("fact", "event") and "the customer" in told
    ):
        text = told
    elif by_agent and told.startswith("the customer "):
        text = f"{who} said: {told}"  # what the other side may do is no promise
    else:
        text = f"{who} {_EN_SAID.get(kind, 'said: ')}{told}"
    return f"{text[0].upper()}{text[1:]}."

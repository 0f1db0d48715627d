"""Sensitive words and codes: addresses, IBANs, keys, document numbers, passwords, answers.

Positions are in the normal form of :func:`ctxlab.language.text.fold`, digits written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxlab.language.sensitive_labels import SECRET, Label, Labels
from ctxlab.language.sensitive_numbers import Hit, is_linked, valid

__all__ = ["find_tokens"]


def find_tokens(text: str, labels: Labels) -> list[Hit]:
    """Find sensitive codes that aren't plain numbers; hits may overlap."""
    return [
        *_ibans(text, labels),
        *_emails(text),
        *_handles(text),
        *_keys(text),
        *_spaced_ids(text, labels),
        *_labelled(text, labels),
        *_chats(text),
        *_plain_words(text),
    ]


# --- IBAN and e-mail ---------------------------------------------------------------------------

_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][ -]?[A-Za-z][ -]?\d[ -]?\d(?:[ -]{0,2}[A-Za-z0-9]){11,30}"
)
_IBAN_SHAPE = re.compile(r"[A-Za-z]{2} ?\d\d(?:[ -]?(?=[A-Z0-9]*\d)[A-Z0-9]+)*")


def _ibans(text: str, labels: Labels) -> Iterator[Hit]:
    for match in _IBAN.finditer(text):
        start = match.start()
        places = [i for i in range(*match.span()) if text[i].isalnum()]
        compact = "".join(text[i] for i in places).upper()
        # What follows may look like more of it ("…78 please"): the check digits find the end.
        for length in range(len(compact), 14, -1):
            inside = length < len(compact) and places[length] == places[length - 1] + 1
            if not inside and _mod97(compact[:length]) and valid("iban", compact[:length]):
                yield Hit(start, places[length - 1] + 1, "payment", "iban", 0.98)
                break
        else:
            shape = _IBAN_SHAPE.match(text, start, match.end())
            if shape and labels.before(start, 12).kind == "iban":
                yield Hit(start, shape.end(), "payment", "iban", 0.7)


def _mod97(compact: str) -> bool:
    # Cheap and first: python-stdnum looks the country up before it counts.
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


_AT = re.compile(
    r"\s?@\s?|\s*[\[(]\s*at\s*[\])]\s*|\s+at\s+|\s*(?:艾特|圈[aA]|小老鼠)\s*|"
    r"(?<=[\u4e00-\u9fff])\s?at\s?(?=[\u4e00-\u9fff])",
    re.IGNORECASE,
)
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._%+-]*[A-Za-z0-9_-])?"
_JOIN = (
    r"(?:\s+(?:dot|period|point|punkt|punto|ponto|underscore|dash|hyphen|minus|plus)\s+| [._-] |"
    r"\s*(?:点|下划线|"
    r"横杠|杠|减号)\s*)"
)
_LOCAL = re.compile(
    rf"(?:{_NAME}(?:{_JOIN}{_NAME}){{0,5}}|(?<![A-Za-z0-9])(?:[A-Za-z0-9]\s){{2,24}}[A-Za-z0-9])\Z",
    re.IGNORECASE,
)
_DOT = r"(?:\.|\s+\.\s+|\s+(?:dot|punkt|punto|point|ponto)\s+|\s*点\s*|\s*[\[(]\s*dot\s*[\])]\s*)"
_SPOKEN_DOT = re.compile("dot|punkt|punto|ponto|point|点", re.IGNORECASE)
_DOMAIN = re.compile(
    f"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:{_DOT}[A-Za-z0-9-]+){{0,3}}"
    f"{_DOT}[A-Za-z]{{2,12}}(?![A-Za-z])",
    re.IGNORECASE,
)
_MAILBOX = re.compile(
    "(?:g(?:oogle)?mail|hotmail|outlook|yahoo|icloud|qq|163|126|proton(?:mail)?|sina|foxmail|"
    r"live|aol)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    "(?:(?:customer)?[._-]?(?:support|services?|care)|help(?:desk)?|info|no-?reply|"
    "do-?not-?reply|sales|contact|billing|hello|feedback|careers|jobs|press|admin|complaints?|"
    "enquir(?:y|ies)|returns|orders?|privacy|team|office|kefu|reservations?|bookings?|claims|"
    "abuse|security|legal|media|lettings|tickets?|box[._-]?office|accounts|finance|hr|"
    "payroll|(?:guest|member)s?(?:[._-]?services?)?|memberships?|reception|front[._-]?desk|events|"
    "shop|store|service|parcels?|claims[._-]?team|webmaster|newsletter|marketing|vip|fuwu|shouhou)",
    re.IGNORECASE,
)


def _emails(text: str) -> Iterator[Hit]:
    """Find addresses typed, spaced or spelled out ("john dot smith at gmail dot com")."""
    for at in _AT.finditer(text):
        # Reading back from the sign keeps this linear however long the text is.
        window = max(0, at.start() - 64)
        domain = _DOMAIN.match(text, at.end(), at.end() + 120)
        local = _LOCAL.search(text[window : at.start()]) if domain else None
        if not local or not domain:
            continue
        typed = re.search(r"@|[\[(]", at[0]) is not None
        spelled = _SPOKEN_DOT.search(domain[0]) or _MAILBOX.match(domain[0])
        # "look at example.com" is no address: a spoken "at" needs a spoken dot or a mail provider.
        if (typed or spelled) and not _ROLE.fullmatch(local[0]):
            confidence = 0.98 if typed else 0.9
            yield Hit(window + local.start(), domain.end(), "contact", "email", confidence)


# India's payment addresses: what stands behind the sign is a bank or a wallet, and no host.
_UPI = re.compile(
    r"(?<![\w.@-])[A-Za-z0-9][\w.-]{1,60}@(?:ok(?:axis|hdfcbank|icici|sbi)|ybl|ibl|axl|yapl|apl|upi|"
    r"p(?:aytm|t(?:axis|hdfc|sbi|yes))|wa(?:icici|hdfcbank|sbi|axis)|sbi|icici|hdfcbank|axisbank|kotak|"
    r"yesbank|fbl|barodampay|airtel|jio|freecharge|ikwik|slice|superyes|jupiteraxis|naviaxis)(?![\w.@-]*\w)",
    re.IGNORECASE,
)


def _handles(text: str) -> Iterator[Hit]:
    """Find addresses that money is sent to."""
    for match in _UPI.finditer(text) if "@" in text else ():
        yield Hit(*match.span(), "payment", "upi", 0.9)


# --- Keys and document numbers -----------------------------------------------------------------

_KEYS = re.compile(
    "(?<![A-Za-z0-9])(?:[srpl]k[-_](?:[a-z]{2,6}[-_])?[A-Za-z0-9_-]{8,200}|"
    r"gh[pousr]_[A-Za-z0-9]{16,80}|github_pat_\w{20,120}|glpat-[\w-]{12,60}|"
    r"xox[a-z]-[\w-]{10,120}|A(?:KIA|SIA)[A-Z0-9]{12,20}|LTAI[A-Za-z0-9]{10,30}|"
    r"AKID[A-Za-z0-9]{10,40}|AIza[\w-]{30,45}|ya29\.[\w-]{10,200}|"
    r"eyJ[\w-]{8,2000}\.[\w-]{4,4000}(?:\.[\w-]{0,2000})?|SG\.[\w-]{10,40}\.[\w-]{10,80}|(?:hf|"
    "npm|shpat|dop_v1|pypi|whsec)[_-][A-Za-z0-9_-]{10,200})|"
    "-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,6000}(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?"
    r"|(?<=://)[^\s:/@]{1,60}:(?P<inner>[^\s@]{3,80})(?=@[\w.-])"
)


# GATEWAY_SECRET=…, client_secret: "…"
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,20}_){0,4}(?:secret|token|passw(?:or)?d|pwd|api_?key|"
    r"(?:access|private|secret|auth|encryption)_?key)[\"']? ?[=:] ?[\"']?"
    r"(?P<value>(?=[^\s\"',;]*[\d!@#$%^&*_-])[^\s\"',;<>(){}\u4e00-\u9fff]{6,200})",
    re.IGNORECASE,
)


def _keys(text: str) -> Iterator[Hit]:
    for match in _ASSIGNED.finditer(text):
        yield Hit(*match.span("value"), "credential", "assigned", 0.9)
    for match in _KEYS.finditer(text):
        group = "inner" if match["inner"] else 0
        if re.search(r"\d|KEY", match[group]) or match["inner"]:
            yield Hit(*match.span(group), "credential", "api_key", 0.97)


_SPACED_ID = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-CEGHJ-PR-TW-Z][A-NP-TW-Z](?: ?\d\d){3} ?[A-D]|[STFGM]\d{7}[A-Z]|"
    r"[A-Z]{1,2}\d{6} ?\([0-9A]\)|[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z])(?![A-Za-z0-9])"
)
_NINO = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}(?: ?\d\d){3} ?[A-D](?![A-Za-z0-9])")


def _spaced_ids(text: str, labels: Labels) -> Iterator[Hit]:
    """Find identity numbers by shape: British NINO, Singapore, Hong Kong, Italy."""
    for match in _SPACED_ID.finditer(text):
        if labels.before(match.start(), 24).kind != "other":
            yield Hit(*match.span(), "government_id", "shape", 0.85)
    for match in _NINO.finditer(text):  # some prefixes are never issued, but are given in earnest
        if labels.before(match.start(), 24).kind in {"id", "ssn"}:
            yield Hit(*match.span(), "government_id", "shape", 0.8)


_CHAT_NUMBER = re.compile(
    r"(?<![A-Za-z])(?:qq|扣扣)(?:号码?)?(?:就?是|为|:)? ?(?P<number>[1-9]\d{4,10})(?!\d)",
    re.IGNORECASE,
)
# A colon glues a name to what it is called: "vx:sjy_0319".
_CHAT_NAME = re.compile(
    r"(?:(?<![A-Za-z])(?:we ?chat|wx|vx|wei ?xin|line ?id|telegram|insta(?:gram)?|ig|微信号?)"
    r"(?:: ?@?|(?:'s| is|是)? ?@)|(?:微信|wechat)[^。.]{0,12}加 ?)"
    r"(?P<number>[A-Za-z][\w-]{4,24})(?![\w.@])",
    re.IGNORECASE,
)


def _chats(text: str) -> Iterator[Hit]:
    """Find numbers of a chat service glued to its name: 我QQ10001."""
    for pattern in (_CHAT_NUMBER, _CHAT_NAME):
        for match in pattern.finditer(text):
            yield Hit(*match.span("number"), "contact", "chat", 0.8)


_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_@.])[A-Za-z0-9!@#$%^&*_](?:[A-Za-z0-9!@#$%^&*+~_/\\-]|"
    "[.,:?](?=[A-Za-z0-9!@#$%^&*]))*+"
)
_SECRET_SHAPE = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])|.*[a-z][A-Z]|(?=.*[A-Za-z]).*[!@#$%^&*+~](?:\w|\Z)|"
    r"(?:[A-Za-z]+-){2,}[A-Za-z]+\Z"
)


def _labelled(text: str, labels: Labels) -> Iterator[Hit]:
    """Judge every token that could be a secret or a document number by its label."""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if 4 <= len(token) <= 200 and _SECRET_SHAPE.match(token):
            hit = _judge(
                match, labels.before(match.start(), skip=frozenset({"code", "phone"})), labels
            )
            if hit:
                yield hit


# A network's name stands before its password.
_NETWORK_NAME = re.compile(r"[,，、/;; ]{1,3}(?:密码)?(?P<key>(?=[\w@#!.-]*\d)[\w@#!.-]{6,})")
_GIVEN = re.compile(
    r"network \w+,? (?:the )?(?:key|pass)(?: is|:)? \Z|"
    r"\b(?:log(?:ged|ging)? ?in|sign(?:ed|ing)? ?in|login|username|user)\b[^.!?]{1,24} (?:and|/|,|"
    r"\+) \Z",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:an?|your|this|that)(?: [a-z]+)?\s*\Z", re.IGNORECASE)
_MINE = re.compile(r"\bmine (?:for [\w ]{3,20} )?is \Z|我的(?:那个)?是 ?\Z", re.IGNORECASE)
_PASSPORT = re.compile(r"[A-Z]{1,2}\d{6,8}|[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}")
_ENTRY = frozenset({"wifi", "password"})


def _judge(match: re.Match[str], label: Label, labels: Labels) -> Hit | None:
    token, (start, end), text = match[0], match.span(), match.string
    digits = sum(char.isdigit() for char in token)
    few = 2 if label.kind == "passport" and token.isupper() and len(token) > 7 else 4
    if (
        label.kind in {"passport", "licence", "id", "ssn"}
        and digits >= few
        and len(label.gap) <= 40
    ):
        return Hit(start, end, "government_id", label.kind, 0.85)
    if re.search(r"@[\w-]+\.[a-z]{2,}|\A\d(?:\.\d)?G(?:Hz)?\Z", token):
        return None  # an address: resets are mailed somewhere; or the band of a network
    if label.kind == "lock" and not digits and not token.isupper():
        return None  # "Safe travels!"
    linked = is_linked(label.gap)
    if label.kind == "chat" and linked and len(token) >= 5 and len(label.gap) <= 12:
        return Hit(start, end, "contact", "chat", 0.75)
    # "the password it's my cat and the year rex1987": mixed letters and digits need less of a link.
    mixed = digits and len(token) >= 6 and label.kind in {"password", "wifi"}
    if label.kind == "wifi" and "," in token:
        start += token.rindex(",") + 1
    elif label.kind == "wifi" and _NETWORK_NAME.match(text, end):
        return None
    # "network Maple, key tulip-9", "the password: mine for the account is …"
    before = text[:start][-48:]
    given = _GIVEN.search(before) or (labels.near(start, _ENTRY, 48) and _MINE.search(before))
    if given and (digits or re.search("[!@#$%^&*+]", token)):
        return Hit(start, end, "credential", "password", 0.8)
    # "I booked with my passport, the number is G61234567"
    if _PASSPORT.fullmatch(token) and labels.near(start, frozenset({"passport"}), 24):
        return Hit(start, end, "government_id", "passport", 0.8)
    mixed = mixed and not _ARTICLE.search(label.gap)  # "the wifi box is a Fritz7590"
    linked |= bool(mixed) and any(is_linked(label.gap[:i]) for i in range(1, len(label.gap)))
    named = label.kind in SECRET and linked
    after = labels.after(end, 24)
    named |= label.kind != "other" and after.kind in {"password", "wifi", "apikey", "otp", "pin"}
    keyed = labels.before(start).kind == "code" and labels.near(start, SECRET)
    if named or (keyed and is_linked(labels.before(start).gap)):
        return Hit(start, end, "credential", label.kind or "key", 0.85)
    return None


# --- Secrets made of plain words ---------------------------------------------------------------

_SMALL_WORD = re.compile(
    "(?:not|no|never|too|so|very|still|always|now|wrong|incorrect|invalid|correct|right|weak|"
    "strong|secure|safe|case|the|an?|my|your|his|her|our|their|its?|this|that|what|which|where|"
    "when|how|why|for|in|on|at|to|of|with|from|by|and|or|but|if|only|just|been|also|already|"
    "same|different|there|here|long|short|easy|hard|i|we|you|they|is|are|was|do|does|did|can|"
    "slow|slower|fast|faster|patchy|rubbish|dodgy|dead|terrible|awful|great|"
    "could|please|visible|broken|gone|up|down|out|off|all|again|ok|okay|fine|good|bad|useless|"
    "mandatory|optional|sent|shown|unknown|forgotten|lost|under|behind|inside|about|"
    r"case-sensitive|\w+(?:ed|ing|ly))",
    re.IGNORECASE,
)
_WORDS = re.compile(
    "(?<![A-Za-z])(?:pass ?(?:word|phrase|code)|pwd|pw|wi-?fi(?: (?:password|key|code))?|"
    "(?:safe|code|secret|security|memorable) ?(?:word|phrase))"
    "(?:(?:'s| is| was| to)(?![A-Za-z])|:| =|=)"
    r"\s*(?:still |now |just |set to |called |all (?:lower ?case|one word),? |literally )*"
    r"[\"'“‘]?(?P<value>[A-Za-z][\w'-]{2,30}(?: [A-Za-z][\w'-]+){0,5}?)"
    r"[\"'”’]?(?=\s*(?:[.,;!?)。]|\Z|\bbut\b|\bif\b|\bso\b))",
    re.IGNORECASE,
)
# What a door or a clerk wants to hear, and a phrase of plain words.
_SAID = re.compile(
    "(?:asks? (?:for |you )?(?:a|the) (?:pass)?word[^.!?]{0,12}(?:say|it's|is)|"
    r"pass ?phrase(?:'s| is|:)|safe ?word(?:'s| is|"
    r":)) (?P<value>[a-z][\w'-]{2,}(?: [a-z]{3,}){0,5})"
    r"(?=\s*(?:[.,;!?)]|\Z))|(?:口令|暗号)(?:就?是|叫|为|"
    r"[::,， ])\s?[“「]?(?P<zh>[\u4e00-\u9fff]{2,8})",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    "(?:pass ?(?:word|phrase|code)|pin|密码|口令|[暗密]语|暗号|验证码|code)"
    r"[^\"“「『'‘\n]{0,14}[\"“「『‘](?P<value>[^\"”」』’\n]{3,40})[\"”」』’]",
    re.IGNORECASE,
)
_QUESTION = (
    "(?:maiden name|(?:security|secret|recovery|challenge) (?:question|answer|word)|"
    "memorable (?:word|name|place|date)|first (?:pet|school|car|teacher|street|job)|"
    r"childhood \w+|favou?rite \w+|(?:city|town|street|place) (?:where|of|i) \w+(?: \w+){0,2})"
)
_ANSWER = re.compile(
    rf"(?:{_QUESTION}[^.?!\n]{{0,24}}(?:\?\s*|,? so )(?:it'?s |that'?s |that would be )?|"
    rf"{_QUESTION}(?:'s|"
    r" is| was|:)\s+(?=[^\n]{0,40}\banswer\b)|(?:maiden name|(?:security|secret|recovery|"
    r"challenge) (?:question|answer|word)|memorable \w+|ask(?:ing|s|ed)? (?:for |about )?"
    rf"(?:my |me )?{_QUESTION})[^\n]{{0,60}}?(?:\banswer(?:'s| is| was|:|,)?|\bis\b|'s|"
    r"\bit'?s\b|\bthat'?s\b|\bwas\b|:|=|\bput\b|\buse\b),?\s+(?:is |it's |was )?)"
    r"[\"'“‘]?(?P<value>(?!(?:my|the|an?|what|your|not|it|that|is|in|on|i|we|which)\b)"
    r"[A-Za-z][\w'’-]+(?: (?!(?:and|but|so|if|as|to|for|please|when|because)\b)(?-i:[A-Z])"
    r"[\w'’-]+){0,3})",
    re.IGNORECASE,
)
_ANSWER_ZH = re.compile(
    r"(?:密保|安全问题|密码提示|密码问题|验证问题)[^\n。]{0,24}?(?:答案(?:就|填|写|设)?(?:的?是|"
    r"叫|:)? ?|是(?![^\n。]{0,20}答案)|\?|(?:什么|啥|谁)[,，] ?|[::][^\n。,，]{2,12}[,，] ?)"
    r"(?P<value>(?!什么|啥|忘|不|错|我|怎|对|哪|都|还|进|没|输)[^\s,。!?，;；:、]{2,12})"
)
_VALUE_ZH = re.compile(
    "(?:密码|口令)(?:就是|还是|改成了?|设成了?|设的是|设置成|设为|是|为|:|叫)"
    r"\s?(?P<value>[\u4e00-\u9fff]{0,6}[A-Za-z0-9][A-Za-z0-9_@#!$%.*-]{2,30})"
)


def _plain_words(text: str) -> Iterator[Hit]:
    """Find secrets made of plain words, which only the way they are introduced gives away."""
    for pattern, rule in (
        (_WORDS, "password"), (_QUOTED, "password"), (_VALUE_ZH, "password"),
        (_ANSWER, "answer"), (_ANSWER_ZH, "answer"),
    ):  # fmt: skip
        for match in pattern.finditer(text):
            named = _NETWORK_NAME.match(text, match.end())
            if named and match[0].lower().startswith(("wifi", "wi-fi")):
                yield Hit(named.end() - len(named["key"]), named.end(), "credential", "wifi", 0.8)
                continue
            words = match["value"].split()
            if not _SMALL_WORD.fullmatch(words[0]) and not _SMALL_WORD.fullmatch(words[-1]):
                yield Hit(*match.span("value"), "credential", rule, 0.75)
    for match in _SAID.finditer(text):
        group = "zh" if match["zh"] else "value"
        rest = match[group].split()[1:]
        if not any(_SMALL_WORD.fullmatch(word) for word in rest) and (
            rest or not _SMALL_WORD.fullmatch(match[group])
        ):
            yield Hit(*match.span(group), "credential", "password", 0.75)

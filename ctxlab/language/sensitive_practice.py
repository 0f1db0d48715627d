"""What a faith, a cause, an origin or an illness looks like in daily life: weak triggers.

"We break the fast at dusk", "my steward says don't sign", 「日落前我不能喝水」 name no faith and no
union. Each word here is said of much else too, so these count for less than the words of
:mod:`ctxlab.language.sensitive_triggers`, and a fitted head decides what they are worth.
"""

from __future__ import annotations

__all__ = ["WEAK_TRIGGERS"]

_RITES = (
    r"all (?:souls|saints)|lent(?! (?:it|me|him|her|them|you))|my ashes|janmashtami|pongal|holi|"
    r"onam|lohri|aarti|havan|ekadashi|tisha b'?av|sukk(?:ah|ot)|chabad|mikveh|challah|havdalah|"
    r"shofar|menorah|shiva|maghrib|fajr|dhuhr|jumm?u?'?ah|mecca|medina|riba|zabiha|abaya|burqa|"
    r"(?:head ?)?scar(?:f|ves) (?:on|off|stays)|cover(?:s|ed|ing)? (?:my|her|our) (?:hair|head|"
    r"face)|turban|patka|langar|seva|sangha|rinpoche|guru|monastery|ashram|retreat|nuns?|monks?|"
    r"friars?|deacons?|curate|verger|altar|novena|vespers|evensong|matins|confession|last rites|"
    r"(?:at|to|have|hear|attend|after|before|during|sing at|go to|the) (?-i:Mass)|(?-i:Mass) (?:at|"
    r"on|for|in|is|every|this)|kingdom hall|santeria|voodoo|samhain|beltane|solstice|"
    r"sun(?:down|set)|nightfall|stars are out|friday (?:night|evening) (?:to|till|until)|"
    r"(?:no|nothing with|don'?t eat|won'?t eat|without) (?:beef|pork|gelatine|blood|shellfish)|"
    r"blood (?:products?|transfusions?)|forbidden|interest-free|faith|belie(?:f|fs|ver|ve in)|"
    r"religio\w+|god(?:less)?|bible|sunday school|worship\w*|sermon|hymns?|congregation|parish\w*|"
    r"diocese|bishop|chaplain|vicar|pastor|choir|communion|baptis\w+|christen\w+|saint's day|"
    r"procession|blessed|blessing|vows|bless the|fast(?:ing)?|breaks? (?:my|our|the) fast|"
    r"(?:facing|towards?) (?:east|mecca|jerusalem|qibla)|prayers?|pray(?:s|ed|ing)?|puja|ancestors"
)
_CAUSES = (
    r"leaflet(?:s|ed|ing)?|canvass\w*|door-?knock\w*|phone-?bank\w*|put(?:ting)? up posters|"
    r"poll(?:ing)? (?:agent|station|clerk)|election|referendum|manifesto|constituency|"
    r"councill?ors?|"
    r"elected|candidate|campaign\w*|vot(?:e|es|ed|ing) (?-i:[A-Z]\w+)|all vote|voters?|"
    r"(?:left|right)(?:[- ]wing\w*|ie)|lefty|anarchist|marxist|fascist|nationalist|separatist|"
    r"unionist|monarchist|brexit\w*|regime|coup|dissident|exile|protest(?:s|ed|ing|er)?|"
    r"march(?:ed|ing)? (?:against|for|with)|rall(?:y|ies)|petition|activis[mt]s?|boycott\w*|"
    r"blacklist\w*|politic\w+|steward|convenor|(?:branch|works|staff|union) (?:reps?|officials?|"
    r"secretary|council\w*|convenors?)|rep from (?:my|our) branch|the branch (?:has|says|told|is)|"
    r"union\w*|strik(?:e|es|ing)|struck|walk(?:ed|ing|s)?[ -]?outs?|industrial action|work(?:ing)? "
    r"to rule|ballot(?:ed|s)?|down(?:ed)? tools|picket\w*|subs|dues|collective agreement|"
    r"(?-i:TUC|CGT|CFDT|UGT|CCOO|CGIL|FNV|NASUWT|UCU|NFU|CUPE|AFT|NEA|IATSE|SAG|ILWU|UFCW|Unite|"
    r"Verdi)|"
    r"ver\.?di|ig metall|teamsters?"
)
_ORIGINS = (
    r"of (?-i:[A-Z]\w+) (?:background|origin|roots|blood|stock|parents)|(?:roots|family|people|"
    r"parents|grandparents|nan|ancestors) (?:are|is|come|comes|came|were|fled|from)(?: (?:over|"
    r"here|"
    r"from|on|in))*|windrush|(?:skin|accent|slur|racis[mt]|brown|coloured|color|colour of my)|"
    r"half[- ](?-i:[A-Z]\w+)|tribe|tribal|(?:on|off|from) (?:the|our|a|my) reservation|clan|"
    r"second[- ]generation|immigrants?|"
    r"refugees?|(?:put|tick|mark|list|wrote)(?: me)?(?: down)?(?: as)? (?:white|black|asian|mixed|"
    r"caribbean|african|arab|other)(?: (?-i:\w+))?|(?:black|white) (?:caribbean|british|african|"
    r"irish)|"
    r"(?:british|african|asian|arab|chinese|indian|irish)[- ](?:asian|american|indian|british|"
    r"caribbean|traveller)|(?:i'?m|we'?re|as an?|she'?s|he'?s) (?:a |an |ethnically )?(?-i:[A-Z]\w+"
    r"(?:an|ish|ese|i|ic|k|d|r|o|a|s|n))(?= and|[,.;]|\Z)|holocaust|enslaved|ethnic\w*|mixed|"
    r"(?:two|both) (?:husbands|wives|grooms|brides|mums|moms|dads|men|women)|(?:is|was|was born|be|"
    r"registered as) (?:also )?an? (?:bloke|man|woman|boy|girl|lad|guy)|(?:my|his|her) husband,? "
    r"(?:i'?m|he)|not out (?:at|to)|came out|coming out|drag|pride|grindr|new name|old name|"
    r"used to be"
    r" (?:an? )?(?:woman|man)|gender|marker|pronouns?|go(?:es)? by (?:he|she|they)|use they|"
    r"hormones|"
    r"testosterone|poly\w*|swingers|male couple|couple of (?:men|women)"
)
_MEASURED = (
    r"(?:my|his|her|our) (?:face|voice|thumb|finger(?:s|tip)?|palm|eyes?|iris|"
    r"retina)(?: (?:doesn'?t|"
    r"isn'?t|won'?t|no longer|as|is|was|to|on|scan|opens?))?|(?:took|stored|recorded|scanned|have|"
    r"hold|kept|wipe|enrol\w*|register\w*) (?:\w+ ){0,3}(?:face|voice\w*|thumb\w*|finger\w*|palm|"
    r"iris|retina|saliva|dna)|fingerprints?|thumb ?prints?|voice ?prints?|face (?:scan|id|"
    r"template)|"
    r"faceprint|iris|retina|saliva|biometric\w*|genetic|ancestry"
)
_STRAINS = (
    r"(?:can'?t|cannot|couldn'?t|not able to|unable to|struggle to) (?:\w+ )?(?:get (?:out|up|in|"
    r"dressed|downstairs|upstairs)|dress|wash|feed|lift|carry|bend|kneel|sit|stand|stairs|walk|"
    r"hear|"
    r"see|read|talk|speak|sleep|eat|keep anything|be (?:left )?alone|leave the house|manage|cope)|"
    r"breathing|breathless|breath|wheez\w+|cough\w*|swell\w*|swollen|ache\w*|sore|numb\w*|bleed\w*|"
    r"vomit\w*|throwing up|dizzy|faint\w*|shak(?:es?|y|ing)|wobbly|falls?|fell|blood(?:s| test)?|"
    r"scan|x-?rays?|(?:the|my|her|his) results|shadow on|appointment|clinic|ward|nurse|carers?|"
    r"doctors?|specialist|consultant|surgeons?|op\b|stitches|dressing|wound|plate in|pump|sensor|"
    r"implant\w*|tube|drip|drain|bag|frame|sticks?|rails?|ramp|hoist|aids?|chair|hearing|deaf|"
    r"sight|blind|glasses|large print|braille|lip|sign language|memory|forgets?|confused|muddled|"
    r"wanders?|recogni[sz]e|moods?|panic\w*|flashbacks?|crowds?|breakdown|therapy|tablets?|pills?|"
    r"meds|dose|inject\w*|needles?|jabs?|sugars?|hypo|gluten|wheat|dairy|nuts?|peanuts?|sesame|"
    r"allerg\w+|intoleran\w+|react\w*|throat (?:closes|closing)|in hospital|hospitali[sz]ed|"
    r"discharged|"
    r"sober|"
    r"clean (?:now|for|since)|sponsor|relapse\w*|off the (?:bottle|drink)|expecting|due (?:in|any)|"
    r"weeks gone|bump|trimester|twins|lost (?:the|our|a|it at|one at)|signed off|off (?:sick|work|"
    r"with my)|poorly|unwell|ill|illness|sick(?:ness)?|pain\w*|nerves|stage (?:two|three|four|"
    r"[1-4])|"
    r"spread to|terminal|weeks to live|months to live|transplant|donor|dialysis|pacemakers?|stents?"
)
_RITES_ZH = (
    "打坐|禅修|闭关|念珠|佛珠|佛牌|持咒|灌顶|灌过顶|诵|朝山|转山|磕长头|超度|法事|做七|道观|道士|"
    "和尚|尼姑|师父|全真|一贯道|妈祖|土地公|狐仙|萨满|设坛|上供|供(?:着|桌|奉)|香火|还愿|斋|荤|"
    "大油|猪油|"
    "洁食|天课|晌礼|五番|聚礼|主麻|面纱|盖头|头巾|教法|教规|教义|圣日|主日|弥撒|坚振|告解|神学|"
    "修士|唱诗|"
    "诗班|奉献|施洗|细胞小组|见证|祷|逾越|安息|日落|天黑|太阳落山|排灯|进香|宗教|信仰|初一十五|"
    "受戒|受了戒|"
    "受过戒|寺里|庙里|庵|经堂|(?<![上下个这每周两三四五六几半一二])礼拜(?![天一二三四五六日])|朝圣|不碰(?:牛|猪|酒)|忌(?:牛|荤|口)"
)
_CAUSES_ZH = (
    "支部|组织关系|组织生活|党(?!参|课程)|投(?:给|了|的)|[绿蓝]营|投[蓝绿]|选边|参选|竞选|助选|"
    "议员|联署|举牌|"
    "举过牌|游行|抗议|异见|喝茶|约谈|[台港]独|统一|政党|[左右]派|自由派|保守派|工会|职代会|"
    "集体(?:协商|谈判)|停工|"
    "罢工|讨薪|维权|谈判|涨薪"
)
_ORIGINS_ZH = (
    "(?:苗|彝|藏|傣|瑶|回|壮|侗|畲|黎|羌|满|土家|布依|哈尼|哈萨克|鄂温克|鄂伦春|达斡尔|锡伯|"
    "塔吉克|佤|纳西|"
    "景颇|蒙古|维吾尔|维|撒拉|裕固|赫哲|毛南|仫佬|仡佬|水)(?:家|人|民|寨|胞|乡的|年)|泼水节|"
    "火把节|那达慕|三月三|"
    "肉孜|古尔邦|藏历|旗人|[镶正][黄白红蓝]旗|格格|民族|[蒙藏维彝壮]语|混血|皮肤[黑白]|口音|归侨|"
    "华侨|裔|血统|原住民|"
    "客家|疍家|同性|领不了证|出柜|[弯直]的|变性|变过性|性别|激素|也是[男女]|都是[男女]|是[男女]的|"
    "两个(?:妈妈|爸爸)|小伙子|俩[男女]|跨性别|非二元|形婚"
)
_MEASURED_ZH = (
    "(?:人脸|指纹|声纹|虹膜|掌纹|掌静脉|脸|声音|面部|唾液|基因)[^,，。]{0,4}(?:录|采|存|登记|注册|"
    "验证|刷|按|留|认|"
    "识别|检测)(?:过|进|了|不|集|失败)?|(?:录|采|存|登记|注册|留)(?:过|了|集)*(?:我的?)?(?:人脸|"
    "指纹|声纹|虹膜|"
    "掌纹|声音|脸)|刷脸[^,，。]{0,4}(?:不|失败|没)|手指头?磨"
)
_STRAINS_ZH = (
    "胸闷|心慌|喘|憋|发麻|肿|疼|痛|头?晕|吐|拉肚|出血|缝|拆线|刀口|伤口|穿刺|核磁|CT|B超|片子|"
    "阴影|指标|"
    "体检|病房|床位|手术|开刀|截|假肢|义肢|钉子|失能|残|鉴定|工伤|护士|护工|康复|理疗|针灸|吃药|"
    "把药|药|"
    "打针|针|换药|吊水|点滴|输液|流食|忌口|休克|过敏|麸质|乳糖|扶手|防滑|扶|搀|拐|轮椅|瘫|瘸|"
    "使不上劲|没力气|"
    "抬不起来|直不起来|不听使唤|看不清|重影|听不清|听不见|读屏|口型|手语|磕巴|认不得|认不出|走丢|"
    "糊涂|记不住|"
    "惊恐|不敢出门|睡不着|情绪|想不开|割腕|自残|戒|隔离|阳性|怀|快生|流[掉了产]|(?<![轮车补爆换内外真备])胎(?![压瘪侧面纹全漏都])|月子|奶|产|孕|"
    "休养|静养|卧床|"
    "病|症|炎|瘤|癌|血压|血糖|尿酸|血脂|肾|肝|胃|肺|心脏|化疗|放疗|透析|等肾|换肾|支架|起搏器|"
    "晚期|临终"
)

# category, rule, English pattern (wrapped in word borders), Chinese pattern
WEAK_TRIGGERS: tuple[tuple[str, str, str, str], ...] = (
    ("special", "rite", _RITES, _RITES_ZH),
    ("special", "cause", _CAUSES, _CAUSES_ZH),
    ("special", "origin", _ORIGINS, _ORIGINS_ZH),
    ("special", "measured", _MEASURED, _MEASURED_ZH),
    ("health", "strain", _STRAINS, _STRAINS_ZH),
)

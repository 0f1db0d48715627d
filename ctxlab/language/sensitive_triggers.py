"""Words that can disclose health or a special category: triggers, no verdicts.

Families of words come from morphology ("-itis", …炎), the rest from lists of illnesses, aids,
medicines, faiths, groups and parties. What stands around a trigger decides.
"""

from __future__ import annotations

from ctxlab.language.sensitive_lexicon import CHILDREN, KIN, KIN_ZH, SMALL_NUMBER

__all__ = ["TRIGGERS"]

_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "spring|summer|autumn|fall|winter"
)
_BODY = (
    "back|knees?|hips?|heart|legs?|arms?|eyes?|eyesight|ears?|hearing|sight|vision|lungs?|"
    "kidneys?|liver|spine|shoulders?|wrists?|hands?|feet|foot|ankles?|neck|memory|joints|"
    "stomach|bladder|skin|throat|balance|fingers?|speech|blood|bowels?|macula|retinas?|corneas?|"
    "cartilage|ligaments?|tendons?|discs?|spleen|pelvis|ribs?|jaw|womb|prostate|pancreas|tailbone"
)
_BODY_ZH = (
    "听力|视力|耳朵|眼睛|眼神|腿脚?|腰杆?|膝盖|心脏|肺|肾|肝|胃|肠胃|颈椎|腰椎|脊椎|脊柱|手|"
    "胳膊|脚|脑子|记性|记忆力|身体|身子|血压|血糖|血脂|尿酸|嗓子|皮肤|呼吸道?|神经|关节|"
    "眼底|视网膜|黄斑|角膜|手腕|脚踝|韧带|半月板|血管|脊髓|气管|食管|卵巢|肩膀?|髋关节?|骨头|股骨|"
    "牙|甲状腺|前列腺|子宫|乳腺|免疫力|抵抗力|半边"
)
_MEDICINE = (
    "insulin|methadone|antidepressants?|antipsychotics?|blood thinners?|beta blockers?|"
    "steroids|warfarin|lithium|metformin|statins|ssris?|hrt|painkillers|antibiotics|sertraline|"
    "prozac|zoloft|xanax|valium|ritalin|adderall|ventolin|salbutamol|ozempic|wegovy|mounjaro|"
    "anticoagulants?|immunosuppressants?|opioids?|morphine|tamoxifen|levothyroxine|epi-?pens?|"
    "inhalers?|nebuli[sz]er|chemo(?:therapy)?|radiotherapy|radiation|immunotherapy|"
    "dialysis|oxygen (?:tank|concentrator|machine|cylinder|bottle)s?|codeine|tramadol|gabapentin|"
    "pregabalin|venlafaxine|mirtazapine|amitriptyline|amlodipine|clozapine|risperidone|quetiapine|"
    "olanzapine|aripiprazole|lamotrigine|carbamazepine|valproate|keppra|methotrexate|humira|"
    "predniso(?:lo)?ne|tacrolimus|antiretrovirals?|naltrexone|buprenorphine|suboxone|antabuse|"
    "viagra|sildenafil|contracepti(?:on|ves?)|testosterone|o?estrogen|epidural|antihistamines?|"
    r"laxatives?|\w{3,}(?:prils?|sartan|olols?|statin|azepam|oxetine|alopram|prazole|cillin|mycin|"
    "gliptin|triptan|parin|zumab|tinib|mab)"
)
_ADJECTIVE = (
    "pregnant|diabetic|epileptic|asthmatic|autistic|bipolar|disabled|paraly[sz]ed|deaf|"
    "hard of hearing|blind|hearing[- ]impaired|visually[- ]impaired|partially sighted|"
    "colou?r[- ]?blind|bedridden|bedbound|housebound|wheelchair[- ]bound|immuno(?:compromised|"
    "suppressed)|hiv[- ]positive|anorexic|bulimic|suicidal|dyslexic|dyspraxic|neurodivergent|"
    "coeliac|celiac|(?:lactose|gluten|dairy)[- ]intolerant|menopausal|infertile|terminally ill|"
    r"terminal(?! \d)|an? amputee|hospitali[sz]ed|schizophrenic|arthritic|incontinent|non-?verbal|"
    r"short-sighted|sober|in remission|in recovery|insulin[- ]dependent|clinically \w+|"
    "bed-?bound|quadriplegic|tetraplegic|neutropenic|constipated|deaf-?blind|hypermobile|"
    "overweight|underweight|medicated|sectioned|housebound"
)
_ILLNESS = (
    r"paralysis|(?:sugar|bp|heart|kidney|dialysis|cancer|asthma|thyroid) patients?|"
    r"cancer|leuk(?:a)?emia|lymphoma|melanoma|tumou?rs?|diabetes|"
    r"(?:type ?|t ?(?=\d)|t )(?:1|2|one|two)\b|"
    "asthma|epilepsy|seizures?|dementia|sclerosis|(?-i:MS)|lupus|(?-i:IBS)|copd|emphysema|"
    "covid|(?-i:HIV)|(?-i:AIDS)|tuberculosis|glaucoma|cataracts?|macular degeneration|autism|"
    "adhd|dyslexia|depression|anxiety|panic attacks?|ptsd|(?-i:OCD)|psychosis|anorexia|bulimia|"
    "eating disorder|eczema|shingles|gout|sciatica|hernia|pcos|sleep apn(?:o)?ea|insomnia|"
    r"incontinence|self harm|agoraphobia|(?:gambling|drinking|drug) (?:problem|addiction|habit)|"
    r"alcoholism|sepsis|polio|(?-i:ALS|ME/CFS)|vertigo|migraines?|tinnitus|chronic \w+|"
    r"high blood pressure|hypertension|"
    "blood sugar|high cholesterol|angina|arrhythmia|pacemaker|heart (?:attack|condition|"
    "failure|disease|bypass|trouble|problem|surgery|murmur|meds|valve)|kidney (?:failure|"
    r"disease|stones)|concussion|tremors?|sickle cell|cerebral palsy|\w+ dystrophy|spina bifida|"
    "cystic fibrosis|self-harm|overdose|nervous breakdown|breakdown in|mental (?:health|"
    "illness)|slipped dis[ck]|coeliac(?: disease)?|celiac(?: disease)?|stroke|thyroid|"
    "allerg(?:y|ies)|(?:parkinson|alzheimer|crohn|hodgkin|huntington|asperger|hashimoto|"
    "raynaud)'?s(?: disease| syndrome)?|(?:tourette|down)'?s? syndrome|tourette'?s|"
    r"(?:has|have|had|got|with) (?-i:Down'?s|Asperger'?s|Tourette'?s)(?! \w*(?:town|road))|"
    r"peripheral vision|bleeding disorder|learning disabilit\w+|\w{3,}(?:itis|osis|[a-z]oma|"
    "emia|aemia|pathy|algia|ectomy|plegi[ac]|phobi[ac]|phrenia)(?<!diploma)(?<!empathy)"
    "(?<!sympathy)(?<!aroma)(?<!nostalgia)(?<!academia)(?<!diagnosis)(?<!sarcoma)(?<!apathy)"
)
_CARE = (
    r"(?:on|in) (?:the|a) (?:\w+ )?ward|oncology|hospice|palliative|chemo ward|(?:psych(?:iatric)?|"
    r"maternity|cancer|stroke|heart) "
    "(?:ward|unit|clinic)|memory clinic|end[- ]of[- ]life|(?:fit|sick|doctor'?s) note|signed off"
    r"(?: (?:work|sick|with|until|till|for)\b(?: \w+){0,2})?|burn-?out|occupational therapy|"
    "motability|blue badge|disab(?:ility|led) (?:benefits?|allowance|living|railcard|parking|pass)|"
    "carer'?s allowance|support worker|care (?:home|package)|assisted living|sheltered housing|"
    "home help|district nurse|zimmer|rollator|stairlift|hoist|commode|grab rails?|hearing loop|"
    "(?:special|additional|learning|complex|sensory) (?:educational )?needs|sensory overload|"
    r"meltdowns|on the spectrum|(?:dry|clean|sober) (?:for|since)(?: \w+){1,3}|relapsed?|"
    "(?:the|my|his|her|our) (?:doctor|doctors|gp|consultant|surgeon|physio|midwife|specialist|"
    r"hospital|cardiologist|nurse|dentist|optician)(?: \w+)? (?:says?|said|told|won't|wants|put|"
    r"gave|doubled|prescribed|advise[sd]|ordered|has (?:me|him|her)|thinks|found)(?: \w+){0,3}|"
    r"(?:black(?:ed|ing)? out|faint(?:ed|ing|s)?|pass(?:ed|es|ing)? out|collapsed)|"
    "blackouts?(?! (?:blinds?|curtains?|lining|roller|fabric|shades?|dates?))|"
    "stammer|stutter|(?:heart )?murmurs?|palpitations|stoma bag|"
    "(?:blood|urine|stool) (?:test|sample|results?)s?|contractions|waters? (?:broke|have broken)|"
    r"went into labou?r|hot flush(?:es)?|my periods?|(?:my|the) cycle(?:'s| is)|piles|"
    "ha?emorrhoids|thrush|cystitis|(?-i:UTI|STI|STD|IBD|PMDD|POTS|CFS)|herpes|chlamydia|"
    "gonorrh(?:o)?ea|syphilis|scabies|head lice|warts|athlete's foot|ringworm|cold sores?|hives|"
    "sleeping (?:pills|tablets)|food poisoning|on (?:a|the) drip(?! tray)|"
    "prolapsed?|carpal tunnel|long covid|brain fog|flare-?ups?|"
    r"lost (?:the|our|a) baby(?! grand)|(?:the|a) lump|side effects|"
    "(?:my|his|her) (?:condition|illness|disease|symptoms|treatment|diagnosis|disability|"
    "injections?|injury|injuries|hospital stay|bmi)|fit[- ]to[- ]fly|obes(?:e|ity)|"
    r"(?-i:WCH[RSC]|MEDA|BLND)|surgery|operation|(?:an?|my|the|his|her) op\b|biopsy|"
    "physio(?:therapy)?|rehab|detox|(?:knee|hip|shoulder|valve) (?:replacement|surgery|op|"
    r"operation)|transplant|waiting list for an? \w+|stitches|in a cast|(?:my|his|her|see(?:s|"
    r"ing)? a|the) (?:\w+ )?(?:therapist|psychiatrist|psychologist|counsell?or|oncologist|"
    "cardiologist|neurologist|shrink|midwife|specialist nurse|dialysis nurse)|in therapy|"
    "therapy (?:session|appointment|on|at)|counsell?ing|in (?:the )?(?:hospital|hospice|icu|"
    "intensive care)|sick leave|medical leave|(?:aa|na) meetings?|alcoholics anonymous|"
    r"recovering (?:\w+ )?(?:alcoholic|addict)|diagnos(?:ed|is)(?: (?:with|of|as))?"
    r"(?: [\w'-]+){0,3}|tested positive|discharged from|off the drink|(?:suffer|recover)(?:s|"
    r"ing|ed)? from (?:[\w'-]+ ?){1,3}|(?:wheelchair|crutches|walking (?:stick|frame)|"
    "zimmer frame|mobility scooter|guide dog|screen[- ]?reader|white cane|hearing aids?|"
    "cochlear implant|prosthe(?:tic|sis)|colostomy|stoma|catheter|feeding tube|cpap|"
    r"glucose monitor|braille|lip-?read\w*|sign language|bsl|asl)|(?:my|his|her|the) (?:\w+ )?"
    r"(?:meds|medications?|medicines?|prescriptions?|tablets|pills)|on (?:\w+ )?(?:meds|"
    "medication|tablets)|on (?:the )?(?:pill|oxygen)|give (?:blood|plasma)"
)
_PREGNANCY = (
    rf"(?:{SMALL_NUMBER}|few|\d\d) (?:months?|weeks?) (?:gone|along|pregnant|postpartum)|"
    "expecting (?:a baby|twins|our|my|again)|due (?:in|mid-?|early|late|at the end of)"
    f" ?(?:{_MONTH})(?= with| so)|(?:baby|bub|she)(?:'s| is) due|due date is|(?:first|second|"
    "third|last) trimester|morning sickness|miscarri(?:age|ed)|(?-i:IVF)|c-section|caesarean|"
    r"maternity (?:leave|pay|cover)|stillbirth|post-?(?:natal|partum)|breast-?feed\w*|"
    r"fertility (?:treatment|clinic)|maternity ward|pregnancy|antenatal|ultrasound|"
    r"in labou?r\b|gave birth|newly pregnant|"
    "trying for a baby|abortion|baby on the way|(?:positive|pink|two|faint) (?:test|lines?)|"
    r"(?:is|are|'s|'re|'m) expecting(?: again)? in (?:the |early |late )?(?:" + _MONTH + r")|"
    "test (?:line )?(?:was|is|came back) (?:pink|positive)|with child|bun in the oven|"
    "(?:i'?m|she'?s|we'?re) (?:due|nursing|expecting|showing|in labou?r)(?= (?:in|on|any|next|"
    "this|soon)|[,.;]|$)|up the duff|(?:my|her) bump|carrying (?:twins|a baby|our)|"
    "(?:rounds?|cycles?) of (?-i:IVF)|(?:egg|embryo) (?:freezing|transfer)"
)
_BODY_TROUBLE = (
    r"(?:i|s?he|who) (?:seizes?|convulses?)(?! (?:the|this|that|every|on|up|it|my|his|her)\b)|"
    "(?:bad|dodgy|bum|weak|broken|fractured|sprained|torn|busted|gammy|stiff|numb|swollen|"
    "failing|poor|crook|artificial|injured|lost (?:my|his|her)|losing (?:my|his|her)|"
    f"trouble with (?:my|his|her)|new|no)(?: left| right)? (?:{_BODY})"
    "(?! (?:code|office|end))|(?:broke|fractured|sprained|tore|injured|put out|hurt|did) "
    f"(?:my|his|her|their) (?:{_BODY})|(?:my|"
    rf"his|her|whose|[a-z]+'s) (?:\w+ )?(?:{_BODY}) (?:isn't|aren't|keeps? \w+|doesn'?t work|"
    r"won'?t|problems?|trouble|condition|issues?|pain|injury|gave (?:out|way)|giv\w+ out|"
    "is (?:bad|going|gone|shot|failing|poor|weak|not)|are (?:bad|going|gone|shot|failing|poor|"
    r"weak|not)|shakes?|trembles?|swells?|closes?|hurts?|aches?|seizes?|locks?|can'?t \w+|went|"
    r"played? up|attack)(?: (?!so|and|but)\w+){0,3}|(?:can(?:'?t|not)|cannot|(?:un|not )"
    "able to|struggles? to|barely|trouble|difficulty) (?:really |hardly |always |properly )?"
    "(?:walk|stand(?= (?:for|up|long))|climb|hear(?= (?:well|properly|much|the|very|out|on|a))"
    "|see (?:well|much|properly|out of|small|colou?rs?)|swallow|breathe?|bend|grip|"
    r"use my (?:\w+ )?(?:hands?|arms?|legs?)|feel my|(?:do|manage|get (?:up|down)) "
    "(?:the |your )?stairs|eat (?:gluten|nuts|dairy|wheat|solid|sugar)|"
    "have (?:gluten|nuts|dairy|wheat|sugar)|(?:walk|stand|climb|hear|see|breath|swallow|bend)"
    r"ing)(?: (?!so|and|but)\w+){0,3}|(?:allergic|intolerant) to (?:[\w'-]+ ?){1,4}|"
    r"anaphyla\w+|(?:comes? out|breaks? out|came out) in (?:hives|a rash)|one (?:arm|leg|eye|"
    r"kidney|hand)\b|(?:deaf|blind) in (?:one|my|his|her|the|both)(?: \w+)? (?:ears?|eyes?)"
)
_FAITH = (
    "muslims?|jew(?:s|ish)?|christians?|catholics?|hindus?|sikhs?|buddhists?|mormons?|"
    "protestants?|baptists?|methodists?|quakers?|evangelicals?|pentecostals?|lutherans?|"
    "anglicans?|orthodox|jains?|baha'?i|zoroastrian|atheists?|pagans?|wiccan|scientologists?|"
    "brethren|christadelphians?|moravians?|nazarenes?|salvationists?|"
    "amish|mennonite|rastafarian|jehovah'?s witness(?:es)?|adventists?|latter-day saints?|"
    "(?-i:JWs?|LDS|SDA)|shia|"
    "sunni|hasidic|hare krishna|born-again|observant|religious|salafi|sufi|copts?|coptic|maronite|"
    "druze|ahmadi|ismaili|presbyterians?|unitarian|seventh-day adventist|calvinist"
)
_GROUP = (
    "gay|lesbians?|bi(?:sexual)?|queer|trans(?:gender)?(?: (?:man|woman))?|non-?binary|asexual|"
    "pansexual|intersex|black(?= (?:man|woman|person|family)|$)|african[- ]american|"
    "latin[oax]s?|hispanic|aboriginal|m[aā]ori|roma(?:ni)?|gypsy|indigenous|first nations|"
    "native american|mixed[- ]race|biracial|kurdish|uyghur|tibetan|hmong|in(?:u|nu)it|"
    "sint[oi]|sorbs?|ye[zs]idis?|armenian|assyrians?|alevis?|druze|hazaras?|tamils?|rohingyas?|"
    "baloch|pashtun|circassian|chechen|tatars?|basque|ainu|zulu|xhosa|yoruba|igbo|hausa|fulani|"
    "tutsi|hutu|somali|oromo|tigrayan|berber|amazigh|m[eé]tis|cree|ojibwe|lakota|sioux|mapuche|"
    "mi'?kmaq|din[eé]|lenape|lakȟóta|hopi|apache|seminole|yorta yorta|wiradjuri|noongar|"
    "yolngu|anishinaabe|mohawk|haida|dene|blackfoot|lumbee|choctaw|quechua|aymara|zapotec|koori|dalit|adivasi|brahmin|sinhalese|"
    "torres strait islander|irish travellers?|(?-i:Travell?ers?)|romany|sinti|ashkenazi|cherokee|"
    "navajo|s[aá]mi|"
    r"afro-\w+"
)
_PARTY = (
    "labour|tory|tories|conservatives?|democrats?|democratic|republicans?|greens?|socialists?|"
    "communists?|spd|cdu|csu|afd|fdp|die lin[k]e|gr[uü]ne|psoe|podemos|lega|fratelli d'italia|"
    "rassemblement national|bjp|aap|likud|an[c]|eff|ndp|blo[c] qu[eé]b[eé]cois|nationals|"
    "one nation|fine gael|dup|plaid(?: cymru)?|reform uk|kmt|dpp|liberal(?: democrat)?s?|lib dems?|"
    "libertarians?|reform|sinn f[eé]in|fianna f[aá]il|snp|ukip"
)
_UNION = (
    "teamsters|unison|gmb|rmt|siptu|etu|uaw|seiu|afl-cio|aslef|usdaw|nurses' union|ibew|cwu|"
    "(?-i:NUT|NEU|PCS|EIS|FBU|RCN|UCU|NASUWT|TSSA|CFMEU|AMWU|TWU|NTEU|MUA|CPSU|AWU|NZEI|PPTA|CUPE|"
    "OPSEU|PSAC|AFSCME|AFT|NEA|UFCW|ILWU|CWA|APWU|NALC|IATSE|CITU|INTUC|AITUC|COSATU|NUMSA|CGT|"
    "CFDT|CCOO|UGT|CGIL|CISL|FNV)|bectu|unifor|f[oó]rsa|sag-aftra|ig metall|ver\\.di|"
    "equity|unite(?= (?:the|branch|rep|steward))"
)
_ETHNIC_ZH = (
    "回|藏|维吾尔|蒙古|满|壮|苗|彝|朝鲜|傣|侗|瑶|白|土家|哈尼|哈萨克|黎|傈僳|佤|畲|高山|拉祜|"
    "水|东乡|纳西|景颇|柯尔克孜|土|达斡尔|仫佬|羌|布朗|撒拉|毛南|仡佬|锡伯|阿昌|普米|塔吉克|怒|"
    "乌孜别克|俄罗斯|鄂温克|德昂|保安|裕固|京|塔塔尔|独龙|鄂伦春|赫哲|门巴|珞巴|基诺"
)
_SELF_ZH = "我|他|她|妈|爸|老公|老婆|孩子|本人|自己|员工|家人|家里人|老人"

# category, rule, English pattern (wrapped in word borders), Chinese pattern
TRIGGERS: tuple[tuple[str, str, str, str], ...] = (
    (
        "health", "condition",
        f"{_ILLNESS}|(?:{_ADJECTIVE})(?! (?:socks|spot|copy|carbon|date|pause|cover|to|"
        "with rage))",
        "(?:近视|远视|散光|老花)(?:眼|有|了|是|到|都|快|将近|差不多)*[一二两三四五六七八九十0-9]+[百千]?多?[一二三四五六七八九十]?度(?!的?(?:镜|片|泳|眼镜))|"
        "(?:食物|农药|煤气|酒精|药物|铅|汞|重金属|一氧化碳)中毒|糖尿病?|三高|(?:高压|收缩压|舒张压)(?:都|有|到|快)*[一二两1-2][百0-9]|脑梗|强迫症|多动(?=[,，。]|$)|自闭|抑郁|焦虑(?=发作|障碍)|羊癫疯|脚气|老寒腿|"
        "赌瘾|酒瘾|毒瘾|烟瘾|"
        "性病|梅毒|疱疹|带状|甲沟炎|荨麻|过呼吸|晕[血针]|晕倒|晕过去|昏倒|发病(?!率)|犯了?病|"
        "喘不[上过]|低血糖|心脏病|冠心病|哮喘|癫痫|抑郁症?|焦虑症|自闭症?|多动症|双相|"
        "精神分裂|躁郁|老年痴呆|痴呆|阿尔茨海默|帕金森|中风|偏瘫|脑梗塞?|心梗|脑出血|脑溢血|"
        "半身不遂|截瘫|高位截瘫|残疾(?:人|证)?|残障|截肢|小儿麻痹|脑瘫|唐氏|白血病|艾滋病?|"
        "乙肝|肝硬化|肺结核|尿毒症|红斑狼疮|甲[亢减]|痛风|失眠|耳鸣|眩晕|贫血|痔疮|失禁|更年期|"
        "阿斯(?:伯格)?(?=[,，。的综]|\\Z)|白内障|青光眼|色[盲弱]|夜盲|耳朵?背|失聪|聋哑人?|聋人|失明|盲人|弱视|腰突|静脉曲张|"
        "渐冻|植物人|精神病|创伤后|厌食症|暴食症|抽动症|牛皮癣|湿疹|荨麻疹|乳糖不耐受?|蚕豆病|"
        "血友病|地中海贫血|房颤|早搏|心律不齐|心衰|肾衰竭?|脂肪肝|[胆肾]结石|瘫痪在床|阳了|"
        r"新冠|(?:得|患|有)了?[\u4e00-\u9fff]{1,5}[病症炎癌瘤]|[\u4e00-\u9fff]{1,4}(?:癌|肿瘤|"
        "肉瘤|综合征|恐惧症|障碍症|焦虑症|硬化症?|骨折|囊肿|结节|息肉|增生|萎缩|劳损|脱位|梗阻|"
        r"栓塞|不耐受)|(?:关节|[胃肺肝肾肠胰咽鼻阑肌腱颈盆角结中支心膀气扁虹骨皮尿阴乳腮附])[\u4e00-\u9fff]{0,3}炎|"
        "绝症|重病|大病(?!保)|癌|晚期",
    ),
    (
        "health", "care",
        rf"(?:{_MEDICINE})|{_CARE}",
        "(?:坐|用|推|靠|离不开)着?轮椅|轮椅|残疾人?证|钢[钉板]|石膏|搭过?桥|断药|加了?量|指标(?:又|"
        "都|还)?(?:高|低|"
        "不好|超|不正常)|化验|医嘱|(?:医生|大夫|医院|专家)(?:说|让|不让|叫|开|给|交代|建议|嘱咐|"
        "要求)"
        r"[\u4e00-\u9fff]{0,6}|临终|宁养|病友|复健|护工|尿管|尿不湿给(?:老人|我[爸妈])|戒[赌断]|"
        r"激素|"
        "镇[静定]剂|退烧|抽血|拄着?(?:双)?拐杖?|助听器|人工耳蜗|假肢|义肢|尿袋|"
        "呼吸机|制氧机|起搏器|支架(?!价)|造瘘|导尿管|导盲犬|盲杖|胰岛素|降[压糖]药|"
        r"抗抑郁的?药?|安眠药|止痛药|[化放]疗[\u4e00-\u9fff]{0,2}|透析|血透|靶向药|激素药|"
        r"避孕药|抗排异|(?:做|动|开)(?:了|过|完)*(?:个|一个|一次)?[\u4e00-\u9fff]{0,8}(?:手术|"
        "移植|搭桥|置换)|开过?刀|置换过?|切了一半|打了[^，。]{0,2}钉|术后|住(?:着|了|过)?(?:[一二三四五六七八九十两半几多0-9]+(?:天|周|个?月|个?礼拜|个?星期|晚|宿|回|次)的?)?(?:医)?"
        "院(?!费)|出院|(?:吃|服|喝|打(?!药)|换|停|靠|断)着?(?:的|了)?"
        r"[\u4e00-\u9fff]{0,6}药(?![店房妆箱盒膳])|病[史历情]|既往[症病]|旧疾|病灶|复发|扩散|"
        "输液|挂水|吸氧|雾化|慢性病|心理问题|情绪障碍|义眼|造口|病毒携带|"
        r"看[\u4e00-\u9fff]{0,2}(?:心理|精神)(?:医生|科|门诊)|精神科|心理(?:咨询|治疗|医生|疾病)"
        r"|康复(?:训练|期|中心|科)|复健|确诊|复诊|查出(?:来)?[\u4e00-\u9fff]{1,6}|戒[酒毒]|卧床|"
        "[左右](?:边的?)?(?:耳朵?|眼睛?)[^，。,]{0,3}(?:听不|看不|失|聋|瞎|不行|不好|坏)|"
        "[送挂看进叫]了?(?:急诊|急救|救护车)|120(?:拉|送|接)[走去来]|行动不便|不能自理|病危|读唇|手语|盲文|读屏|旁白(?:功能)?",
    ),
    (
        "health", "body",
        _BODY_TROUBLE,
        r"(?:只有|只剩|就剩|就|少了?)?(?:一[只条个边]|半[只边])(?:手|眼睛?|腿|脚|胳膊|耳朵?|肾|肺|身子)"
        "(?=能|有|不|没|看|听|动|的|[,，。]|\\Z)|(?:红绿|颜色|红色和?绿色)[^,，。]{0,3}分不[清出]|"
        "分不[清出](?:红绿|颜色)|(?:腿|手|眼睛?|胳膊|脚)都?是?假的|"
        r"(?:我|他|她|妈|爸|人|奶奶|爷爷)(?:是)?(?:全|半|耳|双耳)?聋(?=[,，。]|\Z|人)|"
        "(?:我|他|她)(?:就|会|又|老|突然)抽(?=[,，。]|\\Z|起来|过去|了)|"
        f"(?:{_BODY_ZH})(?:有点|有些|一直|也|都|实在|特别|比较|真的|最近|越来越|不太|不大|"
        "不怎么|不是很|很|又|这两年|子)*(?:不好|不太好|不行|不灵|不便|不方便|不利[索落]|"
        "有问题|出问题|差|弱|退化|下降|高(?!清)|偏高|疼|痛|受伤|做过|开过|动过|摔|骨折|断|坏|"
        "使不上|没力|发麻|麻|抖|听不[清见着]|看不[清见]|花|模糊|切|打了|糊涂|烧坏|僵)"
        r"[\u4e00-\u9fff]{0,5}|"
        f"(?:{_BODY_ZH}|手指头?|脚趾头?)(?:都|也|就|真的|实在|已经|现在|这两年)*"
        "(?:[干走抬提挪动蹲弯爬握]不(?:动|起来?|下|住|了)|直不起来?|伸不[开直]|合不[上拢])了?|"
        "[左右两]?(?:眼睛?|耳朵?|腿|脚|手|胳膊|手指头?)[^，。,]{0,2}(?:让|被|给|叫)[^，。,]{1,8}?"
        "(?:划|打|砸|压|轧|扎|烫|咬|撞|震|戳|崩|炸|刺|切)(?:[瞎断伤聋坏烂穿掉没]了?)|"
        r"(?:摔|撞|扭|砸|轧|压|烫|割|扎|拧|崴)(?:断|伤|坏|裂|碎|着|到)?了?(?:我的?)?"
        f"(?:{_BODY_ZH}|锁骨|肋骨|手指|脚趾|[大小]腿|尾椎)(?![机表环柄办套提册推垫架本])|"
        r"对(?!你们|贵|这种|此)[\u4e00-\u9fffA-Za-z0-9]{1,8}过敏|"
        r"[\u4e00-\u9fff]{0,3}过敏(?:体质|源|性)?|(?:听|看)不[清见着](?:楚)?(?:声音|字|东西|"
        r"人)|爬不[动上][\u4e00-\u9fff]{0,3}|走不[了动](?:台阶|楼梯|远|路)|站不[住久了](?!脚)|"
        "蹲不下|弯不[下了]腰|(?:不能|没法)(?:久站|久坐|弯腰|爬楼|走远|提重)",
    ),
    (
        "health", "pregnancy",
        _PREGNANCY,
        r"怀(?:着|了|上|起)?(?:孕|宝宝|二胎|三胎|双胞胎|娃|崽|仔|伢|毛毛|小孩|孩子)[\u4e00-\u9fff0-9]{0,6}|孕(?:早期|"
        "中期|晚期|期|吐|检|妇|[0-9一二三四五六七八九十]+(?:周|个?月))|产检|有(?:了)?身孕|"
        r"(?:周|个月|胎|孩子)(?:时候?|那次)?没保住|有喜了|(?:媳妇|老婆|爱人|太太|我)有了(?=[,，。！!]|$)|怀上|两道杠|羊水|临产|待产|月经|"
        r"例假|"
        "(?:我|她|老婆|媳妇)[^，。,]{0,2}怀(?:着|的)(?:呢|是)?|肚[子里](?:都|已经)?(?:这么|那么|挺|"
        "很)大了?|(?:我|她|老婆|媳妇|爱人|太太)(?:都|已经|快|才|有)*[一二三四五六七八九十0-9]+个月"
        r"(?:了|的)?(?=[,，。!！]|快生|\Z)|预产期[\u4e00-\u9fff0-9]{0,6}|备孕|保胎|安胎|试管婴儿?|"
        r"做试管|流产|小产|坐月子|"
        "刚生完|剖[腹宫]产|哺乳期?|产后|大着?肚子|肚子(?:已经)?"
        "[一二三四五六七八九十两0-9]+个月|月份(?:大|重)了|身子重了",
    ),
    (
        "special", "belief",
        r"nikah|the (?:rabbi|imam|priest|vicar|monks?|nuns?)|zakat|sadaqah?|haram|ordain(?:ed)?|"
        r"ordination|seminary|convent|mezuzah|tefillin|kirpan|"
        r"shomer|frum|[ch]{0,2}haredi|chas?sid(?:ic)?|against (?:what|everything) (?:we|i) believe|"
        r"crucifix|prayer (?:beads|shawl|cap)|(?:the|our|my|a) (?:home )?(?:altar|shrine)|"
        r"sacrament|"
        r"baptis(?:m|ed)|christening|(?:the )?(?:torah|talmud|quran|koran|gita)|"
        r"the bible|religious (?:grounds|"
        r"reasons|beliefs?|duty|observance|fast|leave)|(?:don'?t|can'?t|won'?t|not allowed to|"
        r"never)"
        r" (?:eat|touch|drink|handle|use)(?: any)? (?:pork|beef|alcohol|electricity|switches|money)"
        r"(?: (?:on|in|during|for)(?: \w+){1,2})?|(?:had|with|contains?|no) pork(?: \w+){0,2}|"
        r"(?:till|until|before|after) (?:sundown|nightfall|sunset)|eid|diwali|hanukkah|chanukah|"
        r"purim|vesak|nowruz|holy (?:day|week|month|communion)|(?-i:KSML|MOML|HNML|VJML)|"
        r"pilgrim(?:age|s)?|missionary|scripture|grace before|"
        "ramadan|iftar|suhoor|jum(?:u)?'?ah|salah|salat|taraweeh|(?:eid|friday|morning|"
        "evening|dawn|daily|five) prayers?|shabb?at|shabbos|sabbath|yom kippur|passover|"
        "pesach|rosh hashanah|sukkot|for lent|ash wednesday|puja|navratri|vaisakhi|hajj|umrah|"
        "ba[rt] mitzvah|hijab|niqab|kippah|yarmulke|gurdwara|synagogue|shul|communion|"
        r"tithe\w*|(?:at|to|in|from|after|during) (?:the |my |our |a )?(?:\w+ )?(?:mosque|"
        "church|mass|temple|chapel|bible study|choir practice|sunday school|prayers?)"
        "(?: (?:group|service|meeting|choir|prayers?))?(?: for prayers?)?|pray(?:s|ing|ed)?"
        r"(?: (?:facing|five times|towards?|at|before|every|together|for)[\w ]{0,14})?|"
        "prayer (?:times?|room|mat|rug|service|meeting|group)|fast(?:ing|s)? (?:for|during|"
        r"till|until|from dawn|this month|all day)(?: \w+){0,2}|(?:we're|i'm|we|i|he's|she's|"
        "am|are|while) fast(?:ing)?(?! (?:from|on|with|forward|track))|(?:halal|kosher)"
        r"(?: \w+){0,3}|break(?:ing)? (?:my|our|the) fast|(?:i'?m|i am|we'?re|we are|is|"
        "he'?s|she'?s|as|being|family|practi[sc]ing|devout|strict|raised|born|converted to|"
        f"observant|{KIN}|{CHILDREN})(?: (?:an?|also|both|all|practi[sc]ing|devout|strict|"
        rf"observant|roman|exclusive|plymouth|reformed|orthodox|"
        rf"old order|is|are))* (?:{_FAITH})|(?:my|our) (?:\w+ )?(?:pastor|imam|rabbi|"
        "priest|vicar|parish|congregation|mosque|church|synagogue|temple|faith|religion|"
        "beliefs|rosary|prayers|turban)",
        "[晨晌晡昏宵]礼|守?大斋|尼卡哈|教里|阿门|斋月|开斋|古尔邦|斋饭|素斋|清真(?!寺|路|街)[\u4e00-\u9fff]{0,3}|"
        "回民(?!街|路|小区|中学)|"
        "佛友|(?:佛|神)学院|修道院|教规|十字架|圣经|经文|"
        "转经筒|唐卡|(?:去|上|到)[^，。,]{0,3}庙里?|[上烧]香|拜神|供奉|佛龛|神龛|出家|还俗|修行|"
        "受戒|做法事|朝圣|传教士?|转经|经书|穆斯林餐|封斋|开斋|守斋|把斋|戒斋|做礼拜|"
        "(?<![上下个这每周两三四五六几半一二])礼拜(?!天|[一二三四五六日])|主麻|清真寺?|穆斯林|伊斯兰|阿訇|古兰经|朝觐|不吃(?:猪肉|大肉)|"
        r"信(?:佛|教|主|基督|天主|伊斯兰|道|耶稣|上帝|菩萨)[\u4e00-\u9fff]{0,3}|佛教徒?|"
        r"基督(?:徒|教)|天主教徒?|居士|皈依|吃(?:长)?斋|初一十五[\u4e00-\u9fff]{0,6}|念[佛经]|"
        "诵经|拜(?:佛|天公|神|妈祖|观音|菩萨)|礼佛|佛堂|法会|受洗|洗礼|祷告|弥撒|安息日|"
        "犹太(?:人|教)|印度教徒?|锡克|摩门|耶和华|道教|团契|查经|教友|教会(?!大学)"
        r"[\u4e00-\u9fff]{0,4}|教堂|牧师|神父|修女|无神论|忌荤|戴头巾|供(?:着|奉)?(?:观音|佛|"
        r"菩萨|妈祖)|持戒|过午不食|(?:我|我们|有|宗教)信仰[\u4e00-\u9fff]{0,4}",
    ),
    (
        "special", "politics",
        rf"(?:i|s?he|we)(?:'m|'re| am| is| are|'ll| will)? stand(?:s|ing)? for the (?:{_PARTY})|"
        rf"(?:vot|back|support|campaign|canvass|organi[sz])(?:e|ed|ing|es|s)?(?: for|"
        rf" against)?(?: the)?(?: \w+){{0,2}} "
        rf"(?:{_PARTY})|voted (?:for|against) (?-i:[A-Z])\w+|always voted|"
        rf"(?:card-carrying|paid-up|party) (?:member\w*|{_PARTY})|"
        rf"members? of (?:the )?(?:{_PARTY})|"
        rf"(?:fund-?raiser|dinner|stall|event|phone bank) for the (?:{_PARTY})|"
        r"canvass\w*(?: for [\w ]{0,20})?|"
        rf"campaign(?:ing|ed) for (?:the )?\w+|(?:the )?(?:{_PARTY}) (?:party|campaign|branch|"
        r"candidate|leaflets|rally|conference|voters?|members?|\w+ committee|councillor|"
        rf"activist)|(?:i'?m|we'?re|i am|is|a|lifelong) (?:{_PARTY})\b(?! (?:card|screen|light|"
        "button|colou?r\\w*|tea|bike|bean|space|salad|apple|bag|hat|shirt))|"
        r"political (?:views|beliefs|party|asylum|refugee|activist)|(?:at|to|for)"
        r" (?:the|a) (?:\w+ )?(?:protest|rally|demo|march)\b(?! \d)|(?:standing|running)"
        " for (?:council|parliament|election|office|mayor|congress|city council)|"
        "asylum seeker|refugee status|shop steward|union (?:rep(?:resentative)?|"
        "member(?:ship)?|dues|steward|delegate|official|organi[sz]er|branch|meeting|card|hall)"
        "|delegate for (?-i:[A-Z]{3,})|picket(?:ing| line)?|(?:i'?m|we'?re|i am|we are|"
        r"our \w+ (?:is|are)) on strike|(?:my|our) (?:\w+ )?union(?! (?:jack|jobs|of|station|"
        r"street|square))|(?:bill|"
        r"ask|tell|member of|belong to|joined|joining) (?:the|a) (?:\w+ )?union(?! of)|"
        rf"{_UNION}|collective bargaining|(?-i:Local) \d{{2,4}}",
        "(?:共产|国民|民进|民主|预备|老)?党员|入党|党费|党支部|党委(?!书记信箱)"
        r"[\u4e00-\u9fff]{0,6}|民[革盟建]|九三学社|致公党|农工党|政协委员|人大代表|投(?:票)?"
        r"(?:给|的是)[\u4e00-\u9fff]{1,6}|政治(?:立场|面貌|观点|避难)|(?:参加|去)(?:了)?(?:游行|"
        r"示威|集会|竞选)|助选|拉票|竞选|政见|团委书记|工会(?!发|卡|券|福利|慰问|采购|礼)[\u4e00-\u9fff]{0,6}|罢[工演课]|工友|"
        r"党旗|积极分子|支部",
    ),
    (
        "special", "origin_or_orientation",
        f"(?:i'?m|i am|we'?re|we are|is|was|were|from (?:the|a)|belong to(?: the)?|he'?s|she'?s|"
        f"as|as an?|being|openly|identify as|family|"
        f"folks|people|{KIN}|"
        f"{CHILDREN})(?:'s)?(?: (?:an?|also|both|all|openly|proudly|is|are|proud))* (?:{_GROUP})"
        "(?! (?:card|screen|friday|coffee|market|box|one|model))|"
        "both (?:of us )?(?:male|female|men|women|guys|girls|ladies|blokes|lads)|"
        r"(?:an? )?proud (?-i:[A-Z]\w+)(?: (?-i:[A-Z]\w+))? (?:man|woman|person|people|mob|family)|"
        "two (?:men|women|mums|moms|dads|guys|grooms|brides|blokes|girls|"
        r"lads)(?=[,.;:)!?]|\Z| together| and we| so | but | getting| living)|"
        "(?:i'?m|i am) (?:also )?an? (?:bloke|man|woman|guy|"
        "girl|lad) "
        "(?:too|myself|as well)|"
        r"same[- ]sex(?: \w+)?|(?:gay|lesbian) couple|lgbtq?\w*|came out(?: as| to)|"
        "coming out as|gender (?:reassignment|transition|identity|dysphoria)|transition(?:ed|"
        r"ing)?\b(?: (?:from|to|last|this))?(?= )|pride (?:parade|march|flag)|"
        r"civil partner(?:ship)?|they/them|deadname|of (?:\w+ )?(?:descent|heritage|ancestry|"
        r"ethnicity|extraction)|(?:we'?re|i'?m|from|as) (?:an?|the)(?: only| one)? "
        r"(?-i:[A-Z]\w+(?: [A-Z]\w+)?)"
        " (?:family|community|elder|household|woman|man|couple|tenants?|student)|"
        r"non-?binary(?! (?:data|file|search|option|format|code))|sexual orientation|ethnicity",
        f"(?:(?:我们?家?|他|她|家里|{KIN_ZH})(?:们)?(?:都|也)?是?|属于)?(?:{_ETHNIC_ZH})"
        "族(?:的|人)?|同性恋者?|出柜|双性恋|跨性别者?|变性|性取向|同性(?:伴侣|情侣|婚姻|恋人)|"
        "(?:我|他|她|本人)(?:是|就是)(?:个)?(?:gay|les|拉拉|同志|弯的|男同|女同)|"
        "[俩两](?:个人?)?都?是?[男女](?:的|生|人)(?=[,，。!！]|$|不|想|办|一起|能|可以)|作为同志|"
        "是[个名]?同志(?!们)|(?:我|她|他)也是[男女](?:的|生|人)?|"
        "都是[男女](?:的|生)(?!款|装|鞋|式)|我[男女]的(?=[,，。]|$)|两个(?:爸爸|"
        "妈妈|新郎|新娘)|形婚|(?:孩子|娃)(?:的)?另一个(?:爸爸|妈妈)|LGBT|(?:嫌|就?因为|看不起|欺负)我们?是[\u4e00-\u9fff]{2,4}(?:人|族|来的)|黑人|混血|少数民族|客家人|藏民|维族|蒙族|原住民|族裔",
    ),
    (
        "special", "biometric",
        "(?:my|his|her|our|their|(?:husband|wife|mum|dad|mother|father|son|daughter)'s)"
        r" (?:\w+ )?(?:fingerprints?|thumbprint|thumb|iris(?: scan)?|face ?(?:id|scan|print|"
        "recognition|data|template)|voice ?print|retina(?: scan)?|palm (?:scan|print|vein)|"
        r"dna(?: \w+)?|biometrics?|facial \w+)|raw biometric \w+|template (?-i:[A-Z]{2}-\d+)",
        rf"(?:{_SELF_ZH})[\u4e00-\u9fff]{{0,4}}(?:指纹|人脸|脸部|面容|面部|虹膜|视网膜|唾液|声纹|掌纹|"
        r"掌静脉|基因|DNA)[\u4e00-\u9fff]{0,6}|指纹(?:磨|浅|淡|平|没)[\u4e00-\u9fff]{0,3}|"
        r"(?:指纹|人脸|虹膜|声纹|掌纹|面部)(?:模板|特征|数据|信息|样本)[\u4e00-\u9fff]{0,3}",
    ),
)  # fmt: skip

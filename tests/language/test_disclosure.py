"""The second opinion: what it reads, what it overrules, what it leaves behind."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ctxlab.language.disclosure import (
    TOPICS,
    grams,
    inputs,
    meanings,
    pieces,
    stretches,
    weigh,
)
from ctxlab.language.disclosure_fit import examples
from ctxlab.language.heads import load_head
from ctxlab.language.neighbours import load_neighbours
from ctxlab.language.sensitive import scan, scan_many
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_topics import SIGNALS, signals
from ctxlab.models.embedding import get_embedder


def test_head_fits_its_features() -> None:
    head = load_head("disclosure")
    assert set(TOPICS) < set(head.classes)
    said = signals("a b", [(0, 1), (2, 3)], [])
    dense = inputs(meanings(["a", "b"]), said, load_neighbours("neighbours"))
    chances = head.probabilities(dense, [grams("a"), grams("b")])
    assert chances.shape == (2, len(head.classes))


def test_a_rule_hit_falls_where_the_head_is_sure_of_the_opposite() -> None:
    text = "where is my parcel"
    assert weigh(text, [Hit(0, 5, "health", "test", 0.8)]) == []


def test_what_is_only_implied_is_found_without_a_rule() -> None:
    text = "I read lips, so a call is no good"
    assert {hit.category for hit in weigh(text, [])} == {"health"}


def test_what_the_rules_say_becomes_signals() -> None:
    hit = Hit(0, 9, "health", "condition", 0.8)
    (row,) = signals("I'm deaf, the router is dead", [(0, 8)], [hit])
    said = dict(zip(SIGNALS, row, strict=True))
    assert said["condition of a person"] == said["person"] == 1
    assert said["thing"] == said["animal"] == 0


def test_grams_forget_the_value_of_numbers() -> None:
    assert grams("aged 61") == grams("aged 62")
    assert "听力不好" in [gram.replace(" ", "") for gram in grams("听力不好")]


def test_grams_know_the_family_of_a_long_word() -> None:
    assert set(grams("tendonitis")) & set(grams("arthritis")) == {"-itis"}
    assert "gall-" in set(grams("gallbladder")) & set(grams("gallstones"))
    assert not [gram for gram in grams("leg") if "-" in gram]


def test_nothing_sensitive_stays_in_the_embedding_cache() -> None:
    embedder = get_embedder("use")
    before = len(embedder)  # type: ignore[arg-type]
    scan("a sentence no other test embeds, about my chemotherapy in Wuppertal")
    weigh("another that is new here, with my chemotherapy in it", [])
    assert len(embedder) == before  # type: ignore[arg-type]
    scan_many(["卡号4111111111111111, 只在这条测试里, 谢谢", "我听力不好, 这条也是"])
    assert len(embedder) == before  # type: ignore[arg-type]


def test_what_tells_nothing_is_not_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def meanings_of(texts: list[str]) -> object:
        read.extend(texts)
        return meanings(texts)

    monkeypatch.setattr("ctxlab.language.disclosure.meanings", meanings_of)
    assert scan("hello, where is my parcel? order 55120 was due on Friday") == []
    assert scan("你好,发票开好了吗,订单是5512") == []
    assert read == []
    assert scan("thanks for the quick reply, by the way my hearing is going")
    assert read == ["by the way my hearing is going"]


def test_what_a_rule_points_at_is_read_whatever_its_wording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ctxlab.language.disclosure._WORTH_A_LOOK", 2.0)
    assert {finding.category for finding in scan("I'm deaf, so text me")} == {"health"}
    assert scan("I read lips, so text me") == []


def test_a_condition_belongs_to_what_it_is_said_of() -> None:
    text = "I get dizzy whenever I stand up too fast, so the lower shelf please"
    (finding,) = scan(text)
    assert text[finding.start : finding.end] == "I get dizzy whenever I stand up too fast"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I don't talk, I use a board, so write to me", "I don't talk, I use a board"),
        ("He's epileptic and takes Keppra twice, ring me not him",
         "He's epileptic and takes Keppra twice"),
        ("我爸中风了,说话含糊,上门请打我电话", "我爸中风了,说话含糊"),
    ],
)  # fmt: skip
def test_what_goes_on_about_it_is_told_with_it(text: str, told: str) -> None:
    covered = {i for f in scan(text) if f.category == "health" for i in range(f.start, f.end)}
    place = range(text.index(told), text.index(told) + len(told))
    assert len(covered & set(place)) > 0.8 * len(told)
    assert not covered - set(place)


def test_what_is_left_of_a_clause_is_kept_where_it_holds_a_number() -> None:
    text = "I'm epileptic as they know under case number 4471"
    (finding,) = scan(text)
    assert "4471" not in text[finding.start : finding.end]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("my aunt is almost blind so ring twice", "health"),
        ("he has Down's and adores trains", "health"),
        ("我就剩一只眼能看,字放大点", "health"),
        ("支气管炎又犯了,楼道别刷漆", "health"),
        ("强光一照她就抽,关掉行吗", "health"),
        ("we study Talmud on Tuesdays, no visits then", "special"),
        ("I'm a card-carrying Tory and proud of it", "special"),
        ("as the only Sudanese couple here we get the looks", "special"),
        ("我是娃另一个妈妈,能接吗", "special"),
        ("孩子是阿斯伯格,换座要提前说", "health"),
        ("右腿是假的,闸机慢点", "health"),
        ("我每天要做晨礼,早点开门", "special"),
        ("my partner and I are both male", "special"),
        ("你们采过我的视网膜", "special"),
        ("Priya is in Y5 and lost her recorder", "minor"),
        ("二年级六班的外套丢了", "minor"),
        ("our neighbour's boy, about six, rides the lift all day", "minor"),
    ],
)
def test_what_names_no_diagnosis_still_tells(text: str, category: str) -> None:
    assert category in {finding.category for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "哮喘患者能坐过山车吗",
        "孕妇可以蒸桑拿吗",
        "what do disabled passengers pay",
        "praying that the courier comes before noon",
        "blackout curtains in grey please",
        "my user ID is omar_silva_2213",
        "the black one, not the white",
        "强迫症表示这条缝不能忍",
        "you'd go blind reading this font",
        "the lorry limped in on a flat tyre",
        "电梯又趴窝了",
        "my cat has a lump, can she fly",
        "少数民族政策怎么查",
        "the cupboard's back is bowed from the damp",
    ],
)
def test_what_is_about_nobody_is_clean(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize(
    "text",
    ["I'm severely hard of hearing", "I had a heart operation in March", "we keep the Sabbath",
     "my legs gave up years ago", "我耳朵聋得厉害", "我们家信伊斯兰", "腿做过手术", "我老婆怀着孕"],
)  # fmt: skip
@pytest.mark.parametrize("ends", [".", "!", "。", "...", " :)", "”"])
def test_how_a_sentence_ends_changes_nothing(text: str, ends: str) -> None:
    told = {finding.category for finding in scan(text)}
    assert told
    assert {finding.category for finding in scan(text + ends)} == told


def test_a_scan_that_fails_leaves_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = get_embedder("use")
    before = len(embedder)  # type: ignore[arg-type]

    def fail(*_: object) -> None:
        raise RuntimeError("no numbers today")

    monkeypatch.setattr("ctxlab.language.sensitive.find_numbers", fail)
    with pytest.raises(RuntimeError):
        scan("one more sentence of its own, about the chemotherapy in Solingen")
    assert len(embedder) == before  # type: ignore[arg-type]


def test_training_examples_hold_out_the_test_domains() -> None:
    rows = examples()
    assert {row.topic for row in rows} == {*TOPICS, "none"}
    assert "E" not in {row.author for row in rows}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("俺膝盖里头有钢板呢走不快你给搬到屋里呗", ["你给搬到屋里呗"]),
        ("他们家那个灯又不亮了你们明天来不来", ["你们明天来不来"]),
        ("grandad is on the oxygen all night can you fit it by the bed",
         ["grandad is on the oxygen all night", "can you fit it by the bed"]),
        ("好的谢谢你", ["好的谢谢你"]),
    ],
)  # fmt: skip
def test_speech_without_marks_is_read_turn_by_turn(text: str, parts: list[str]) -> None:
    read = [text[start:end] for start, end in pieces(text)]
    assert "".join(read).replace(" ", "") == text.replace(" ", "")
    assert set(read) & set(parts)
    assert len(read) > 1 or parts == [text]


def test_stretches_cover_a_clause_that_runs_on_and_no_short_one() -> None:
    for text in ("one two three four", "好的谢谢你们"):
        assert list(stretches(text, 0, len(text))) == []
    long = " ".join(f"word{i}" for i in range(23))
    spans = list(stretches(long, 0, len(long)))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(long)
    assert all(after[0] < before[1] for before, after in pairwise(spans))


def test_a_number_said_of_a_code_is_nobodys_age():
    for n in range(1, 40):
        assert not scan(f"note{n} is {n}")
        assert not scan(f"slot{n} was {n}")

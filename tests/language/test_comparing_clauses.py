"""`cx.compare`, clause by clause: what is taken back, negated beside, or told of someone else."""

from __future__ import annotations

import pytest

from ctxlab.language import comparing
from ctxlab.language.comparing import compare, contradictions
from ctxlab.language.heads import load_head
from ctxlab.language.judging import STRAIGHT
from ctxlab.language.pairing import read_pair
from ctxlab.language.recurring import other_thing
from ctxlab.language.sides import Part, side_of
from ctxlab.models.embedding import get_embedder


def read(old, new):
    return read_pair(old, new, get_embedder("use"))


@pytest.mark.parametrize(
    ("old", "new", "usurped"),
    [
        ("So Olga waters the ferns.", "But Olga has a cold, so Pete waters the ferns.", 1),
        ("So Olga waters the ferns.", "And Olga waters the ferns, says Pete.", 0),
        ("委托唐律师办过户", "唐律师出国了，委托秦律师办过户", 1),
    ],
)
def test_a_clause_with_another_name_for_the_old_one_is_told(old, new, usurped):
    assert read(old, new).features["part:name usurped"] == usurped


def test_words_scattered_over_clauses_are_told_from_words_that_stand_together():
    together = read("Boots go to the cobbler.", "Boots go to the cobbler, heels too.").features
    apart = read("Boots go to the cobbler.", "Boots need heels, the cobbler is shut.").features
    assert together["part:cover"] == 1
    assert together["part:scatter"] == 0
    assert apart["part:scatter"] > 0


@pytest.mark.parametrize(
    ("old", "new", "flipped"),
    [
        ("买了一台新烤箱", "买了一台新烤箱，30升，还没拆", False),
        ("只要老秦修锁", "只要老秦修锁，别的师傅修不好", False),
        ("There is a ramp at the door", "There is no ramp at the door", True),
        ("院里有狗", "院里没有狗", True),
    ],
)
def test_only_the_clause_that_says_the_same_can_negate_it(old, new, flipped):
    found = contradictions(read(old, new))
    assert ("one side negates what the other says" in found) is flipped


def test_what_another_clause_negates_hides_no_change():
    reading = read("He takes no sugar.", "He takes sugar again, only no milk.")
    assert reading.features["part:turned"] > 0
    assert not compare("He takes no sugar.", "He takes sugar again, only no milk.").merges


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("别的颜色也行", False),
        ("汤特别咸", False),
        ("要不锈钢的", False),
        ("寄到无锡", False),
        ("非常满意", False),
        ("别敲门", True),
        ("没带伞", True),
        ("The docket is no. 5512", False),
        ("There is no lift", True),
    ],
)
def test_what_only_looks_like_a_negation_is_none(text, negated):
    assert side_of(text).negated is negated
    assert Part(side_of(text).plain).negates(()) is negated


def test_a_negation_within_another_word_for_the_same_negates_no_clause():
    assert not Part("尾款没付").negates(["没付"])
    assert Part("尾款没付，也没签").negates(["没付"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("哥哥学画画", "弟弟学画画"),
        ("发票给姐姐", "发票给妹妹"),
        ("His aunt has the keys", "His uncle has the keys"),
        ("Her mother pays", "Her mother-in-law pays"),
        ("The grandson skates", "The granddaughter skates"),
    ],
)
def test_relatives_of_one_sort_are_two_people(old, new):
    assert any(line.startswith("person differs") for line in contradictions(read(old, new)))
    assert not compare(old, new).merges


@pytest.mark.parametrize(
    ("old", "new", "another"),
    [
        ("The customer skates with her nephew.", "My nephew skates with me, he's nine.", False),
        ("The tenant is deaf.", "He can't hear.", False),
        ("Has no oven.", "My aunt has given me an oven.", False),
        ("Has an oven.", "His aunt has an oven.", True),
        ("周四爸爸来接", "他爸§4来接", False),
    ],
)
def test_who_is_only_called_he_or_gives_something_is_nobody_else(old, new, another):
    assert bool(read(old, new).subject) is another


@pytest.mark.parametrize(
    ("text", "sign", "said"),
    [
        ("They'll update you by noon", "replaced", False),
        ("She updated her number", "replaced", True),
        ("我临时有事", "once", False),
        ("临时放前台", "once", True),
        ("椅子可升降", "sized", False),
        ("The trip is off.", "ceased", True),
        ("The plan fell through", "ceased", True),
        ("The milk had gone off", "ceased", False),
        ("Free of charge", "not", False),
    ],
)
def test_words_of_change_in_other_uses_change_nothing(text, sign, said):
    assert bool(side_of(text).signs[sign]) is said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Cello lesson on Monday.", "Monday is no good, the cello moves to Wednesday."),
        ("§3下午修钟", "周三下午我不在，改到周五修"),
    ],
)
def test_the_old_value_beside_a_new_one_is_replaced(old, new):
    assert compare(old, new).relation == "supersede"


def test_what_is_objected_to_goes_with_its_value():
    reading = read("The sign is 90 cm.", "90 cm can't be read from the road, make it 140 cm.")
    assert any("stands beside a new one" in line for line in contradictions(reading))


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        (
            "The stove was delivered on 4 June.",
            "The fridge will be delivered on 8 July.",
            "distinct",
        ),
        ("The stove is coming on 4 June.", "The stove will be delivered on 8 July.", "supersede"),
        ("书桌周二送到了。", "书架周六送到。", "distinct"),
        ("书桌周二送。", "书桌周六送。", "supersede"),
    ],
)
def test_when_one_thing_came_is_not_when_another_will(old, new, relation):
    assert compare(old, new, "delivery_time").relation == relation


def test_what_came_and_names_nothing_is_no_other_thing():
    bare = side_of("Delivered on Monday."), side_of("The fridge will be delivered on Friday.")
    assert not other_thing(*bare)


def test_each_language_has_its_own_least_chance_of_merging(monkeypatch):
    merge = load_head(STRAIGHT).extra["merge"]
    assert set(merge) == {"zh", "en"}
    assert all(0.5 <= least < 1 for least in merge.values())
    pair = {
        "zh": ("客户订了一间双床房", "客户预订了一间双床房，要安静"),
        "en": ("The roof leaks.", "There's a leak in the roof."),
    }
    for language, other in (("zh", "en"), ("en", "zh")):
        assert compare(*pair[language]).merges
        monkeypatch.setitem(merge, language, 3.0)
        assert not compare(*pair[language]).merges
        assert compare(*pair[other]).merges
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The customer would like a window seat.", "The customer wants a window seat."),
        ("The customer purchased a lawn mower.", "The customer bought a lawn mower."),
        ("客户打算九月退租。", "客户准备九月退租。"),
    ],
)
def test_what_is_written_twice_in_nearly_the_same_words_is_one(one, other):
    assert compare(one, other).merges
    assert compare(other, one).merges


def test_no_merge_across_a_negation_is_believed_lightly():
    across = read("Brings a lamp.", "No lamp is brought by anybody.")
    assert comparing.asked(across) > comparing.asked(read("Brings a lamp.", "Brings one lamp."))


@pytest.mark.parametrize(
    ("old", "new", "exchanged"),
    [
        ("The customer wants the oak shelf.", "The customer would like the oak shelf.", False),
        ("The customer's tap drips at night.", "The customer's tap is dripping at night.", False),
        ("客户打算三月装修。", "客户准备三月装修。", False),
        ("The customer wants the oak shelf.", "The customer wants the oak drawer.", True),
        ("The customer's tap drips at night.", "The tenant's tap drips at night.", True),
        ("客户打算三月装修。", "客户打算三月出国。", True),
    ],
)
def test_two_words_for_one_thing_are_no_exchange(old, new, exchanged):
    assert ("same sentence with one part exchanged" in contradictions(read(old, new))) is exchanged


@pytest.mark.parametrize(
    ("old", "new", "whose"),
    [
        ("The customer sings in a choir.", "The customer's dentist sings in a choir.", "dentist"),
        ("The customer sings in a choir.", "The customer sings in a big choir.", ""),
        ("客户早上六点起床。", "客户的包工头早上六点起床。", "包工头"),
        ("客户是园丁。", "客户的职业是园丁。", ""),
    ],
)
def test_what_someone_of_the_customers_does_is_not_what_the_customer_does(old, new, whose):
    assert read(old, new).subject == whose
    assert read(new, old).subject == whose


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Order B7731 is paid.", "Order B7731 goes to Cork."),
        ("订单 B7731 已付款", "订单 B7731 寄到无锡"),
    ],
)
def test_two_things_said_of_one_id_stay_two(one, other):
    assert compare(one, other).relation == "distinct"
    assert not compare(other, one).merges


def test_a_wish_is_not_replaced_by_what_may_well_say_the_same(monkeypatch):
    pair = ("Please post the invoices.", "How do the invoices get to me?")
    head = load_head(STRAIGHT)
    odds = dict(
        zip(
            ("distinct", "duplicate", "supersede", "supplement"),
            (0.2, 0.3, 0.22, 0.28),
            strict=True,
        )
    )
    row = [[odds[name] for name in head.classes]]
    monkeypatch.setattr(comparing, "chances", lambda inputs: row)
    assert compare(*pair).relation == "distinct"

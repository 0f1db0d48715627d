"""What customers take back: hints before patterns, and a long number said again (R30)."""

import pytest

from ctxlab.language import corpus, rewording, slips
from ctxlab.language.repairs import find_slips, repair


@pytest.fixture(scope="module")
def said() -> list[str]:
    texts = [row["text"] for row in corpus.load("statements")]
    return texts + [text for row in corpus.load("pairs") for text in (row["old"], row["new"])]


def test_whatever_is_taken_back_holds_a_hint(said):
    """A hint that is missing would leave slips in: the patterns look at all texts here."""
    patterns = (slips._TAKEN_BACK, slips._NO_LONGER, slips._EXCUSE)
    found = [text for text in said if any(pattern.search(text) for pattern in patterns)]
    assert len(found) > 100
    assert [x for x in found if not any(hint in x.lower() for hint in slips._HINTS)] == []


def test_whatever_is_reworded_holds_a_hint(said):
    for pattern, hints in rewording._HINTS:
        found = [text for text in said if pattern.search(text)]
        assert found or pattern is not rewording._REWORDED
        assert [x for x in found if not any(hint in x.lower() for hint in hints)] == []


def test_two_digits_exchanged_need_no_word_of_regret():
    said = ["my order is 4410982", "thanks", "it's 4410928, paid on Monday"]
    assert repair(said, [True] * 3)[0] == "my order is 4410928"


@pytest.mark.parametrize("again", ["4410982", "4410983", "44109825", "4480912"])
def test_another_number_is_no_slip(again):
    assert find_slips(["my order is 4410982", f"and what of {again}"], [True, True]) is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Charge my debit card, not the one ending 1188, that got cancelled, please",
            "Charge my debit card, please",
        ),
        (
            "Mail it to a@b.example, I've moved so not the old one",
            "Mail it to a@b.example, I've moved",
        ),
    ],
)
def test_what_is_said_of_the_wrong_one_goes_with_it(said, kept):
    assert slips.unsaid(said) == kept


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        # What leads to another value puts no earlier one right.
        (
            ["尺码要42号", "我19号才回来，要是改成白色多久到"],
            ["尺码要42号", "我19号才回来，要是改成白色多久到"],
        ),
        # What was written by mistake is the wrong one, and what follows the right one.
        (["水表读数6620", "手滑打成6620了，读数是6602"], ["水表读数6602", ""]),
        (["my job is KD-5512", "oops I wrote KD-5512, it's KD-5521"], ["my job is KD-5521", ""]),
        (["手滑打成6620了，读数是6602"], ["读数是6602"]),
    ],
)
def test_the_right_value_is_told_from_the_wrong_one(said, meant):
    assert repair(said, [True] * len(said)) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the gauge shows 40, no 44, sorry 46", "the gauge shows 46"),
        ("Plate KB-4471. Sorry, that's my wife's, mine is KB-4472.", "Plate KB-4472"),
        ("保修日期3月4号，抱歉，3月14号", "保修日期3月14号"),
        ("机号7K2F9QW。不不,少看一位,7K2F9QWB", "机号7K2F9QWB"),
    ],
)
def test_a_value_put_right_twice_or_cut_short_is_the_last_one(said, meant):
    assert repair([said], [True])[0].startswith(meant)


@pytest.mark.parametrize("said", ["I'm at flat 3, no 7 Elm Road", "抱歉，周五3点来不了，4点行吗"])
def test_a_no_or_an_apology_alone_takes_nothing_back(said):
    assert repair([said], [True]) == [said]


@pytest.mark.parametrize("text", ["价格是不是就480了。", "镜片是不是坏了。", "要不要寄了。"])
def test_a_question_takes_nothing_back(text):
    assert slips.unsaid(text) == text


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I want it in oak not pine", "I want it in oak"),
        ("by card, not cash.", "by card."),
        ("with the heating not working", "with the heating not working"),
        ("we moved from Spectra to Lumen", "we moved from Spectra to Lumen"),
    ],
)
def test_one_noun_denied_beside_another(said, left):
    assert slips.unsaid(said) == left


def test_what_is_named_as_wrong_goes_alone():
    said = "flat six nine ivy bank burnside oh no wait not burnside cathcart"
    assert repair([said], [True]) == ["flat six nine ivy bank cathcart"]


def test_speech_without_marks_loses_no_more_than_a_slip():
    said = "就是那个翠屏路口往里走的丽景花园三栋不对五栋"
    assert "丽景花园" in repair([said], [True])[0]

"""Who may read what, and what two statements are to each other (R92, R94)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ctxlab import Record
from ctxlab.config import Scopes
from ctxlab.language.comparing import Comparison
from ctxlab.language.labelling import StatementLabel
from ctxlab.mitigations.duplicates import Candidate, DuplicatePolicy, same_words_key
from ctxlab.mitigations.scopes import ScopePolicy
from ctxlab.types import Source

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def label(audience, confidence=0.9):
    return StatementLabel("fact", "actionable", audience, confidence, {})


@pytest.mark.parametrize(
    ("given", "attribute", "kind", "label", "audience"),
    [
        (None, None, "fact", None, "private"),
        (None, None, "fact", label("shared"), "shared"),
        (None, None, "fact", label("private"), "private"),
        (None, "address", "fact", label("private", 0.2), "shared"),
        (None, "address", "emotion", label("shared"), "private"),
        (None, "work_email", "fact", None, "shared"),
        (None, "emails_sent", "fact", None, "private"),
        (None, "competitor", "fact", label("private"), "private"),
        ("private", "address", "fact", label("shared"), "private"),
        ("shared", None, "fact", label("private"), "shared"),
    ],
)
def test_audience(given, attribute, kind, label, audience):
    assert ScopePolicy().audience(given, attribute, kind, label)[0] == audience


def test_words_judged_private_stay_so_under_a_shared_name():
    sure = label("private", 0.9)
    assert ScopePolicy().audience(None, "order", "event", sure)[0] == "private"


def test_visibility():
    policy = ScopePolicy()
    assert policy.visible("support", "shared", "m1", (), "sales")
    assert policy.visible("support", "private", "m1", (), "support")
    assert not policy.visible("support", "private", "m1", (), "supporter")
    assert policy.visible("support", "private", "m1", {"m1"}, "sales")
    assert not policy.visible("support", "private", "m1", {"m10"}, "sales")
    assert ScopePolicy(Scopes(), on=False).visible("support", "private", "m1", (), "sales")


def record(text, record_id="m1", **fields):
    base = {"created": DAY, "updated": DAY, "valid_from": DAY, "audience": "shared"}
    return Record(id=record_id, entity="customer:U1", agent="support", text=text, **base | fields)


def policy(**relations):
    """Compare by a table: old text -> relation."""
    return DuplicatePolicy(
        compare=lambda o, n, attribute: Comparison(relations.get(o, "distinct"), 0.9, ())
    )


def near(*records, visible=True):
    return [Candidate(r, 0.9, visible) for r in records]


def test_same_words_need_no_comparison():
    def never(*args, **kwargs):
        raise AssertionError("compared")

    decision = DuplicatePolicy(compare=never)(record("Likes jazz!"), near(record("likes  jazz")))
    assert decision.action == "known"


def test_a_duplicate_and_a_contradiction_at_once():
    old = [record("a", "m1"), record("b", "m2")]
    decision = policy(a="duplicate", b="supersede")(record("c"), near(*old))
    assert (decision.action, decision.target.id) == ("merged", "m1")
    assert [r.id for r in decision.replaced] == ["m2"]


def test_all_that_it_contradicts_ends():
    old = [record("a", "m1"), record("b", "m2")]
    decision = policy(a="supersede", b="supersede")(record("c"), near(*old))
    assert decision.action == "superseded"
    assert {r.id for r in decision.replaced} == {"m1", "m2"}


def test_older_news_is_discarded():
    late = record("c", updated=DAY - timedelta(days=1))
    assert policy(a="supersede")(late, near(record("a"))).action == "discarded"
    hidden = policy(a="supersede")(late, near(record("a"), visible=False))
    assert (hidden.action, hidden.target) == ("discarded", None)
    assert "m1" not in " ".join(hidden.reasons)


def test_a_feeling_contradicts_no_fact():
    felt = record("hates jazz", kind="emotion")
    assert policy(**{"likes jazz": "supersede"})(felt, near(record("likes jazz"))).action == "added"


def test_detail_for_one_role_is_not_added_to_what_all_read():
    private = record("a and more", audience="private")
    assert policy(a="supplement")(private, near(record("a"))).action == "added"


def test_texts_grow_by_supplements_only_so_far():
    long = "x " * 100
    both = policy(**{long: "supplement"})(record("and new words besides"), near(record(long)))
    assert both.action == "supplemented"
    longer = "x " * 149 + "y"
    assert (
        policy(**{longer: "supplement"})(record("and new words"), near(record(longer))).action
        == "added"
    )


def test_far_and_unlike_is_never_compared():
    far = [Candidate(record("a"), 0.1)]
    assert policy(a="supersede")(record("c"), far).action == "added"
    slot = [Candidate(record("a", attribute="city"), 0.1)]
    assert policy(a="supersede")(record("c", attribute="city"), slot).action == "superseded"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("收货地点： 杭州。", "收货地点:杭州", True),
        ("Likes JAZZ", "likes jazz!!", True),
        ("ＡＢＣ１２", "abc12", True),
        ("costs 1.5", "costs 15", False),
        ("floor -1", "floor 1", False),
        ("$5 back", "€5 back", False),
        ("5% off", "5 off", False),
        ("1 2", "12", False),
        ("喜欢", "不喜欢", False),
        ("A1029", "A1092", False),
    ],
)
def test_same_words(a, b, same):
    assert (same_words_key(a) == same_words_key(b)) == same


def test_a_slot_of_one_value_is_exchanged_unless_words_set_it_apart():
    real = DuplicatePolicy()
    old = record("the budget is $500", attribute="budget")
    for said, action in (
        ("spends $550 at most", "superseded"),
        ("the budget for his son's desk is $550", "added"),
        ("just this once he spends $550 at most", "added"),
    ):
        new = record(said, attribute="budget")
        assert real(new, near(old)).action == action, said
    many = record("order A1092", attribute="order")
    assert real(many, near(record("order A1029", attribute="order"))).action == "added"


def test_one_id_in_common_is_no_sentence_in_common():
    """A claim's outcome vanished into an appointment that bore the same policy number."""
    old = record('Asked "Which suits?", the customer answered: the later one (PS-771-4402).')
    new = record("The claim on PS-771-4402 was approved on 2026-02-26: £212 of £265, £53 to pay.")
    for said in ("duplicate", "supplement"):
        decision = policy(**{old.text: said})(new, near(old))
        assert all(x in decision.text for x in ("2026-02-26", "£212", "£265", "£53"))
        assert said == "duplicate" or "the later one" in decision.text
        assert said == "supplement" or decision.action == "added"


def test_two_things_said_in_one_message_were_both_meant():
    source = Source("conversation", "s1", ("m1",))
    old = record("The blue one is size M at £50.").with_(source=source)
    same = record("The red one is size L at £49.").with_(source=source)
    later = same.with_(source=Source("conversation", "s1", ("m2",)))
    says = policy(**{old.text: "supersede"})
    assert says(same, near(old)).action == "added"
    assert says(later, near(old)).action == "superseded"


def test_only_its_own_slot_replaces_a_line_of_the_file():
    old = record("Lives at 9 Quay Street.", attribute="address", value="9 Quay Street")
    says = policy(**{old.text: "supersede"})
    other = record("The van comes on 2026-03-07 at nine.", attribute="visit_time")
    assert says(other, near(old)).action == "added"
    moved = record("Now lives at 2 Mill Lane.", attribute="address", value="2 Mill Lane")
    assert says(moved, near(old)).action == "superseded"


def test_a_wish_that_names_nothing_replaces_no_fact():
    old = record("The refund for the two desks is $1,095.55.")
    wish = record("The customer asked: how much did the rest cost.").with_(kind="request")
    says = policy(**{old.text: "supersede"})
    assert says(wish, near(old)).action == "added"
    named = record("The customer asked: make the refund $1,059.55.").with_(kind="request")
    assert says(named, near(old)).action == "superseded"


def test_what_brings_news_is_not_merged_on_a_word():
    news = record("I still write short stories. I have finished 7 of them by now.")
    same = policy(**{"I have written 4 stories.": "duplicate"})
    assert same(news, near(record("I have written 4 stories."))).action == "added"


@pytest.mark.parametrize(
    ("wish", "deed"),
    [
        ("The customer asked for a refund of £40.", "The agent refunded £40."),
        ("客户要求周五送货。", "客服承诺周五送货。"),
    ],
)
def test_a_wish_and_that_it_was_granted_are_two_things(wish, deed):
    asked, done = record(wish, kind="request"), record(deed, "m2", kind="commitment")
    assert policy(**{wish: "duplicate"})(done, near(asked)).action == "added"
    again = record(deed, "m2", kind="request")  # the same sort of thing may be the same thing
    assert policy(**{wish: "duplicate"})(again, near(asked)).action == "merged"

"""Search terms: function words out of questions, irregular forms made one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxlab.language.terms import index_terms, query_terms


def test_forms_of_a_word_meet():
    for a, b in (("bought", "buy"), ("went", "going"), ("children", "child"), ("met", "meeting")):
        assert set(query_terms(a)) & set(index_terms(b)), (a, b)
    assert index_terms("she lived there")[1] == index_terms("live")[0] != index_terms("life")[0]


def test_function_words_are_not_looked_up_in_either_language():
    assert query_terms("When did you do that?") == ["when", "do", "you", "that"]  # nothing else
    assert query_terms("When did you refund that?") == ["refund"]
    assert not {"什么", "时候", "我的"} & set(query_terms("我的退款什么时候到账"))
    assert {"退款", "到账"} <= set(query_terms("我的退款什么时候到账"))


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_text_holds_the_terms_of_itself_as_a_question(text):
    terms = query_terms(text)
    assert set(terms) <= set(index_terms(text))
    assert len(terms) == len(set(terms))
    assert bool(terms) == bool(index_terms(text))

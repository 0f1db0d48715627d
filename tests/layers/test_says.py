"""Whether a live record holds a literal, however its letters are written where it is stored."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.layers.lifecycle import says

OPEN = cx.Config().with_({"mitigations.privacy": False})
WHO = {"entity": "customer:U1", "agent": "support"}
TRICKY = st.text(st.sampled_from('0123 "\\/7\n\t７号é\ud800x'), min_size=1, max_size=12)


@settings(deadline=None, max_examples=40)
@given(TRICKY, st.booleans())
def test_what_is_stored_is_found_again(literal, fresh):
    with cx.Memory("sqlite://", embedder=None, config=OPEN) as memory:
        value = f"-{literal}-"
        memory.write("Their plan is this.", kind="fact", attribute="plan", value=value, **WHO)
        if fresh:  # read from the database, not as it was written
            memory._shelves.drop("customer:U1")
        rows = memory._shelf("customer:U1").rows
        assert says(rows, [0], literal)
        assert not says(rows, [0], f"{literal}?")

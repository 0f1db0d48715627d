"""Decay: three curves, kinds apart, feelings told from facts (R90)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab import Config, decay_weight
from ctxlab.config import Decay
from ctxlab.errors import ConfigError
from ctxlab.language.labelling import StatementLabel
from ctxlab.mitigations.contamination import CURVES, Fade, activation, settle

HALF = {"emotion": 7, "event": 30, "preference": 180}


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("kind", HALF)
def test_half_is_left_at_the_half_life(curve, kind):
    assert decay_weight(HALF[kind], kind, curve) == pytest.approx(0.5)
    assert decay_weight(0, kind, curve) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("curve", CURVES)
@given(a=st.floats(0, 4000), b=st.floats(0, 4000))
def test_older_never_weighs_more(curve, a, b):
    young, old = sorted((a, b))
    assert decay_weight(young, "event", curve) >= decay_weight(old, "event", curve) - 1e-12
    assert decay_weight(old, "fact", curve) == 1.0
    assert 0 <= decay_weight(old, "emotion", curve) <= 1


def test_curves_differ_in_their_tails():
    far = [decay_weight(100, "emotion", curve) for curve in CURVES]
    assert far[0] < far[1] < far[2]


def test_use_refreshes_under_act_r_alone():
    used = {"uses": 5, "last_use_days": 1.0}
    assert decay_weight(60, "event", "act-r", **used) > decay_weight(60, "event", "act-r")
    assert decay_weight(60, "event", **used) == decay_weight(60, "event")


def test_activation_is_close_to_the_sum_over_every_use():
    import numpy as np

    # Made 40 days ago, used every fourth day, last 4 days ago: Petrov's approximation.
    exact = sum(t**-0.5 for t in range(4, 44, 4))
    near = activation(np.array([40.0]), np.array([9]), np.array([4.0]))[0]
    assert near == pytest.approx(exact, rel=0.15)


def test_unknown_curve_is_named():
    with pytest.raises(ConfigError, match="linear"):
        decay_weight(1, "emotion", "linear")


def test_half_lives_come_from_settings_and_the_switch():
    fade = Fade(Decay(half_life_days={"emotion": 1.0}))
    assert fade.half_life("emotion") == 1.0
    assert fade.half_life("event") == float("inf")
    off = Fade(Config().decay, on=False)
    assert off.half_life("emotion") == float("inf")
    assert off.in_profile("emotion")
    assert not fade.in_profile("emotion")
    assert fade.in_profile("fact")


def label(kind, confidence, **scores):
    return StatementLabel(kind, "historical", "shared", confidence, scores)


def test_doubtful_small_talk_is_kept_as_what_it_else_may_be():
    assert settle(label("chitchat", 0.9, chitchat=0.9, fact=0.1))[0] is None
    assert settle(label("chitchat", 0.4, chitchat=0.4, fact=0.1, preference=0.3))[0] == "preference"
    assert settle(label("event", 0.4, event=0.4))[0] == "event"

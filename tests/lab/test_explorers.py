"""The pattern of all explorers, and what the first two of them claim."""

import base64
import importlib.util
import io
import tomllib

import pytest

import ctxlab as cx
from ctxlab.lab import style
from ctxlab.lab.explorer import Control
from ctxlab.tokens import TokenCounter

EXPLORERS = [
    cx.lab.BudgetExplorer,
    cx.lab.WindowExplorer,
    cx.lab.ThresholdExplorer,
    cx.lab.DecayExplorer,
    cx.lab.PrivacyExplorer,
    cx.lab.ReplayExplorer,
    cx.lab.ScopeExplorer,
    cx.lab.DedupeExplorer,
    cx.lab.RouterExplorer,
    cx.lab.ConsolidationExplorer,
    cx.lab.ScaleExplorer,
]
LANGS = ["en", "zh"]
PNG = b"\x89PNG"


@pytest.fixture(scope="module", params=[(e, x) for e in EXPLORERS for x in LANGS], ids=str)
def explorer(request):
    kind, lang = request.param
    return kind(lang=lang)


def test_compute_is_pure(explorer):
    before = dict(explorer.settings)
    assert explorer.compute() == explorer.compute()
    assert explorer.settings == before


def test_presets_differ_in_what_they_say(explorer):
    said = {n: explorer.readout(explorer.compute(**p)) for n, p in explorer.presets.items()}
    assert set(said) == {"broken", "fixed"} and said["broken"] != said["fixed"]


def test_every_control_has_a_description_and_its_default(explorer):
    for control in explorer.controls:
        assert all(control.words) and control.default in control.values
        assert explorer.view.controls[control.name].description


def test_an_unknown_setting_is_named(explorer):
    with pytest.raises(cx.ConfigError, match="windwo"):
        explorer.compute(windwo=3)


def test_moving_a_control_changes_figure_words_and_config(explorer):
    view = explorer.view
    before = (view.image.value, view.text, explorer.config)
    for control in explorer.controls:
        value = next((v for v in control.values[::-1] if v != control.default), control.default)
        view.controls[control.name].value = value
        after = (view.image.value, view.text, explorer.config)
        if all(a != b for a, b in zip(before, after, strict=True)):
            break
        view.buttons["reset"].click()
    else:
        pytest.fail("no control changes figure, words and config")
    assert view.text.replace("'", "&#x27;") in view.widget.children[2].value
    view.buttons["reset"].click()
    assert explorer.settings == explorer.defaults


def test_one_image_a_change(explorer):
    """No flicker: a preset that moves several controls draws once."""
    drawn = []
    explorer.view.image.observe(lambda change: drawn.append(1), "value")
    explorer.view.buttons["broken"].click()
    assert len(drawn) == 1
    explorer.view.image.unobserve_all()
    explorer.view.buttons["reset"].click()


def test_config_is_what_an_engine_loads(explorer, tmp_path):
    explorer.set(**explorer.presets["broken"])
    path = tmp_path / "ctxlab.toml"
    path.write_text(explorer.to_toml())
    assert cx.Config.load(path) == explorer.config
    tomllib.loads(explorer.to_toml())
    button = explorer.view.buttons["config"]
    button.click()
    assert explorer.to_toml().splitlines()[0] in explorer.view.widget.children[3].value
    button.click()
    explorer.set(**explorer.defaults)


def test_shows_itself_with_and_without_widgets(explorer):
    shown = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert base64.b64decode(shown["image/png"]).startswith(PNG)
    assert shown["text/plain"] == explorer.view.text


def test_figures_have_the_size_they_say(explorer):
    from PIL import Image

    width, height = explorer.size
    assert Image.open(io.BytesIO(explorer.png(scale=1))).size == (width * 100, height * 100)


def test_the_figure_is_named_by_its_readout_and_saved_small(explorer):
    """What a notebook or a page carries is the first figure; later ones only cross a wire."""
    view = type(explorer)(lang=explorer.lang).view
    assert view.image.tooltip == view.text and view.text
    first = view.image.value
    view.buttons["broken"].click()
    assert view.image.tooltip == view.text
    view.buttons["reset"].click()
    assert len(first) < 0.6 * len(view.image.value)  # the same figure in all its colours


def test_the_readout_is_a_live_region_and_escaped(explorer):
    from ctxlab.lab.view import readout_html

    assert 'aria-live="polite"' in readout_html("x")
    assert "<script>" not in readout_html("<script>")


def test_missing_widgets_name_the_extra(monkeypatch):
    monkeypatch.setattr(
        "ctxlab.lab.find_spec",
        lambda name: None if name == "ipywidgets" else importlib.util.find_spec(name),
    )
    with pytest.raises(cx.MissingExtra, match=r"ctxlab\[lab\]"):
        cx.lab.__getattr__("BudgetExplorer")


def test_captions():
    control = Control("x", ("x", "x"), ("a", "b"), "a", captions=(("A", "甲"), ("B", "乙")))
    assert control.caption("b", "zh") == "乙"
    assert Control("n", ("n", "n"), (1000,), 1000).caption(1000, "en") == "1,000"


def test_texts_make_a_slider_of_names_or_are_typed():
    from ctxlab.lab.view import View

    kinds = {"menu": "SelectionSlider", "typed": "Text"}
    for flag, kind in kinds.items():
        control = Control("x", ("x", "x"), ("a", "b"), "a", **{flag: True})
        view = View.__new__(View)
        view.explorer = type("E", (), {"lang": "en", "settings": {"x": "a"}})()
        assert type(view._control(control)).__name__ == kind


def test_film_frames_are_small_and_described():
    explorer = cx.lab.BudgetExplorer(lang="en")
    film = cx.lab.film(explorer, turn=(0, 20, 40))
    assert len({frame.png for frame in film.frames}) == 3
    for frame in film.frames:
        assert len(frame.to_html(560)) < 60_000
        assert f'alt="{frame.readout.replace(chr(39), "&#x27;")}"' in frame.to_html(560)
    shown = film._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown and shown["text/plain"]
    with pytest.raises(cx.ConfigError, match="one setting"):
        cx.lab.film(explorer)
    with pytest.raises(cx.ConfigError, match="nothing"):
        cx.lab.film(explorer, nothing=(1,))


# ------------------------------------------------------------------ the budget explorer


def test_a_saved_film_has_the_colours_of_its_last_frame(tmp_path):
    """The palette of an animated picture was once that of its first frame alone."""
    from PIL import Image

    budget = cx.lab.BudgetExplorer(lang="en")
    budget.set(window=500, memory=0)
    turns = budget.controls[0].values
    cx.lab.film(budget, turn=(turns[0], turns[-1])).save(tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as shown:
        shown.seek(1)
        counts = {colour: count for count, colour in shown.convert("RGB").getcolors(1 << 16)}
    gone = tuple(int(style.COLOURS["dropped"][i : i + 2], 16) for i in (1, 3, 5))
    assert counts[gone] > 500 and counts[255, 255, 255] > 50_000


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("state", [False, True])
def test_the_legend_of_the_budget_stays_on_the_figure(lang, state):
    explorer = cx.lab.BudgetExplorer(lang=lang)
    drawn = explorer.draw(explorer.compute(state=state))
    with style.use():
        style.to_png(drawn)
        box = drawn.axes[1].get_legend().get_window_extent()
    assert box.x1 <= drawn.bbox.x1


@pytest.mark.parametrize("lang", LANGS)
def test_budget_numbers_are_the_engines(lang):
    """Parity: one request rebuilt by hand through the public engine has the same ledger."""
    explorer = cx.lab.BudgetExplorer(lang=lang)
    data = explorer.compute(turn=25, window=1_000)
    config = cx.Config().with_(explorer.changes(window=1_000) | {"mitigations.privacy": False})
    clock = cx.ManualClock("2026-01-05T09:00:00+00:00")
    with cx.ContextEngine("sqlite://", config, embedder=None, clock=clock) as engine:
        session, asked = engine.open_session(), -1
        for message in explorer.messages:
            plain = {key: value for key, value in message.items() if key != "time"}
            if plain["role"] == "user":
                asked += 1
                if asked == 25:
                    context = session.prepare(plain, tools=cx.lab.TOOLS)
                    break
            session.add(plain)
    assert data.now.total == context.ledger.total
    assert data.now.used == {k: v for k, v in context.ledger.used.items() if v}


@pytest.mark.parametrize("lang", LANGS)
def test_budget_claims(lang):
    explorer = cx.lab.BudgetExplorer(lang=lang)
    for window in (600, 1_000, 2_000):
        data = explorer.compute(window=window)
        assert all(turn.total <= data.plan.input_limit for turn in data.turns)
    assert data.appended[-1] == TokenCounter().count_messages(
        [{"role": "system", "content": cx.lab.budget.SYSTEM_PROMPT}, *last_user(explorer)],
        cx.lab.TOOLS,
    )
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    fact = next(iter(explorer._facts))
    assert fact not in broken.now.visible and fact in fixed.now.visible
    assert broken.at == fixed.at


def last_user(explorer):
    at = max(i for i, m in enumerate(explorer.messages) if m["role"] == "user")
    return explorer.messages[: at + 1]


def test_a_message_that_cannot_fit_is_said_in_words():
    said = [{"role": "user", "content": "word " * 3_000}]
    explorer = cx.lab.BudgetExplorer(said, lang="en")
    data = explorer.compute(window=explorer._windows[0])
    assert "does not fit" in explorer.readout(data)
    assert explorer.png(window=explorer._windows[0]).startswith(PNG)


# ------------------------------------------------------------------ the window explorer


def test_by_count_is_what_it_says():
    explorer = cx.lab.WindowExplorer(lang="en")
    data = explorer.compute(messages=4)
    for end, cut in zip(data.requests, data.cuts["count"], strict=True):
        assert end + 1 - cut.first <= 4
        assert cut.tokens == sum(data.sizes[cut.first : end + 1])


@pytest.mark.parametrize("paste", [0, 400])
@pytest.mark.parametrize("lang", LANGS)
def test_by_tokens_is_never_illegal_and_only_a_giant_exceeds(lang, paste):
    explorer = cx.lab.WindowExplorer(lang=lang)
    for budget in explorer._budgets:
        data = explorer.compute(budget=budget, paste=paste)
        assert data.illegal("tokens") == 0
        for end, cut in zip(data.requests, data.cuts["tokens"], strict=True):
            sent = explorer.messages[cut.first : end + 1]
            assert cut.tokens == sum(data.sizes[cut.first : end + 1])
            # Over budget only where the current turn alone is: it may not be dropped.
            assert cut.tokens <= budget or sum(m["role"] == "user" for m in sent) == 1
    assert explorer.compute(messages=12).illegal("count") > 0  # the control: a count does break


def test_a_paste_weighs_what_it_says():
    explorer = cx.lab.WindowExplorer(lang="zh")
    plain, pasted = explorer.compute(), explorer.compute(paste=400)
    added = sum(pasted.sizes) - sum(plain.sizes)
    assert 300 < added < 500

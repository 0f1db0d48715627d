"""The privacy explorer shows what the policy does, sentence by sentence."""

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab.lab import style
from ctxlab.lab.privacy import PrivacyExplorer
from ctxlab.lab.privacy_drawing import flow
from ctxlab.lab.wording import width
from ctxlab.language.sensitive_scoring import score_spans
from ctxlab.messages import Message
from ctxlab.mitigations.privacy import PrivacyPolicy, mask_message

LANGS = ["en", "zh"]
CARD = {"en": "my card is 4111 1111 1111 1111", "zh": "我的卡号4111111111111111"}
SETTINGS = [{}, {"privacy": False}, {"payment": "days", "health": "keep", "contact": "refuse"}]


@pytest.fixture(scope="module", params=LANGS)
def explorer(request):
    return PrivacyExplorer(lang=request.param)


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_is_shown_is_what_is_stored(explorer, settings):
    """Parity with the two functions that every write passes, on every fifth sentence."""
    config = cx.Config().with_(explorer.changes(**settings))
    policy = PrivacyPolicy(config.privacy, config.mitigations.privacy)
    for i in range(0, len(explorer.sentences), 5):
        data = explorer.compute(sentence=i, **settings)
        text = data.sentence.text
        assert data.raw == mask_message(Message.of(text), policy).content
        screened = policy.screen(text)
        assert data.refused == screened.refused
        assert data.memory == ("" if screened.refused else screened.text)


def test_counts_agree_with_the_scanners_own_score(explorer):
    """With everything masked, what can't be read is what the scanner recalls."""
    rows = cx.load_support(explorer.lang).sensitive.to_dict("records")
    data = explorer.compute(**dict.fromkeys(explorer.compute().actions, "mask"))
    readable, total = data.count("raw")
    score = score_spans(rows, cx.scan)
    # The scanner's score also wants the right category, so it can only be lower.
    assert total == score["spans"] and total - readable >= score["found"]


def test_claims(explorer):
    on, off = explorer.compute(), explorer.compute(privacy=False)
    assert off.count("raw")[0] == off.count("raw")[1] > 40
    for store in ("raw", "memory"):
        assert on.count(store)[0] <= off.count(store)[0] * 0.06
    assert on.tallies["contact"].meant and on.tallies["contact"].memory > 0
    broken, fixed = (explorer.compute(**explorer.presets[n]) for n in ("broken", "fixed"))
    assert broken.raw == broken.sentence.text != fixed.raw


def test_typed_text_takes_the_place_of_the_sentence(explorer):
    text = CARD[explorer.lang]
    data = explorer.compute(text=text)
    assert data.sentence.text == text and "4111" not in data.raw + data.memory
    assert data.tallies == explorer.compute().tallies


def test_erasure_leaves_nothing(explorer):
    data = explorer.compute(text=CARD[explorer.lang], erase=True, payment="keep")
    assert data.certificate.residue == 0 and data.certificate.is_genuine()
    assert data.certificate.counts["messages"] == data.certificate.counts["memories"] == 1
    assert str(sum(data.certificate.counts.values())) in explorer.readout(data)


def test_own_sentences_in_every_form(tmp_path):
    said = ["card 4111 1111 1111 1111", "thanks"]
    frame = pd.DataFrame({"text": said})
    frame.to_csv(tmp_path / "mine.csv", index=False)
    messages = [{"role": "user", "content": text} for text in said]
    forms = [said, frame, tmp_path / "mine.csv", messages, pd.DataFrame(messages)]
    seen = [PrivacyExplorer(form, lang="en").compute() for form in forms]
    assert all(data == seen[0] for data in seen) and not seen[0].labelled
    span = {"start": 0, "end": 6, "category": "health"}
    labelled = PrivacyExplorer([{"text": "thanks", "spans": [span]}], lang="en").compute()
    assert labelled.tallies["health"].raw == 1  # labelled, and the scanner finds nothing


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        ([{"start": 0}], "want start, end, category"),
        ([{"start": 0, "end": 1, "category": "secret"}], "secret"),
        ([{"start": 0, "end": 99, "category": "health"}], "within"),
        ("not json", "want"),
    ],
)
def test_faulty_labels_are_named(spans, said):
    with pytest.raises(cx.DataError, match=said):
        PrivacyExplorer([{"text": "thanks", "spans": spans}])


def test_lines_break_within_the_room_and_at_spans():
    text = "a long sentence about a card " * 4 + "卡号在这里" * 8
    placed = flow(text, [(7, 15)], 3.0, 9.0)
    assert "".join(text[start:end] for *_, start, end in placed) == text
    assert {start for *_, start, _ in placed} >= {7, 15}
    assert max(line for line, *_ in placed) >= 2 and max(x for _, x, *_ in placed) < 3.0


@pytest.mark.parametrize("dpi", [100, 125, 150])
def test_a_box_measured_for_a_text_fits_at_every_resolution(dpi):
    text = "身份证110101198202144453 and 4111 1111 1111 1111"
    with style.use():
        made = style.figure(6, 1)
        made.set_dpi(dpi)
        drawn = made.text(0, 0, text, size=9.0).get_window_extent(made.canvas.get_renderer())
    assert drawn.width / dpi == pytest.approx(width(text, 9.0), rel=0.02)


def test_letters_that_no_face_has_become_boxes():
    """matplotlib warns of each missing glyph, and a warning is an error here."""
    explorer = PrivacyExplorer(["my card 😅 🧿 4111 1111 1111 1111 ᚠ 𓀀"], lang="en")
    assert explorer.png().startswith(b"\x89PNG")


def test_long_and_empty_texts_draw():
    explorer = PrivacyExplorer(["word " * 400, "x"], lang="en")
    assert explorer.png().startswith(b"\x89PNG") and explorer.png(sentence=1).startswith(b"\x89PNG")
    assert explorer.compute().count("raw") == (0, 0)

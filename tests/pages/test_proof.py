"""The proof page through app.py, without a browser and with stand-ins for the worker."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import HARD_TEXTS, OpenPage
from tests.pages.drawn import sent
from tests.serving import ROOT
from xlexplain.experiments import real_text
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.guess import GuessSettings
from xlexplain.experiments.record import find_stored
from xlexplain.experiments.reuse import ReuseSettings
from xlexplain.experiments.runner import Limits, Runner
from xlexplain.figures.labels import share_words
from xlexplain.ui import jobs
from xlexplain.ui.proof.guess import STORED_TASKS

READ = "import json, sys, time, os; request = json.loads(sys.stdin.readline()); "
HALF = {
    "relative": {"lengths": [1, 2], "difference": [1e-15, 2e-15], "largest_output": 3.0},
    "absolute": {"lengths": [1], "difference": [2.0], "largest_output": 3.0},
}
TELL = f"print(json.dumps({{'done': 0.5, 'result': {HALF!r}}}), flush=True); "
ENDLESS = READ + TELL + "time.sleep(60)"
START = Callable[..., Runner]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[START]:
    """The page's queue with another worker."""
    runners: list[Runner] = []

    def make(script: str, **limits: Any) -> Runner:
        runner = Runner(Limits(**limits), command=(sys.executable, "-c", script))
        runners.append(runner)
        monkeypatch.setattr(jobs, "runner", lambda: runner)
        return runner

    yield make
    for runner in runners:
        runner.close()


def figures(app: AppTest) -> dict[str, Any]:
    """Each figure by its key, as plotly has it."""
    return {key: sent(app, key)["figure"] for key in keys(app)}


def keys(app: AppTest) -> list[str]:
    """The keys of all figures."""
    drawn = [one.proto for one in app.get("bidi_component")]
    return [one.id.rpartition("-")[2] for one in drawn if one.component_name == "xlexplain.figure"]


def traces(app: AppTest, key: str) -> dict[str, Any]:
    """A figure's traces by their names."""
    return {one["name"]: one for one in sent(app, key)["figure"]["data"]}


def cards(app: AppTest) -> str:
    """The HTML of the four claims."""
    html = [one.proto.body for one in app.get("html")]
    return unescape("".join(one for one in html if re.search("<h2|<table|aria-hidden", one)))


def words(app: AppTest) -> str:
    said = [str(one.value) for one in (*app.markdown, *app.text, *app.caption, *app.warning)]
    return "\n".join(said + [title for key in keys(app) for title in sent(app, key)["titles"][0]])


@pytest.mark.parametrize(("L", "D"), [(2, 0), (2, 4), (8, 1), (16, 1), (32, 0), (32, 4)])
def test_steps_of_the_law_follow_the_controls(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page("proof", seg=L, mem=D, back=2, symbols=5)
    settings = GuessSettings(segment_length=L, memory_depth=D, back=2, symbol_count=5)
    law = [float(step.accuracy) for step in settings.law("absolute")]
    for key in ("guess_bars", "small_guess"):
        drawn = traces(app, key)["absolute, predicted"]
        np.testing.assert_allclose(drawn["y"], np.repeat(law, 2), rtol=1e-6)
    assert f"{min(law):.2f}" in cards(app)


@pytest.mark.parametrize(("L", "D", "K"), STORED_TASKS)
def test_stored_results_show_at_once(open_page: OpenPage, L: int, D: int, K: int) -> None:
    app = open_page("proof", seg=L, mem=D, back=K)
    record = find_stored("guess", GuessSettings(segment_length=L, memory_depth=D, back=K))
    assert record is not None
    drawn = traces(app, "guess_bars")
    for variant, found in record.result.items():
        bars = drawn[f"{variant}, measured"]["y"]
        np.testing.assert_allclose(bars, found["accuracy"], rtol=1e-6)
    losses = traces(app, "guess_losses")
    np.testing.assert_allclose(
        losses["absolute"]["y"], record.result["absolute"]["loss_bits"], rtol=1e-6
    )
    assert f"made on {record.date}" in words(app)
    assert ("An exception" in words(app)) == (K == L)
    assert ("No training can lift" in words(app)) == (K != L)
    assert ("Here even absolute positions can know" in cards(app)) == (K == L)


def test_chop_and_reuse_figures_are_the_stored_arrays(open_page: OpenPage) -> None:
    app = open_page("proof")
    chop = find_stored("chop", ChopSettings())
    reuse = find_stored("reuse", ReuseSettings())
    assert chop is not None
    assert reuse is not None
    for variant, found in chop.result.items():
        drawn = traces(app, "chop_curves")[f"{variant} positions"]["y"]
        np.testing.assert_array_equal(drawn, found["difference"])
    times = figures(app)["reuse_times"]["data"]
    for one, method in zip(times, ("sliding", "token", "segment"), strict=True):
        np.testing.assert_allclose(one["y"], reuse.result["timing"][method], rtol=1e-6)


def test_first_screen_says_predicted_and_measured_four_times(open_page: OpenPage) -> None:
    shown = cards(open_page("proof"))
    assert shown.count("<h2") == 4
    assert shown.count(">predicted</th>") == shown.count(">measured</th>") == 4
    assert shown.count("as predicted") >= 3
    for anchor in ("chop", "guess", "text", "reuse"):
        assert f'href="#{anchor}"' in shown


def test_the_gain_is_told_for_both_ways_of_reading(open_page: OpenPage) -> None:
    app = open_page("proof")
    record = find_stored("reuse", ReuseSettings())
    assert record is not None
    timing = record.result["timing"]
    ends = [timing["sliding"][place] / timing["segment"][place] for place in (0, -1)]
    alone = [timing["sliding"][place] / timing["token"][place] for place in (0, -1)]
    assert f"×{ends[0]:.0f} → ×{ends[1]:.0f}" in cards(app)
    assert f"×{alone[0]:.1f} → ×{alone[1]:.0f}" in cards(app)
    assert (
        f"reuse is {ends[1]:.0f} times faster, {alone[1]:.0f} times when writing token by token"
        in words(app)
    )
    assert f"from {ends[0]:.0f} to {ends[1]:.0f} at 64 a call" in words(app)


def test_markers_of_a_card_are_those_of_its_figure(open_page: OpenPage) -> None:
    app = open_page("proof")
    card = cards(app).partition('id="T_reuse"')[2]
    rows = re.findall(r'class="row_heading[^>]*>([^<]+)', card)
    assert rows[:2] == ["■ window", "● memory"]
    assert not [row for row in rows[2:] if set(row) & {"■", "●"}]
    symbols = [one["marker"]["symbol"] for one in figures(app)["small_reuse"]["data"]]
    assert symbols == ["square", "circle"]


@pytest.mark.parametrize(("L", "is_held"), [(4, False), (8, True), (16, True), (32, True)])
def test_a_segment_that_helps_absolute_is_not_as_predicted(
    open_page: OpenPage, L: int, is_held: bool
) -> None:
    """The shipped absolute model has 2.96 bits without memory and 2.83 with one segment of 4."""
    app = open_page("proof", seg=L)
    bits = [one.mean for _, one in sorted(real_text.card_table()["absolute"][L].items())]
    assert (bits[1] > bits[0]) == is_held
    fall = f"absolute falls to {bits[1]:.2f} at D = 1"
    assert (fall in cards(app)) == (not is_held)
    assert ("**Not as predicted:**" in words(app)) == (not is_held)
    assert (f"({bits[1]:.2f} at D = 1)" in unescaped(app)) == (not is_held)
    assert "the measured length closest" not in words(app)


def test_trained_weights_obey_too(open_page: OpenPage) -> None:
    app = open_page("proof", weights="shipped")
    drawn = traces(app, "chop_curves")
    assert drawn["relative positions"]["y"].max() < 1e-12
    assert drawn["absolute positions"]["y"].min() > 0.1


@pytest.mark.parametrize("name", HARD_TEXTS)
def test_hard_texts_give_a_page(open_page: OpenPage, name: str) -> None:
    app = open_page("proof", sample="My own text")
    app.text_area(key="text").set_value(HARD_TEXTS[name]).run()
    assert not app.exception
    assert ("chop_curves" in figures(app)) == (name != "one character")
    is_own = name not in ("empty", "one character")
    assert ("Not run yet with these settings" in words(app)) == is_own
    if name == "one character":
        assert "only one character" in words(app)
        assert "A text of one character cannot be cut" in words(app)
    if name == "very long":
        assert "the page shows the first 2,000" in words(app)
        assert "This experiment reads the first 200 characters" in words(app)


def test_without_memory_the_guessing_law_speaks_of_what_is_out_of_sight(
    open_page: OpenPage,
) -> None:
    app = open_page("proof", seg=8, mem=0, back=3)
    assert any("Out of sight, both can only guess" in one.proto.body for one in app.get("html"))
    assert "before position 3 both can only guess" in words(app)


@pytest.mark.parametrize("bad", ["-1", "99999", "1.5", "", "a", ["2", "3"], "<b>"])
@pytest.mark.parametrize(
    "name", ["seg", "mem", "back", "symbols", "layers", "steps", "seed", "chop_seed", "repeats"]
)
def test_bad_addresses_fall_back(open_page: OpenPage, name: str, bad: object) -> None:
    app = open_page("proof", **{name: bad})
    assert "in the address is not a whole number" in words(app)


def test_tokens_back_stay_within_the_memory(open_page: OpenPage) -> None:
    app = open_page("proof", seg=16, mem=2, back=32)
    app.slider(key="mem").set_value(1).run()
    assert not app.exception
    assert app.select_slider(key="back").value == 16
    app.slider(key="seg").set_value(2).run()
    assert app.select_slider(key="back").value == 2


def test_stored_task_moves_the_sliders(open_page: OpenPage) -> None:
    app = open_page("proof")
    app.button(key="stored_8_3_5").click().run()
    assert not app.exception
    values = [app.session_state[key] for key in ("seg", "mem", "back", "symbols")]
    assert values == [8, 3, 5, 16]


def test_missing_cards_are_said(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(real_text.card_table, "__defaults__", (tmp_path,))
    app = open_page("proof")
    assert "No held-out figures are stored yet for: relative, absolute" in words(app)
    assert "not there yet" in cards(app)
    assert "held_out" not in figures(app)


def test_card_figures_are_drawn_with_their_seeds(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = {
        "8": {
            str(D): {"mean": 2.0 - D / 10, "seeds": [1.9 - D / 10, 2.3 - D / 10]} for D in range(5)
        }
    }
    (tmp_path / "relative.json").write_text(json.dumps({"held_out_bits": table}))
    (tmp_path / "absolute.json").write_text(json.dumps({"held_out_bits": {"8": {"0": "odd"}}}))
    monkeypatch.setattr(real_text.card_table, "__defaults__", (tmp_path,))
    app = open_page("proof", seg=5)
    (drawn,) = figures(app)["held_out"]["data"]
    np.testing.assert_allclose(drawn["y"], [2.0, 1.9, 1.8, 1.7, 1.6], rtol=1e-6)
    np.testing.assert_allclose(drawn["error_y"]["array"], 0.3, rtol=1e-5)
    np.testing.assert_allclose(drawn["error_y"]["arrayminus"], 0.1, rtol=1e-5)
    assert "up to 2 seeds" in words(app)
    assert "the measured length closest to your 5" in words(app)


def test_page_needs_no_torch() -> None:
    code = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        "app = AppTest.from_file('app.py', default_timeout=60); "
        "app.switch_page('pages/proof.py').run(); "
        "print(len(app.exception), 'torch' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert answer.stdout.split() == ["0", "False"], answer.stderr


def wait_for(app: AppTest, sentence: str, *, seconds: float = 30) -> None:
    """Run the page again, as its fragment does, until it says so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.run()
        assert not app.exception
        progress = " ".join(one.proto.text for one in app.get("progress"))
        if sentence in words(app) or sentence in progress:
            return
        time.sleep(0.1)
    raise AssertionError(f"never said {sentence!r}, but {words(app)!r}")


def test_run_shows_news_and_can_be_stopped_and_kept(open_page: OpenPage, start: START) -> None:
    start(ENDLESS)
    app = open_page("proof")
    app.button(key="run_chop").click().run()
    assert not app.exception
    wait_for(app, "Running: 50%")
    drawn = traces(app, "chop_curves")
    np.testing.assert_array_equal(drawn["relative positions"]["y"], [1e-15, 2e-15])
    app.button(key="stop_chop").click().run()
    assert "Stopped before the end. This is what there was." in words(app)
    drawn = traces(app, "chop_curves")
    np.testing.assert_array_equal(drawn["relative positions"]["y"], [1e-15, 2e-15])


def test_crash_is_a_sentence_and_the_stored_result_is_back(
    open_page: OpenPage, start: START
) -> None:
    start(READ + TELL + "os.kill(os.getpid(), 9)")
    app = open_page("proof")
    app.button(key="run_chop").click().run()
    wait_for(app, "ended by the system")
    assert "Stored result, made on" in words(app)
    assert app.button(key="run_chop")


def test_full_queue_is_a_sentence(open_page: OpenPage, start: START) -> None:
    start(ENDLESS, waiting=0).ask("chop", ChopSettings(), "somebody else")
    app = open_page("proof")
    app.button(key="run_reuse").click().run()
    assert "Too many runs are waiting" in words(app)


def test_running_can_be_switched_off(open_page: OpenPage, start: START) -> None:
    start(ENDLESS, workers=0)
    app = open_page("proof")
    assert app.button(key="run_chop").disabled
    assert "Nothing runs on this server" in words(app)
    assert "less than 1 GiB of memory" in words(app)


def test_every_placeholder_of_the_prose_is_filled(open_page: OpenPage) -> None:
    for layers in (1, 2):
        shown = words(open_page("proof", layers=layers))
        assert not re.search(r"\[\[\w+\]\]", shown)
        assert ("Two layers are not bound" in shown) == (layers == 2)


@pytest.mark.parametrize("weights", ["fresh", "shipped"])
def test_unknown_characters_are_named(open_page: OpenPage, weights: str) -> None:
    app = open_page("proof", sample="My own text", weights=weights)
    app.text_area(key="text").set_value("caffé 🙂 é").run()
    said = unescaped(app)
    assert said.count("“é” (U+00E9), “🙂” (U+1F642) are not among this model's 102 characters") == (
        2 if weights == "shipped" else 1
    )
    app.text_area(key="text").set_value("cafe").run()
    assert "not among this model's" not in unescaped(app)


def unescaped(app: AppTest) -> str:
    """The page's words without the signs that make Markdown literal."""
    return words(app).replace("\\", "")


def test_the_losses_are_told_with_what_is_possible(open_page: OpenPage) -> None:
    app = open_page("proof")
    record = find_stored("guess", GuessSettings())
    assert record is not None
    for variant, found in record.result.items():
        assert f"{variant} {found['loss_bits'][-1]:.2f}, least possible" in alternatives(app)
    app = open_page("proof", seed=99)
    assert "relative not yet, least possible 0." in alternatives(app)


def alternatives(app: AppTest) -> str:
    """The figures' text alternatives."""
    return "\n".join(sent(app, key)["alt"] for key in keys(app))


def test_losses_not_run_yet_are_a_prediction(open_page: OpenPage) -> None:
    law = GuessSettings().law("absolute")
    floor = f"cannot get below {sum(step.loss_bits for step in law) / len(law):.2f} bits"
    assert f"Predicted: absolute {floor}" in unescaped(open_page("proof", seed=99))
    assert "One can learn it, the other cannot" in unescaped(open_page("proof"))
    assert f"The law of one layer: absolute {floor}" in unescaped(open_page("proof", layers=2))
    assert "Predicted: both can learn the same" in unescaped(
        open_page("proof", seed=99, seg=8, back=8)
    )


@pytest.mark.parametrize(
    ("share", "said"),
    [(1.0, "every time"), (0.99996, "at least 99.9 %"), (0.25, "at least 25.0 %")],
)
def test_no_share_is_rounded_up(share: float, said: str) -> None:
    assert share_words(share).startswith(said)


@pytest.mark.parametrize(("layers", "said"), [(1, "1 layer, width"), (2, "2 layers, width")])
def test_the_training_is_that_of_the_chosen_layers(
    open_page: OpenPage, layers: int, said: str
) -> None:
    assert f"How it is trained: {said}" in words(open_page("proof", layers=layers))


@pytest.mark.parametrize(
    ("workers", "said"),
    [(0, ""), (1, "does one run at a time"), (3, "does up to 3 runs at a time")],
)
def test_the_page_says_how_many_run_at_a_time(
    open_page: OpenPage, start: START, workers: int, said: str
) -> None:
    start(ENDLESS, workers=workers)
    shown = words(open_page("proof"))
    assert said in shown
    assert ("the others queue" in shown) == bool(workers)


def test_chop_and_reuse_run_with_the_page_s_settings(open_page: OpenPage) -> None:
    app = open_page("proof", chop_seed=5, longest=128, repeats=2)
    assert app.select_slider(key="longest").value == "128"
    assert not [one for one in app.text if "in the address" in one.value]
    assert words(app).count("Not run yet with these settings") == 2
    app.slider(key="chop_seed").set_value(0).run()
    app.select_slider(key="longest").set_value("800").run()
    app.slider(key="repeats").set_value(7).run()
    assert "Not run yet with these settings" not in words(app)
    assert not {"chop_seed", "longest", "repeats"} & set(app.query_params)


def test_settings_of_the_controls_reach_the_worker(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(jobs, "ask", lambda name, settings: asked.append(settings))
    app = open_page("proof", chop_seed=5, longest=128, repeats=2)
    app.button(key="run_chop").click().run()
    app.button(key="run_reuse").click().run()
    chop, reuse = asked
    assert chop == ChopSettings(seed=5)
    assert reuse == ReuseSettings(lengths=(32, 64, 128), repeats=2)


def test_trained_weights_have_no_seed(open_page: OpenPage) -> None:
    app = open_page("proof", weights="shipped", chop_seed=5)
    assert not [one for one in app.slider if one.key == "chop_seed"]
    assert "Not run yet with these settings" not in words(app)

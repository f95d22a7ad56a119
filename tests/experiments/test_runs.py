"""Each experiment's numbers against a second way to compute them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch

from xlexplain.experiments import EXPERIMENTS, chop, experiment, guess, guess_training, reuse
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.experiment import SAMPLE, Result, Settings, Update, without_timing
from xlexplain.experiments.guess import GuessSettings
from xlexplain.experiments.real_text import MODELS, TextSettings
from xlexplain.experiments.reuse import ReuseSettings
from xlexplain.maths import sinusoids
from xlexplain.model import TransformerXL, load_pretrained, trace_text
from xlexplain.ui.texts import SAMPLES

SHORT = ChopSettings(text="the cat sat on the mat. the cat", longest=9)
QUICK = GuessSettings(segment_length=4, back=2, symbol_count=5, steps=40, lanes=16)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def last(name: str, settings: Settings) -> Result:
    updates = list(experiment(name).run(settings))
    assert updates[-1].done == 1.0
    assert all(0 < update.done < 1 for update in updates[:-1])
    return updates[-1].result


def outputs_by_hand(model: TransformerXL, ids: torch.Tensor, length: int) -> torch.Tensor:
    """Segment by segment on the path that keeps its records, which multiplies in another order."""
    memory, logits = None, []
    for start in range(0, ids.shape[1], length):
        segment, memory = model(
            ids[:, start : start + length], memory, memory_length=1000, record=[]
        )
        logits.append(segment)
    return torch.cat(logits, dim=1)[0]


def test_chop_difference_is_that_of_a_loop_with_records() -> None:
    result = last("chop", SHORT)
    for variant, found in result.items():
        model, ids = chop.model_and_ids(SHORT, variant)
        whole = outputs_by_hand(model, ids, ids.shape[1])
        assert found["largest_output"] == pytest.approx(float(whole.abs().max()), rel=1e-12)
        for length, difference in zip(found["lengths"], found["difference"], strict=True):
            by_hand = float((outputs_by_hand(model, ids, length) - whole).abs().max())
            assert difference == pytest.approx(by_hand, abs=1e-12)


def test_cutting_changes_nothing_with_relative_positions_only() -> None:
    result = last("chop", SHORT)
    assert max(result["relative"]["difference"]) < 1e-13
    assert min(result["absolute"]["difference"]) > 0.1


@pytest.mark.parametrize("text", ["a", "🙂🙂", "\n\n\n", "<b>", "مرحبا", "\x00\x07", "$x^2$"])
def test_any_text_can_be_cut(text: str) -> None:
    result = last("chop", ChopSettings(text=text, longest=3))
    assert max(result["relative"]["difference"]) < 1e-13


def test_default_text_is_the_pages_first_sample() -> None:
    assert next(iter(SAMPLES.values())) == SAMPLE


@pytest.mark.parametrize("variant", ["relative", "absolute"])
def test_right_tokens_are_k_back_in_the_stream(variant: str) -> None:
    settings = replace(QUICK, memory_depth=2, back=6, layers=2)
    model = guess_training.fresh_model(settings, variant)
    draw = torch.Generator().manual_seed(3)
    length = guess_training.stream_length(settings)
    ids = torch.randint(settings.symbol_count, (7, length), generator=draw)
    draw.manual_seed(3)
    logits, right = guess_training.last_segment(model, settings, lanes=7, draw=draw)
    assert logits.shape == (7, 4, 5)
    for i in range(4):
        assert torch.equal(right[:, i], ids[:, length - 4 + i - 6])


def twin_swap(variant: str, *, layers: int) -> float:
    """Largest change of the outputs when two tokens with one encoding change places."""
    settings = GuessSettings(segment_length=4, memory_depth=1, layers=layers)
    model = guess_training.fresh_model(settings, variant).double()
    past = torch.randint(16, (1, 4), generator=torch.Generator().manual_seed(1))
    now = (past + 5) % 16
    swapped_past, swapped_now = past.clone(), now.clone()
    swapped_past[0, 1], swapped_now[0, 1] = now[0, 1], past[0, 1]
    outputs = []
    with torch.no_grad():
        for first, second in ((past, now), (swapped_past, swapped_now)):
            _, memory = model(first, memory_length=4)
            outputs.append(model(second, memory, memory_length=4)[0][0, 2:])
    return float((outputs[0] - outputs[1]).abs().max())


def test_one_layer_cannot_tell_twins_apart_by_absolute_positions() -> None:
    """The premise of the law, exactly; with two layers or relative positions it does not hold."""
    assert twin_swap("absolute", layers=1) < 1e-12
    assert twin_swap("absolute", layers=2) > 1e-3
    assert twin_swap("relative", layers=1) > 1e-3


def test_learned_positions_are_a_table_added_to_the_embeddings() -> None:
    """Of the two absolute models one is the other with another table."""
    settings = GuessSettings()
    model = guess_training.fresh_model(settings, "absolute").double()
    assert isinstance(model, guess_training.LearnedPositions)
    sinusoidal = TransformerXL(model.config).double()
    sinusoidal.load_state_dict(
        {key: value for key, value in model.state_dict().items() if key != "positions"}
    )
    ids = torch.randint(16, (3, 8), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        model.positions.copy_(torch.from_numpy(sinusoids(np.arange(8), 64)))
        ours, kept = model(ids, memory_length=8)
        theirs, also_kept = sinusoidal(ids, memory_length=8)
        assert torch.allclose(ours, theirs, atol=1e-12)
        ours, _ = model(ids.flip(0), kept, memory_length=8)
        theirs, _ = sinusoidal(ids.flip(0), also_kept, memory_length=8)
        assert torch.allclose(ours, theirs, atol=1e-12)


def test_same_settings_same_result_side_by_side_or_alone() -> None:
    both = without_timing(last("guess", QUICK))
    assert both == without_timing(last("guess", QUICK))
    for part in QUICK.parts():
        assert without_timing(last("guess", part))[part.variants[0]] == both[part.variants[0]]
    assert both != without_timing(last("guess", replace(QUICK, seed=1)))


def test_accuracy_is_that_of_a_second_count() -> None:
    settings = replace(QUICK, steps=20)
    trained: list[Update] = list(guess.run(settings))
    for found in trained[-1].result.values():
        assert len(found["accuracy"]) == 4
        assert found["samples"] == guess_training.FINAL_LANES
        assert 0 <= min(found["accuracy"]) <= max(found["accuracy"]) <= 1
        assert found["loss_steps"] == list(range(1, 21))
    model = guess_training.fresh_model(settings, "relative").eval()
    measured = guess_training.accuracy(model, settings, lanes=1024)
    draw = torch.Generator().manual_seed(settings.seed + 1_000_003)
    ids = torch.randint(5, (1024, guess_training.stream_length(settings)), generator=draw).numpy()
    with torch.no_grad():
        uncut = model(torch.from_numpy(ids), memory_length=0)[0].numpy()  # relative: no border
    answers = uncut[:, -4:].argmax(-1)
    counted = [(answers[:, i] == ids[:, -4 + i - 2]).mean() for i in range(4)]
    assert measured == pytest.approx(counted, abs=1e-5)


def test_relative_positions_learn_and_absolute_ones_meet_the_law() -> None:
    """Small enough to train here: names the token 1 back among 4 symbols."""
    settings = GuessSettings(segment_length=3, back=1, symbol_count=4, steps=300)
    result = last("guess", settings)
    for variant, found in result.items():
        law = [float(step.accuracy) for step in settings.law(variant)]
        assert np.abs(np.array(found["accuracy"]) - law).max() < 0.03
    assert result["relative"]["timing"]["seconds_to_99"] is not None
    assert result["absolute"]["timing"]["seconds_to_99"] is None


def test_reuse_difference_is_that_of_explicit_windows() -> None:
    settings = ReuseSettings(lengths=(8,), repeats=1, window=8, compared=5)
    result = last("reuse", settings)
    for layers, difference in zip(result["layers"], result["difference"], strict=True):
        model = reuse.fresh_model(settings, layers=layers).double()
        draw = torch.Generator().manual_seed(0)
        ids = torch.randint(reuse.VOCAB_SIZE, (1, 5 * 8 + 5), generator=draw)
        memory, worst = None, 0.0
        with torch.no_grad():
            for t in range(ids.shape[1]):
                reused, memory = model(ids[:, t : t + 1], memory, memory_length=7)
                if t >= ids.shape[1] - 5:
                    window, _ = model(ids[:, t - 7 : t + 1], memory_length=0)
                    worst = max(worst, float((window[:, -1] - reused[:, -1]).abs().max()))
        assert difference == pytest.approx(worst, abs=1e-12)
    assert result["difference"][0] <= 1e-12
    assert min(result["difference"][1:]) > 1e-3


def test_timed_calls_predict_so_many_tokens_with_so_many_keys() -> None:
    model = reuse.fresh_model(ReuseSettings(), layers=1)
    for method, tokens in (("sliding", 32), ("token", 1), ("segment", 64)):
        logits, _ = reuse.one_call(model, method, 32)()  # type: ignore[misc]
        assert logits.shape == (1, tokens, reuse.VOCAB_SIZE)


def test_bits_of_a_text_are_those_of_its_trace() -> None:
    text = "if x is None:\n    return ▢🙂 the end"
    result = last("text", TextSettings(text=text, segment_length=7))
    assert tuple(result) == MODELS
    for variant in MODELS:
        model = load_pretrained(variant)
        for depth, bits in zip(result[variant]["depths"], result[variant]["bits"], strict=True):
            trace = trace_text(model, text, segment_length=7, memory_depth=depth)
            logits = np.concatenate([segment.logits for segment in trace.segments])[:-1]
            ids = np.concatenate([segment.ids for segment in trace.segments])[1:]
            logits = logits.astype(np.float64)
            log_total = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1))
            nats = log_total + logits.max(1) - logits[np.arange(len(ids)), ids]
            assert bits == pytest.approx(nats.mean() / math.log(2), abs=1e-4)


@pytest.mark.parametrize("one", EXPERIMENTS, ids=lambda one: one.name)
def test_settings_survive_json(one: object) -> None:
    for settings in (one.settings(), *one.stored):  # type: ignore[attr-defined]
        again = type(settings).from_json(settings.to_json())
        assert again == settings
        assert again.slug == settings.slug


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("chop", {"text": ""}),
        ("chop", {"text": "a" * 201}),
        ("chop", {"weights": "none"}),
        ("chop", {"variants": ["other"]}),
        ("guess", {"segment_length": 0}),
        ("guess", {"layers": 3}),
        ("guess", {"back": True}),
        ("guess", {"unheard_of": 1}),
        ("guess", {"learning_rate": 2}),
        ("text", {"text": "a"}),
        ("text", {"segment_length": 65}),
        ("reuse", {"lengths": []}),
        ("reuse", {"repeats": 0}),
    ],
)
def test_senseless_settings_are_refused(name: str, values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="need"):
        experiment(name).settings.from_json(values)


def test_unheard_of_experiment_is_refused() -> None:
    with pytest.raises(ValueError, match="need one of chop, guess, text, reuse"):
        experiment("nothing")

"""Training can be killed and goes on; texts that can't be learned are named."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from click.testing import CliRunner

from tests.model.conftest import small_model, some_ids
from tests.serving import ROOT
from xlexplain.model import corpus as corpora
from xlexplain.model.corpus import LEAST_HELD_OUT, UNKNOWN, Corpus, Vocabulary
from xlexplain.model.evaluate import bits_per_character, loss_bits
from xlexplain.model.train import (
    Run,
    TrainConfig,
    episode_lengths,
    main,
    train,
    warn_of_another_text,
)
from xlexplain.model.transformer_xl import TransformerXL
from xlexplain.model.weights import read_pretrained, write_pretrained

TINY = TrainConfig(
    steps=48,
    warmup_steps=4,
    tokens_per_step=64,
    segments_per_episode=8,
    checkpoint_steps=1,
    model={"d_model": 16, "n_layer": 1, "n_head": 2, "d_head": 8, "d_inner": 16, "dropout": 0.1},
)
TEXT = "The quick brown fox jumps over the lazy dog, again and again. " * 200


def tiny_run(folder: Path, *, variant: str = "relative", steps: int = 48) -> Run:
    corpus = corpora.split("fox", TEXT)
    return Run(variant, 3, replace(TINY, steps=steps), corpus, folder)


def finished(run: Run) -> TransformerXL:
    for model, _, _ in train(run):  # noqa: B007
        pass
    return model


@pytest.mark.parametrize("variant", ["relative", "absolute", "relative-no-memory"])
def test_a_broken_off_run_ends_with_the_same_weights(tmp_path: Path, variant: str) -> None:
    unbroken = finished(tiny_run(tmp_path / "whole", variant=variant))
    broken = tiny_run(tmp_path / "broken", variant=variant)
    for _, _, progress in train(broken):
        if progress.episode == 3:
            break
    resumed = finished(broken)
    for one, other in zip(unbroken.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


def test_12_the_last_target_of_a_segment_is_the_first_token_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs: list[torch.Tensor] = []
    targets: list[torch.Tensor] = []
    forward, loss = TransformerXL.forward, F.cross_entropy

    def noting_inputs(model: TransformerXL, ids: torch.Tensor, *rest: Any, **more: Any) -> Any:
        inputs.append(ids)
        return forward(model, ids, *rest, **more)

    def noting_targets(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
        targets.append(wanted.view_as(inputs[-1]))
        return loss(logits, wanted)

    monkeypatch.setattr(TransformerXL, "forward", noting_inputs)
    monkeypatch.setattr(F, "cross_entropy", noting_targets)
    finished(tiny_run(tmp_path, steps=8))
    assert len(targets) == 8
    for number, wanted in enumerate(targets):
        assert torch.equal(wanted[:, :-1], inputs[number][:, 1:])
        if number + 1 < len(inputs):
            assert torch.equal(wanted[:, -1], inputs[number + 1][:, 0])


def test_training_learns_and_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    losses = [progress.losses_bits for _, _, progress in train(run)][-1]
    assert losses[-1] < losses[0] - 0.5
    with pytest.raises(ValueError, match="made with other settings or another text"):
        finished(replace(run, config=replace(run.config, learning_rate=1e-4)))


def test_killed_from_outside_the_same_command_goes_on(tmp_path: Path) -> None:
    text, config = tmp_path / "fox.txt", tmp_path / "config.json"
    text.write_text(TEXT)
    config.write_text(json.dumps({**TINY.__dict__, "steps": 400}))
    command = [sys.executable, "-m", "xlexplain.model.train", "--text", str(text)]
    command += ["--config", str(config), "--out", str(tmp_path)]
    checkpoint = tmp_path / "relative-seed0.checkpoint.safetensors"
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    while not checkpoint.exists():
        assert process.poll() is None
    process.kill()
    process.wait()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    stored = read_pretrained("relative-seed0", folder=tmp_path)
    assert stored.card["training"]["steps"] == 400
    assert shlex.split(stored.card["command"])[:3] == ["python", "-m", "xlexplain.model.train"]
    given = shlex.split(stored.card["command"])[3:]
    assert given == ["--variant", "relative", "--seed", "0", "--text", str(text),
                     "--config", str(config)]  # fmt: skip
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "at least 5,000 characters"), (b"abc", "got 3 "), (b"\xff" * 6000, "need UTF-8 text")],
)
def test_texts_that_cannot_be_learned_are_named(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    command = [sys.executable, "-m", "xlexplain.model.train", "--text", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    with pytest.raises(ValueError, match=message):
        corpora.from_file(path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "need JSON"), ('{"stpes": 3}', "some of"), ('{"steps": 0}', "steps >= 1, got 0")],
)
def test_configurations_that_make_no_sense_are_named(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        TrainConfig.read(path)


def test_every_setting_of_the_pages_is_drawn_in_training() -> None:
    draw = np.random.default_rng(0)
    drawn = [episode_lengths(TrainConfig(), draw, has_memory=True) for _ in range(2000)]
    assert {L for L, _ in drawn} == set(range(2, 33))
    assert {D for _, D in drawn} == set(range(5))
    assert {D for _, D in (episode_lengths(TINY, draw, has_memory=False),)} == {0}


def test_nothing_held_out_is_a_paragraph_of_the_training_part() -> None:
    corpus = corpora.python_reference()
    train_paragraphs = {"".join(one.split()) for one in corpus.train.split("\n\n")}
    assert len(corpus.held_out) > 30_000
    for paragraph in corpus.held_out.split("\n\n"):
        assert "".join(paragraph.split()) not in train_paragraphs


def test_text_that_repeats_itself_is_refused_before_training() -> None:
    with pytest.raises(ValueError, match="got 0 in echo: it repeats its paragraphs"):
        corpora.split("echo", "The same words again.\n\n" * 1000)


def test_least_held_out_part_can_be_measured() -> None:
    ids = some_ids(1, LEAST_HELD_OUT)[0].numpy()
    assert np.isfinite(bits_per_character(small_model(), ids, segment_length=4, memory_length=4))
    with pytest.raises(ValueError, match="two tokens"):
        bits_per_character(small_model(), ids[:-1], segment_length=4, memory_length=4)


def test_unknown_characters_are_read_as_a_box_and_named() -> None:
    vocabulary = Vocabulary.of("aaabbbc")
    assert vocabulary.characters == f"{UNKNOWN}ab"
    assert vocabulary.decode(vocabulary.encode("abcé")) == f"ab{UNKNOWN}{UNKNOWN}"
    assert vocabulary.unknown("abécé") == ("é", "c")


@pytest.mark.parametrize(("L", "M"), [(1, 0), (4, 4), (5, 20)])
def test_12_streamed_bits_equal_a_loop_over_single_tokens(L: int, M: int) -> None:
    model = small_model()
    ids = some_ids(1, 17)[0].numpy()
    bits = loss_bits(model, ids, segment_length=L, memory_length=M)
    memory = None
    for start in range(0, 16, L):
        part = torch.from_numpy(ids[start : min(start + L, 16)])[None]
        logits, memory = model(part, memory, memory_length=M)
        probs = logits[0].softmax(dim=-1).numpy()
        for place in range(part.shape[1]):
            wanted = -np.log2(probs[place, ids[start + place + 1]])
            np.testing.assert_allclose(bits[start + place], wanted, rtol=1e-9)


@pytest.mark.parametrize("options", [{"same_length": True}, {"clamp_length": 2}])
def test_bits_are_those_of_forward_with_the_same_options(options: Any) -> None:
    model = small_model()
    ids = some_ids(1, 129)[0].numpy()
    bits = loss_bits(model, ids, segment_length=4, memory_length=6, **options)
    memory, costs = None, []
    for start in range(0, 128, 4):
        part = torch.from_numpy(ids[start : start + 5])
        logits, memory = model(part[None, :-1], memory, memory_length=6, **options)
        costs.append(F.cross_entropy(logits[0], part[1:], reduction="none") / np.log(2))
    np.testing.assert_allclose(bits, torch.cat(costs).numpy(), rtol=1e-9)
    lengths = {"segment_length": 4, "memory_length": 6, "lane_count": 1}
    mean = bits_per_character(model, ids, **lengths, **options)
    np.testing.assert_allclose(mean, bits.mean())
    assert mean != bits_per_character(model, ids, **lengths)


def test_bits_of_a_uniform_model_are_log2_of_the_vocabulary() -> None:
    model = small_model()
    torch.nn.init.zeros_(model.unembedding.weight)
    torch.nn.init.zeros_(model.unembedding.bias)
    ids = some_ids(1, 200)[0].numpy()
    bits = bits_per_character(model, ids, segment_length=8, memory_length=8, lane_count=4)
    np.testing.assert_allclose(bits, np.log2(13))


def test_stored_weights_come_back_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    model = small_model().float()
    vocabulary = Vocabulary(UNKNOWN + "abcdefghijkl")
    write_pretrained(model, vocabulary, {}, name="small", folder=tmp_path)
    stored = read_pretrained("small", folder=tmp_path)
    for one, other in zip(model.parameters(), stored.model.parameters(), strict=True):
        assert torch.equal(one.half().float(), other)
    weights = tmp_path / "small.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(ValueError, match="sha256 differs"):
        read_pretrained("small", folder=tmp_path)
    with pytest.raises(ValueError, match=r"stored models \(small\), got 'large'"):
        read_pretrained("large", folder=tmp_path)


@pytest.mark.parametrize("cut", [None, 1, 0])
def test_a_checkpoint_that_is_not_whole_is_named_and_left_alone(
    tmp_path: Path, cut: int | None
) -> None:
    """Cut: bytes that its end lacks; all for None."""
    run = tiny_run(tmp_path, steps=8)
    finished(run)
    blob = run.checkpoint.read_bytes()
    broken = b"" if cut is None else blob[: len(blob) - cut] if cut else b"\x00" * len(blob)
    run.checkpoint.write_bytes(broken)
    with pytest.raises(ValueError, match=r"no whole checkpoint.*--restart"):
        finished(run)
    assert run.checkpoint.read_bytes() == broken


def test_train_names_a_broken_checkpoint_in_one_line(tmp_path: Path) -> None:
    checkpoint = tmp_path / "relative-seed0.checkpoint.safetensors"
    checkpoint.touch()
    outcome = CliRunner().invoke(main, ["--out", str(tmp_path)])
    assert outcome.exit_code == 1
    *_, line = outcome.stderr.splitlines()  # after what is said about another text
    assert str(checkpoint) in line
    assert "--restart" in line
    assert checkpoint.read_bytes() == b""


def test_a_card_that_is_no_json_is_named(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    run.card.write_text("")
    with pytest.raises(ValueError, match=f"need JSON in {run.card}"):
        _ = run.is_finished
    run.card.write_text("{}")
    assert not run.is_finished


def test_another_python_s_text_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learned = read_pretrained("relative").card["corpus"]
    assert learned["python"] == "3.11.7"
    monkeypatch.setattr(corpora, "python_reference", lambda: Corpus("", "a", "b"))
    warn_of_another_text()
    told = capsys.readouterr().err
    assert "carries another language reference than 3.11.7" in told
    assert learned["sha256"][:12] in told
    same = SimpleNamespace(sha256=learned["sha256"])
    monkeypatch.setattr(corpora, "python_reference", lambda: same)
    warn_of_another_text()
    assert capsys.readouterr().err == ""

"""Run reference vectors against this project's model: `python -m tests.model.oracle FILE...`.

Each FILE is an .npz with a `manifest.json` beside it that says of what kind it is. Prints
'FILE max|Δ|', the largest difference between what the file holds and what we compute in float64.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from xlexplain.maths import rel_shift, sinusoids
from xlexplain.model.config import XLConfig
from xlexplain.model.transformer_xl import (
    Attention,
    LayerMemory,
    Mask,
    Memory,
    Record,
    TransformerXL,
    attention_mask,
    shift_copy,
    shift_view,
)

Arrays = dict[str, NDArray[Any]]
TOLERANCE = 1e-10
# What a manifest may say of an architecture, and what ours is.
ARCHITECTURE = {
    "norm": "post",
    "positions": "relative",
    "variant": None,
    "scale": "1/sqrt(d_head)",
}


def largest_difference(path: Path) -> float:
    """Largest |ours - theirs| over everything that the file holds.

    Raises: ValueError for a file of an unknown kind, one that its manifest does not list, or one
        of another architecture than ours.
    """
    manifest = json.loads((path.parent / "manifest.json").read_text())
    entry = manifest["files"].get(path.name)
    if entry is None:
        raise ValueError(f"{path.parent / 'manifest.json'} does not list {path.name}")
    if entry["kind"] not in CHECKS:
        raise ValueError(f"need a file of kind {', '.join(CHECKS)}, got {entry['kind']!r}")
    arrays = read(path)
    if "base" in entry:
        base = entry["base"]
        arrays |= read(path.parent / f"{base}.npz")
        entry = manifest["files"][f"{base}.npz"] | entry
    for name, ours in ARCHITECTURE.items():
        if entry.get(name, ours) != ours:
            raise ValueError(f"cannot run {name} {entry[name]!r}, only {ours!r}")
    pairs = CHECKS[entry["kind"]](arrays, entry)
    return float(
        np.max([np.abs(ours - theirs).max(initial=0.0) for ours, theirs in pairs])
    )  # NaN stays


def read(path: Path) -> Arrays:
    """All arrays of an .npz file."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


Pairs = Iterator[tuple[NDArray[Any], NDArray[Any]]]


def check_rel_shift(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    """Files hold [query, key, …]; ours works on the last two axes. Left-overs are not compared."""
    for case in sorted({name.split("/")[0] for name in arrays}):
        is_valid = arrays[f"{case}/valid"]
        for content in ("coded", "rand"):
            given = np.moveaxis(arrays[f"{case}/{content}_in"], (0, 1), (-2, -1))
            wanted = np.moveaxis(arrays[f"{case}/{content}_out"], (0, 1), (-2, -1))
            wanted = np.where(is_valid, wanted, 0)
            yield rel_shift(given), wanted
            four_axes = torch.from_numpy(given.reshape(-1, 1, *given.shape[-2:]))
            for shift in (shift_view, shift_copy):
                ours = shift(four_axes).reshape(given.shape).numpy()
                yield np.where(is_valid, ours, 0), wanted
        coded = arrays[f"{case}/coded_out_zero_future"]
        yield rel_shift(arrays[f"{case}/coded_in"]), np.where(is_valid, coded, 0)


def check_positions(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    for name, wanted in arrays.items():
        case, _, content = name.partition("/")
        if not content.endswith("table"):
            continue
        distance = arrays[f"{case}/positions"]
        if content.startswith("clamp"):
            distance = np.minimum(distance, int(content.removeprefix("clamp").partition("_")[0]))
        yield sinusoids(distance, wanted.shape[1]), wanted


def check_mask(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    """A mask that blocks every key of a query has no softmax: ours is causal there, see README."""
    for case in entry["cases"]:
        wanted = arrays[case["key"]]
        if case["all_blocked_row"]:
            wanted = arrays[case["key"].replace("s1", "s0")]
        ours = attention_mask(
            query_count=case["qlen"],
            key_count=case["qlen"] + case["mlen"],
            memory_length=case["mem_len"],
            same_length=case["same_length"],
        ).numpy()
        assert ours.dtype == np.bool_
        yield ours.astype(float), wanted.astype(float)


def check_attention(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    C = entry["d_model"]
    config = XLConfig(1, d_model=C, n_head=entry["n_head"], d_head=entry["d_head"], d_inner=1)
    attention = Attention(config).double()
    attention.load_state_dict(attention_state(tensors, ""))
    hidden = tensors["x"].transpose(0, 1)
    memory = LayerMemory(tensors["mem"].transpose(0, 1))
    records: list[Any] = []
    with torch.no_grad():
        given: dict[str, Any] = {
            "u": tensors["u"],
            "v": tensors["v"],
            "relative": tensors["R"],
            "mask": Mask.hiding(tensors["mask"], torch.float64),
        }
        recorded, _ = attention(hidden, memory, records=records, **given)
        fused, _ = attention(hidden, memory, **given)
    record = records[0]
    key_major = (2, 3, 0, 1)  # (B, H, L, S) → [query, key, batch, head]
    is_masked = arrays["mask"]
    shifted = shift_copy(record.bd_by_distance)
    scores = ((record.ac + shifted) * entry["d_head"] ** -0.5).permute(key_major).numpy()
    yield record.ac.permute(key_major).numpy(), arrays["AC"]
    yield record.bd_by_distance.permute(key_major).numpy(), arrays["BD_pre_shift"]
    yield (
        visible(shifted.permute(key_major).numpy(), is_masked),
        visible(arrays["BD_post_shift"], is_masked),
    )
    yield visible(scores, is_masked), visible(arrays["score_masked"], is_masked)
    yield record.probs.permute(key_major).numpy(), arrays["prob"]
    for attended in (recorded, fused):
        out = F.layer_norm(hidden + attended, (C,), tensors["ln_gain"], tensors["ln_bias"])
        yield out.transpose(0, 1).numpy(), arrays["out"]


def visible(by_key: NDArray[Any], is_masked: NDArray[Any]) -> NDArray[Any]:
    """[query, key, …] with masked entries at 0."""
    return np.where(is_masked.reshape(*is_masked.shape, 1, 1), 0.0, by_key)


def check_lm(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    """Both ways through the model: the recorded one, and the one that evaluation takes."""
    model = model_of(arrays, entry).eval()
    for is_recorded in (True, False):
        with torch.no_grad():
            yield from stream_pairs(model, arrays, entry, is_recorded=is_recorded)


def stream_pairs(
    model: TransformerXL, arrays: Arrays, entry: dict[str, Any], *, is_recorded: bool
) -> Pairs:
    M = entry["mem_len"]
    memory: Memory | None = None
    top = torch.zeros(entry["batch"], 0, entry["d_model"], dtype=torch.float64)
    for number, (ids, targets) in enumerate(segments(arrays, entry)):
        record: list[Record] | None = [] if is_recorded else None
        logits, memory = model(
            ids,
            memory,
            memory_length=M,
            same_length=entry["same_length"],
            clamp_length=max(0, entry["clamp_len"]),
            record=record,
        )
        nll = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")  # (B, L)
        yield logits.transpose(0, 1).numpy(), arrays[f"seg{number}/logits"]
        yield nll.T.numpy(), arrays[f"seg{number}/nll"]
        if M == 0:
            continue
        states = [layer.states for layer in memory]
        if record is not None:
            top = torch.cat([top, record[0].hidden], dim=1)[:, -M:]
            states.append(top)
        for layer, state in enumerate(states):
            yield state.transpose(0, 1).numpy(), arrays[f"seg{number}/mem{layer}"]


def check_gradients(arrays: Arrays, entry: dict[str, Any]) -> Pairs:
    model = model_of(arrays, entry)
    memory: Memory | None = None
    for number, (ids, targets) in enumerate(segments(arrays, entry)):
        model.zero_grad()
        logits, memory = model(ids, memory, memory_length=entry["mem_len"])
        if f"seg{number}/loss" not in arrays:
            continue
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        yield loss.detach().numpy(), arrays[f"seg{number}/loss"]
        named = dict(model.named_parameters())
        prefix = f"seg{number}/grad/"
        theirs = {
            name.removeprefix(prefix): torch.from_numpy(array)
            for name, array in arrays.items()
            if name.startswith(prefix)
        }
        for name, gradient in state_of(theirs, layer_count=entry["n_layer"]).items():
            ours = named[name].grad
            assert ours is not None, name
            yield ours.numpy(), gradient.numpy()


def segments(arrays: Arrays, entry: dict[str, Any]) -> Iterator[tuple[Tensor, Tensor]]:
    """Inputs and targets (B, L), the last target of a segment being the next one's first token."""
    ids = torch.from_numpy(arrays["ids"]).T  # (B, T+1)
    L = entry["seg_len"]
    for start in range(0, ids.shape[1] - 1, L):
        yield ids[:, start : start + L], ids[:, start + 1 : start + L + 1]


def model_of(arrays: Arrays, entry: dict[str, Any]) -> TransformerXL:
    """Our model with the file's weights, in float64."""
    config = XLConfig(
        vocab_size=entry["vocab"],
        d_model=entry["d_model"],
        n_layer=entry["n_layer"],
        n_head=entry["n_head"],
        d_head=entry["d_head"],
        d_inner=entry["d_inner"],
    )
    model = TransformerXL(config).double()
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    model.load_state_dict(state_of(tensors, layer_count=config.n_layer))
    return model


def state_of(tensors: dict[str, Tensor], *, layer_count: int) -> dict[str, Tensor]:
    """Our state dict from the files' names."""
    state = {
        "embedding.weight": tensors["embed"],
        "unembedding.weight": tensors["w_out"],
        "unembedding.bias": tensors["b_out"],
        "u": tensors["u"],
        "v": tensors["v"],
    }
    for number in range(layer_count):
        theirs, ours = f"layer{number}/", f"layers.{number}."
        for name, tensor in attention_state(tensors, theirs).items():
            state[f"{ours}attention.{name}"] = tensor
        for our_name, their_name in (
            ("attention_norm.weight", "ln1_gain"),
            ("attention_norm.bias", "ln1_bias"),
            ("feed_in.weight", "w_ff1"),
            ("feed_in.bias", "b_ff1"),
            ("feed_out.weight", "w_ff2"),
            ("feed_out.bias", "b_ff2"),
            ("feed_norm.weight", "ln2_gain"),
            ("feed_norm.bias", "ln2_bias"),
        ):
            state[ours + our_name] = tensors[theirs + their_name]
    return state


def attention_state(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    query, key, value = tensors[f"{prefix}w_qkv"].chunk(3)
    return {
        "query.weight": query,
        "key_value.weight": torch.cat([key, value]),
        "output.weight": tensors[f"{prefix}w_o"],
        "relative_key.weight": tensors[f"{prefix}w_r"],
    }


CHECKS: dict[str, Callable[[Arrays, dict[str, Any]], Pairs]] = {
    "rel_shift": check_rel_shift,
    "positions": check_positions,
    "mask": check_mask,
    "relative_attention": check_attention,
    "lm": check_lm,
    "gradients": check_gradients,
}


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
def main(files: tuple[Path, ...]) -> None:
    """Print FILE and its largest difference for each reference vector FILE.

    Exit status 1 if one differs by over 1e-10, 2 if one cannot be run.
    """
    is_exact = True
    for path in files:
        try:
            difference = largest_difference(path)
        except KeyError as error:
            raise click.UsageError(f"{path}: it or its manifest lacks {error}") from error
        except (ValueError, OSError, RuntimeError) as error:
            raise click.UsageError(f"{path}: {error}") from error
        is_exact &= difference <= TOLERANCE
        click.echo(f"{path} {difference:.1e}")
    raise SystemExit(not is_exact)


if __name__ == "__main__":
    main()

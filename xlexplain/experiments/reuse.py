"""What reuse saves: a sliding window recomputed for every token, against memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlexplain.experiments.experiment import Experiment, Result, Settings, Update, need

if TYPE_CHECKING:
    from torch import Tensor

    from xlexplain.model.transformer_xl import TransformerXL

LENGTHS = (32, 64, 128, 256, 512, 800)
SEGMENT = 64
LAYERS = (1, 2, 3, 4)
METHODS = ("sliding", "token", "segment")
VOCAB_SIZE = 100


@dataclass(frozen=True)
class ReuseSettings(Settings):
    """What to time.

    Attributes:
        lengths: attention lengths, in tokens.
        repeats: each time is the shortest of so many.
        window: attention length at which the outputs are compared.
        compared: tokens that are compared.
    """

    lengths: tuple[int, ...] = LENGTHS
    repeats: int = 7
    window: int = 32
    compared: int = 64

    def __post_init__(self) -> None:
        need(self, seed=(0, 2**31), repeats=(1, 100), window=(1, 512), compared=(1, 512))
        given = self.lengths
        if not given or not isinstance(given, tuple) or not all(map(is_attention_length, given)):
            raise ValueError(f"need attention lengths from 1 to 4000, got {given!r}")


def is_attention_length(value: object) -> bool:
    """Whether it is a whole number from 1 to 4000."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 4000


def run(settings: ReuseSettings) -> Iterator[Update]:
    """Compare the functions first, then time them, shortest attention first.

    The result holds
        layers, difference: for models of so many layers, the largest |Δ| of the logits between a
            sliding window and reuse token by token, in float64; largest_output, to measure it by;
        lengths: attention lengths timed so far;
        timing: for "sliding", "token" and "segment" the milliseconds of one core a token, at each
            length.
    """
    result: Result = {
        "layers": [],
        "difference": [],
        "largest_output": [],
        "lengths": [],
        "segment": SEGMENT,
        "timing": {method: [] for method in METHODS},
    }
    total = len(LAYERS) + len(settings.lengths)
    for place, layers in enumerate(LAYERS, start=1):
        sliding, reused = outputs_both_ways(settings, layers)
        result["layers"].append(layers)
        result["difference"].append(float((sliding - reused).abs().max()))
        result["largest_output"].append(float(sliding.abs().max()))
        yield Update(done=place / total, result=result)
    model = fresh_model(settings, layers=4)
    for place, length in enumerate(settings.lengths, start=len(LAYERS) + 1):
        result["lengths"].append(length)
        for method in METHODS:
            milliseconds = least_milliseconds(
                one_call(model, method, length), repeats=settings.repeats
            )
            tokens = SEGMENT if method == "segment" else 1
            result["timing"][method].append(round(milliseconds / tokens, 5))
        yield Update(done=place / total, result=result)


def fresh_model(settings: ReuseSettings, *, layers: int) -> TransformerXL:
    """The product's relative model with weights from the seed; the time does not depend on them."""
    from xlexplain.experiments.seeding import seeded
    from xlexplain.model import TransformerXL, XLConfig

    config = XLConfig(vocab_size=VOCAB_SIZE, n_layer=layers)
    return seeded(settings.seed, lambda: TransformerXL(config)).eval().requires_grad_(False)


def outputs_both_ways(settings: ReuseSettings, layers: int) -> tuple[Tensor, Tensor]:
    """(compared, V) logits of the last tokens of a random text, in float64.

    Sliding: each token with the W-1 before it, from scratch. Reused: token by token with a memory
    of W-1, so that every layer reads W keys in both.
    """
    import torch

    W, count = settings.window, settings.compared
    model = fresh_model(settings, layers=layers).double()
    draw = torch.Generator().manual_seed(settings.seed)
    ids = torch.randint(VOCAB_SIZE, (1, (max(LAYERS) + 1) * W + count), generator=draw)
    with torch.no_grad():
        windows = ids[0].unfold(0, W, 1)[-count:]  # (count, W)
        sliding = model(windows, memory_length=0)[0][:, -1]
        reused = torch.cat(list(model.stream(ids, segment_length=1, memory_length=W - 1)), dim=1)
    return sliding, reused[0, -count:]


def one_call(model: TransformerXL, method: str, length: int) -> Callable[[], object]:
    """What is timed: predict the next token, or the next 64, with `length` keys a token.

    "sliding" reads a window of `length` tokens and uses the last output. "token" reads one token
    and a memory of length-1; "segment" reads 64 at once and a memory of `length`.
    """
    import torch

    draw = torch.Generator().manual_seed(length)

    def tokens(count: int) -> Tensor:
        return torch.randint(VOCAB_SIZE, (1, count), generator=draw)

    query_count, memory_length = {
        "sliding": (length, 0),
        "token": (1, length - 1),
        "segment": (SEGMENT, length),
    }[method]
    ids = tokens(query_count)
    with torch.no_grad():
        _, memory = model(tokens(max(1, memory_length)), memory_length=memory_length)

    def call() -> object:
        with torch.no_grad():
            return model(ids, memory, memory_length=memory_length)

    return call


def least_milliseconds(call: Callable[[], object], *, repeats: int) -> float:
    """Of one core, after one call to warm up."""
    call()
    times = []
    for _ in range(repeats):
        began = time.thread_time()
        call()
        times.append(time.thread_time() - began)
    return 1000 * min(times)


EXPERIMENT = Experiment(
    name="reuse",
    claim="Reuse saves more, the longer the attention",
    settings=ReuseSettings,
    run=run,
    stored=(ReuseSettings(),),
)

"""The chop test: the same text, cut at every segment length, with a memory that holds all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xlexplain.experiments.experiment import SAMPLE, Experiment, Result, TwoSided, Update, need
from xlexplain.experiments.real_text import card

if TYPE_CHECKING:
    from torch import Tensor

    from xlexplain.model.transformer_xl import TransformerXL

WEIGHTS = ("fresh", "shipped")
LONGEST_TEXT = 200


@dataclass(frozen=True)
class ChopSettings(TwoSided):
    """What to cut, and how.

    Attributes:
        text: what is read, 1 to 200 characters.
        weights: "fresh" draws them from the seed; "shipped" takes the trained ones.
        longest: the text is cut at every L from 1 to this.
    """

    text: str = SAMPLE
    weights: str = "fresh"
    longest: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        need(self, seed=(0, 2**31), longest=(1, 64))
        if not isinstance(self.text, str) or not 1 <= len(self.text) <= LONGEST_TEXT:
            raise ValueError(
                f"need a text of 1 to {LONGEST_TEXT} characters, got {self.text!r:.40}"
            )
        if self.weights not in WEIGHTS:
            raise ValueError(f"need weights among {', '.join(WEIGHTS)}, got {self.weights!r}")

    @property
    def slug(self) -> str:
        return f"{self.weights}-{'-'.join(self.variants)}-{self.digest}-seed{self.seed}"


def run(settings: ChopSettings) -> Iterator[Update]:
    """Outputs of every cut against one uncut pass, in float64.

    The result maps each variant to
        lengths: the L; difference: the largest |Δ| of the logits for each of them;
        largest_output: the largest |logit| of the uncut pass, to measure the difference by;
        weights_sha256: of shipped weights.
    """
    result: Result = {}
    total = len(settings.variants) * settings.longest
    for place, variant in enumerate(settings.variants):
        model, ids = model_and_ids(settings, variant)
        whole = outputs(model, ids, segment_length=ids.shape[1])
        found: Result = {
            "largest_output": float(whole.abs().max()),
            "lengths": [],
            "difference": [],
        }
        if settings.weights == "shipped":
            found["weights_sha256"] = card(variant)["weights_sha256"]
        result[variant] = found
        for length in range(1, settings.longest + 1):
            cut = outputs(model, ids, segment_length=length)
            found["lengths"].append(length)
            found["difference"].append(float((cut - whole).abs().max()))
            yield Update(done=(place * settings.longest + length) / total, result=result)


def model_and_ids(settings: ChopSettings, variant: str) -> tuple[TransformerXL, Tensor]:
    """The model in float64 and the text as (1, T) ids."""
    import torch

    from xlexplain.experiments.seeding import seeded
    from xlexplain.model import TransformerXL, Vocabulary, XLConfig, load_pretrained

    if settings.weights == "shipped":
        model = load_pretrained(variant)
        vocabulary = model.vocabulary
        assert vocabulary is not None
    else:
        vocabulary = Vocabulary.of(settings.text, least_count=1)
        config = XLConfig(vocab_size=len(vocabulary))
        config = replace(config, position="relative" if variant == "relative" else "absolute")
        model = seeded(settings.seed, lambda: TransformerXL(config)).eval().requires_grad_(False)
    return model.double(), torch.from_numpy(vocabulary.encode(settings.text))[None]


def outputs(model: TransformerXL, ids: Tensor, *, segment_length: int) -> Tensor:
    """(T, V) logits of a text read in segments, with a memory as long as the text."""
    import torch

    with torch.no_grad():
        segments = model.stream(ids, segment_length=segment_length, memory_length=ids.shape[1])
        return torch.cat(list(segments), dim=1)[0]


EXPERIMENT = Experiment(
    name="chop",
    claim="With relative positions, cutting a text into segments changes nothing",
    settings=ChopSettings,
    run=run,
    stored=(ChopSettings(), ChopSettings(weights="shipped")),
)

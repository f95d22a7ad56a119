"""The guessing law, put to the test: train both kinds of positions to name the token K back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xlexplain.experiments.experiment import Experiment, Result, TwoSided, Update, Variant, need
from xlexplain.experiments.law import LawStep, guessing_law

WIDTH = 64  # C, and the width of the only head


@dataclass(frozen=True)
class GuessSettings(TwoSided):
    """The task and the training.

    Attributes:
        segment_length, memory_depth: L and D.
        back: K, how many tokens back the asked token lies.
        symbol_count: V; tokens are independent and uniform.
        layers: 1, or 2 to see what content can do.
        steps: gradient steps, one a segment.
        lanes: streams read side by side.
        learning_rate: Adam's at its highest; it warms up and falls on a cosine.
    """

    segment_length: int = 8
    memory_depth: int = 1
    back: int = 3
    symbol_count: int = 16
    layers: int = 1
    steps: int = 1000
    lanes: int = 64
    learning_rate: float = 2e-3

    def __post_init__(self) -> None:
        super().__post_init__()
        need(
            self,
            seed=(0, 2**31),
            segment_length=(1, 64),
            memory_depth=(0, 8),
            back=(1, 512),
            symbol_count=(2, 256),
            layers=(1, 2),
            steps=(1, 50_000),
            lanes=(1, 1024),
        )
        rate = self.learning_rate
        if not isinstance(rate, int | float) or not 0 < rate < 1:
            raise ValueError(f"need 0 < learning_rate < 1, got {rate!r}")

    @property
    def slug(self) -> str:
        return (
            f"L{self.segment_length}-D{self.memory_depth}-K{self.back}-V{self.symbol_count}"
            f"-layers{self.layers}-{'-'.join(self.variants)}-{self.digest}-seed{self.seed}"
        )

    def law(self, variant: Variant) -> tuple[LawStep, ...]:
        """What is predicted for this variant, exactly."""
        return guessing_law(
            segment_length=self.segment_length,
            memory_depth=self.memory_depth,
            back=self.back,
            symbol_count=self.symbol_count,
            is_relative=variant == "relative",
        )

    @property
    def best_accuracies(self) -> dict[Variant, list[float]]:
        """What is predicted for each variant, at each position."""
        return {
            variant: [float(step.accuracy) for step in self.law(variant)]
            for variant in self.variants
        }

    @property
    def least_loss_bits(self) -> dict[Variant, float]:
        """The least possible mean loss of each variant."""
        return {
            variant: sum(step.loss_bits for step in self.law(variant)) / self.segment_length
            for variant in self.variants
        }


def run(settings: GuessSettings) -> Iterator[Update]:
    """Train the variants side by side, some steps of one and then of the other.

    The result maps each variant to
        step: how far it is; loss_steps, loss_bits: the mean loss up to these steps;
        accuracy: right answers at each position, on fresh tokens; samples: on how many;
        timing: seconds of one core, and seconds_to_99: when every position had passed 0.99
            (null if never).
    """
    from xlexplain.experiments.guess_training import train

    trainings = {variant: train(settings, variant) for variant in settings.variants}
    result: Result = {}
    while trainings:
        for variant, training in list(trainings.items()):
            result[variant] = next(training)
            if result[variant]["step"] == settings.steps:
                del trainings[variant]
        steps = sum(found["step"] for found in result.values())
        done = steps / (settings.steps * len(settings.variants))
        yield Update(done=done if trainings else 1.0, result=result)


TARGETS = ((8, 1, 3), (16, 1, 5), (8, 2, 3), (8, 3, 5))  # L, D, K
STORED_SEEDS = (0, 1, 2)

EXPERIMENT = Experiment(
    name="guess",
    claim="Absolute positions can only guess",
    settings=GuessSettings,
    run=run,
    stored=(
        *(
            GuessSettings(segment_length=L, memory_depth=D, back=K, seed=seed)
            for L, D, K in TARGETS
            for seed in STORED_SEEDS
        ),
        GuessSettings(back=8),
        GuessSettings(layers=2),
    ),
)

"""Experiments: a prediction made first, a run that measures, and results stored with their origin.

Nothing here imports torch before a run is advanced.
"""

from xlexplain.experiments import chop, guess, real_text, reuse
from xlexplain.experiments.experiment import Experiment, Settings, Update

EXPERIMENTS: tuple[Experiment, ...] = (
    chop.EXPERIMENT,
    guess.EXPERIMENT,
    real_text.EXPERIMENT,
    reuse.EXPERIMENT,
)

__all__ = ["EXPERIMENTS", "Experiment", "Settings", "Update", "experiment"]


def experiment(name: str) -> Experiment:
    """The experiment of that name. Raises: ValueError if there is none."""
    for one in EXPERIMENTS:
        if one.name == name:
            return one
    raise ValueError(f"need one of {', '.join(one.name for one in EXPERIMENTS)}, got {name!r}")

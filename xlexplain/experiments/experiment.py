"""What an experiment is: settings that fix it, and a run that reports as it goes. No torch here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

Result = dict[str, Any]
Variant = str
VARIANTS: tuple[Variant, ...] = ("relative", "absolute")
TIMING = "timing"
SAMPLE = (
    "The assert statement is a convenient way to insert debugging assertions into a program. "
    "The simple form is equivalent to a test that raises an exception when it is false."
)


@dataclass(frozen=True)
class Update:
    """Where a run stands.

    Attributes:
        done: share of the work, 0 to 1; 1 in the last update and only there.
        result: what is known so far, as JSON values. What a clock said stands under the key
            "timing", at any depth; all else is the same for the same settings on the same machine.
    """

    done: float
    result: Result


@dataclass(frozen=True)
class Settings:
    """All that decides a result. Each experiment adds its own fields, with defaults and checks."""

    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `from_json` gives an equal object."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Raises: ValueError for names that are no settings, or values that make no sense."""
        known = {one.name for one in fields(cls)}
        if set(values) - known:
            raise ValueError(
                f"need settings among {', '.join(sorted(known))}, "
                f"got {', '.join(sorted(set(values) - known))}"
            )
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
        }
        return cls(**given)

    def with_text_values(self, pairs: dict[str, str]) -> Self:
        """Changed as a command line says: {"back": "5"}. Raises: ValueError as `from_json`."""
        values = self.to_json()
        for name, text in pairs.items():
            try:
                values[name] = json.loads(text)
            except json.JSONDecodeError:
                values[name] = text
        return type(self).from_json(values)

    def parts(self) -> tuple[Self, ...]:
        """Settings that can be run apart, and whose results together are this one's."""
        return (self,)

    @property
    def slug(self) -> str:
        """A name for a file; different settings have different ones."""
        return f"{self.digest}-seed{self.seed}"

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits of the sha256 of the settings."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class TwoSided(Settings):
    """Settings of an experiment that compares the two kinds of positions."""

    variants: tuple[Variant, ...] = VARIANTS

    def __post_init__(self) -> None:
        given = self.variants
        if not given or not isinstance(given, tuple) or any(one not in VARIANTS for one in given):
            raise ValueError(f"need variants among {', '.join(VARIANTS)}, got {given!r}")

    def parts(self) -> tuple[Self, ...]:
        return tuple(replace(self, variants=(variant,)) for variant in self.variants)


@dataclass(frozen=True)
class Experiment:
    """One experiment.

    Attributes:
        name: as the command line and the addresses say it.
        claim: what it is about, in a few words.
        settings: the class of its settings.
        run: settings → updates; imports torch when it is first advanced.
        stored: the settings that `experiments run --all` runs and the page shows at once.
    """

    name: str
    claim: str
    settings: type[Settings]
    run: Callable[[Any], Iterator[Update]]
    stored: tuple[Settings, ...]


def need(settings: Settings, **limits: tuple[int, int]) -> None:
    """Raises: ValueError unless each named setting is a whole number within its limits."""
    for name, (least, most) in limits.items():
        value = getattr(settings, name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"need a whole number {name} from {least} to {most}, got {value!r}")


def without_timing(value: Any) -> Any:
    """A result without what the clock said: equal for equal settings on one machine."""
    if isinstance(value, dict):
        return {key: without_timing(inner) for key, inner in value.items() if key != TIMING}
    if isinstance(value, list | tuple):
        return [without_timing(inner) for inner in value]
    return value

"""Results with their origin: made by a command, kept as JSON, read by the page."""

from __future__ import annotations

import json
import logging
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from xlexplain.experiments import experiment
from xlexplain.experiments.experiment import Result, Settings, Update
from xlexplain.experiments.real_text import card

LOG = logging.getLogger(__name__)
STORED = Path(__file__).parent / "stored"


@dataclass(frozen=True)
class Record:
    """One result and where it came from.

    Attributes:
        name: of the experiment.
        settings: what fixed the result.
        result: see the experiment's `run`.
        date: the day it was made, ISO 8601.
        machine: in general words.
        seconds: how long it took.
    """

    name: str
    settings: Settings
    result: Result
    date: str
    machine: str
    seconds: float

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.settings.slug}.json"

    @property
    def command(self) -> str:
        """What makes this result again."""
        usual = type(self.settings)().to_json()
        changed = [
            f"{key}={value if isinstance(value, str) else json.dumps(value)}"
            for key, value in self.settings.to_json().items()
            if value != usual[key]
        ]
        words = ["python", "-m", "xlexplain", "experiments", "run", self.name]
        return shlex.join([*words, *(word for pair in changed for word in ("--set", pair))])

    def to_json(self) -> dict[str, Any]:
        """As stored: settings and origin first."""
        return {
            "experiment": self.name,
            "settings": self.settings.to_json(),
            "made": {
                "date": self.date,
                "machine": self.machine,
                "seconds": self.seconds,
                "command": self.command,
            },
            "result": self.result,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Record:
        """Raises: ValueError for settings that the experiment does not know."""
        made = values["made"]
        return cls(
            name=values["experiment"],
            settings=experiment(values["experiment"]).settings.from_json(values["settings"]),
            result=values["result"],
            date=made["date"],
            machine=made["machine"],
            seconds=made["seconds"],
        )


def make_record(
    name: str, settings: Settings, *, watch: Callable[[Update], None] = lambda update: None
) -> Record:
    """Run an experiment to its end, on one thread. `watch` sees every update."""
    import torch

    from xlexplain.model.train import machine

    torch.set_num_threads(1)
    began = time.perf_counter()
    result: Result = {}
    for update in experiment(name).run(settings):
        watch(update)
        result = update.result
    return Record(
        name=name,
        settings=settings,
        result=result,
        date=time.strftime("%Y-%m-%d"),
        machine=machine(),
        seconds=round(time.perf_counter() - began, 1),
    )


def write_record(record: Record, folder: Path) -> Path:
    """Store a record; a reader finds the old one or the new one, never half of it."""
    from xlexplain.model.weights import write_atomically

    path = folder / record.file_name
    text = json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n"
    write_atomically(path, text.encode())
    return path


def is_current(record: Record) -> bool:
    """Whether the weights that a result was made with, if shipped ones, are still those shipped."""
    return all(
        card(variant).get("weights_sha256") == found["weights_sha256"]
        for variant, found in record.result.items()
        if isinstance(found, dict) and "weights_sha256" in found
    )


@dataclass(frozen=True)
class Folder:
    """What a folder of results holds.

    Attributes:
        records: by experiment and settings.
        unreadable: what is wrong with every other file, by path.
    """

    records: dict[tuple[str, Settings], Record]
    unreadable: dict[Path, str]


@lru_cache(maxsize=4)
def read_folder(folder: Path = STORED) -> Folder:
    """All JSON files of a folder; one that is no result is noted, and the others stand."""
    found = Folder({}, {})
    for path in sorted(folder.glob("*.json")):
        try:
            record = Record.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
            found.unreadable[path] = f"{type(error).__name__}: {error}"
            LOG.warning("%s is no result: %s", path, found.unreadable[path])
        else:
            found.records[record.name, record.settings] = record
    return found


def stored_records(folder: Path = STORED) -> dict[tuple[str, Settings], Record]:
    """All records of a folder, by experiment and settings."""
    return read_folder(folder).records


def find_stored(name: str, settings: Settings, *, folder: Path = STORED) -> Record | None:
    """The stored result for these settings, put together from its parts if need be."""
    records = stored_records(folder)
    parts = [records.get((name, part)) for part in settings.parts()]
    found = [part for part in parts if part is not None]
    if not found or len(found) < len(parts) or not all(map(is_current, found)):
        return None
    return Record(
        name=name,
        settings=settings,
        result={key: value for part in found for key, value in part.result.items()},
        date=max(part.date for part in found),
        machine=found[0].machine,
        seconds=sum(part.seconds for part in found),
    )

"""Hand experiments to a Dask cluster. Needs the extra: pip install '.[distributed]'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xlexplain.experiments.experiment import Settings
from xlexplain.experiments.record import Record, make_record

Task = tuple[str, Settings]
ATTEMPTS = 4
SECONDS_TO_CONNECT = 20


def run_on_cluster(tasks: Sequence[Task], address: str) -> Iterator[Record]:
    """Run every task on the cluster of a scheduler, and yield the records as they come.

    A task whose worker is lost runs again on another one, up to three times. The workers need this
    package and torch.

    Raises: ValueError if `distributed` is not installed or the scheduler does not answer;
        whatever a task itself raises.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ValueError("need the package distributed: pip install '.[distributed]'") from error
    try:
        client = Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_CONNECT, set_as_default=False
        )
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"need a Dask scheduler at {address}: {error}") from error
    with client:
        futures = [
            client.submit(
                run_one,
                name,
                settings.to_json(),
                key=f"{name}-{settings.slug}",
                retries=ATTEMPTS - 1,
            )
            for name, settings in tasks
        ]
        for future in as_completed(futures, loop=client.loop):  # type: ignore[no-untyped-call]
            yield Record.from_json(future.result())


def run_one(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    """What a cluster's worker does: one task, from JSON values to JSON values."""
    from xlexplain.experiments import experiment

    return make_record(name, experiment(name).settings.from_json(settings)).to_json()

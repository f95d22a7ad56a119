"""The worker process: one experiment, asked for on standard input, told on standard output.

Each line in and out is a JSON object. In: {"experiment", "settings"}. Out: {"done", "result"} as
often as it makes sense to draw, and at the end {"record"} or {"error"}. The process ends itself
when its standard input closes, which is when the server is gone.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any, TextIO

from xlexplain.experiments import experiment
from xlexplain.experiments.experiment import Update
from xlexplain.experiments.record import make_record

SECONDS_BETWEEN_UPDATES = 0.3
NICENESS = 10  # pages come first


def main(requests: TextIO, answers: TextIO) -> None:
    """Serve one request."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICENESS)
    request = json.loads(requests.readline())
    threading.Thread(target=end_with, args=(requests.fileno(),), daemon=True).start()
    last_told = 0.0

    def tell(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    def watch(update: Update) -> None:
        nonlocal last_told
        if time.monotonic() - last_told >= SECONDS_BETWEEN_UPDATES:
            last_told = time.monotonic()
            tell({"done": update.done, "result": update.result})

    try:
        settings = experiment(request["experiment"]).settings.from_json(request["settings"])
        record = make_record(request["experiment"], settings, watch=watch)
    except Exception as error:
        tell({"error": f"{type(error).__name__}: {error}"})
        return
    tell({"record": record.to_json()})


def end_with(descriptor: int) -> None:
    """Wait for the end of the input, then end the process at once."""
    while os.read(descriptor, 1024):
        pass
    os._exit(0)


if __name__ == "__main__":
    answers = sys.stdout
    sys.stdout = sys.stderr  # what a library prints must not get between the answers
    main(sys.stdin, answers)

"""The console text, the command that prints it, and the table as CSV."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.serving import ROOT
from xlexplain.__main__ import main
from xlexplain.maths.listing import conflict_listing

ROW = re.compile(r"^  (encoded position|offset from start of τ|distance from query \d+) +(.*)$")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def rows_of(listing: str) -> dict[str, list[list[str]]]:
    """The cells of every row by the row's first word, segment after segment."""
    found: dict[str, list[list[str]]] = {"encoded": [], "offset": [], "distance": []}
    for line in listing.splitlines():
        if match := ROW.match(line):
            found[match[1].split()[0]].append(match[2].split())
    return found


@given(st.integers(1, 12), st.integers(0, 4), st.data())
def test_rows_are_the_arrays(length: int, depth: int, data: st.DataObject) -> None:
    query = data.draw(st.integers(0, length - 1))
    listing = conflict_listing(segment_length=length, memory_depth=depth, query=query)
    rows = rows_of(listing)
    assert {name: len(lines) for name, lines in rows.items()} == dict.fromkeys(rows, depth + 1)
    M = depth * length
    cells = {name: [cell for line in lines for cell in line] for name, lines in rows.items()}
    assert cells["encoded"] == [str(place) for _ in range(depth + 1) for place in range(length)]
    assert cells["offset"] == [str(offset) for offset in range(-M, length)]
    assert cells["distance"] == [
        str(M + query - key) if key <= M + query else "·" for key in range(M + length)
    ]
    titles = re.findall(r"^(?:Cached|Current) segment (.+)$", listing, re.MULTILINE)
    assert titles == [*(f"τ−{age}" for age in range(depth, 0, -1)), "τ"]


@given(st.integers(1, 12), st.integers(1, 4))
def test_conclusion_has_the_right_numbers(length: int, depth: int) -> None:
    conclusion = conflict_listing(segment_length=length, memory_depth=depth).split("Conclusion")[1]
    numbers = [int(number) for number in re.findall(r"\d+", conclusion)]
    errors = [age * length for age in range(depth, -1, -1)]
    assert numbers == [
        *(length, (depth + 1) * length, depth + 1),
        length * depth * (depth + 1) // 2,
        *(length - 1, depth + 1, length - 1, *errors),
        *(0, *errors),
    ]


def test_without_memory_it_says_that_nothing_collides() -> None:
    listing = conflict_listing(segment_length=8, memory_depth=0)
    assert (
        "No two keys are told to be at the same position: without memory, no conflict." in listing
    )
    assert "Cached" not in listing


def test_columns_line_up() -> None:
    lines = conflict_listing(segment_length=12, memory_depth=3).splitlines()
    widths = {len(line) for line in lines if ROW.match(line)}
    assert len(widths) == 1


def test_command_prints_the_listing() -> None:
    command = [sys.executable, "-m", "xlexplain", "conflict"]
    command += ["--segment-length", "8", "--memory-depth", "1"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert done.stdout == conflict_listing(segment_length=8, memory_depth=1) + "\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("encoding", "letter"), [("cp1252", "tau"), ("latin-1", "tau"), ("utf-8", "τ")]
)
def test_letters_that_the_console_lacks_are_spelled_out(encoding: str, letter: str) -> None:
    command = [sys.executable, "-m", "xlexplain", "conflict"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding=encoding,
        check=True,
        timeout=60,
    )
    assert f"Current segment {letter}\n" in done.stdout
    wanted = conflict_listing(segment_length=8, memory_depth=1).replace("τ", letter)
    assert done.stdout.replace("−", "-") == wanted.replace("−", "-") + "\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--segment-length", "0"], "'--segment-length': 0 is not in the range x>=1"),
        (["--segment-length", "-2"], "'--segment-length': -2 is not in the range x>=1"),
        (["--segment-length", "2.5"], "'--segment-length': '2.5' is not a valid integer"),
        (["--segment-length", "eight"], "'--segment-length': 'eight' is not a valid integer"),
        (["--memory-depth", "-1"], "'--memory-depth': -1 is not in the range x>=0"),
        (["--memory-depth", ""], "'--memory-depth': '' is not a valid integer"),
        (["--query", "8"], "need a query in 0..7, got 8"),
        (["--query", "-1"], "'--query': -1 is not in the range x>=0"),
        (["--segment-length", "1000000000"], "need at most 100,000 keys, (D + 1)·L, got 2,000,"),
        (["--memory-length", "8"], "No such option"),
    ],
)
def test_command_says_what_is_wrong(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["conflict", *arguments])
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output

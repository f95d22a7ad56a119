"""The authors' implementation, as recorded in the reference vectors."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from click.testing import CliRunner

from tests.model import oracle
from tests.serving import ROOT

VECTORS = Path(__file__).parent / "vectors"
MANIFEST = json.loads((VECTORS / "manifest.json").read_text())


@pytest.mark.parametrize("name", sorted(MANIFEST["files"]))
def test_reference_vectors_agree(name: str) -> None:
    assert oracle.largest_difference(VECTORS / name) <= oracle.TOLERANCE


def test_four_sgd_steps_have_the_authors_losses() -> None:
    given = MANIFEST["sgd_losses"]
    entry = MANIFEST["files"][given["weights"]]
    arrays = oracle.read(VECTORS / given["weights"])
    model = oracle.model_of(arrays, entry)
    optimizer = torch.optim.SGD(model.parameters(), lr=given["lr"])
    memory = None
    losses = []
    for ids, targets in oracle.segments(arrays, entry):
        logits, memory = model(ids, memory, memory_length=entry["mem_len"])
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        losses.append(loss.item())
    np.testing.assert_allclose(losses, given["losses"], rtol=0, atol=1e-10)


def test_4_interleaved_sinusoids_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 4: an lm file must fail when sine and cosine are interleaved."""
    from xlexplain.model import transformer_xl

    concatenated = transformer_xl.relative_table

    def interleaved(*arguments: object) -> torch.Tensor:
        table = concatenated(*arguments)  # type: ignore[arg-type]
        sine, cosine = table.chunk(2, dim=1)
        return torch.stack([sine, cosine], dim=2).flatten(1)

    monkeypatch.setattr(transformer_xl, "relative_table", interleaved)
    assert oracle.largest_difference(VECTORS / "lm_rel_M1L_full.npz") > 1e-3


def test_runner_prints_a_line_a_file_and_tells_a_wrong_file(tmp_path: Path) -> None:
    name = "lm_rel_M0L_full.npz"
    arrays = oracle.read(VECTORS / name)
    arrays["seg2/logits"] = arrays["seg2/logits"] + 1e-3
    np.savez(tmp_path / name, allow_pickle=False, **arrays)
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    files = [str(VECTORS / name), str(tmp_path / name)]
    run = subprocess.run(
        [sys.executable, "-m", "tests.model.oracle", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    right, wrong = (line.rsplit(" ", 1) for line in run.stdout.splitlines())
    assert (right[0], wrong[0]) == tuple(files)
    assert float(right[1]) <= 1e-10
    assert float(wrong[1]) == pytest.approx(1e-3, rel=0.1)
    assert run.returncode == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"norm": "pre"}, "cannot run norm 'pre', only 'post'"),
        ({"positions": "absolute"}, "cannot run positions 'absolute', only 'relative'"),
        ({"scale": "1/d_head"}, "cannot run scale '1/d_head'"),
        ({"kind": "lstm"}, "need a file of kind"),
        ({"n_layer": 3}, "lacks 'layer2/w_qkv'"),
        ({"d_head": 4}, "size mismatch"),
    ],
)
def test_a_file_of_another_architecture_is_not_run(
    tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    name = "lm_rel_M0L_full.npz"
    shutil.copy(VECTORS / name, tmp_path)
    files = {name: MANIFEST["files"][name] | changes}
    (tmp_path / "manifest.json").write_text(json.dumps({"files": files}))
    outcome = CliRunner().invoke(oracle.main, [str(tmp_path / name)])
    assert outcome.exit_code == 2
    assert sentence in outcome.output
    assert outcome.stdout == ""

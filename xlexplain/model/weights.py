"""The shipped models: float16 weights in safetensors, a model card in JSON beside them."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from xlexplain.model.config import XLConfig
from xlexplain.model.corpus import Vocabulary
from xlexplain.model.transformer_xl import TransformerXL

FOLDER = Path(__file__).parent / "pretrained"
VARIANTS = ("relative", "absolute", "relative-no-memory", "absolute-no-memory")


@dataclass(frozen=True)
class Pretrained:
    """A trained model with the vocabulary it reads and the card that says how it came about."""

    model: TransformerXL
    vocabulary: Vocabulary
    card: dict[str, Any]


def load_pretrained(name: str = "relative") -> TransformerXL:
    """A shipped model in evaluation mode, float32; its vocabulary is at `model.vocabulary`.

    Args: name: one of `VARIANTS`.
    Raises: ValueError for another name.
    """
    return read_pretrained(name).model


def read_pretrained(name: str, *, folder: Path = FOLDER) -> Pretrained:
    """A stored model with its vocabulary and card.

    Raises: ValueError if there is no such model, or its weights are not those of its card.
    """
    card_path, weights_path = folder / f"{name}.json", folder / f"{name}.safetensors"
    if not card_path.is_file():
        stored = ", ".join(sorted(path.stem for path in folder.glob("*.json"))) or "none"
        raise ValueError(f"need one of the stored models ({stored}), got {name!r}")
    card = read_object(card_path)
    blob = weights_path.read_bytes()
    if hashlib.sha256(blob).hexdigest() != card["weights_sha256"]:
        raise ValueError(f"{weights_path} is not the file that its card describes (sha256 differs)")
    model = TransformerXL(XLConfig(**card["config"]))
    model.load_state_dict({key: tensor.float() for key, tensor in load_tensors(blob).items()})
    vocabulary = Vocabulary(card["characters"])
    model.vocabulary = vocabulary
    return Pretrained(model=model.eval().requires_grad_(False), vocabulary=vocabulary, card=card)


def read_object(path: Path) -> dict[str, Any]:
    """A JSON object. Raises: ValueError that names the file, for anything else in it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # not JSON, or not UTF-8
        raise ValueError(f"need JSON in {path}: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"need a JSON object in {path}, got {type(found).__name__}")
    return found


def write_pretrained(
    model: TransformerXL, vocabulary: Vocabulary, card: dict[str, Any], *, name: str, folder: Path
) -> None:
    """Store the weights rounded to float16, and the card completed by what the files hold."""
    blob = save_tensors({key: tensor.half() for key, tensor in model.state_dict().items()})
    complete = {
        "name": name,
        "config": model.config.to_json(),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "characters": vocabulary.characters,
        "weights_sha256": hashlib.sha256(blob).hexdigest(),
        **card,
    }
    write_atomically(folder / f"{name}.safetensors", blob)
    text = json.dumps(complete, indent=1, ensure_ascii=False) + "\n"
    write_atomically(folder / f"{name}.json", text.encode())


def write_atomically(path: Path, blob: bytes) -> None:
    """Write a file so that a reader, or a kill at any moment, finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(blob)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def rounded_to_half(model: TransformerXL) -> TransformerXL:
    """The model as it comes back from storage, for measuring what the rounding costs."""
    rounded: TransformerXL = copy.deepcopy(model).half().float().eval()
    return rounded

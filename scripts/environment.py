"""Make sure that a virtual environment holds what a requirements file asks for.

    python3 scripts/environment.py VENV REQUIREMENTS [--chromium]

Does nothing when all is there. An environment that is half made, broken, or of other requirements
is rebuilt or completed. With --chromium, a browser is found or installed too. Needs nothing but
Python's standard library, since it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LEAST_PYTHON = (3, 11)
UV = "uv==0.13.9"
LOOK_INSIDE = """
import csv, importlib.metadata as metadata, sys
for dist in metadata.distributions():  # its `files` leaves out what is missing, from Python 3.12 on
    for name, *_ in csv.reader((dist.read_text("RECORD") or "").splitlines()):
        if not name.endswith(".pyc") and not dist.locate_file(name).exists():
            sys.exit(f"{dist.name} lacks {name}")
"""


def main() -> None:
    """Read the arguments, set up, and say in one line what is wrong if it can't be done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("venv", type=Path)
    parser.add_argument("requirements", type=Path)
    parser.add_argument("--chromium", action="store_true")
    arguments = parser.parse_args()
    if sys.version_info < LEAST_PYTHON:
        sys.exit(
            f"need Python 3.11 or newer, this is {sys.version.split()[0]}; try PYTHON=python3.12"
        )
    try:
        set_up(arguments.venv, arguments.requirements)
        if arguments.chromium:
            find_or_install_chromium(arguments.venv)
    except subprocess.CalledProcessError as error:
        sys.exit(f"setting up failed at: {' '.join(map(str, error.cmd))}")


def set_up(venv: Path, requirements: Path) -> None:
    """Create the environment if it is missing or broken, and install what is not there yet."""
    stamp = venv / f".{requirements.stem}.installed"
    wanted = fingerprint(requirements)
    if not is_sound(venv):
        if venv.exists():
            print(f"{venv} is broken; making it again")
            shutil.rmtree(venv)
        provide_venv_module()
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    elif stamp.is_file() and stamp.read_text() == wanted:
        return
    print(f"installing {requirements} into {venv} (a few minutes the first time)", flush=True)
    stamp.unlink(missing_ok=True)
    pip = [venv / "bin" / "python", "-m", "pip", "install", "--quiet"]
    pip.append("--disable-pip-version-check")
    if sys.platform == "linux":
        install_torch_for_the_cpu(venv, requirements.with_name("requirements.txt"), pip=pip)
    subprocess.run([*pip, "-r", requirements], check=True)
    stamp.write_text(wanted)


def install_torch_for_the_cpu(venv: Path, requirements: Path, *, pip: Sequence[str | Path]) -> None:
    """Take torch from where its CPU builds are: the usual one for Linux brings 5 GB of CUDA along.

    pip has to be told an address for that, uv knows it. Where uv cannot be had or cannot reach that
    place, nothing is lost but a few seconds, and pip installs what it finds.
    """
    pins = re.findall(r"^torch==\S+", requirements.read_text(), re.MULTILINE)
    uv = [venv / "bin" / "uv", "pip", "install", "--no-deps", "--torch-backend", "cpu"]
    install = [*uv, "--python", venv / "bin" / "python", *pins]
    fails_at_once = {**os.environ, "UV_HTTP_RETRIES": "0"}
    for command in ([*pip, UV], install):
        if subprocess.run(command, env=fails_at_once, capture_output=True).returncode:
            print("no CPU build of torch within reach; pip takes the build it finds", flush=True)
            return


def provide_venv_module() -> None:
    """Debian ships Python without what `venv` needs; install it where we may, else ask for it."""
    if importlib.util.find_spec("ensurepip"):
        return
    if not can_install_packages():
        sys.exit("need Debian's package python3-venv: sudo apt install python3-venv")
    install_packages("python3-venv")


def can_install_packages() -> bool:
    """Whether this is a Debian where we are root."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def install_packages(*names: str) -> None:
    """Install Debian packages without questions."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *names]
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
    subprocess.run(install, check=True, env=quiet, stdout=subprocess.DEVNULL)


def fingerprint(requirements: Path) -> str:
    """What the environment's content follows from: this Python, the file, and those it includes."""
    lines = requirements.read_text().splitlines()
    included = [requirements.parent / line.split()[1] for line in lines if line.startswith("-r ")]
    content = "\n".join([sys.version, *lines, *map(fingerprint, included)])
    return hashlib.sha256(content.encode()).hexdigest()


def is_sound(venv: Path) -> bool:
    """Whether the environment is where it was made, runs, and every package has its files.

    The commands in it begin with the path at which it was made, so a moved one is broken.
    """
    python, made = venv / "bin" / "python", venv / "pyvenv.cfg"
    if not python.exists() or not made.exists():
        return False
    if f"venv {os.path.abspath(venv)}" not in made.read_text():
        return False
    try:
        check = subprocess.run([python, "-c", LOOK_INSIDE], capture_output=True, text=True)
    except OSError:
        return False
    return check.returncode == 0


def find_or_install_chromium(venv: Path) -> None:
    """Debian's package where we may install it, else the browser that Playwright brings."""
    if os.environ.get("CHROMIUM") or shutil.which("chromium"):
        return
    if can_install_packages():
        install_packages("chromium", "fonts-dejavu-core")
        return
    subprocess.run([venv / "bin" / "python", "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    main()

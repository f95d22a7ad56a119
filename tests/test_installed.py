"""The package as `pip install` lays it down, away from this folder; and its figures in Jupyter."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from tests.serving import ROOT, free_port, wait_until_healthy
from xlexplain.ui.site import PAGES

OPEN_EVERY_PAGE = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import xlexplain
from xlexplain.ui import server, site

assert Path(xlexplain.__file__).parents[1] == Path(sys.argv[1])
app = AppTest.from_file(str(site.APP / "app.py"), default_timeout=60).run()
for page in site.PAGES:
    app.switch_page(page.script).run()
    assert not app.exception, (page.name, app.exception)
    assert [one.value for one in app.title] or app.markdown, page.name
    print(page.name)
"""


@pytest.fixture(scope="module")
def site_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing in it but what the wheel installs."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-deps", "--no-index"]
    wheels = folder / "wheels"
    build = [*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", wheels, ROOT]
    subprocess.run(build, check=True)
    (wheel,) = wheels.iterdir()
    subprocess.run([*pip, "install", *offline, "--target", folder / "site", wheel], check=True)
    return folder / "site"


def environment(site_packages: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(site_packages)}


def test_every_page_opens_from_the_installed_package(site_packages: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OPEN_EVERY_PAGE, site_packages],
        cwd=tmp_path,
        env=environment(site_packages),
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [page.name for page in PAGES], done.stderr


def test_the_command_starts_the_app_from_anywhere(site_packages: Path, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log.txt"
    command = [site_packages / "bin" / "xlexplain", "run", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment(site_packages),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}", process, seconds=60, log=log)
        finally:
            process.terminate()
            process.wait(timeout=20)
    assert "Traceback" not in log.read_text()


def test_without_streamlit_the_command_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['streamlit'] = None; sys.argv = ['xlexplain', 'run'];"
        "from xlexplain.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "Error: the app needs Streamlit: pip install 'xlexplain[app]'\n"


def test_the_library_asks_for_ranges_and_the_app_for_what_it_is_tested_with(
    site_packages: Path,
) -> None:
    (metadata,) = site_packages.glob("xlexplain-*.dist-info/METADATA")
    needs = email.message_from_string(metadata.read_text()).get_all("Requires-Dist") or []
    library = [need for need in needs if "extra ==" not in need]
    assert len(library) > 5
    assert [need for need in library if "==" in need or "<" in need] == []
    assert [need for need in library if need.startswith(("streamlit", "uvloop"))] == []
    pins = [
        line.split(";")[0].split("#")[0].strip()
        for line in (ROOT / "requirements.txt").read_text().splitlines()
    ]
    assert all(re.fullmatch(r"[a-z]+==[\d.]+", pin) for pin in pins)
    app = [need.split(";")[0].strip() for need in needs if "extra == 'app'" in need]
    assert {need for need in app if "==" in need} <= set(pins)
    names = {re.split(r"[<>=; ]", need)[0] for need in needs}
    assert {pin.split("==")[0] for pin in pins} <= names


def test_the_wheel_holds_nothing_that_was_compiled_here(site_packages: Path) -> None:
    (wheel,) = (site_packages.parent / "wheels").iterdir()
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if "__pycache__" in name or name.startswith("pages")] == []


def test_figures_show_themselves_in_a_notebook_and_in_what_is_made_of_it(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"^    import plotly\.io\n(?:    .*\n|\n)+", readme, re.MULTILINE)
    assert example
    code = re.sub(r"^    ", "", example[0], flags=re.MULTILINE)
    cells = [nbformat.v4.new_code_cell(one) for one in (code, "figure", "figure.show()")]
    path = tmp_path / "figures.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", path]
    subprocess.run(command, env=environment(ROOT), check=True, capture_output=True)
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert len(re.findall(r"<div[^>]*class=\"plotly-graph-div\"", page)) == 3
    assert "plotly.js v" in page  # the library is in the file
    assert (tmp_path / "film.html").stat().st_size > 10**6

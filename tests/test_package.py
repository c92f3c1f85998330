"""The wheel: every file of the app once, in one folder beside the library, ready to start."""

import subprocess
import sys
import tomllib
import zipfile
from collections import Counter

import pytest

from tests.test_setup import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIBRARY, APP = ("mips_core",), ("pages", "data", "docs", ".streamlit", "app.py", "run.py")
OF_README = "docs/pictures/moving.webp"
LEFT_OUT = {("data", ".py"), ("docs", ".py")}  # folder, ending: they make what is shipped


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without network."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def files_of_a_clone():
    """Where each file that is shipped lies in a clone, and in the wheel."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *LIBRARY, *APP],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        top, ending = name.split("/")[0], "." + name.rpartition(".")[2]
        if (top, ending) in LEFT_OUT or name == OF_README:
            continue
        if (ROOT / name).is_file():
            yield name, name if top in LIBRARY else f"mips_explorer/{name}"


def test_every_file_is_in_it_exactly_once(wheel):
    shipped = dict(files_of_a_clone())
    held = Counter(n for n in wheel.namelist() if ".dist-info/" not in n)
    assert held == Counter(shipped.values())
    contents = Counter(wheel.read(name) for name in held if name.endswith((".npz", ".bin", ".js")))
    assert max(contents.values()) == 1
    for name, place in shipped.items():
        assert wheel.read(place) == (ROOT / name).read_bytes(), name


def test_it_takes_two_names_of_an_environment_and_starts_from_one(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}
    assert tops == {"mips_core", "mips_explorer"}
    [entry] = [n for n in wheel.namelist() if n.endswith("entry_points.txt")]
    assert "mips-explorer = mips_explorer.run:command" in wheel.read(entry).decode()


def test_it_runs_where_it_is_unpacked(wheel, tmp_path):
    """The library reads what is shipped from it, and the command knows itself."""
    wheel.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from mips_explorer import run\n"
        "from mips_core.data import catalog\n"
        "sys.argv = ['mips-explorer', '--version']; run.command()\n"
        "assert catalog.shipped('glove-6b-50d').n == 20000\n"
        "from pages._ui.text import documents; assert documents.parts_of('tour')\n"
        "import pages, mips_core\n"
        "print(catalog.DATA, *pages.__path__, mips_core.__file__, sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said, *places = done.stdout.splitlines()
    assert said == f"MIPS Explorer {PROJECT['version']}"
    assert all(place.startswith(str(tmp_path)) for place in places)


def lines(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]


def test_it_asks_for_what_the_requirements_name():
    assert PROJECT["dependencies"] == lines("requirements.txt")
    assert PROJECT["optional-dependencies"]["peers"] == lines("requirements-peers.txt")
    assert PROJECT["optional-dependencies"]["scale"] == lines("requirements-scale.txt")

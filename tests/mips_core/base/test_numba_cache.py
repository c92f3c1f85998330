"""The kernels load where numba can keep nothing: no home, and a package that is not ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from mips_core.base import numba_cache

ROOT = Path(__file__).parents[3]
ASK = """
import os, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from mips_core.base.kernels import row_norms
print(row_norms(np.eye(3, dtype=np.float32)))
print(os.environ["NUMBA_CACHE_DIR"])
from mips_core.__main__ import main
main(["indexes"])
"""


def test_kernels_load_where_nothing_can_be_written_and_leave_nothing_behind(tmp_path):
    shutil.copytree(
        ROOT / "mips_core", tmp_path / "mips_core", ignore=shutil.ignore_patterns("__pycache__")
    )
    folders = [path for path in (tmp_path / "mips_core").rglob("*") if path.is_dir()]
    for folder in [tmp_path / "mips_core", *folders]:
        (folder / "__pycache__").write_text("a file in the place of a folder, even for root")
    blocked = str(tmp_path / "mips_core" / "__pycache__")
    environment = {**os.environ, "HOME": blocked, "XDG_CACHE_HOME": blocked}
    environment.pop("NUMBA_CACHE_DIR", None)
    ended = subprocess.run(
        [sys.executable, "-B", "-c", ASK, str(tmp_path)],
        capture_output=True, text=True, env=environment, cwd="/", timeout=300,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    norms, folder, *listed = ended.stdout.splitlines()
    assert any("flat-kmeans" in line for line in listed)
    assert "Compiled code is not kept, so each start takes longer" in ended.stderr
    assert norms == "[1. 1. 1.]"
    assert folder
    assert not Path(folder).exists()


def test_where_compiled_code_is_kept_nothing_is_said():
    assert numba_cache.told() == ""


def test_numba_is_left_alone_where_it_can_keep_what_it_compiles(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert numba_cache.folder_for(tmp_path) is None
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert numba_cache.folder_for(blocked) is None  # the user's cache folder serves
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert numba_cache.folder_for(blocked) is None  # somebody has chosen


def test_a_child_is_given_the_folder_of_its_parent(monkeypatch, tmp_path):
    package = tmp_path / "somebodys"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert numba_cache.environment_for("somebodys") == {}
    shutil.rmtree(package / "__pycache__")
    (package / "__pycache__").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(package / "__pycache__"))
    given = numba_cache.environment_for("somebodys")
    assert Path(given["NUMBA_CACHE_DIR"]).is_dir()
    assert numba_cache.environment_for("somebodys") == given
    assert numba_cache.environment_for("no_such_package") == {}


KERNEL = """
import sys
import mips_core
from numba import njit, core
if "full" in sys.argv:
    def no_room(*_):
        raise OSError(28, "No space left on device")
    core.caching.IndexDataCacheFile._open_for_write = no_room
@njit(cache=True)
def twice(x):
    return 2 * x
print(twice(10.5 if "half" in sys.argv else 21), sum(twice.stats.cache_hits.values()))
"""


def run_kernel(folder, *words):
    """What the kernel gives, and whether it was found compiled."""
    if not (folder / "kernel.py").exists():
        (folder / "kernel.py").write_text(KERNEL)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("NUMBA_CACHE_DIR", None)
    ended = subprocess.run(
        [sys.executable, str(folder / "kernel.py"), *words],
        capture_output=True, text=True, env=environment, timeout=300,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def test_what_was_damaged_is_compiled_anew_and_kept(tmp_path):
    assert run_kernel(tmp_path) == ["42", "0"]
    assert run_kernel(tmp_path) == ["42", "1"]
    for kind, damage in (("nbi", b""), ("nbi", b"\0" * 4096), ("nbc", b"half of it")):
        [file] = (tmp_path / "__pycache__").glob(f"*.{kind}")
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if damage == b"half of it" else damage)
        assert run_kernel(tmp_path) == ["42", "0"], (kind, damage)
        assert run_kernel(tmp_path) == ["42", "1"]


def test_what_was_kept_for_other_arguments_is_compiled_anew(tmp_path):
    """Two processes that compile one kernel at the same moment may give both one file."""
    assert run_kernel(tmp_path) == ["42", "0"]
    assert run_kernel(tmp_path, "half") == ["21.0", "0"]
    whole, half = sorted((tmp_path / "__pycache__").glob("*.nbc"))
    half.write_bytes(whole.read_bytes())
    assert run_kernel(tmp_path, "half") == ["21.0", "0"]
    assert run_kernel(tmp_path, "half") == ["21.0", "1"]
    assert run_kernel(tmp_path) == ["42", "0"]
    assert run_kernel(tmp_path) == ["42", "1"]


def test_on_a_full_disk_kernels_work_and_are_not_kept(tmp_path):
    assert run_kernel(tmp_path, "full") == ["42", "0"]
    assert run_kernel(tmp_path, "full") == ["42", "0"]

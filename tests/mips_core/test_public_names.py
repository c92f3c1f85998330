"""The public names are imported when they are used, and mean what they say."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mips_core

ROOT = Path(mips_core.__file__).parents[1]
STUB = ast.parse((ROOT / "mips_core/__init__.pyi").read_text(encoding="utf-8"))
HOME = {
    alias.name: node.module
    for node in STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_each_name_is_there_and_of_the_module_it_is_said_to_be_from():
    for name in mips_core.__all__:
        value = getattr(mips_core, name)
        assert name in dir(mips_core)
        if hasattr(value, "__module__"):
            assert value.__module__.startswith(f"mips_core.{HOME[name].split('.')[0]}")


def test_editors_and_types_see_the_same_names():
    aliases = [a for node in STUB.body if isinstance(node, ast.ImportFrom) for a in node.names]
    assert all(alias.asname == alias.name for alias in aliases)  # else it is not seen outside
    assert len(aliases) == len(HOME)
    assert HOME.keys() == set(mips_core.__all__)


def test_importing_the_package_is_quick():
    slow = "'numba', 'numpy', 'scipy', 'plotly', 'pyarrow'"
    assert run(f"import mips_core, sys; print({{{slow}}} & {{*sys.modules}})") == "set()"


def test_a_function_is_not_hidden_by_the_module_of_its_name():
    for first in (
        "import mips_core.methods.search, mips_core.evaluation.evaluate",
        "from mips_core import search",
    ):
        named = "print(callable(mips_core.search), callable(mips_core.evaluate))"
        assert run(f"{first}\nimport mips_core\n{named}") == "True True"
    code = "from mips_core import *\nfrom mips_core.base import limits\nprint(search, limits.MAX_K)"
    assert run(code).startswith("<function search")


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="attribute nothing"):
        _ = mips_core.nothing

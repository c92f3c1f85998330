"""Every limit is declared once, read somewhere, set by its variable, and told in docs/limits.md."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mips_core.base import limits
from mips_core.base.errors import ParamError

SOURCE = Path(limits.__file__)
HOME = SOURCE.parents[2]
FIXED = ("MAX_K", "MAX_SEED", "ZERO_NORM", "MAX_MAGNITUDE", "MAX_EARLIER_BYTES")
FILES = [
    path
    for folder in ("mips_core", "pages", "benchmarks")
    for path in (HOME / folder).rglob("*.py")
    if path != SOURCE
]
TREES = [ast.parse(path.read_text()) for path in FILES]
NAMES = {
    name
    for tree in TREES
    for node in ast.walk(tree)
    for name in (
        [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom)
        else [getattr(node, "attr", "")]
    )
}
TEXTS = "\n".join(
    node.value
    for tree in TREES
    for node in ast.walk(tree)
    if isinstance(node, ast.Constant) and isinstance(node.value, str)
)
PAGE = (HOME / "docs" / "limits.md").read_text()
ROWS = {row[0]: row for row in (
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines() if line.startswith("| `")
)}  # fmt: skip


def test_each_row_of_the_table_is_a_limit():
    lines = [line for line in limits.TABLE.splitlines() if "_" in line.partition(" ")[0]]
    assert len(lines) == len(limits.LIMITS)


@pytest.mark.parametrize("name", [*limits.LIMITS, *FIXED])
def test_a_limit_is_read_somewhere_and_is_a_number(name):
    assert name in NAMES
    assert getattr(limits, name) >= 0


@pytest.mark.parametrize("name", limits.LIMITS)
def test_the_page_says_of_each_what_is_declared_and_what_a_person_sees(name):
    usual, least, most, what = limits.LIMITS[name]
    assert least <= usual <= most
    numbers = [limits.in_words(name, value) for value in (usual, least, most)]
    expected = [f"`MIPS_{name}`", numbers[0], f"{numbers[1]} to {numbers[2]}", what]
    variable, *cells, seen = ROWS[f"`MIPS_{name}`"]
    assert [variable, *cells] == expected
    for words in re.findall(r"“(.+?)”", seen):
        for part in filter(None, map(str.strip, words.split("…"))):
            assert part in TEXTS, f"{part} is said nowhere"


def test_the_page_has_no_other_rows():
    assert set(ROWS) == {f"`MIPS_{name}`" for name in limits.LIMITS}


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("MAX_FILES", "500", 500),
        ("MAX_FILES", " ", 20_000),
        ("MAX_FILE_BYTES", "500MB", 500 * 2**20),
        ("MAX_FILE_BYTES", "2 GB", 2**31),
        ("MAX_FILE_BYTES", "1048576", 2**20),
    ],
)
def test_a_limit_is_set_by_its_variable(variable, text, value):
    assert limits.value_of(variable, {f"MIPS_{variable}": text}) == value


@pytest.mark.parametrize("text", ["x", "0", "-5", "1.5", "1e9", "99999999999", "٣", "500 apples"])
def test_what_is_no_such_number_is_refused_in_words(text):
    with pytest.raises(ParamError) as refused:
        limits.check({"MIPS_MAX_FILES": text})
    assert f"MIPS_MAX_FILES is {text!r}" in str(refused.value)
    assert "1 to 1,000,000; usual is 20,000" in str(refused.value)


def test_a_name_that_no_limit_has_is_refused():
    limits.check({"MIPS_EXPLORER_KEEP": "3", "HOME": "/"})
    with pytest.raises(ParamError, match=r"MIPS_MAX_FILLES is no limit"):
        limits.check({"MIPS_MAX_FILLES": "3"})


def test_commands_start_with_what_is_set_and_refuse_what_is_not_a_number():
    code = "from mips_core.base.limits import MAX_FILES; print(MAX_FILES)"
    told = [_run("-c", code, MIPS_MAX_FILES=text).stdout for text in ("7", "seven")]
    assert told == ["7\n", "20000\n"]
    refused = _run("-m", "mips_core", "indexes", MIPS_MAX_FILES="seven")
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: MIPS_MAX_FILES is 'seven'")


def _run(*arguments, **variables):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=HOME,
        env=os.environ | variables, check=False,
    )  # fmt: skip


def test_a_child_process_is_told_what_is_set(monkeypatch):
    monkeypatch.setenv("MIPS_MAX_FILES", "7")
    assert limits.set_here() == {"MIPS_MAX_FILES": "7"}

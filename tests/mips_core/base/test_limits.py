"""Every limit is a number above 0 that something reads, and says what it is."""

import ast
from pathlib import Path

import pytest

from mips_core.base import limits

SOURCE = Path(limits.__file__)
BODY = ast.parse(SOURCE.read_text()).body[1:]
LINES = SOURCE.read_text().splitlines()
LIMITS = {n.targets[0].id: n for n in BODY if isinstance(n, ast.Assign)}
CODE = "\n".join(
    path.read_text()
    for folder in (SOURCE.parents[1], SOURCE.parents[2] / "pages", SOURCE.parents[2] / "benchmarks")
    for path in folder.rglob("*.py")
    if path != SOURCE
)


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_read_somewhere_and_explained(name):
    assert getattr(limits, name) > 0
    assert name in CODE
    above, line = LINES[LIMITS[name].lineno - 2 : LIMITS[name].lineno]
    _, mark, words = line.partition("  # ")
    assert words if mark else above.startswith("# ") and above[-1] in "."

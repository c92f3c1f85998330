"""Imports point one way; pages, files and functions stay short. Checked, not hoped for."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = [  # a core module imports only from modules of an earlier line, or its own folder
    {"base"},
    {"data", "methods"},
    {"evaluation"},
    {"groups", "serving"},
    {"studies"},
    {"exact"},
    {"clustering"},
    {"probing"},
    {"indexes", "readers"},
    {"ratings", "tree_softmax"},
    {"clusters", "projection", "retrieval"},
    {"asking"},
    {"following", "misses"},
    {"diagnosis", "difference", "rivals", "store", "tuning"},
    {"clock", "drift", "runs", "scaling"},
    {"figures"},
    {"report"},
    {"commands"},
    {"__main__"},
]
LONGER = {  # than 250 lines, and why; at most five
    "mips_core/data/readers/arrays/named_arrays.py": "one idea, and long paths of imports",
}
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
CORE = [p for p in sorted(ROOT.glob("mips_core/**/*.py")) if p != ROOT / "mips_core/__init__.py"]
PAGES = sorted(ROOT.glob("pages/*.py"))
SHELL = sorted(ROOT.glob("pages/_ui/**/*.py"))


def name_of(path):
    return str(path.relative_to(ROOT))


@cache
def tree_of(path):
    """Its syntax tree."""
    return ast.parse(path.read_text())


def imports(path):
    """Dotted names of everything a file imports."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_the_core_looks_only_upstream(path):
    own = path.relative_to(ROOT / "mips_core").parts[0].removesuffix(".py")
    assert own in RANK, f"give {own} its place in ORDER"
    for name in imports(path):
        top, *rest = name.split(".")
        assert top not in {"streamlit", "pages", "app"}
        assert top != "plotly" or own == "figures"
        if top == "mips_core" and rest[0] != own:
            assert RANK[rest[0]] < RANK[own], f"{own} may not import {rest[0]}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_pages_are_thin_and_independent(path):
    for name in imports(path):
        assert not name.startswith(("numba", "plotly", "app"))
        assert name.startswith("pages._ui") or not name.startswith("pages")
    assert len(path.read_text().splitlines()) <= 120


def test_only_the_session_touches_application_state_and_the_address():
    for path in PAGES + SHELL:
        if path.name != "session.py":
            assert "session_state" not in path.read_text(), path
            assert "query_params" not in path.read_text(), path


@pytest.mark.parametrize("path", CORE + PAGES + SHELL, ids=name_of)
def test_files_and_functions_stay_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 250 or name_of(path) in LONGER
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 45, f"{node.name} in {path.name}"

"""Imports point one way; pages, files and functions stay short. Checked, not hoped for."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = [  # a core module imports only from rooms of an earlier line, or its own
    {"base"},
    {"data", "methods"},
    {"evaluation"},
    {"groups", "serving"},
    {"studies"},
    {"figures"},
    {"report"},
    {"commands"},
    {"__main__"},
]
SHARED = ["text", "work", "state", "elements", "parts"]  # of pages/_ui, in the same order
SHELL_MODULES = {"main", "warmup"}  # over all rooms of pages/_ui
LONGER = {  # than 250 lines, and why; at most five
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


@pytest.mark.parametrize("path", SHELL, ids=name_of)
def test_rooms_of_the_pages_look_only_upstream_and_pages_not_at_each_other(path):
    own = path.relative_to(ROOT / "pages/_ui").parts[0].removesuffix(".py")
    for name in imports(path):
        if name.startswith("pages._ui.") and own not in SHELL_MODULES:
            room = name.split(".")[2]
            if own in SHARED:
                assert room in SHARED[: SHARED.index(own) + 1], f"{own} may not import {room}"
            elif own == "report":  # says what the others measured
                assert room not in SHELL_MODULES
            else:
                assert room in {*SHARED, own}, f"{own} may not import {room}"


def test_only_the_session_touches_application_state_and_the_address():
    for path in PAGES + SHELL:
        if path.name != "app_state.py":
            assert "session_state" not in path.read_text(), path
            assert "query_params" not in path.read_text(), path


@pytest.mark.parametrize("path", CORE + PAGES + SHELL, ids=name_of)
def test_files_and_functions_stay_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 250 or name_of(path) in LONGER
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 45, f"{node.name} in {path.name}"

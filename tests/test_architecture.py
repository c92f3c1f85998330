"""The house: rooms in one order, each test at the path of what it tests, one meaning a name."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = [  # a core module imports only from rooms of an earlier line, or its own
    {"base"},
    {"data", "methods"},
    {"evaluation"},
    {"groups", "serving", "scale"},
    {"studies"},
    {"figures"},
    {"report"},
    {"commands"},
    {"__main__"},
]
SHARED = ["text", "work", "state", "elements", "parts"]  # of pages/_ui, in the same order
SHELL_MODULES = {"main", "warmup"}  # over all rooms of pages/_ui
SMALL_CORE = ("base", "methods", "evaluation")  # what the paper is about
LONGER: dict[str, str] = {}  # than 250 lines: name -> why; at most five
UNMIRRORED: dict[str, str] = {}  # modules without a test at their path -> why; at most twenty
SAY_NOTHING = {"given", "following", "opening", "beside", "asked", "side", "part"}  # as names

RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
CORE = [p for p in sorted(ROOT.glob("mips_core/**/*.py")) if p != ROOT / "mips_core/__init__.py"]
PAGES = sorted(ROOT.glob("pages/*.py"))
LESSONS = sorted(ROOT.glob("pages/learn/*.py"))
SHELL = sorted(ROOT.glob("pages/_ui/**/*.py"))


def name_of(path):
    return path.relative_to(ROOT).as_posix()


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


def room_of(path):
    """Of a core module: its folder below mips_core, or its own name."""
    return path.relative_to(ROOT / "mips_core").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_the_core_looks_only_upstream(path):
    own = room_of(path)
    assert own in RANK, f"give {own} its place in ORDER"
    for name in imports(path):
        top, *rest = name.split(".")
        assert top not in {"streamlit", "pages", "app"}
        assert top != "plotly" or own == "figures"
        if top == "mips_core" and rest[0] in RANK and rest[0] != own:
            assert RANK[rest[0]] < RANK[own], f"{own} may not import {rest[0]}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_pages_are_thin_and_independent(path):
    for name in imports(path):
        assert not name.startswith(("numba", "plotly", "app"))
        assert name.startswith("pages._ui") or not name.startswith("pages")
    assert len(path.read_text().splitlines()) <= 120


@pytest.mark.parametrize("path", LESSONS, ids=name_of)
def test_lessons_know_the_core_and_what_lessons_share_and_not_each_other(path):
    for name in imports(path):
        assert not name.startswith(("streamlit", "plotly", "app"))
        shared = ("pages._ui.parts.lesson", "pages._ui.state.session")
        assert name.startswith(shared) or not name.startswith("pages")
    drawing = path.with_suffix(".js").read_text()
    assert len(drawing.splitlines()) < 150


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


def test_no_modules_of_a_room_import_each_other_in_a_circle():
    """At import or within functions: a module stands above all that it uses."""
    paths = {name_of(p).removesuffix(".py").removesuffix("/__init__"): p for p in CORE + SHELL}
    uses = {}
    for name, path in paths.items():
        if path.name != "__init__.py":  # these hand names on
            wanted = {w.replace(".", "/") for w in imports(path)}
            wanted |= {w.rpartition("/")[0] for w in wanted}
            uses[name] = {w for w in wanted if w in paths and paths[w].name != "__init__.py"}
    while ready := [name for name, wanted in uses.items() if not wanted & uses.keys()]:
        for name in ready:
            del uses[name]
    assert not uses, f"these import each other, or one that does: {sorted(uses)}"


def test_packages_hand_on_what_others_take_from_them_and_nothing_else():
    """What one imports is what it hands on."""
    folders = ("mips_core", "pages", "tests", "benchmarks")
    code = "\n".join(p.read_text() for folder in folders for p in ROOT.glob(f"{folder}/**/*.py"))
    code += (ROOT / "mips_core/__init__.pyi").read_text().replace("from .", "from mips_core.")
    for path in ROOT.glob("mips_core/*/**/__init__.py"):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        taken = " ".join(re.findall(rf"from {package} import (\([^)]*\)|.*)", code))
        taken += " ".join(re.findall(rf"\b{path.parent.name}\.\w+", code))
        for node in tree_of(path).body:
            if isinstance(node, ast.ImportFrom) and node.module.startswith("mips_core."):
                for alias in node.names:
                    assert re.search(rf"\b{alias.name}\b", taken), f"{package}.{alias.name}"


def test_few_names_stand_side_by_side_at_the_top():
    def names(folder):
        return {p.name for p in folder.iterdir() if p.suffix in {".py", ".pyi"} or p.is_dir()}

    assert len(names(ROOT / "mips_core") - {"__pycache__"}) <= 14
    assert len(names(ROOT / "pages/_ui") - {"__pycache__"}) <= 16


def test_the_core_that_was_ordered_is_small():
    lines = sum(len(p.read_text().splitlines()) for p in CORE if room_of(p) in SMALL_CORE)
    assert lines < 10_000


def test_only_the_session_touches_application_state_and_the_address():
    for path in PAGES + LESSONS + SHELL:
        if path.name != "app_state.py":
            assert "session_state" not in path.read_text(), path
            assert "query_params" not in path.read_text(), path


@pytest.mark.parametrize("path", CORE + PAGES + LESSONS + SHELL, ids=name_of)
def test_files_and_functions_stay_short(path):
    assert len(path.read_text().splitlines()) <= 250 or name_of(path) in LONGER
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 45, f"{node.name} in {path.name}"


@pytest.mark.parametrize("path", CORE + PAGES + LESSONS + SHELL, ids=name_of)
def test_constructors_are_called_with_their_arguments_written_out(path):
    """A dict splat into one switches off the type checker."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            splat = any(k.arg is None and isinstance(k.value, ast.Dict) for k in node.keywords)
            assert not (called[:1].isupper() and splat), f"line {node.lineno}: {called}"


def test_classes_have_names_of_their_own_that_say_what_they_are():
    names = Counter()
    for path in CORE + PAGES + LESSONS + SHELL:
        assert path.stem not in SAY_NOTHING, name_of(path)
        classes = [n.name for n in tree_of(path).body if isinstance(n, ast.ClassDef)]
        names.update(name for name in classes if not name.startswith("_"))
    assert {name for name in names if name.lower() in SAY_NOTHING} == set()
    assert {name: times for name, times in names.items() if times > 1} == {}


def test_every_module_has_its_test_at_the_mirrored_path():
    def mirrored(path):
        return ROOT / "tests" / path.relative_to(ROOT).parent / f"test_{path.stem.strip('_')}.py"

    modules = [path for path in CORE + PAGES + LESSONS + SHELL if path.name != "__init__.py"]
    missing = {name_of(path) for path in modules if not mirrored(path).is_file()}
    assert missing == set(UNMIRRORED)


def test_exceptions_are_few():
    assert len(LONGER) <= 5
    assert len(UNMIRRORED) <= 20

"""The navigation: every script in pages is a page of it, and no other is named."""

import ast
import subprocess
import sys

from tests.pages.conftest import MAIN


def test_every_script_is_a_page_of_the_navigation():
    named = {
        node.right.value
        for node in ast.walk(ast.parse(MAIN.read_text()))
        if isinstance(node, ast.BinOp) and getattr(node.left, "id", "") == "PAGES"
    }
    scripts = {path.name for path in MAIN.parents[1].glob("*.py")}
    assert named == scripts, "register each page in pages/_ui/main.py"


def test_a_run_leaves_the_places_that_modules_are_found_in_alone():
    """Another thread that goes through them meanwhile would miss one, and what is found there."""
    script = (
        "import sys\n"
        "from streamlit.runtime.scriptrunner.exec_code import modified_sys_path\n"
        "from app import app\n"
        "before = list(sys.path)\n"
        "with modified_sys_path(str(app.script_path)):\n"
        "    assert sys.path == before, set(sys.path) - set(before)\n"
        "assert sys.path == before\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=MAIN.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

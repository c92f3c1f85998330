"""The navigation: every script in pages is a page of it, and no other is named."""

import ast

from tests.pages.conftest import MAIN


def test_every_script_is_a_page_of_the_navigation():
    named = {
        node.right.value
        for node in ast.walk(ast.parse(MAIN.read_text()))
        if isinstance(node, ast.BinOp) and getattr(node.left, "id", "") == "PAGES"
    }
    scripts = {path.name for path in MAIN.parents[1].glob("*.py")}
    assert named == scripts, "register each page in pages/_ui/main.py"

"""Periods in words are those that are set."""

import ast

import pytest

from mips_core.base.limits import LIMITS
from pages._ui.text.periods import period
from pages._ui.text.widgets import PAGES


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "1 second"), (90, "90 seconds"), (600, "10 minutes"), (3_600, "1 hour"),
     (5_400, "90 minutes"), (172_800, "2 days")],
)  # fmt: skip
def test_a_period_is_told_exactly(seconds, words):
    assert period(seconds) == words


def test_no_text_of_a_page_says_a_period_that_may_be_set_otherwise():
    told = [period(limit.usual) for name, limit in LIMITS.items() if name.endswith("SECONDS")]
    told.append("ten minutes")
    for file in PAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not [words for words in told if words in node.value], file.name

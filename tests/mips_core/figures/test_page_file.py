"""A page as one file: all is in it, and its policy lets its own script run and nothing else."""

import base64
import hashlib
import re

import pytest

from mips_core.figures.page_file import page_file
from tests.mips_core.figures.page_files import unpacked

HOSTILE = "</title><script>alert(1)</script>"
PROGRAM, DATA = "const here = '</script>'", bytes(range(256)) * 50


def made(**known):
    return page_file(HOSTILE, "<p>Here</p>", "p{margin:0}", PROGRAM, DATA, **known)


def test_program_and_data_come_out_as_they_went_in_the_same_bytes_each_time():
    outside, program, data = unpacked(made())
    assert (program, data) == (PROGRAM, DATA)
    assert "<p>Here</p>" in outside
    assert made() == made()


def test_the_one_script_that_may_run_is_its_own():
    outside, _, _ = unpacked(made())
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', outside)
    [script] = re.findall(r"<script>(.*?)</script>", outside, re.S)  # the title's is text
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' blob:;" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    assert "unsafe-eval" in made(makes_programs=True).decode()


@pytest.mark.parametrize("words", ["<noscript>", "needs a browser of 2023"])
def test_who_cannot_open_it_is_told(words):
    assert words in made().decode()

"""The command on small data: killed and started again it ends with the same bytes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.commands import paper
from mips_core.studies.paper.run import PaperResult
from tests.mips_core.studies.paper.paper_cases import few

SCRIPT = """
import pytest, sys
from tests.mips_core.studies.paper.paper_cases import few
few(pytest.MonkeyPatch())
from mips_core.__main__ import main
main()
"""


@pytest.fixture
def items(tmp_path):
    path = tmp_path / "items.npy"
    np.save(path, np.random.default_rng(5).normal(size=(200, 6)).astype(np.float32))
    return path


def arguments(items, out):
    return ["paper", "--quick", "--data", str(items), "--n-queries", "48", "--out", str(out)]


def content(out):
    return {path.name: path.read_bytes() for path in Path(out).rglob("*") if path.is_file()}


def test_a_run_that_is_killed_ends_with_the_same_bytes(items, tmp_path, monkeypatch):
    few(monkeypatch)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    done = CliRunner().invoke(main, arguments(items, whole))
    assert done.exit_code == 0, done.output
    assert "of 17 claims" in done.output
    assert {"claims.json", "report.html", "scale-figure.png"} <= content(whole).keys()
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments(items, killed)], cwd=root, env=os.environ
    )
    try:
        while process.poll() is None and len(content(killed)) < 8:
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    assert not (killed / "claims.json").exists()
    again = CliRunner().invoke(main, arguments(items, killed))
    assert again.exit_code == 0, again.output
    assert content(killed) == content(whole)


def test_figures_of_what_is_known_are_written_on_the_way(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(paper, "PAUSE", -1.0)
    monkeypatch.setattr(paper, "pictures", lambda partial: [partial])
    monkeypatch.setattr(paper, "picture_files", lambda drawn, png: [("a.svg", b"svg")])
    monkeypatch.setattr(paper.output, "write_file", lambda out, content: written.append(out.name))
    showing = paper._Showing(tmp_path)
    showing(0.1, "a build", object())
    assert written == []
    showing(0.2, "a method", PaperResult((), None, quick=True))
    assert written == ["a.svg"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("nowhere.npy", "nowhere.npy was not found"),
        ("word2vec=nowhere.npy", "nowhere.npy was not found"),
        (".", "holds no files"),
    ],
)
def test_what_is_no_data_is_told(tmp_path, data, said):
    (tmp_path / "empty").mkdir()
    name = str(tmp_path / "empty") if data == "." else data
    done = CliRunner().invoke(main, ["paper", "--out", str(tmp_path / "x"), "--data", name])
    assert done.exit_code == 1
    assert said in done.output
    assert "Traceback" not in done.output

"""The command that times searches by the clock."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.serving.other_libraries import contract
from tests.mips_core.studies.wall_clock.clock_cases import dataset

# The command


@pytest.fixture
def command(tmp_path):
    np.save(tmp_path / "items.npy", dataset().items)

    def call(*arguments):
        places = [a.replace("@", f"{tmp_path}/") for a in arguments]
        return CliRunner().invoke(
            main, ["clock", "@items.npy".replace("@", f"{tmp_path}/"), *places]
        )

    return call


def test_the_command_prints_a_table_and_writes_json(command, tmp_path, monkeypatch):
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    done = command(
        "--index", "flat-kmeans", "--set", "n_clusters=10,30", "--precision", ".8", "--k", "5",
        "--n-queries", "40", "--out", "@o.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "o.json").read_text())
    assert [row["key"] for row in report["rows"]] == ["exact", "product", "flat-kmeans"]
    assert (report["K"], report["target"], report["m_scored"]) == (5, 0.8, 20)
    lines = done.output.splitlines()
    assert lines[0] == "items: 500 items of 6 dimensions, by inner product"
    assert re.search(r"python \d.*, numpy \d", lines[1])
    assert re.fullmatch(r"\d+ processors?, \d+ threads?", lines[2])
    assert max(map(len, lines[: lines.index("", 7)])) <= 80
    assert sum(re.search(r"[\d.]+ ± [\d.]+.*×", line) is not None for line in lines) == 3
    assert lines[-3:] == [
        "faiss is not installed. pip install faiss-cpu adds its timings.",
        "hnswlib is not installed. pip install hnswlib adds its timings.",
        "scann is not installed. pip install scann adds its timings.",
    ]


def test_several_precisions_are_timed_one_after_another(command, tmp_path, monkeypatch):
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    done = command(
        "--index", "largest-norm", "--precision", ".8", "--precision", ".5", "--k", "5",
        "--n-queries", "40", "--out", "@o.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "o.json").read_text())
    assert [timed["target"] for timed in report["precisions"]] == [0.8, 0.5]
    assert re.findall(r"At a precision of ([.\d]+)", done.output) == ["0.8", "0.5"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--index", "annoy"], "no index 'annoy'"),
        (["--index", "exact", "--precision", "0"], "is not in the range 0<x<=1"),
        (["--index", "exact", "--k", "0"], "--k 0 is outside"),
        (["--index", "exact", "--out", "@no/such.json"], "cannot be written"),
    ],
)
def test_the_command_says_what_is_wrong(command, arguments, words):
    done = command(*arguments)
    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert words in done.output

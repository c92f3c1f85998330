"""Methods under noise by command: what the library gives, in lines and as JSON."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.noise import noisy_queries
from mips_core.studies.robustness import robustness, rows
from tests.mips_core.studies.norm_data import SIGMAS, random_dataset


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", random_dataset().items)

    def call(*arguments):
        return CliRunner().invoke(main, ["noise", str(tmp_path / "items.npy"), *arguments])

    return call


def test_the_command_gives_what_the_library_does(run, tmp_path):
    done = run(
        "--index", "flat-kmeans", "--set", "n_clusters=10,40", "--speedup", "5", "--k", "5",
        "--sigma", "0.5,0,0.2", "--seed", "2,7", "--n-queries", "60",
        "--out", str(tmp_path / "out.json"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS, seed=2)
    indexes = [FlatKMeans(n_clusters=k) for k in (10, 40)]
    methods = robustness(dataset, noisy, indexes, 5, 5, (2, 7))
    report = json.loads((tmp_path / "out.json").read_text())
    due = rows(dataset, noisy, methods, 5)
    assert [{**row, "data": ""} for row in report["rows"]] == [{**row, "data": ""} for row in due]
    assert report["queries"] == {"asked": 60, "dropped": 0, "scored": 30}
    assert report["rms"] == noisy.rms
    assert "30 to choose settings, 30 to score them" in done.output
    (method,) = methods
    half = 100 * method.half_interval("clean")[2]
    assert f"{100 * method.precision('clean')[2]:.1f} ± {half:.1f}" in done.output
    assert "range over 2 seeds" in done.output
    assert max(map(len, done.output.splitlines())) <= 80


def test_the_command_tries_the_default_grid_and_tells_what_is_odd(run):
    done = run(
        "--index", "largest-norm", "--speedup", "5000", "--n-queries", "1", "--seed", "0",
        "--sigma", "0.1",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for said in (
        "1 query, fewer than 20: settings are chosen and scored on the same",
        "the nearest to 5000×",
    ):
        assert said in done.output
    assert "seeds" not in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sigma", "-1"), r"The noise σ is -1. Allowed: numbers from 0 to 10"),
        (("--sigma", "nan"), r"The noise σ is nan"),
        (("--sigma", "a"), r"'a': give numbers joined by commas"),
        (("--speedup", "0"), r"The speedup is 0"),
        (("--k", "0"), r"--k 0 is outside 1 to 100"),
        (("--unit", "percent"), r"'percent' is not one of"),
        (("--set", "n_cluster=5"), r"no parameter 'n_cluster'"),
        (("--seed", "-1"), r"--seed -1 is below 0"),
    ],
)
def test_the_command_refuses_in_words(run, arguments, words):
    done = run("--index", "flat-kmeans", *arguments)
    assert done.exit_code != 0
    assert isinstance(done.exception, SystemExit)
    assert re.search(words, done.output), done.output

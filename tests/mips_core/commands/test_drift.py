"""The command that measures changes, or takes a later version."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from tests.mips_core.studies.drift.drift_cases import data


@pytest.fixture
def run(tmp_path):
    def call(*arguments, index="flat-kmeans"):
        np.save(tmp_path / "items.npy", data().items)
        given = ["drift", str(tmp_path / "items.npy"), "--index", index, "--n-queries", "30"]
        return CliRunner().invoke(main, [*given, *arguments])

    return call


def test_the_command_says_it_and_writes_it(run, tmp_path):
    out = tmp_path / "out.json"
    done = run("--shares", "0.1,1", "--sizes", "1", "--effort", "2", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "Changes are simulated" in done.stdout
    assert "**" not in done.stdout
    assert "30 queries, 5 builds at 2 probes. Intervals" in done.stdout
    assert max(map(len, done.stdout.split("Moved by 1 rms")[1].splitlines()[:8])) <= 80
    assert len(json.loads(out.read_text())["rows"]) == 6


def test_the_command_takes_a_later_version(run, tmp_path):
    np.save(tmp_path / "later.npy", np.concatenate([data().items * 1.1, data(seed=8).items]))
    done = run("--new", str(tmp_path / "later.npy"))
    assert done.exit_code == 0, done.output
    assert "Matched by row number, 120 items moved, 120 are new, 0 left" in done.stdout
    assert "longer than any was" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--shares", "2"), "share of changes is 2"),
        (("--shares", "x"), "give numbers joined by commas"),
        (("--tolerance", "2"), "tolerance is 2"),
        (("--effort", "0"), "0 is not in the range x>=1"),
        (("--set", "n_clusters=2,4"), "2 settings were given"),
        (("--index", "srp-hash"), "2 settings were given"),
    ],
)
def test_the_command_refuses_in_words(run, arguments, said):
    done = run(*arguments)
    assert done.exit_code
    assert said in done.output


def test_the_command_refuses_a_method_without_centroids(run):
    said = run(index="srp-hash").output
    assert "SRP-hash cannot be updated" in said
    assert "These can be updated: Flat k-means, Norm head + k-means, " in said

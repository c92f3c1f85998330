"""Runs on the command line: kept by curve, held against each other by runs."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.studies.runs import difference_of, read_runs
from mips_core.studies.runs.wording import in_words


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(0)
    np.save(folder / "items.npy", rng.normal(size=(300, 5)).astype(np.float32))
    asked = ["--set", "flat-kmeans.n_clusters=8,30", "--k", "1,10", "--n-queries", "60"]
    kept = folder / "kept.run.json"
    done = invoke(
        *("curve", folder / "items.npy", "--index", "flat-kmeans", "--index", "ip-tree"),
        *(*asked, "--run", kept, "--out", folder / "curves.json"),
    )
    assert done.exit_code == 0, done.output
    return kept


def invoke(*arguments):
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_curve_keeps_what_it_reports(file):
    runs = read_runs(file)
    assert [run.index.key for run in runs] == ["flat-kmeans"] * 2 + ["ip-tree"] * 2
    assert [run.ks for run in runs] == [(1, 10), (1, 10), (1,), (10,)]
    report = json.loads((file.parent / "curves.json").read_text())
    assert report["curves"] == [run.curve.as_dict() for run in runs]
    assert report["dataset"]["fingerprint"] == runs[0].data.fingerprint == runs[0].data.source


def test_runs_says_what_the_library_says(file, tmp_path):
    from mips_core.studies.runs import common_speedup, save_runs

    both, out = tmp_path / "both.run.json", tmp_path / "out.json"
    save_runs(both, read_runs(file)[:2])
    done = invoke("runs", both, "--out", out)
    assert done.exit_code == 0, done.output
    runs = read_runs(both)
    compared = difference_of(runs, 10, common_speedup(runs, 10), 0.9)
    assert done.output.splitlines()[:2] == in_words(compared)
    assert "  Clusters: 8 | 30" in done.output
    written = json.loads(out.read_text())
    assert written["differences"][0]["mean"] == compared.settled[0].mean
    assert written["settings"] == {"Clusters": ["8", "30"]}


def test_runs_of_another_k_stand_side_by_side(file):
    done = invoke("runs", file, "--k", 10, "--speedup", 3)
    assert "no winner is named" in done.output
    assert "not measured at K = 10" in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--speedup", "0"), "Give a number above 0"),
        (("--precision", "2"), "Give a share from 0 to 1"),
    ],
)
def test_numbers_that_cannot_be_are_refused(file, arguments, said):
    done = invoke("runs", file, *arguments)
    assert done.exit_code == 1
    assert said in done.output


def test_a_file_that_is_no_file_of_runs_is_refused(file, tmp_path):
    (tmp_path / "other.json").write_text("{}")
    assert "is no file of runs" in invoke("runs", file, tmp_path / "other.json").output
    assert "cannot be read" in invoke("runs", tmp_path / "nothing.json").output

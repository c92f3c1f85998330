"""python -m mips_core compare: same numbers as the library, words, and errors in one line."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import Dataset
from mips_core.__main__ import main
from mips_core.commands.arguments import indexes_to_try
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.comparison import compare_at_precision, compare_at_speedup

X = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float32)
Q = np.random.default_rng(1).normal(size=(60, 6)).astype(np.float32)
BOTH = ("--index", "flat-kmeans", "--index", "hierarchical-kmeans")
FEW = ("--set", "flat-kmeans.n_clusters=8,20", "--set", "hierarchical-kmeans.n_clusters=40")
INDEXES = (
    [FlatKMeans(n_clusters=8), FlatKMeans(n_clusters=20)],
    [HierarchicalKMeans(n_clusters=40)],
)


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)

    def call(*arguments):
        texts = ("compare", "@items.npy", "--queries", "@queries.npy", *arguments)
        return CliRunner().invoke(main, [text.replace("@", f"{tmp_path}/") for text in texts])

    return call


def test_the_report_is_what_the_library_finds(run, tmp_path):
    done = run(*BOTH, *FEW, "--speedup", "5", "--k", "5", "--seed", "0,1,2", "--out", "@out.json")
    assert done.exit_code == 0, done.output
    dataset = Dataset(X, Q)
    found = compare_at_speedup(dataset, *INDEXES, 5, 5.0)
    told = json.loads((tmp_path / "out.json").read_text())
    assert told["dataset"]["fingerprint"] == dataset.fingerprint
    assert told["asked"] == {"speedup": 5.0}
    assert told["queries"] == {"choosing": 30, "scored": 30}
    assert told["difference"]["by_seed"] == list(found.difference.by_seed)
    assert told["difference"]["interval"] == [found.difference.low, found.difference.high]
    for method, solved, one in zip(told["methods"], found.solved, found.scored, strict=True):
        assert method["index"]["key"] == solved.setting.index.key
        assert method["index"]["n_clusters"] == solved.setting.index.n_clusters
        assert method["chosen"]["reached"] == solved.reached
        assert [seed["precision"] for seed in method["seeds"]] == list(one.precisions)
        assert [seed["speedup"] for seed in method["seeds"]] == list(one.speedups)
    labels = [solved.setting.index.label for solved in found.solved]
    assert found.reached
    assert done.output.startswith(found.difference.in_words(*labels, "5×"))
    for one in found.scored:
        assert one.setting.in_words(400) in done.output
    assert "Chosen on 30 queries, scored on 30 others." in done.output


def test_without_settings_the_grids_are_tried(run):
    dataset = Dataset(X, Q)
    assert indexes_to_try(["flat-kmeans"], [], dataset) == list(FlatKMeans.grid(400, 6))
    mixed = indexes_to_try(["flat-kmeans", "hierarchical-kmeans"], FEW[1:2], dataset)
    assert mixed == [*INDEXES[0], *HierarchicalKMeans.grid(400, 6)]


def test_at_a_precision_both_say_what_they_save(run):
    done = run(*BOTH, *FEW, "--precision", "0.8", "--k", "5")
    found = compare_at_precision(Dataset(X, Q), *INDEXES, 5, 0.8)
    speedups = found.scored[0].speedups
    assert f"has a speedup of {min(speedups):.3g} to {max(speedups):.3g}×" in done.output
    assert "At these settings, " in done.output


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--speedup", "200"), r"Flat k-means has no setting of 180× to 240×; the nearest is \d"),
        (("--precision", "1"), r"SRP-hash does not reach 1; its best is 0\.\d{3}"),
    ],
)
def test_what_a_method_cannot_reach_is_told_and_no_winner_named(run, tmp_path, asked, words):
    indexes = ("--index", "flat-kmeans", "--index", "srp-hash")
    few = ("--set", "n_clusters=8", "--set", "srp-hash.n_tables=1")
    done = run(*indexes, *few, *asked, "--out", "@out.json")
    assert done.exit_code == 0, done.output
    assert re.search(words, done.output), done.output
    assert "the two are not held against each other" in done.output
    assert "keeps" not in done.output
    assert json.loads((tmp_path / "out.json").read_text())["difference"]["winner"] is None


def test_one_build_names_no_winner_and_few_queries_are_not_split(run, tmp_path):
    np.save(tmp_path / "few.npy", Q[:15])
    done = run(*BOTH, *FEW, "--queries", "@few.npy", "--speedup", "5", "--seed", "1")
    assert "1 build of each" in done.output
    assert "on the same 15 queries: there are fewer than 20" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--index", "exact"), "Two indexes are compared, not 1. Give --index twice"),
        (("--index", "all"), r"Two indexes are compared, not \d\d"),
        ((*BOTH, "--speedup", "5", "--precision", "0.9"), "were both given"),
        ((*BOTH, "--speedup", "-1"), "speedup is -1"),
        ((*BOTH, "--precision", "90"), "precision is 90. Give a share from 0 to 1"),
        ((*BOTH, "--k", "0"), "--k 0 is outside 1 to 100"),
        ((*BOTH, "--seed", "-1"), "--seed -1 is below 0"),
        ((*BOTH, "--set", "pca-tree.depth=3"), "Add --index pca-tree"),
        ((*BOTH, "--out", "@no/such/place.json"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run, arguments, words):
    done = run(*arguments)
    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert re.search(words, done.output), done.output

"""python -m mips_core build: the index of the library in a file, and refusals in one line."""

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import Dataset, evaluate, load, rng_for, searched_by, truth_of
from mips_core.__main__ import main
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.search import search

X = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float32)
Q = np.random.default_rng(1).normal(size=(60, 6)).astype(np.float32)
FLAT = ("--index", "flat-kmeans", "--set", "n_clusters=12")


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)

    def call(*arguments):
        return CliRunner().invoke(
            main, ["build", *(a.replace("@", f"{tmp_path}/") for a in arguments)]
        )

    return call


def test_the_file_holds_the_index_of_the_library(run, tmp_path):
    done = run("@items.npy", *FLAT, "--seed", "3", "--effort", "4", "--out", "@a.mips")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"Written: {tmp_path}/a.mips, ")
    assert done.stdout.endswith("Flat k-means, 12 clusters, 4 probes; 400 items of 6 dimensions.\n")
    stored, index = load(tmp_path / "a.mips"), FlatKMeans(n_clusters=12)
    assert (stored.index, stored.seed, stored.effort, stored.name) == (index, 3, 4, "items")
    searcher = index.searcher(index.build(X, rng_for(3)))
    for found, expected in zip(stored.search(Q, 5), search(searcher, X, Q, 5, 4), strict=True):
        assert np.array_equal(found, expected)


def test_an_effort_is_chosen_on_queries_and_judged_on_others(run, tmp_path):
    done = run(
        "@items.npy", "--queries", "@queries.npy", *FLAT, "--precision", "0.7", "--k", "5",
        "--metric", "cosine", "--out", "@a.mips",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "On queries it has not seen it finds" in done.stdout
    stored = load(tmp_path / "a.mips")
    dataset = searched_by(Dataset(X, Q), "cosine")
    assert (stored.metric, stored.fingerprint) == ("cosine", dataset.fingerprint)
    curve = evaluate(stored.index, stored.searcher, truth_of(dataset), 0, K=5).curve((5,))
    at = list(stored.searcher.efforts()).index(stored.effort)
    assert curve.precision(5)[at] >= 0.7


def test_a_precision_that_nothing_holds_writes_nothing(run, tmp_path):
    done = run(
        "@items.npy", "--index", "wta-hash", "--set", "n_tables=1", "--precision", "0.99",
        "--out", "@a.mips",
    )  # fmt: skip
    assert done.exit_code == 1
    assert "No setting reaches 0.99" in done.output
    assert "The best is" in done.output
    assert done.output.endswith("Nothing was written.\n")
    assert not (tmp_path / "a.mips").exists()


def test_without_items_the_file_holds_none(run, tmp_path):
    done = run("@items.npy", *FLAT, "--no-items", "--out", "@a.mips")
    assert done.exit_code == 0, done.output
    assert "12 clusters, no effort chosen; 400 items" in done.stdout
    stored = load(tmp_path / "a.mips")
    assert (stored.items, stored.effort) == (None, None)
    assert stored.with_items(X).search(Q, 3, 12)[0].shape == (60, 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--effort", "13"), "Effort 13 is not offered. Efforts go from 1 to 12."),
        (("--effort", "1", "--precision", "0.5"), "--effort and --precision were both given."),
        (("--precision", "1.5"), "The precision asked for is 1.5."),
        (("--precision", "0.5", "--n-queries", "9"), "There are 9 queries."),
        (("--set", "n_clusters=13"), "2 indexes were asked for. Give one --index"),
        (("--index", "nothing"), "There is no index 'nothing'."),
        (("--seed", "-1"), "--seed -1 is below 0."),
        (("--seed", "9" * 400), "A --seed is above 9223372036854775807."),
        (("--k", "0"), "--k 0 is outside 1 to 100."),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(run, tmp_path, arguments, words):
    done = run("@items.npy", *FLAT, *arguments, "--out", "@a.mips")
    assert done.exit_code == 1
    assert words in done.output
    assert not (tmp_path / "a.mips").exists()


def test_a_place_that_cannot_be_written_is_told_before_the_work(run):
    done = run("@nothing.npy", *FLAT, "--out", "@no/a.mips")
    assert done.exit_code == 1
    assert "a.mips cannot be written: No such file or directory" in done.output

"""python -m mips_core map: a page, tables and a report of the same map, and what it refuses."""

import csv
import json
import os
import re
from errno import ENOSPC

import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from mips_core import INDEXES, exact_top_k, rng_for
from mips_core.__main__ import main
from mips_core.base import cache_folder
from mips_core.commands import map_items
from mips_core.data.dataset import Dataset
from mips_core.groups.projection import (
    Layout,
    ProjectionRecipe,
    pca_layout,
    rows_of,
    trustworthiness,
)
from mips_core.methods.kmeans.flat import FlatKMeans
from tests.mips_core.figures.page_files import unpacked

rng = np.random.default_rng(0)
X = (rng.normal(size=(300, 6)) * rng.lognormal(size=(300, 1))).astype(np.float32)
Q = rng.normal(size=(40, 6)).astype(np.float32)
FEW = ("--index", "flat-kmeans", "--set", "n_clusters=12")


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)

    def call(*arguments):
        texts = ("map", "@items.npy", "--queries", "@queries.npy", *arguments)
        return CliRunner().invoke(main, [text.replace("@", f"{tmp_path}/") for text in texts])

    return call


def test_table_report_and_page_tell_the_same(run, tmp_path):
    asked = (*FEW, "--layout", "pca", "--k", "5", "--effort", "2", "--query", "7", "--seed", "3")
    for ending in ("csv", "parquet", "json", "html"):
        done = run(*asked, "--out", f"@map.{ending}")
        assert done.exit_code == 0, done.output
    table = pyarrow.parquet.read_table(tmp_path / "map.parquet").to_pydict()
    told = json.loads((tmp_path / "map.json").read_text())
    with (tmp_path / "map.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert told["items"] == table
    assert [int(line["times_missed"]) for line in lines] == table["times_missed"]
    dataset, index = Dataset(X, Q), FlatKMeans(n_clusters=12)
    searcher = index.searcher(index.build(X, rng_for(3)))
    truth, listed = exact_top_k(X, Q, 5), searcher.candidates(Q, 2, 5)
    near = [set(listed.ids[a:b]) for a, b in zip(listed.starts, listed.starts[1:], strict=False)]
    missed = [
        row for ids, found in zip(truth, near, strict=True) for row in ids if row not in found
    ]
    assert table["times_answer"] == np.bincount(truth.ravel(), minlength=300).tolist()
    assert table["times_missed"] == np.bincount(missed, minlength=300).tolist()
    assert table["cluster"] == searcher.groups()[0].tolist()
    assert table["candidate"] == [row in near[7] for row in range(300)]
    ranks = {row: rank for rank, row in enumerate(truth[7], 1)}
    assert table["true_rank"] == [ranks.get(row) for row in range(300)]
    rows = rows_of(dataset, "index", index.reduction)
    xy = pca_layout(rows)
    assert np.array_equal(np.column_stack([table["x"], table["y"]]).astype(np.float32), xy)
    assert told["layout"]["trustworthiness"] == trustworthiness(rows, xy)
    assert (told["K"], told["effort"], told["index"]["n_clusters"]) == (5, 2, 12)
    assert told["dataset"]["fingerprint"] == dataset.fingerprint
    assert sum(told["levels"][0]["sizes"]) == 300
    assert f"{len(near[7])} candidates" in done.stdout
    assert f"trustworthiness {told['layout']['trustworthiness']:.3f}" in done.stdout
    assert all(len(line) < 80 for line in done.stdout.splitlines())
    assert b"query 7" in unpacked((tmp_path / "map.html").read_bytes())[2]


def test_the_recipe_reaches_umap_and_its_note_the_reader(run, monkeypatch):
    asked = []

    def project(dataset, recipe, reduction, progress):
        asked.append(recipe)
        return Layout(pca_layout(dataset.items), "umap", note="A note.", epoch=9, epochs=9)

    monkeypatch.setattr(map_items.projection, "project", project)
    done = run(*FEW, "--n-neighbors", "7", "--min-dist", "0.5", "--space", "given", "--mode",
               "parallel", "--sample", "200", "--epochs", "30", "--seed", "4")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert asked == [ProjectionRecipe("given", 7, 0.5, 30, "parallel", 200, 4)]
    assert "300 items. UMAP layout. A note." in done.stdout


@pytest.mark.parametrize("colour", ["group", "norm", "answers", "missed"])
def test_every_colour_makes_a_page(run, tmp_path, colour):
    asked = (*FEW, "--layout", "pca", "--colour", colour, "--theme", "dark")
    done = run(*asked, "--out", "@map.html")
    assert done.exit_code == 0, done.output
    _, _, data = unpacked((tmp_path / "map.html").read_bytes())
    label = {"group": "", "norm": "Norm", "answers": "Times a true", "missed": "Times missed"}
    assert label[colour] in data.decode()


@pytest.mark.parametrize("key", sorted(INDEXES))
def test_every_index_has_a_map(run, key):
    done = run("--index", key, "--layout", "pca", "--query", "0", "--k", "3")
    assert done.exit_code == 0, done.output
    assert "of 3 true answers found" in done.stdout


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("space", ["index", "cosine", "given"])
def test_every_metric_and_space(run, metric, space):
    done = run(*FEW, "--layout", "pca", "--metric", metric, "--space", space, "--query", "1")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_items(run, tmp_path, n):
    np.save(tmp_path / "items.npy", X[:n])
    done = run("--index", "flat-kmeans", "--layout", "pca", "--query", "0", "--out", "@map.html")
    assert done.exit_code == 0, done.output
    assert f"{n} item" in done.stdout
    assert ("the nearest on the map is that in the data" in done.stdout) == (n == 3)


def test_a_layout_that_cannot_be_kept_is_shown_and_that_is_said(run, tmp_path, monkeypatch):
    np.save(tmp_path / "items.npy", X[:3])
    for place, said in (("items.npy", True), ("cache", False)):
        monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / place))
        done = run("--index", "flat-kmeans", "--layout", "umap", "--out", "@map.html")
        assert done.exit_code == 0, done.output
        assert ("This layout is not kept" in done.stderr) is said
        assert (tmp_path / "map.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*FEW, "--out", "@map.txt"), "map.txt ends in none of .html, .csv, .parquet, .json."),
        ((*FEW, "--out", "@no/such/map.csv"), "cannot be written"),
        ((*FEW, "--index", "exact"), "A map shows one index, not 2."),
        ((*FEW[:2], "--set", "n_clusters=4,5"), "A map shows one index, not 2."),
        ((*FEW, "--query", "40"), "--query 40 is not there. The last is 39, from 0."),
        ((*FEW, "--effort", "99"), "--effort 99 is not offered. Efforts go from 1 to 12."),
        ((*FEW, "--n-neighbors", "1"), "n_neighbors is 1, outside 2 to 100."),
        ((*FEW, "--mode", "fast"), "mode is fast. Allowed: reproducible, parallel."),
        ((*FEW, "--k", "0"), "--k 0 is outside 1 to 100."),
        ((*FEW, "--seed", "x"), "seed=x cannot be read."),
        (("--index", "nothing"), "There is no index 'nothing'."),
    ],
)
def test_what_cannot_be_is_refused_in_words(run, arguments, message):
    done = run(*arguments, "--layout", "pca")
    assert done.exit_code == 1, done.output
    assert message in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "html"])
def test_a_full_disk_is_told_in_words_and_leaves_the_old_file(run, tmp_path, monkeypatch, ending):
    def full(*_):
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    out = tmp_path / f"map.{ending}"
    out.write_text("old")
    monkeypatch.setattr("mips_core.base.atomic_write.os.fsync", full)  # when it is brought to disk
    done = run(*FEW, "--layout", "pca", "--out", f"@map.{ending}")
    assert done.exit_code == 1
    said = f"map.{ending} cannot be written: No space left on device. Name a file in a folder"
    assert said in done.output
    assert out.read_text() == "old"


def test_a_query_is_called_by_its_number_and_the_start_of_its_label(run, tmp_path):
    with (tmp_path / "named.jsonl").open("w") as file:
        for at, row in enumerate(X):
            label = f"\x1b[2J{at}\n" + "long " * 2000
            file.write(json.dumps({"text": label, "vector": row.tolist()}) + "\n")
    name = str(tmp_path / "named.jsonl")
    done = CliRunner().invoke(main, ["map", name, *FEW, "--layout", "pca", "--query", "7"])
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("query 7 (")]
    assert re.fullmatch(r"query 7 \(\[2J\d+ long long l[a-z ]*…\): .* true answers found", line)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (FEW, r"groups: 12 clusters"),
        (("--index", "hierarchical-kmeans"), r"levels, coarsest first: \d+ clusters, \d+ clusters"),
        (("--index", "simple-lsh", "--set", "n_tables=5"),
         r"groups: \d+ buckets? of table 1, …, \d+ buckets? of table 5"),
    ],
)  # fmt: skip
def test_levels_are_told_in_one_line(run, asked, said):
    done = run(*asked, "--layout", "pca")
    assert re.fullmatch(said, done.stdout.splitlines()[1])

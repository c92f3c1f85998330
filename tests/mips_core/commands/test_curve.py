"""Curves by command: same numbers as the library, and every combination asked for."""

import json

import pytest

from mips_core import INDEXES, Dataset, compare
from mips_core.methods.kmeans.flat import FlatKMeans
from tests.mips_core.commands.items import Q, X, curves_of


def test_a_curve_is_that_of_the_library(run, tmp_path):
    report = curves_of(
        run, tmp_path, "--queries", "@queries.npy", "--index", "flat-kmeans",
        "--set", "n_clusters=12", "--k", "1,10", "--seed", "3",
    )  # fmt: skip
    dataset = Dataset(X, Q)
    (curve,) = compare([FlatKMeans(n_clusters=12)], dataset, ks=(1, 10), seeds=(3,))
    assert report["curves"] == [curve.as_dict()]
    assert report["dataset"]["fingerprint"] == dataset.fingerprint
    assert [report["dataset"][key] for key in "ndm"] == [400, 6, 30]
    assert set(report["curves"][0]["points"][0]["precision"]) == {"1", "10"}


def test_every_combination_is_a_curve(run, tmp_path):
    report = curves_of(
        run, tmp_path, "--index", "flat-kmeans", "--index", "hierarchical-kmeans",
        "--set", "n_clusters=5,9", "--set", "hierarchical-kmeans.sizes=3x8,none", "--seed", "0,1",
    )  # fmt: skip
    settings = [
        (c["index"]["key"], c["index"]["n_clusters"], c["index"].get("sizes"), c["seed"])
        for c in report["curves"]
    ]
    flat = [("flat-kmeans", k, None, s) for k in (5, 9) for s in (0, 1)]
    tree = [
        ("hierarchical-kmeans", k, sizes, s)
        for k in (5, 9)
        for sizes in ("3x8", "none")
        for s in (0, 1)
    ]
    assert sorted(settings, key=str) == sorted(flat + tree, key=str)


def test_a_grid_tries_every_setting_of_a_method_and_all_means_every_method(run, tmp_path):
    report = curves_of(run, tmp_path, "--index", "flat-kmeans", "--grid", "--k", "10")
    tried = [curve["index"]["n_clusters"] for curve in report["curves"]]
    assert tried == [index.n_clusters for index in FlatKMeans.grid(*X.shape)]
    report = curves_of(run, tmp_path, "--index", "all", "--k", "10", "--n-queries", "5")
    assert [curve["index"]["key"] for curve in report["curves"]] == list(INDEXES)
    refused = run("curve", "@items.npy", "--index", "exact", "--grid", "--set", "a=1")
    assert "--grid and --set were both given" in refused.output


def test_without_out_the_report_is_printed(run):
    done = run("curve", "@items.npy", "--index", "exact", "--k", "1")
    assert json.loads(done.stdout)["curves"][0]["points"][0]["speedup"] == 1


def test_settings_repeat_and_aimed_ones_win(run, tmp_path):
    report = curves_of(
        run, tmp_path, "--index", "exact", "--index", "flat-kmeans",
        "--index", "hierarchical-kmeans", "--set", "flat-kmeans.n_clusters=7",
        "--set", "n_clusters=5", "--set", "n_clusters=9",
    )  # fmt: skip
    counts = [(c["index"]["key"], c["index"].get("n_clusters")) for c in report["curves"]]
    tree = "hierarchical-kmeans"
    assert counts == [("exact", None), ("flat-kmeans", 7), (tree, 5), (tree, 9)]


def test_nothing_is_computed_for_an_out_that_cannot_be_written(run, monkeypatch):
    monkeypatch.setattr("mips_core.commands.curve.compare", None)
    done = run("curve", "@items.npy", "--index", "exact", "--out", "@no/such/place.json")
    assert "cannot be written" in done.output


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_a_curve_by_another_metric_has_its_answers(run, tmp_path, metric):
    report = curves_of(
        run, tmp_path, "--queries", "@queries.npy", "--index", "exact", "--metric", metric
    )
    assert report["dataset"]["metric"] == metric
    (point,) = report["curves"][0]["points"]
    assert point["precision"]["10"] == 1

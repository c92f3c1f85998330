"""The command line: same numbers as the library, combinations, and errors in one line."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import INDEXES, Dataset, ParamError, compare
from mips_core.__main__ import main
from mips_core.commands.asked_indexes import indexes_asked
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PaperAugment, Plain

X = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float32)
Q = np.random.default_rng(1).normal(size=(30, 6)).astype(np.float32)


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)

    def call(*arguments):
        return CliRunner().invoke(main, [a.replace("@", f"{tmp_path}/") for a in arguments])

    return call


def report_of(run, tmp_path, *arguments):
    done = run("curve", "@items.npy", *arguments, "--out", "@out.json")
    assert done.exit_code == 0, done.output
    return json.loads((tmp_path / "out.json").read_text())


def test_a_curve_is_that_of_the_library(run, tmp_path):
    report = report_of(
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
    report = report_of(
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
    report = report_of(run, tmp_path, "--index", "flat-kmeans", "--grid", "--k", "10")
    tried = [curve["index"]["n_clusters"] for curve in report["curves"]]
    assert tried == [index.n_clusters for index in FlatKMeans.grid(*X.shape)]
    report = report_of(run, tmp_path, "--index", "all", "--k", "10", "--n-queries", "5")
    assert [curve["index"]["key"] for curve in report["curves"]] == list(INDEXES)
    refused = run("curve", "@items.npy", "--index", "exact", "--grid", "--set", "a=1")
    assert "--grid and --set were both given" in refused.output


def test_queries_are_sampled_and_may_leave_out_their_own_row(run, tmp_path):
    with_self = report_of(run, tmp_path, "--index", "exact", "--n-queries", "20")
    without = report_of(run, tmp_path, "--index", "exact", "--n-queries", "20", "--exclude-self")
    assert with_self["dataset"]["m"] == without["dataset"]["m"] == 20
    assert with_self["dataset"]["query_fingerprint"] != without["dataset"]["query_fingerprint"]


def test_without_out_the_report_is_printed(run):
    done = run("curve", "@items.npy", "--index", "exact", "--k", "1")
    assert json.loads(done.stdout)["curves"][0]["points"][0]["speedup"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["@none.npy", "--index", "exact"], "none.npy"),
        (["@items.npy", "--index", "flat"], "no index 'flat'. Known: .*flat-kmeans"),
        (["@items.npy", "--index", "exact", "--set", "a=1"], "no parameter 'a'"),
        (["@items.npy", "--index", "exact", "--set", "a"], "has no “=”"),
        (
            ["@items.npy", "--index", "exact", "--set", "flat-kmeans.n_clusters=3"],
            "Add --index flat",
        ),
        (["@items.npy", "--index", "exact", "--k", "0,1"], "--k 0 is outside 1 to 100"),
        (["@items.npy", "--index", "exact", "--k", "ten"], "whole numbers joined by commas"),
        (["@items.npy", "--index", "exact", "--seed", "-1"], "--seed -1 is below 0"),
        (["@items.npy", "--index", "exact", "--out", "@no/such/place.json"], "cannot be written"),
        (["@items.npy", "--index", "flat-kmeans", "--set", "n_clusters=x"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run, arguments, words):
    done = run("curve", *arguments)
    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert re.search(words, done.output), done.output


def test_indexes_lists_every_key_and_parameter(run):
    text = run("indexes").output
    for key, cls in INDEXES.items():
        assert f"{key}: {cls.label}" in text
    for words in ("n_clusters = 0", "reduction = paper", "reduction.U = 0.75", "46x2154"):
        assert words in text


def test_help_tells_what_files_may_be_and_a_wrong_name_what_is_shipped(run):
    for name in ("curve", "tune", "drift"):
        told = " ".join(run(name, "--help").output.split())
        assert "the name of one shipped data set: glove-6b-50d or simulated-ratings." in told
    told = run("data", "@nowhere").output
    assert "was not found. Check the name" in told
    assert "glove-6b-50d or simulated-ratings" in told
    listed = " ".join(run("--help").output.split())
    assert "Seconds a query on FILES: indexes, other libraries and exact search, at equal" in listed
    wrong = run("data", "@items.npy", "--n-queries", "0")
    assert "'--n-queries': 0 is not in the range 1<=x<=100000" in wrong.output


def test_what_only_one_kind_has_is_set_where_it_is():
    texts = ["n_clusters=9", "reduction=paper,plain", "reduction.U=0.5,0.6"]
    found = indexes_asked(["flat-kmeans"], texts)
    paper = [PaperAugment(U=U) for U in (0.5, 0.6)]
    expected = [FlatKMeans(n_clusters=9, reduction=kind) for kind in (*paper, Plain())]
    assert found == expected
    for wrong in ("reduction=plain", "reduction=plain,sphere"):
        with pytest.raises(ParamError, match="has no parameter 'U'"):
            indexes_asked(["flat-kmeans"], [wrong, "reduction.U=0.5"])


def test_ctrl_c_ends_a_command_quietly_while_it_is_imported(run, monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("mips_core.__main__.import_module", interrupted)
    for arguments in (("indexes",), ("--help",)):
        done = run(*arguments)
        assert (done.exit_code, done.output) == (130, "")


def test_settings_repeat_and_aimed_ones_win(run, tmp_path):
    report = report_of(
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


def test_options_for_sampled_queries_are_not_ignored(run):
    given = ("--queries", "@queries.npy", "--index", "exact")
    for option in (["--exclude-self"], ["--noise", "0.5"]):
        done = run("curve", "@items.npy", *given, *option)
        assert done.exit_code != 0
        assert "sampled from the items" in done.output


def test_data_says_what_files_hold(run, tmp_path):
    (tmp_path / "labels.txt").write_text("\n".join(f"word{i}" for i in range(400)))
    done = run("data", "@items.npy", "@labels.txt", "--metric", "cosine")
    assert done.exit_code == 0, done.output
    for words in ("400", "“word0”", "cosine", "500" if len(X) > 500 else "400 sampled items"):
        assert words in done.output


def test_data_corrects_and_refuses_in_words(run, tmp_path):
    spoiled = X.copy()
    spoiled[7, 2] = np.nan
    np.save(tmp_path / "bad.npy", spoiled)
    refused = run("data", "@bad.npy")
    assert refused.exit_code == 1
    assert "row 7, column 2" in refused.output
    assert "--read skip_bad=yes" in refused.output
    kept = run("data", "@bad.npy", "--read", "skip_bad=yes")
    assert kept.exit_code == 0
    assert "1 row was left out" in kept.output
    wrong = run("data", "@items.npy", "--read", "colour=red")
    assert wrong.exit_code == 1
    assert "skip_bad=yes, no" in wrong.output


def test_ratings_become_vectors_of_the_rank_asked_for(run, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{u},{i},{rng.integers(1, 6)}" for u in range(30) for i in range(20)]
    (tmp_path / "r.csv").write_text("\n".join(["user,item,rating", *lines]))
    done = run("data", "@r.csv", "--rank", "7", "--export", "@out.npz")
    assert done.exit_code == 0, done.output
    assert "600 of 20 items by 30 users (100.00% of all pairs)" in done.output
    with np.load(tmp_path / "out.npz") as stored:
        assert stored["items"].shape == (20, 7)
        scores = stored["queries"].astype(float) @ stored["items"].T.astype(float)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :1]
        np.testing.assert_array_equal(stored["neighbors"][:, :1], best)
    assert "Items:       600" in run("data", "@r.csv", "--kind", "vectors").output
    assert "Known: .npz" in run("data", "@r.csv", "--export", "@out.pdf").output


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_a_curve_by_another_metric_has_its_answers(run, tmp_path, metric):
    report = report_of(
        run, tmp_path, "--queries", "@queries.npy", "--index", "exact", "--metric", metric
    )
    assert report["dataset"]["metric"] == metric
    (point,) = report["curves"][0]["points"]
    assert point["precision"]["10"] == 1

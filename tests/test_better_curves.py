"""The benchmark of curves: what it holds against what, and what it makes of it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import better_curves as run
from benchmarks.pages import held_table
from benchmarks.sets import Measurable
from mips_core import INDEXES, Dataset
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import Plain


@pytest.fixture(scope="module")
def data():
    """Small, with a few long items."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6)) * rng.lognormal(0, 0.6, size=(300, 1))
    X, Q = X.astype(np.float32), rng.normal(size=(40, 6)).astype(np.float32)
    return Measurable(Dataset(X, Q, name="Small"), recall=0.9, skewed=True)


@pytest.fixture(scope="module")
def evaluations(data):
    return run.asked(data, ["largest-norm"])


def test_a_tree_of_the_paper_is_told_from_ours():
    paper = HierarchicalKMeans(n_clusters=40)
    assert run.method_of(paper) == paper.label
    for ours in ({"coarse_probes": 3}, {"coarse_factor": 2.0}, {"reduction": Plain()}):
        assert run.method_of(replace(paper, **ours)) == run.BEYOND
    assert run.method_of(FlatKMeans(reduction=Plain())) == FlatKMeans.label


def test_the_field_holds_the_grids_and_what_is_not_asked_anew_for_each_k():
    held = {index.key for index in run.field(list(INDEXES), 300, 6)}
    assert held == {k for k, cls in INDEXES.items() if not cls.depends_on_k} - {"exact"}
    assert {index.key for index in run.field([], 300, 6)} == set(run.OURS)


def test_ours_are_the_most_precise_that_are_no_dearer(evaluations):
    for K, speedup in ((1, 3.0), (10, 12.0)):
        seen = [
            (p, s)
            for one in evaluations
            for curve in [one.curve((K,), 0)]
            for p, s in zip(curve.precision(K), curve.speedup, strict=True)
            if s >= speedup
        ]
        assert run.best_at(evaluations, K, speedup).seen(K, 0) == max(seen)
    assert run.best_at(evaluations, 1, 1e6) is None


def test_each_comparison_is_scored_on_the_other_queries(evaluations):
    found = list(run.held(evaluations))
    assert {one.K for one in found} == set(run.KS)
    assert "Largest norms" in {one.other.method for one in found}
    assert not {one.other.method for one in found} & set(run.NEW)
    for one in found:
        assert one.low <= one.difference <= one.high
        assert one.difference == pytest.approx(one.ours.precision - one.other.precision)
        verdict = {(True, False): "ahead", (False, True): "behind", (False, False): "level"}
        assert one.verdict == verdict[one.low > 0, one.high < 0]


def test_the_table_shows_the_hardest_to_beat():
    def pair(method, difference, low, high, verdict):
        chosen = {"setting": "as set", "effort": 3, "speedup": 29.96, "precision": 0.5}
        apart = {"difference": difference, "low": low, "high": high, "verdict": verdict}
        ours, other = {"method": "Ours"} | chosen, {"method": method} | chosen
        return {"target": 30, "K": 10, "ours": ours, "other": other} | apart

    pairs = [pair("Easy", 0.1, 0.05, 0.15, "ahead"), pair("Hard", -0.01, -0.02, 0.0, "level")]
    (row,) = held_table(pairs).splitlines()[2:]
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    assert cells[:2] == ["30×", "10"]
    assert cells[4] == "Hard, as set, effort 3 (30.0×)"
    assert cells[6:] == ["-0.010 (-0.020 to +0.000)", "1, 1, 0"]


def test_the_command_prints_a_table_and_writes_the_pairs(data, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "LOADERS", {"words": lambda: data, "ratings": lambda: None})
    monkeypatch.setattr(run, "OURS", ("flat-kmeans", "head-kmeans"))
    out, page = tmp_path / "out.json", tmp_path / "page.md"
    args = ["--data", "words", "--data", "ratings", "--method", "largest-norm"]
    args += ["--out", str(out), "--markdown", str(page)]
    result = CliRunner().invoke(run.main, args)
    assert result.exit_code == 0, result.output
    assert "### Small: 300 × 6, 40 queries" in result.output
    (pairs,) = json.loads(out.read_text())["data"].values()
    behind = sum(pair["verdict"] == "behind" for pair in pairs)
    assert f"Behind in {behind} of {len(pairs)} comparisons." in result.output
    assert f"Ours are behind in {behind} of {len(pairs)} comparisons." in page.read_text()
    assert held_table(pairs) in page.read_text()

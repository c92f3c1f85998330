"""Answers on parts are those of a build in memory; a part that is missing is told."""

import numpy as np
import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.base.seeds import rng_for
from mips_core.methods.indexes import INDEXES
from mips_core.methods.search import search
from mips_core.scale.build_on_parts import build_on_parts, finished_tree
from mips_core.scale.engine import Local
from mips_core.scale.parts_curve import evaluate_on_parts, truth_on_parts
from mips_core.scale.parts_search import search_on_parts
from mips_core.scale.write_parts import write_parts

rng = np.random.default_rng(4)
X = (rng.normal(size=(500, 6)) * rng.lognormal(size=(500, 1))).astype(np.float32)
X[100:140] = X[5]  # ties
Q = rng.normal(size=(30, 6)).astype(np.float32)
INDEX = INDEXES["flat-kmeans"](n_clusters=25, max_rounds=4)
OTHERS = [
    INDEXES["hierarchical-kmeans"](n_clusters=40, max_rounds=3),
    INDEXES["hierarchical-kmeans"](n_clusters=40, max_rounds=3, coarse_probes=2),
]


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return write_parts([("X", X)], tmp_path_factory.mktemp("search") / "x", rows=120)


@pytest.mark.parametrize("index", [INDEX, *OTHERS], ids=str)
@pytest.mark.parametrize("effort", [1, 6])
def test_answers_and_costs_are_those_of_one_search(manifest, index, effort):
    built = build_on_parts(index, manifest, 2, Local(2))
    searcher = index.searcher(index.build(X, rng_for(2)))
    for K in (1, 60):
        found = search_on_parts(index, built, Q, K, effort, Local(2))
        ids, scores = search(searcher, X, Q, K, effort)
        assert np.array_equal(found.ids, ids)
        assert np.array_equal(found.scores, scores)
        assert (found.coverage, found.missing) == (1.0, {})
        assert np.array_equal(found.cost, searcher.candidates(Q, effort, K).cost)
    assert not list(manifest.path.parent.glob(".*"))


def test_a_missing_part_shows_in_the_coverage_and_enters_no_curve(tmp_path):
    manifest = write_parts([("X", X)], tmp_path / "x", rows=120)
    build_on_parts(INDEX, manifest, 0, Local(1))
    built = finished_tree(INDEX, manifest, 0)
    whole = search_on_parts(INDEX, built, Q, 10, 25, Local(1))
    truth = truth_on_parts(manifest, Q, Local(1))
    (tmp_path / "x" / manifest.parts[1].file).unlink()
    found = search_on_parts(INDEX, finished_tree(INDEX, manifest, 0), Q, 10, 25, Local(2))
    assert found.coverage == 1 - 120 / 500
    assert list(found.missing) == [manifest.parts[1].file]
    assert "cannot be read" in found.missing[manifest.parts[1].file]
    gone = range(120, 240)
    for row, all_of_row in zip(found.ids, whole.ids, strict=True):
        assert not set(row) & set(gone)
        assert set(all_of_row) - set(gone) <= set(row)
    with pytest.raises(DataError, match="cannot be read"):
        truth_on_parts(manifest, Q, Local(1))
    with pytest.raises(DataError, match="cannot be read"):
        build_on_parts(INDEX, manifest, 0, Local(1))
    for path in built.finest.folder.glob("*-00003.npy"):
        path.unlink()  # the labels of another
    found = search_on_parts(INDEX, built, Q, 10, 25, Local(1))
    assert found.coverage == 1 - 240 / 500
    with pytest.raises(DataError, match="labels-"):
        evaluate_on_parts(INDEX, built, truth, 0)


def test_what_cannot_be_asked_is_refused(manifest):
    built = build_on_parts(INDEX, manifest, 2, Local(1))
    with pytest.raises(ParamError, match="Effort 99"):
        search_on_parts(INDEX, built, Q, 10, 99, Local(1))
    with pytest.raises(DataError, match="5 dimensions"):
        search_on_parts(INDEX, built, Q[:, :5], 10, 3, Local(1))

"""Bits on parts are those in one process, whatever the cut and the engine."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import perf_counter, sleep

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.seeds import rng_for
from mips_core.methods.indexes import INDEXES
from mips_core.methods.kmeans import parameters
from mips_core.methods.reductions import Plain
from mips_core.scale.build_on_parts import build_on_parts, finished_tree
from mips_core.scale.engine import Local
from mips_core.scale.finished import run_folder
from mips_core.scale.write_parts import write_parts

FLAT, HIERARCHICAL = INDEXES["flat-kmeans"], INDEXES["hierarchical-kmeans"]


def made(n=600, d=6, zeros=()):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    X = X.astype(np.float16).astype(np.float32)  # so that float16 parts hold the same
    X[list(zeros)] = 0
    X[20:25] = X[7]  # near ties
    return X


def assert_same(tree, other):
    assert tree.lift.scale == other.lift.scale
    for level, same in zip(tree.levels, other.levels, strict=True):
        assert level.centroids.tobytes() == same.centroids.tobytes()
        assert np.array_equal(level.labels, same.labels)
        assert np.array_equal(level.members, same.members)
    for fit, same in zip(tree.histories, other.histories, strict=True):
        assert fit.rounds == same.rounds
        assert fit.converged == same.converged


CASES = [
    FLAT(n_clusters=30),
    FLAT(n_clusters=30, start="points"),
    FLAT(n_clusters=200, empty="reseed"),
    FLAT(n_clusters=200, reduction=Plain(), start="points", max_rounds=3),
    FLAT(n_clusters=8, fit="growing"),
    FLAT(n_clusters=20, fit="growing", start="points", empty="reseed"),
    HIERARCHICAL(n_levels=3),
]


@pytest.mark.parametrize("index", CASES, ids=str)
def test_a_build_on_parts_has_the_bits_of_one_in_memory(tmp_path, index):
    X = made(zeros=(3, 300, 599))
    whole = index.build(X, rng_for(4))
    for name, rows, dtype, workers in (("a", 130, "float32", 2), ("b", 333, "float16", 1)):
        manifest = write_parts([("X", X)], tmp_path / name, dtype, rows=rows)
        built = build_on_parts(index, manifest, 4, Local(workers))
        assert_same(built.tree(), whole)
        again = build_on_parts(index, manifest, 4, Local(workers))  # what is done is taken
        assert_same(again.tree(), whole)
        ids = np.array([0, 599, 129, 130, 130, 450])
        assert np.array_equal(built.labels_of(ids), whole.levels[-1].labels[ids])


@pytest.mark.parametrize("stopped_after", [1, 4])
@pytest.mark.parametrize("index", [FLAT(n_clusters=30, max_rounds=6), CASES[5]], ids=str)
def test_one_that_was_stopped_goes_on_with_the_same_bits(tmp_path, index, stopped_after):
    manifest = write_parts([("X", X := made())], tmp_path / "x", rows=200)

    def stop(fraction, message, partial=None):
        if partial is not None and len(partial.rounds) >= stopped_after:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_on_parts(index, manifest, 0, Local(2), stop)
    folder = run_folder(manifest, index, 0)
    spent = max(float(np.load(path)["seconds"]) for path in folder.rglob("state-*.npz"))
    for stage in folder.glob("*/"):
        assert len({p.name.split("-")[1] for p in stage.glob("labels-*")}) <= 2
    seen = []
    began = perf_counter()
    build = build_on_parts(
        index, manifest, 0, Local(2), lambda f, m, p=None: seen.append(p) if p else None
    )
    assert 0 < spent < build.seconds <= spent + perf_counter() - began
    kept = finished_tree(index, manifest, 0)
    assert kept.finest.seconds == build.finest.seconds
    assert_same(build.tree(), index.build(X, rng_for(0)))
    assert all(len(so_far.rounds) > stopped_after for so_far in seen[:1])  # not from the first
    assert not list(folder.rglob("*.unfinished"))


@pytest.mark.parametrize("stopped_after", [2, None])
def test_what_is_asked_for_twice_runs_once_and_goes_on_for_who_is_left(tmp_path, stopped_after):
    index, seen = FLAT(n_clusters=30, max_rounds=6), [[], []]
    manifest = write_parts([("X", X := made())], tmp_path / "x", rows=200)
    waits = Event()

    def first(fraction, message, partial=None):
        if partial is not None:
            seen[0].append(len(partial.rounds))
            assert waits.wait(20)
            if seen[0][-1] == stopped_after:
                raise Cancelled

    def second(fraction, message, partial=None):
        if "waiting" in message:
            waits.set()
        if partial is not None:
            seen[1].append(len(partial.rounds))

    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(build_on_parts, index, manifest, 0, Local(1), first)
        while not seen[0]:
            assert not one.done()
            sleep(0.01)
        other = pool.submit(build_on_parts, index, manifest, 0, Local(1), second)
    assert_same(other.result().tree(), index.build(X, rng_for(0)))
    if stopped_after is None:
        assert_same(one.result().tree(), other.result().tree())
    rounds = len(other.result().finest.rounds)
    assert [*seen[0], *seen[1]] == list(range(1, rounds + 1))
    assert not list((tmp_path / "x").rglob("*.unfinished"))


def test_a_cancel_within_a_pass_is_seen(tmp_path):
    manifest = write_parts([("X", made())], tmp_path / "x", rows=50)

    def stop(fraction, message, partial=None):
        if "round 2" in message and partial is None:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_on_parts(FLAT(n_clusters=30), manifest, 0, Local(1), stop)


def test_parts_that_changed_and_other_methods_are_refused(tmp_path, monkeypatch):
    manifest = write_parts([("X", X := made())], tmp_path / "x", rows=400)
    with pytest.raises(ParamError, match=r"grouped fit .* growing or exact"):
        build_on_parts(FLAT(fit="grouped"), manifest, 0, Local(1))
    monkeypatch.setattr(parameters, "GROUPED_FROM", 1)
    with pytest.raises(ParamError, match="what fit=all becomes"):
        build_on_parts(FLAT(), manifest, 0, Local(1))
    monkeypatch.undo()
    with pytest.raises(ParamError, match="cannot be built on vectors in parts"):
        build_on_parts(INDEXES["pca-tree"](), manifest, 0, Local(1))
    np.save(tmp_path / "x/part-00001.npy", X[400:] * 2)
    with pytest.raises(DataError, match="part-00001"):
        build_on_parts(FLAT(n_clusters=5), manifest, 0, Local(1))
    run_folder(manifest, FLAT(n_clusters=6), 0).touch()
    np.save(tmp_path / "x/part-00001.npy", X[400:])
    with pytest.raises(DataError, match="cannot be written"):
        build_on_parts(FLAT(n_clusters=6), manifest, 0, Local(1))
    zero = write_parts([("X", np.zeros((3, 2), np.float32))], tmp_path / "zero")
    with pytest.raises(DataError, match="all rows are zero"):
        build_on_parts(FLAT(n_clusters=2), zero, 0, Local(1))

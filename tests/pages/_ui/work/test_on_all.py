"""What a page does on all vectors is what the commands do, and what goes wrong is said."""

import re
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, truth_of
from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.progress import silent
from mips_core.base.seeds import rng_for
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation import builder
from mips_core.scale import cluster_client, dask_engine
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.engine import Local
from mips_core.scale.finished import run_folder
from mips_core.studies import sweeps
from mips_core.studies.forecast import forecast
from mips_core.studies.sweeps import tune_on_parts
from mips_core.studies.tuning import Need, as_dict
from mips_core.studies.worker_room import SPARE
from pages._ui.work import on_all, parts_data
from tests.pages._ui.work.parts_files import X, file_at

FLAT = INDEXES["flat-kmeans"](n_clusters=12)
GRID = [FLAT, INDEXES["flat-kmeans"](n_clusters=20), INDEXES["pca-tree"]()]


class Small(Local):
    """Workers that hold no data set whole."""

    memory = 1


@pytest.fixture
def sample_of(manifest, monkeypatch):
    """62 of 300 vectors with 60 queries."""
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 1000)

    def opened(**recipe):
        source = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
        return with_queries(source, QueryRecipe(**{"count": 60, **recipe}))

    return opened


@pytest.mark.parametrize("on_cluster", [False, True])
@pytest.mark.parametrize("exclude_self", [False, True])
def test_a_sample_is_measured_on_all_with_its_own_queries(
    manifest, monkeypatch, cluster, sample_of, exclude_self, on_cluster
):
    if not on_cluster:
        monkeypatch.delenv(parts_data.VARIABLE)
    sample = sample_of(count=30, exclude_self=exclude_self)
    assert parts_data.sampled_of(sample) == manifest
    assert parts_data.sampled_of(searched_by(sample, "cosine")) is None
    assert ("cluster" in on_all.worker_words()) == on_cluster
    evaluation = on_all.measured_on_all(sample, manifest, FLAT, 3, silent)
    assert cluster == ["tls://somewhere:1"] * on_cluster
    own = sample.rows[sample.query_rows] if exclude_self else None
    truth = truth_of(Dataset(X, sample.queries, query_rows=own))
    whole = builder.Builder(X, truth, 10).tried(FLAT, 3).evaluation
    assert evaluation.curve((1, 10)).as_dict() == whole.curve((1, 10)).as_dict()
    assert np.array_equal(evaluation.truth.ids, truth.ids)


def test_what_cannot_be_built_on_all_says_why(manifest):
    dataset = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    assert parts_data.sampled_of(dataset) is None  # these are all
    assert on_all.why_not_on_all(INDEXES["flat-kmeans"](n_clusters=5), manifest) == ""
    for index, told in (
        (INDEXES["pca-tree"](), "cannot be built on vectors in parts"),
        (INDEXES["flat-kmeans"](fit="grouped"), "Set the parameter fit to growing or exact"),
    ):
        assert told in on_all.why_not_on_all(index, manifest)


def test_a_build_is_that_of_the_command_and_is_found_again(manifest):
    assert not on_all.is_there(FLAT, manifest, 3)
    built = on_all.built_on_all(manifest, FLAT, 3, silent)
    assert built.folder == run_folder(manifest, FLAT, 3)
    assert on_all.is_there(FLAT, manifest, 3)
    assert not on_all.is_there(FLAT, manifest, 4)
    tree = build_on_parts(FLAT, manifest, 3, Local(1)).tree()
    level = FLAT.build(X, rng_for(3)).levels[-1]
    assert tree.levels[-1].centroids.tobytes() == level.centroids.tobytes()
    assert (built.clusters, built.was_there) == (len(level.centroids), False)
    assert 0 < built.seconds < inf
    again = on_all.built_on_all(manifest, FLAT, 3, silent)
    assert (again.rounds, again.was_there) == (built.rounds, True)


def test_a_cancelled_build_goes_on_after_its_last_pass(manifest):
    messages = []

    def stop(fraction, message, partial=None):
        if fraction > 0.5:
            raise Cancelled

    def note(fraction, message, partial=None):
        messages.append(message)

    with pytest.raises(Cancelled):
        on_all.built_on_all(manifest, FLAT, 3, stop)
    folder = run_folder(manifest, FLAT, 3)
    passes = sorted((folder / "all").glob("state-*.npz"))
    spent = float(np.load(passes[-1])["seconds"])
    assert not on_all.is_there(FLAT, manifest, 3)
    built = on_all.built_on_all(manifest, FLAT, 3, note)
    assert not any(message.startswith("round 1:") for message in messages)
    other = build_on_parts(FLAT, manifest, 3, Local(1))
    assert built.clusters == len(other.finest.centroids)
    assert spent < built.seconds < inf


@pytest.mark.parametrize("refusal", ["missing", "changed", "unwritable"])
def test_bad_storage_is_told(manifest, sample_of, refusal):
    sample, part = sample_of(), manifest.path.parent / "part-00001.npy"
    if refusal == "missing":
        part.unlink()
        told = "part-00001.npy cannot be read"
    elif refusal == "changed":
        content = bytearray(part.read_bytes())
        content[-1] ^= 1
        part.write_bytes(content)
        told = "part-00001.npy has changed since it was written"
    else:
        run_folder(manifest, FLAT, 3).write_text("in the way")
        told = "cannot be written"
    for work in (
        lambda: on_all.built_on_all(manifest, FLAT, 3, silent),
        lambda: on_all.measured_on_all(sample, manifest, FLAT, 3, silent),
    ):
        with pytest.raises(DataError, match=told):
            work()


def test_a_cluster_that_is_not_there_is_told(manifest, monkeypatch):
    monkeypatch.setenv(parts_data.VARIABLE, "tcp://127.0.0.1:1")
    monkeypatch.setattr(cluster_client, "CONNECT_SECONDS", 0.2)
    with pytest.raises(DataError, match=r"No scheduler answers at tcp://127\.0\.0\.1:1"):
        on_all.built_on_all(manifest, FLAT, 3, silent)


def test_tuning_on_all_is_that_of_the_command_and_sweeps_once(manifest, sample_of, monkeypatch):
    sample, sweep, swept = sample_of(), sweeps.sweep, []

    def counted(manifest, indexes, *what):
        swept.append(list(indexes))
        return sweep(manifest, indexes, *what)

    monkeypatch.setattr(sweeps, "sweep", counted)
    truth = truth_of(Dataset(X, sample.queries))
    for precision in (0.7, 0.9):
        goal = Need(precision, 0.9)
        tuned = on_all.tuned_on_all(sample, manifest, GRID, 5, goal, 3, silent)
        assert tuned.left_out == ()
        answer = tune_on_parts(manifest, GRID, truth, 5, goal, Local(1), 3)
        assert tuned.n_settings == answer.n_settings
        assert tuned.chosen.setting == answer.chosen.setting
        assert tuned.chosen.interval == answer.chosen.interval
    assert swept.count(GRID) == 1 + 2  # once for the page, for any goal


def test_settings_that_no_worker_can_hold_are_left_out_and_counted(manifest, sample_of, cluster):
    sample, hash_ = sample_of(), INDEXES["srp-hash"]
    grid = [*GRID, hash_(n_tables=2), hash_(n_tables=50), hash_(n_tables=60)]
    memory = forecast(grid[-3], manifest.n, manifest.d, sample.m).bytes / SPARE
    how = (5, Need(0.7, 0.9), 3, silent)
    for size, keys in ((1, {"flat-kmeans"}), (int(memory) + 1, {"flat-kmeans", "srp-hash"})):
        engine = Local(2)
        engine.memory = size
        dask_engine.Dask = lambda address, engine=engine: engine  # the fixture puts it back
        tuned = on_all.tuned_on_all(sample, manifest, grid, *how)
        told = {one.key: one for one in tuned.left_out}
        assert {trial.setting.index.key for trial in tuned.runners_up} <= keys
        why = told["srp-hash"].why
        count, of = map(int, re.match(r"in (\d+) of (\d+) settings needs up to ", why).groups())
        assert (of - count > 0) == ("srp-hash" in keys)
        assert count >= 4 - len(keys)
        assert re.search(r"where a worker has room for .*: workers with \d+ MB would", why)
        assert as_dict(tuned)["tried"]["left_out"] == [one.as_dict() for one in tuned.left_out]
    dask_engine.Dask = lambda address: Small(2)
    with pytest.raises(ParamError, match="cannot be built on vectors in parts"):
        on_all.tuned_on_all(sample, manifest, GRID[-1:], *how)


def test_the_grid_has_fits_that_parts_have_and_runs_in_faiss_where_it_must(manifest):
    keys = ["flat-kmeans", "pca-tree"]
    large = replace(manifest, n=10_000_000)
    every = on_all.grid_on_all(keys, large, faiss=False)
    assert {index.key for index in every} == set(keys)
    flat = [index for index in every if index.key == "flat-kmeans"]
    assert not any(on_all.why_not_on_all(index, large) for index in flat)
    assert {index.key for index in on_all.grid_on_all(keys, large, faiss=True)} == {"flat-kmeans"}

"""What is tried on parts is what is tried in one process."""

import re
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.builder import Builder
from mips_core.methods.indexes import INDEXES
from mips_core.scale.build_on_parts import finished_tree
from mips_core.scale.engine import Local
from mips_core.scale.finished import run_folder
from mips_core.scale.parts_curve import sampled_queries, truth_on_parts
from mips_core.scale.write_parts import write_parts
from mips_core.studies import sweeps
from mips_core.studies.forecast import forecast
from mips_core.studies.noise import noisy_queries
from mips_core.studies.robustness import robustness
from mips_core.studies.sweeps import noise_on_parts, sweep, tune_on_parts
from mips_core.studies.tuning import Need, as_dict, tune
from mips_core.studies.tuning.wording import samples_in_words
from mips_core.studies.worker_room import SPARE

rng = np.random.default_rng(6)
X = (rng.normal(size=(400, 6)) * rng.lognormal(size=(400, 1))).astype(np.float32)
FLAT, TREE = INDEXES["flat-kmeans"], INDEXES["hierarchical-kmeans"]
KMEANS = [FLAT(n_clusters=8), TREE(n_clusters=12), TREE(n_clusters=12, coarse_probes=2)]
SETTINGS = [*KMEANS, INDEXES["pca-tree"]()]


class Small(Local):
    """Workers that hold no data set whole."""

    memory = 1


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return write_parts([("X", X)], tmp_path_factory.mktemp("sweep") / "x", rows=150)


@pytest.fixture(scope="module")
def truth(manifest):
    return truth_on_parts(manifest, sampled_queries(manifest, 60)[0], Local(2))


def same(one, other):
    return one.evaluation.curve((10,)).as_dict() == other.evaluation.curve((10,)).as_dict()


@pytest.mark.parametrize(("engine", "indexes"), [(Local(2), SETTINGS), (Small(2), KMEANS)])
def test_each_is_tried_as_in_one_process(manifest, truth, engine, indexes):
    builder, seen = Builder(X, truth, 10), []

    def note(fraction, message, partial=None):
        seen.append(len(partial or ()))

    tried = sweep(manifest, indexes, truth, 10, engine, 3, note)
    for one, index in zip(tried, indexes, strict=True):
        whole = builder.tried(index, 3)
        assert same(one, whole)
        assert one.evaluation.truth is truth
        assert one.seconds > 0
        assert 0.5 * whole.bytes <= one.bytes <= 2 * whole.bytes
    assert max(seen) == len(indexes)
    assert not list(manifest.path.parent.glob(".*"))


def test_how_long_a_build_took_is_told_where_it_was_there(manifest, truth):
    engine = Small(1)  # workers that hold nothing: all build together
    (anew,) = sweep(manifest, KMEANS[:1], truth, 10, engine, 5)
    (again,) = sweep(manifest, KMEANS[:1], truth, 10, engine, 5)
    kept = finished_tree(KMEANS[0], manifest, 5).finest.seconds
    assert 0 < kept <= min(anew.seconds, again.seconds) < inf
    assert same(anew, again)


def test_what_neither_fits_nor_can_be_built_on_parts_is_refused_before_anything_is_built(
    manifest, truth
):
    told = "cannot be built on vectors in parts.*would need .* of memory, where a worker has room"
    with pytest.raises(ParamError, match=told):
        sweep(manifest, SETTINGS, truth, 10, Small(1), 77)
    assert not run_folder(manifest, KMEANS[0], 77).exists()


def test_a_task_ends_once_nobody_waits_for_it(manifest, truth, tmp_path, monkeypatch):
    """On a cluster nobody else can end one that has begun."""
    monkeypatch.setattr(sweeps, "LOOK_SECONDS", 0)
    path, build, seen = tmp_path / "truth", type(KMEANS[0]).build, []
    with path.open("wb") as file:
        sweeps._write(file, truth)
    what = (str(manifest.path), manifest.key, str(path), KMEANS[:1], 10, 0)
    (tried,) = sweeps.tried_whole(*what)
    assert tried.seconds > 0

    def gone(index, X, rng, progress):
        path.unlink()
        seen.append(build(index, X, rng, progress))

    monkeypatch.setattr(type(KMEANS[0]), "build", gone)
    with pytest.raises(Cancelled):
        sweeps.tried_whole(*what)
    assert not seen


def test_settings_that_no_worker_holds_are_told_with_the_answer(manifest, truth):
    """Those of the grid that were left out, and those near the best, each once."""
    srp = INDEXES["srp-hash"]
    tried, untried = [srp(n_tables=4), srp(n_tables=8)], [srp(n_tables=32), srp(n_tables=64)]
    engine = Local(1)
    needs = [forecast(index, manifest.n, manifest.d, truth.m).bytes for index in tried + untried]
    engine.memory = int(needs[1] / SPARE) + 1  # no worker holds more than 8 tables
    known = sweep(manifest, tried, truth, 5, engine, 1)
    answer = tune_on_parts(
        manifest, (), truth, 5, Need(0.5), engine, 1, known=known, untried=untried
    )
    (told,) = answer.left_out
    assert (told.key, told.after) == ("srp-hash", 0)
    count, of = map(int, re.match(r"in (\d+) of (\d+) settings needs up to ", told.why).groups())
    assert count >= 2
    assert of - count == answer.n_settings
    assert samples_in_words(answer) == f"Left out: {srp.label} {told.why}."
    assert as_dict(answer)["tried"]["left_out"] == [told.as_dict()]
    whole = tune_on_parts(manifest, tried, truth, 5, Need(0.5), Local(1), 1)
    assert whole.left_out == ()


@pytest.mark.parametrize(("engine", "refine"), [(Local(2), True), (Small(1), False)])
def test_tuning_gives_the_answer_of_one_process(manifest, truth, engine, refine):
    data = with_queries(Dataset(X), QueryRecipe(count=60))
    settings = [replace(index, fit="exact") for index in KMEANS]
    answer = tune_on_parts(manifest, settings, truth, 5, Need(0.8), engine, 1, refine=refine)
    whole = tune(data, settings, 5, Need(0.8), 1, refine=refine)
    assert answer.n_settings == whole.n_settings
    assert answer.chosen.setting == whole.chosen.setting
    assert answer.chosen.interval == whole.chosen.interval


def test_what_is_known_is_not_tried_again_and_what_must_run_in_faiss_does(manifest, truth):
    what = truth, 5, Need(0.8), Local(2), 1
    whole = tune_on_parts(manifest, KMEANS, *what)
    known = sweep(manifest, KMEANS, truth, 5, Local(2), 1)
    answer = tune_on_parts(manifest, (), *what, known=known)
    assert answer.n_settings == whole.n_settings > len(KMEANS)
    assert answer.chosen.setting == whole.chosen.setting
    tree = INDEXES["pca-tree"]()
    (tried,) = sweep(manifest, [tree], truth, 5, Local(2), 1)
    for faiss in (False, True):  # settings near it do not run there
        answer = tune_on_parts(manifest, (), *what, known=[tried], faiss=faiss)
        assert (answer.n_settings == 1) == faiss


def test_noise_gives_the_figures_of_one_process(manifest):
    data = with_queries(Dataset(X), QueryRecipe(count=40))
    noisy = noisy_queries(data, data, sigmas=(0.0, 0.2))
    what = (noisy, SETTINGS, 5, 4.0)
    found = noise_on_parts(manifest, *what, Local(2), (0, 1))
    for one, other in zip(found, robustness(data, *what, (0, 1)), strict=True):
        assert one.solved == other.solved
        for under, whole in zip(one.by_seed, other.by_seed, strict=True):
            assert under.speedup.tobytes() == whole.speedup.tobytes()
            assert {k: v.tolist() for k, v in under.histograms.items()} == {
                k: v.tolist() for k, v in whole.histograms.items()
            }
    with pytest.raises(DataError, match="does not fit a worker"):
        noise_on_parts(manifest, *what, Small(1))

"""Methods held to one speedup under noise: what is chosen, what is scored, and the command."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import Dataset, evaluate, rng_for
from mips_core.__main__ import main
from mips_core.base.errors import Cancelled, ParamError
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.operating_point import at_speedup
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.methods.trees.pca import PCATree
from mips_core.studies.noise import ceiling, noisy_queries, under_noise
from mips_core.studies.robustness import robustness, rows, with_seed

INDEXES = [FlatKMeans(n_clusters=10), PCATree(), PCATree(boosting=False), FlatKMeans(n_clusters=40)]
SIGMAS = (0, 0.2, 0.5)


def random_dataset(n=600, m=60):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return with_queries(Dataset(X), QueryRecipe(count=m))


@pytest.mark.parametrize("m", [60, 19])
def test_settings_are_chosen_on_one_half_and_scored_on_the_other(m):
    dataset, K = random_dataset(m=m), 5
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)
    methods = robustness(dataset, noisy, INDEXES, K, 5, seeds=(2, 7))
    assert [method.solved.setting.index.key for method in methods] == ["flat-kmeans", "pca-tree"]
    for key, method in zip(("flat-kmeans", "pca-tree"), methods, strict=True):
        evaluations = [
            evaluate(index, index.searcher(index.build(dataset.items, rng_for(2))), noisy.clean, 2)
            for index in INDEXES
            if index.key == key
        ]
        assert method.solved == at_speedup(evaluations, K, 5)
        for seed, under in zip((2, 7), method.by_seed, strict=True):
            index = method.solved.setting.index
            searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
            setting = with_seed(method.solved.setting, seed, searcher)
            assert under.setting == setting
            assert (setting.index, setting.seed) == (index, seed)
            alone = under_noise(setting, searcher, dataset, noisy, K, 1 if m == 60 else None)
            np.testing.assert_array_equal(under.speedup, alone.speedup)
            for truth, histogram in alone.histograms.items():
                np.testing.assert_array_equal(under.histograms[truth], histogram)
            assert under.m == (30 if m == 60 else 19)


def test_seeds_are_put_together():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)
    (method,) = robustness(dataset, noisy, [FlatKMeans(n_clusters=40)], 5, 5, seeds=(0, 1, 2))
    found = np.array([under.precision("clean") for under in method.by_seed])
    np.testing.assert_allclose(method.precision("clean"), found.mean(axis=0))
    np.testing.assert_array_equal(
        method.seed_range("clean"), [found.min(axis=0), found.max(axis=0)]
    )
    costs = np.mean([600 / under.speedup for under in method.by_seed], axis=0)
    np.testing.assert_allclose(method.speedup(), 600 / costs)
    ends = np.mean([under.interval("clean") for under in method.by_seed], axis=0)
    np.testing.assert_allclose(2 * method.half_interval("clean"), ends[:, 1] - ends[:, 0])


def test_an_effort_another_build_lacks_becomes_the_next_smaller():
    index = FlatKMeans(n_clusters=40)
    X = random_dataset().items
    searcher = index.searcher(index.build(X, rng_for(0)))
    live = len(searcher.efforts())
    assert with_seed(Setting(index, 5, live + 3), 0, searcher) == Setting(index, 0, live)
    assert with_seed(Setting(index, 5, live - 3), 0, searcher) == Setting(index, 0, live - 3)


def test_methods_whose_candidates_depend_on_k_join_in():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)
    (method,) = robustness(dataset, noisy, [IPTree()], 5, 3.2)
    assert method.solved.reached
    assert method.precision("noisy")[0] > 0.5


def test_finished_methods_flow_and_work_can_be_cancelled():
    dataset, seen = random_dataset(), []
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)

    def note(fraction, message, partial=None):
        seen.append((fraction, partial))

    methods = robustness(dataset, noisy, INDEXES, 5, 5, progress=note)
    partials = [partial for _, partial in seen if isinstance(partial, tuple)]
    assert partials == [tuple(methods[:1]), tuple(methods)]
    assert seen[-1][0] == pytest.approx(1)

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        robustness(dataset, noisy, INDEXES, 5, 5, progress=stop)


@pytest.mark.parametrize(
    ("K", "speedup", "seeds", "found"),
    [
        (5, 0, (0,), "speedup is 0"),
        (5, np.nan, (0,), "speedup is nan"),
        (5, np.inf, (0,), "speedup is inf"),
        (0, 5, (0,), "K is 0"),
        (5, 5, (), "No seed"),
    ],
)
def test_what_cannot_be_asked(K, speedup, seeds, found):
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)
    with pytest.raises(ParamError, match=found):
        robustness(dataset, noisy, INDEXES, K, speedup, seeds)


def test_rows_say_what_was_measured_and_whether_the_speedup_was_reached():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS, unit="relative")
    methods = robustness(dataset, noisy, INDEXES[:1], 5, 1e6, seeds=(0, 1))
    found = rows(dataset, noisy, methods, 1e6)
    assert len(found) == 2 * len(SIGMAS)
    under = methods[0].by_seed[1]
    row = found[-1]
    assert row["held_to_it"] == "not reached: nearest"
    assert row["sigma_in_rms"] == 0.5
    assert row["sigma"] == pytest.approx(0.5 * noisy.rms)
    assert row["precision@5"] == under.precision("noisy")[-1]
    assert row["clean_precision@5"] == under.precision("clean")[-1]
    assert [row["clean_low_95"], row["clean_high_95"]] == under.interval("clean")[-1].tolist()
    assert row["clean_ceiling"] == pytest.approx(ceiling(noisy, 5, 1)[-1] @ np.arange(6) / 150)
    assert (row["queries"], row["seed"], row["simulated"]) == (30, 1, False)


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", random_dataset().items)

    def call(*arguments):
        return CliRunner().invoke(main, ["noise", str(tmp_path / "items.npy"), *arguments])

    return call


def test_the_command_gives_what_the_library_does(run, tmp_path):
    done = run(
        "--index", "flat-kmeans", "--set", "n_clusters=10,40", "--speedup", "5", "--k", "5",
        "--sigma", "0.5,0,0.2", "--seed", "2,7", "--n-queries", "60",
        "--out", str(tmp_path / "out.json"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS, seed=2)
    indexes = [FlatKMeans(n_clusters=k) for k in (10, 40)]
    methods = robustness(dataset, noisy, indexes, 5, 5, (2, 7))
    report = json.loads((tmp_path / "out.json").read_text())
    due = rows(dataset, noisy, methods, 5)
    assert [{**row, "data": ""} for row in report["rows"]] == [{**row, "data": ""} for row in due]
    assert report["queries"] == {"asked": 60, "dropped": 0, "scored": 30}
    assert report["rms"] == noisy.rms
    assert "30 to choose settings, 30 to score them" in done.output
    (method,) = methods
    half = 100 * method.half_interval("clean")[2]
    assert f"{100 * method.precision('clean')[2]:.1f} ± {half:.1f}" in done.output
    assert "range over 2 seeds" in done.output
    assert max(map(len, done.output.splitlines())) <= 80


def test_the_command_tries_the_default_grid_and_tells_what_is_odd(run):
    done = run(
        "--index", "largest-norm", "--speedup", "5000", "--n-queries", "1", "--seed", "0",
        "--sigma", "0.1",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for said in (
        "1 query, fewer than 20: settings are chosen and scored on the same",
        "the nearest to 5000×",
    ):
        assert said in done.output
    assert "seeds" not in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sigma", "-1"), r"The noise σ is -1. Allowed: numbers from 0 to 10"),
        (("--sigma", "nan"), r"The noise σ is nan"),
        (("--sigma", "a"), r"'a': give numbers joined by commas"),
        (("--speedup", "0"), r"The speedup is 0"),
        (("--k", "0"), r"--k 0 is outside 1 to 100"),
        (("--unit", "percent"), r"'percent' is not one of"),
        (("--set", "n_cluster=5"), r"no parameter 'n_cluster'"),
        (("--seed", "-1"), r"--seed -1 is below 0"),
    ],
)
def test_the_command_refuses_in_words(run, arguments, words):
    done = run("--index", "flat-kmeans", *arguments)
    assert done.exit_code != 0
    assert isinstance(done.exception, SystemExit)
    assert re.search(words, done.output), done.output

"""Methods held to one speedup under noise: what is chosen, what is scored, and the command."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import evaluate, rng_for
from mips_core.base.errors import Cancelled, ParamError
from mips_core.base.text import times
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.methods.trees.pca import PCATree
from mips_core.studies.noise import ceiling, noisy_queries, under_noise
from mips_core.studies.operating_point import at_speedup
from mips_core.studies.robustness import moved_in_words, robustness, rows, with_seed
from tests.mips_core.studies.norm_data import SIGMAS, random_dataset

INDEXES = [FlatKMeans(n_clusters=10), PCATree(), PCATree(boosting=False), FlatKMeans(n_clusters=40)]


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


def test_what_stands_far_from_its_speedup_where_it_is_scored_is_said():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS)
    methods = robustness(dataset, noisy, INDEXES, 5, 5)
    said = moved_in_words(methods)
    for method in methods:
        here, chosen = float(method.speedup()[0]), method.solved.speedup
        far = not 1 / 1.1 <= here / chosen <= 1.1
        assert (f"{times(here)} in place of {times(chosen)}" in said) is far
    off = replace(methods[0], solved=replace(methods[0].solved, speedup=1e6))
    assert moved_in_words([off]).startswith("On the queries that score stand Flat k-means ")
    assert moved_in_words([]) == ""


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

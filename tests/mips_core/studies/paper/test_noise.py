"""Settings held to 30x, asked by groups: together they find what all queries find at once."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import Setting, rng_for
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.noise import under_noise
from mips_core.studies.paper import noise
from mips_core.studies.paper.noise import SIGMAS, SPEEDUP, exact, measured, noisy, setting_at
from tests.mips_core.studies.paper.paper_cases import M, data, sums, users


def test_groups_of_odd_number_find_what_they_find_together():
    searched = data().searched
    queries = noisy(searched, own_queries=False)
    setting = Setting(FlatKMeans(n_clusters=10), 0, 2)
    searcher = setting.index.searcher(setting.index.build(searched.items, rng_for(0)))
    told = measured(setting, searcher, searched, queries, 10)
    odd = under_noise(setting, searcher, searched, queries, 10, 1)  # queries of odd number
    for column, truth in enumerate(noise.AGAINST):
        found = odd.histograms[truth] @ np.arange(11)
        assert told["hits"].sum(axis=0)[:, column] == pytest.approx(found)
    assert told["costs"].sum(axis=0) / (M // 2) == pytest.approx(searched.n / odd.speedup)
    assert told["queries"].tolist() == [0, M // 16] * 8


def test_exact_search_finds_all_of_the_noisy_query_and_less_of_the_clean_one():
    hits = exact(noisy(data().searched, own_queries=False), 10)["hits"].sum(axis=0)
    assert (hits[:, 0] == 10 * M / 2).all()
    assert hits[0, 1] == 10 * M / 2
    assert hits[-1, 1] < hits[0, 1]


def test_sigma_is_that_of_the_paper_for_words_and_times_the_rms_for_users():
    assert noisy(data().searched, own_queries=False).absolute == pytest.approx(SIGMAS)
    searched = users().searched
    size = float(np.sqrt(np.mean(np.square(searched.queries))))
    assert noisy(searched, own_queries=True).absolute == pytest.approx(np.array(SIGMAS) * size)


def test_the_most_precise_setting_near_the_speedup_is_taken():
    made = sums([0.9, 0.6, 0.8, 0.1], [100, 1000 / SPEEDUP, 1000 / 32, 1], n=1_000)
    assert setting_at(made, 0) == (0, 3)
    only = replace(made, hits=made.hits[:, :, :1], costs=made.costs[:, :, :1])
    assert setting_at(only, 0) == (0, 1)  # none is near: the nearest

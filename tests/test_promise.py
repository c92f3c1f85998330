"""The benchmark of promises: samples are what asking them would give, and every row is filled."""

import numpy as np
import pytest

from benchmarks.promise import ASKED, K, ask, repeated, report, rows_of, samples
from mips_core import INDEXES, evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries
from tests.pages.conftest import small_dataset


@pytest.fixture(scope="module")
def dataset():
    return with_queries(small_dataset(), QueryRecipe(count=400))


@pytest.mark.parametrize("key", ["flat-kmeans", "hierarchical-kmeans", "ip-tree"])
def test_a_sample_looked_up_is_the_sample_asked(dataset, key):
    truth = rows_of(truth_of(dataset), slice(None))
    index = INDEXES[key]().explicit(dataset.n)
    asked = ask(index, dataset, truth)
    for rows in samples(truth.m, 51, 2):
        searcher = index.searcher(index.build(dataset.items, rng_for(0)))
        due = evaluate(index, searcher, rows_of(truth, rows), 0, K=K)
        for fold in (None, 0, 1):
            found, right = asked.of(rows).curve((K,), fold), due.curve((K,), fold)
            np.testing.assert_array_equal(found.histograms[K], right.histograms[K])
            np.testing.assert_allclose(found.mean_cost, right.mean_cost, rtol=1e-6)


def test_samples_hold_each_row_once_and_are_told_apart():
    first, second = samples(400, 100, 2)
    assert len(set(first)) == len(set(second)) == 100
    assert set(first) != set(second)


def test_of_queries_given_several_times_each_counts_once(dataset):
    truth = rows_of(truth_of(dataset), slice(None))
    (rows,) = samples(truth.m, 60, 1)
    np.testing.assert_array_equal(repeated(truth, rows, 5), rows[:12])
    np.testing.assert_array_equal(repeated(truth, rows, 1), rows)


def test_every_question_has_its_row(dataset, capsys):
    report(dataset, ["flat-kmeans", "largest-norm"], count=3, asked_of=((200, 0.8), (40, 0.999)))
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("small: ")
    assert len(rows) == 2
    assert rows[0].split()[:5] == ["200", "0.8", "3", "of", "3"]
    assert float(rows[0].split()[8].removesuffix("%")) >= 0  # what it costs over the cheapest
    assert rows[1].split()[:5] == ["40", "0.999", "0", "of", "3"]
    assert len(ASKED) == 4

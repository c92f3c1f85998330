"""Figures say what the curves say."""

import numpy as np

from mips_core import compare, rng_for, truth_of
from mips_core.evaluation.evaluate import evaluate
from mips_core.figures import tradeoff
from mips_core.figures.styles import METHODS, resolve, tokens
from mips_core.methods.indexes import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.best_of_method import best_of_method
from tests.mips_core.evaluation.test_evaluate import METHODS as SOME
from tests.mips_core.evaluation.test_evaluate import random_dataset


def evaluated(index, dataset):
    return evaluate(
        index, index.searcher(index.build(dataset.items, rng_for(0))), truth_of(dataset), 0
    )


def test_every_index_has_a_style():
    assert set(INDEXES) <= set(METHODS)


def test_a_curve_is_drawn_with_its_band_and_its_numbers():
    dataset = random_dataset()
    (curve,) = compare([SOME[0]], dataset, ks=(10,))
    band, line, marks = tradeoff.single(curve, 10)
    np.testing.assert_array_equal(line["x"][::-1], curve.speedup)
    np.testing.assert_array_equal(line["y"][::-1], curve.precision(10))
    p = len(curve.efforts)
    np.testing.assert_array_equal(band["y"][:p][::-1], curve.interval(10)[:, 1])
    np.testing.assert_array_equal(band["y"][p:], curve.interval(10)[:, 0])
    assert "precision@10" in line["customdata"][0]
    assert set(marks["x"]) <= set(line["x"])
    assert len(tradeoff.single(curve, 10, pale=True)) == 1
    resolve([band, line], tokens("dark"))


def test_the_best_of_a_method_is_drawn_point_by_point_and_names_its_settings():
    dataset = random_dataset(m=400)
    evaluations = [evaluated(FlatKMeans(n_clusters=k), dataset) for k in (5, 12, 30)]
    points = best_of_method(evaluations, 10)
    band, line, _ = tradeoff.best_of_each({"flat-kmeans": evaluations}, 10)
    assert line["x"].tolist() == [point.speedup for point in points]
    assert line["y"].tolist() == [point.precision for point in points]
    assert band["y"].tolist()[: len(points)] == [point.high for point in points]
    for point, text in zip(points, line["customdata"], strict=True):
        assert point.settings[0].in_words(dataset.n) in text
        assert ("more" in text) is (len(point.settings) > 2)
    (thin,) = tradeoff.best_of_each({"flat-kmeans": evaluations}, 10, pale="flat-kmeans")
    assert thin["line"]["width"] < line["line"]["width"]


def test_axes_hold_every_speedup_and_exact_search():
    low, high = tradeoff.layout(10, 0.4, 80.0)["xaxis"]["range"]
    assert 10**low < 0.4
    assert 10**high > 80
    low, high = tradeoff.layout(10, 5.0, 80.0)["xaxis"]["range"]
    assert 10**low < 1

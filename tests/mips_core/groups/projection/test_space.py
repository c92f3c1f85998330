"""What nearness is measured on, and every shape of data through it to a picture."""

import numpy as np
import pytest

from mips_core.base.errors import ParamError
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import searched_by
from mips_core.groups.projection import (
    ProjectionRecipe,
    lifted_queries,
    nearest,
    pca_layout,
    place,
    rows_of,
    trustworthiness,
)
from mips_core.methods.reductions import REDUCTIONS, PadToSphere, Plain

SPACES = ("index", "cosine", "given")
GEOMETRY = (
    "all_identical", "all_products_negative", "antipodal_pairs", "dup_20_distinct_of_200",
    "five_rows_k100", "one_dimension", "one_huge_norm", "one_vector", "three_zero_rows",
    "two_constant_columns", "two_vectors",
)  # fmt: skip


def random_set(n=50, d=4):
    rng = np.random.default_rng(0)
    items = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    items[7] = 0
    return Dataset(items, rng.normal(size=(3, d)))


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_rows_of_the_index_are_unit_and_rank_as_it_does(kind):
    data, reduction = random_set(), REDUCTIONS[kind]()
    rows = rows_of(data, "index", reduction)
    lengths = np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(lengths[lengths > 0], 1, rtol=1e-6)
    assert (lengths == 0).sum() == (kind == "plain")
    asked = lifted_queries(data, "index", reduction, data.queries)
    apart = np.linalg.norm(rows[None] - asked[:, None], axis=2)
    lifted = reduction.fit(data.items).items(data.items)
    cosines = (
        data.queries @ lifted[:, : data.d].T / np.maximum(np.linalg.norm(lifted, axis=1), 1e-9)
    )
    kept = lengths > 0
    np.testing.assert_array_equal(
        np.argsort(apart[:, kept], axis=1), np.argsort(-cosines[:, kept], axis=1)
    )


def test_rows_of_the_sphere_rank_as_inner_products():
    data = random_set()
    rows = rows_of(data, "index", PadToSphere())
    asked = lifted_queries(data, "index", PadToSphere(), data.queries)
    apart = np.linalg.norm(rows[None] - asked[:, None], axis=2)
    np.testing.assert_array_equal(
        apart.argmin(axis=1), (data.queries @ data.items.T).argmax(axis=1)
    )


def test_rows_of_cosine_and_given():
    data = random_set()
    unit = rows_of(data, "cosine")
    assert not unit[7].any()
    np.testing.assert_allclose(
        unit * np.linalg.norm(data.items, axis=1)[:, None], data.items, rtol=1e-5
    )
    np.testing.assert_array_equal(rows_of(data, "given"), data.items)
    np.testing.assert_array_equal(lifted_queries(data, "given", None, data.queries), data.queries)
    lengths = np.linalg.norm(lifted_queries(data, "cosine", None, data.queries), axis=1)
    np.testing.assert_allclose(lengths, 1, rtol=1e-6)


def test_items_searched_by_euclidean_distance_are_as_near_as_they_were():
    raw = random_set()
    data = searched_by(raw, "euclidean")
    rows = rows_of(data, "given")
    assert rows.shape == raw.items.shape
    np.testing.assert_allclose(
        nearest(rows, 5).distances, nearest(raw.items, 5).distances, rtol=1e-5
    )
    asked = lifted_queries(data, "given", None, data.queries)
    apart = np.linalg.norm(rows[None] - asked[:, None], axis=2)
    expected = np.linalg.norm(raw.items[None] - raw.queries[:, None], axis=2)
    np.testing.assert_allclose(apart, expected, rtol=1e-5)


def test_many_rows_are_lifted_in_blocks_alike(monkeypatch):
    data = random_set(1000)
    whole = rows_of(data, "index")
    monkeypatch.setattr("mips_core.groups.projection.space.BLOCK", 64)
    np.testing.assert_array_equal(rows_of(data, "index"), whole)


def test_a_space_that_is_none_is_refused():
    with pytest.raises(ParamError, match="no space 'hyperbolic'"):
        rows_of(random_set(), "hyperbolic")
    with pytest.raises(ParamError, match="space is hyperbolic"):
        ProjectionRecipe(space="hyperbolic")


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", GEOMETRY)
def test_any_geometry_has_a_picture(shared, name, space):
    data = Dataset(np.load(shared / "cases" / "geom" / f"{name}.npy"))
    for reduction in (None, Plain()) if space == "index" else (None,):
        rows = rows_of(data, space, reduction)
        xy = pca_layout(rows)
        near = nearest(rows, 15)
        assert np.isfinite(rows).all()
        assert np.isfinite(xy).all()
        assert near.ids.shape == (data.n, min(15, data.n))
        assert np.isfinite(near.distances).all()
        assert near.ids.max() < data.n
        fitted = np.arange(0, data.n, 2)
        placed = place(rows, fitted, xy[fitted], rows)
        assert np.isfinite(placed).all()
        assert 0 <= trustworthiness(rows, xy) <= 1

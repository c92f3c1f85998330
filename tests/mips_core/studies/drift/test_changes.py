"""Who changes, and by how much: noise on the vectors as they were read, rows held out."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import searched_by
from mips_core.data.queries import QueryRecipe, rms, with_queries
from mips_core.studies.drift import decay
from mips_core.studies.drift.changes import Coming, Moving
from tests.mips_core.studies.drift.drift_cases import FLAT, SMALL, data


def test_who_changes_at_a_small_share_changes_by_as_much_at_a_larger():
    dataset = replace(data(), items=7 * data().items)
    moving = Moving(dataset, dataset, (0.5, 1.0), seed=3)
    some, more = (moving.at(share, 1.0) for share in (0.1, 0.4))
    first = some.change.moved
    assert first.sum() == 12
    assert more.change.moved.sum() == 48
    assert more.change.moved[first].all()
    np.testing.assert_array_equal(some.dataset.items[first], more.dataset.items[first])
    np.testing.assert_array_equal(some.dataset.items[~first], dataset.items[~first])
    moves = moving.at(1.0, 1.0).dataset.items - dataset.items
    half = moving.at(1.0, 0.5).dataset.items - dataset.items
    np.testing.assert_allclose(half, moves / 2, atol=1e-5)
    assert np.std(moves) == pytest.approx(rms(dataset.items), rel=0.15)


def test_items_that_come_are_those_held_out_and_queries_find_their_own_row_where_it_is():
    dataset = with_queries(replace(data(), queries=np.empty((0, 5))), QueryRecipe(
        count=40, exclude_self=True))  # fmt: skip
    coming = Coming(dataset, 1.0, seed=2)
    assert coming.before.n == 60
    all_in = coming.at(1.0, None)
    assert all_in.dataset.n == 120
    assert all_in.change.n_added == 60
    np.testing.assert_array_equal(all_in.dataset.items[:60], coming.before.items)
    assert {tuple(row) for row in all_in.dataset.items} == {tuple(row) for row in dataset.items}
    own = all_in.dataset.query_rows
    np.testing.assert_array_equal(all_in.dataset.items[own], dataset.queries)
    here = coming.before.query_rows >= 0
    assert 0 < here.sum() < 40
    np.testing.assert_array_equal(
        coming.before.items[coming.before.query_rows[here]], dataset.queries[here]
    )


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_noise_is_put_on_the_vectors_as_they_were_read(metric):
    raw = data()
    searched = searched_by(raw, metric)
    changed = Moving(raw, searched, (0.3,), seed=0).at(1.0, 0.3).dataset
    moved = Moving(raw, raw, (0.3,), seed=0).at(1.0, 0.3).dataset.items
    if metric == "cosine":
        np.testing.assert_allclose(np.linalg.norm(changed.items, axis=1), 1, atol=1e-6)
        expected = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        np.testing.assert_allclose(changed.items, expected, atol=1e-6)
    assert changed.items.shape == searched.items.shape
    assert decay(raw, searched, FLAT, 5, SMALL).points[-1].changed == 120


def test_the_bias_of_a_softmax_layer_does_not_move():
    layer = data(logits=True)
    changed = Moving(layer, layer, (1.0,), seed=0).at(1.0, 1.0).dataset
    np.testing.assert_array_equal(changed.items[:, -1], layer.items[:, -1])
    assert (changed.items[:, :-1] != layer.items[:, :-1]).any(axis=1).all()

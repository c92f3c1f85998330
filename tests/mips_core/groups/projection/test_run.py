"""The whole way to a layout, with an optimiser that does nothing but drift."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core.base.errors import Cancelled
from mips_core.data.dataset import Dataset
from mips_core.groups.projection import run
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.run import default_epochs, framed, project


class Drift:
    """Stands for UMAP: moves all items aside with every epoch, and remembers what it was given."""

    def __init__(self):
        self.asked = []

    def __call__(self, start, neighbours, recipe, epochs, on_epoch, progress):
        self.asked.append((start, neighbours, recipe, epochs))
        xy = start * np.float32(3) + np.float32(1)
        for epoch in range(1, epochs):
            on_epoch(epoch, xy * np.float32(epoch))
            progress(epoch / epochs, f"UMAP, epoch {epoch} of {epochs}")
            progress(epoch / epochs, f"UMAP, epoch {epoch} of {epochs}")
        return xy


@pytest.fixture
def drift(monkeypatch, tmp_path):
    monkeypatch.setenv("MIPS_EXPLORER_CACHE", str(tmp_path))
    played = Drift()
    monkeypatch.setattr(run, "fit_umap", played)
    monkeypatch.setattr(run, "warm", lambda: None)
    return played


def cloud(n, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def drawn(X, **recipe):
    """The result, and what progress was told: (fraction, message, Layout or None)."""
    reports = []
    layout = project(
        Dataset(np.asarray(X, np.float32)),
        ProjectionRecipe(**{"space": "given", "epochs": 4} | recipe),
        progress=lambda fraction, message, partial=None: reports.append(
            (fraction, message, partial)
        ),
    )
    return layout, reports


def parts_of(reports):
    return [partial for _, _, partial in reports if partial is not None]


def test_pca_comes_first_then_every_epoch_then_the_settled_picture(drift):
    layout, reports = drawn(cloud(50))
    pca, *epochs = parts_of(reports)
    assert (pca.method, pca.settled) == ("pca", False)
    assert [(part.method, part.settled, part.epoch, part.epochs) for part in epochs] == [
        ("umap", False, epoch, 4) for epoch in (1, 2, 3)
    ]
    assert (layout.method, layout.settled, layout.epoch, layout.epochs) == ("umap", True, 4, 4)
    assert layout.fitted is None
    assert layout.reproducible
    assert layout.note == ""
    for part in (pca, *epochs, layout):  # the drift keeps the picture, so all frames are alike
        assert part.xy.dtype == np.float32
        np.testing.assert_allclose(part.xy, pca.xy, atol=1e-5)


def test_progress_never_goes_back_and_names_what_is_done(drift):
    _, reports = drawn(cloud(500), sample=100)
    fractions = [fraction for fraction, _, _ in reports]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] <= 1
    named = " ".join(message for _, message, _ in reports)
    for message in ("Finding neighbours, 100%", "Placing the other items, 100%", "epoch 3 of 4"):
        assert message in named


def test_what_was_made_is_there_at_once(drift):
    X = cloud(50)
    first, _ = drawn(X)
    again, reports = drawn(X)
    assert len(drift.asked) == 1
    assert parts_of(reports) == []
    np.testing.assert_array_equal(again.xy, first.xy)
    drawn(X, seed=1)
    drawn(X, mode="parallel")
    drawn(2 * X)
    assert len(drift.asked) == 4


def test_what_was_cancelled_is_not_kept(drift):
    def stop(fraction, message, partial=None):
        if "epoch 2" in message:
            raise Cancelled

    X = cloud(50)
    recipe = ProjectionRecipe(space="given", epochs=4)
    with pytest.raises(Cancelled):
        project(Dataset(X), recipe, progress=stop)
    drawn(X)
    assert len(drift.asked) == 2


def test_items_beyond_the_sample_stand_among_their_nearest_at_every_epoch(drift):
    X = np.repeat(cloud(60), 2, axis=0)  # each item and its twin
    layout, reports = drawn(X, sample=70)
    assert len(layout.fitted) == 70
    assert layout.note == (
        "UMAP placed 70 items drawn at random; the other 50 stand among their nearest of those."
    )
    one_of_two = np.isin(np.arange(120).reshape(60, 2), layout.fitted).sum(axis=1) == 1
    assert one_of_two.any()
    for part in (*parts_of(reports)[1:], layout):
        np.testing.assert_array_equal(part.fitted, layout.fitted)
        assert part.xy.shape == (120, 2)
        pairs = part.xy.reshape(60, 2, 2)[one_of_two]
        np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], atol=1e-5)
    start, neighbours, _, _ = drift.asked[0]
    assert start.shape == (70, 2)
    assert neighbours.ids.shape == (70, 15)


@pytest.mark.parametrize(
    ("X", "note"),
    [
        ([[1, 2]], "There is one item."),
        ([[1, 2], [3, 4]], "The items differ in one direction only, so they stand on a line."),
        ([[1, 2], [3, 4], [0, 5]], "UMAP needs 4 items or more; this is PCA."),
        (np.ones((40, 3)), "All items are the same vector, so they stand in one place."),
    ],
    ids=["one", "two", "three", "all equal"],
)
def test_where_umap_has_nothing_to_do_the_picture_is_pca_and_says_why(drift, X, note):
    layout, reports = drawn(X)
    assert drift.asked == []
    assert (layout.method, layout.settled, layout.note) == ("pca", True, note)
    assert np.isfinite(layout.xy).all()
    np.testing.assert_array_equal(parts_of(reports)[0].xy, layout.xy)


def test_more_neighbours_than_items_are_cut_with_a_word(drift):
    layout, _ = drawn(cloud(9), n_neighbors=15)
    assert drift.asked[0][1].ids.shape == (9, 9)
    assert layout.note == "All 9 are neighbours of each other."


def test_parallel_says_that_it_does_not_repeat_itself(drift):
    layout, _ = drawn(cloud(30), mode="parallel")
    assert not layout.reproducible
    assert layout.note == "Another run gives a slightly different picture."


@pytest.mark.parametrize("space", ["index", "cosine", "given"])
@pytest.mark.parametrize("n", [4, 30])
def test_zero_rows_repeated_rows_and_one_dimension_give_a_finite_picture(drift, space, n):
    X = cloud(n, d=1)
    X[1], X[2:4] = 0, X[0]
    layout, reports = drawn(X, space=space)
    for part in (*parts_of(reports), layout):
        assert part.xy.shape == (n, 2)
        assert np.isfinite(part.xy).all()


def test_epochs_are_chosen_by_the_number_of_items_unless_asked(drift):
    assert default_epochs(10_000) == 300
    assert default_epochs(10_001) == 200
    drawn(cloud(20), epochs=0)
    assert drift.asked[0][3] == 300


PLACES = arrays(
    np.float32,
    st.tuples(st.integers(1, 60), st.just(2)),
    elements=st.floats(-1e6, 1e6, width=32),
)


@given(PLACES)
def test_a_frame_holds_the_middle_of_the_items(xy):
    frame = framed(xy)
    assert frame.shape == xy.shape
    assert frame.dtype == np.float32
    assert np.isfinite(frame).all()
    within = (np.abs(frame) <= 1 + 1e-5).mean(axis=0)
    assert (within >= 0.98 - 2 / len(xy)).all()
    if np.ptp(xy, axis=0).max() == 0:
        assert not frame.any()
    else:
        assert 0.4 < np.abs(frame).max() < 2e6


def test_one_item_far_away_leaves_the_frame_to_the_others():
    xy = cloud(500, d=2)
    xy[7] = 1e4
    frame = framed(xy)
    assert np.abs(np.delete(frame, 7, axis=0)).max() < 2
    assert np.isfinite(framed(np.array([[0, 0]] * 99 + [[3e38, -3e38]], np.float32))).all()


@given(PLACES, st.floats(-100, 100), st.floats(0.01, 100))
def test_a_frame_does_not_depend_on_where_and_how_large_the_picture_was(xy, shift, factor):
    xy = np.round(xy / 1e3)  # whole numbers: moved and scaled without rounding away
    moved = (xy.astype(np.float64) + shift) * factor
    np.testing.assert_allclose(framed(moved), framed(xy), atol=1e-4)

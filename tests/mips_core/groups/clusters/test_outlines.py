"""Outlines of groups: hulls against scipy, density rings by what they hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, QhullError

from mips_core.base.errors import DataError, ParamError
from mips_core.base.threads import limited
from mips_core.groups.clusters import OutlineRings, outlines_of
from mips_core.groups.clusters.contours import signed_area
from tests.mips_core.groups.clusters.rings import inside


def rings_of(outlines: OutlineRings, group):
    return [
        outlines.points[outlines.starts[r] : outlines.starts[r + 1]]
        for r in np.flatnonzero(outlines.groups == group)
    ]


def check(outlines, k):
    assert outlines.points.dtype == np.float32
    assert (outlines.starts[0], outlines.starts[-1]) == (0, len(outlines.points))
    assert len(outlines.starts) == len(outlines.groups) + 1
    assert (np.diff(outlines.groups) >= 0).all()
    assert set(outlines.groups.tolist()) <= set(range(k))
    for start, stop in zip(outlines.starts[:-1], outlines.starts[1:], strict=True):
        assert stop - start >= 3
        assert signed_area(outlines.points[start:stop]) > 0


PLACES = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=25)


@given(PLACES)
def test_a_hull_is_that_of_scipy(places):
    xy = np.array(places, np.float32)
    outlines = outlines_of(xy, np.zeros(len(xy), np.int32), "hull")
    check(outlines, 1)
    (ring,) = rings_of(outlines, 0)
    try:
        expected = ConvexHull(xy)
    except (QhullError, ValueError):  # on a line, or at one place
        assert np.linalg.norm(ring[:, None] - xy, axis=2).min(axis=1).max() < 0.1
        assert abs(signed_area(ring)) < 0.2 * max(np.ptp(xy), 0.1)
        return
    assert sorted(map(tuple, ring)) == sorted(map(tuple, xy[expected.vertices]))
    assert signed_area(ring) == pytest.approx(expected.volume)


@pytest.mark.parametrize("kind", ["hull", "dense"])
@settings(max_examples=30)
@given(PLACES, st.integers(1, 4))
def test_every_group_with_items_is_outlined(kind, places, k):
    xy = np.array(places, np.float32)
    of = (np.arange(len(xy)) % k * 2).astype(np.int32)
    outlines = outlines_of(xy, of, kind)
    check(outlines, 2 * k)
    assert set(outlines.groups.tolist()) == set(of.tolist())


def two_pieces(strays=0):
    rng = np.random.default_rng(0)
    main = rng.normal(size=(700, 2)) * 0.3
    second = rng.normal(size=(300, 2)) * 0.3 + [5, 0]
    return np.concatenate([main, second, rng.uniform(-8, 8, (strays, 2))]).astype(np.float32)


def test_density_rings_go_round_the_pieces_of_a_group():
    xy = two_pieces(strays=40)
    outlines = outlines_of(xy, np.zeros(len(xy), np.int32), "dense")
    check(outlines, 1)
    rings = rings_of(outlines, 0)
    assert len(rings) == 2
    held = np.array([inside(ring, xy) for ring in rings])
    assert 0.5 < held.any(axis=0).mean() < 0.85
    assert max(held[ring][:700].mean() for ring in (0, 1)) > 0.6
    assert max(held[ring][700:1000].mean() for ring in (0, 1)) > 0.3
    assert sum(signed_area(ring) for ring in rings) < 2 * np.pi * 0.6**2


def test_density_rings_hold_most_of_a_group():
    xy = np.random.default_rng(0).normal(size=(5000, 2)).astype(np.float32)
    outlines = outlines_of(xy, np.zeros(5000, np.int32), "dense")
    held = np.any([inside(ring, xy) for ring in rings_of(outlines, 0)], axis=0)
    assert held.mean() == pytest.approx(0.7, abs=0.05)


def test_pieces_with_few_items_are_left_out_unless_all_are():
    rng = np.random.default_rng(0)
    xy = np.concatenate([rng.normal(size=(960, 2)), rng.normal(size=(40, 2)) * 0.1 + [30, 0]])
    outlines = outlines_of(xy.astype(np.float32), np.zeros(1000, np.int32), "dense")
    assert all(ring[:, 0].max() < 10 for ring in rings_of(outlines, 0))
    corners = np.indices((7, 7)).reshape(2, -1).T * 100.0  # 49 places, each with 2% of the items
    places = np.repeat(corners, 2, axis=0).astype(np.float32)
    outlines = outlines_of(places, np.zeros(98, np.int32), "dense")
    assert len(outlines.groups) == 1


def test_a_hole_is_not_a_ring():
    angles = np.linspace(0, 2 * np.pi, 2000, endpoint=False)
    xy = np.column_stack([np.cos(angles), np.sin(angles)])
    xy *= np.random.default_rng(0).uniform(0.9, 1.1, (2000, 1))
    outlines = outlines_of(xy.astype(np.float32), np.zeros(2000, np.int32), "dense")
    check(outlines, 1)


def test_outlines_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    xy = rng.normal(size=(4000, 2)).astype(np.float32)
    of = rng.integers(0, 40, 4000).astype(np.int32)
    for kind in ("hull", "dense"):
        with limited(1):
            alone = outlines_of(xy, of, kind)
        both = outlines_of(xy, of, kind)
        assert np.array_equal(alone.points, both.points)
        assert np.array_equal(alone.groups, both.groups)


def test_what_cannot_be_outlined_is_refused():
    xy, of = np.zeros((2, 2), np.float32), np.zeros(2, np.int32)
    with pytest.raises(ParamError, match="no outline 'box'"):
        outlines_of(xy, of, "box")
    with pytest.raises(DataError, match="2 places for 1 item"):
        outlines_of(xy, of[1:], "hull")

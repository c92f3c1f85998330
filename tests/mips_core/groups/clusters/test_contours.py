"""Rings of a field on a grid hold what is above a height, and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.groups.clusters.contours import rings_above, signed_area
from tests.mips_core.groups.clusters.rings import inside


@given(st.integers(0, 200))
def test_lines_part_what_is_above_from_what_is_below(seed):
    rng = np.random.default_rng(seed)
    field = np.zeros((9, 11))
    field[1:-1, 1:-1] = rng.random((7, 9))
    rings = list(rings_above(field, 0.6))
    rows, columns = np.indices(field.shape).reshape(2, -1)
    places = np.column_stack([columns, rows])
    above = field.ravel() >= 0.6
    held = np.zeros(len(places), int)
    for ring in rings:
        assert signed_area(ring) > 0
        held += inside(ring, places)
    assert (held[above] >= 1).all()
    border = (rows == 0) | (columns == 0) | (rows == 8) | (columns == 10)
    assert (held[border] == 0).all()


def test_a_line_runs_between_the_cells_in_proportion():
    field = np.zeros((3, 3))
    field[1, 1] = 4.0
    (ring,) = rings_above(field, 1.0)
    assert sorted(map(tuple, ring)) == [(0.25, 1.0), (1.0, 0.25), (1.0, 1.75), (1.75, 1.0)]

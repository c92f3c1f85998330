"""Pieces of SVG in the plane of the words."""

import re
from xml.etree import ElementTree

import numpy as np

from pages._ui.parts.method_marks import (
    CELLS,
    CENTRE,
    R,
    circle,
    cross,
    framed,
    grid,
    line,
    polygon,
    px,
    region,
)


def test_the_middle_and_the_rim_are_where_they_should_be():
    assert px((0, 0)) == CENTRE
    assert px((1, 0)) == (CENTRE[0] + R, CENTRE[1])
    assert px((0, 1)) == (CENTRE[0], CENTRE[1] - R)  # up


def test_a_region_covers_the_cells_that_hold_and_no_others():
    cells = grid()
    assert (np.hypot(*cells.T) <= 1).all()
    right = cells[:, 0] > 0
    runs = re.findall(r"M([\d.]+) [\d.]+h([\d.]+)v", region(right, "hit"))
    assert all(float(x) >= CENTRE[0] - 0.1 for x, _ in runs)
    covered = sum(float(wide) for _, wide in runs) / (2 * R / CELLS)
    assert abs(covered - right.sum()) < 0.05 * len(runs)  # px are rounded to tenths
    assert 'd=""' in region(np.zeros(len(cells), np.bool_), "hit")


def test_a_picture_is_sound_and_says_what_it_is():
    corners = np.array([[0, 0], [0.5, 0], [0, 0.5]])
    parts = [
        circle((0, 0), 3, fill="hit", stroke="background"),
        cross((0.1, 0.1)),
        line(corners[:2], "query", 2),
        polygon(corners, stroke="axis", dash="4 3"),
    ]
    picture = framed(parts, "3 inner products", "Flat k-means")
    root = ElementTree.fromstring(picture)
    assert root.attrib["aria-label"] == "Flat k-means: 3 inner products"
    assert len(root) == 6
    assert root[-1].text == "3 inner products"

"""The drift of clusters as sums: the same numbers as the study of drift has."""

import pytest

from mips_core import Setting, decay
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.drift import WAYS, Recipe
from mips_core.studies.paper.drift import OPENED, SHARES, SIZE, measured, point_of
from tests.mips_core.studies.paper.paper_cases import M, N, data


def test_every_share_and_way_has_its_point():
    searched = data().searched
    told = measured(searched, 3)
    setting = Setting(FlatKMeans(), 0, max(round(N**0.5) // OPENED, 1))
    recipe = Recipe(shares=SHARES, sizes=(SIZE,), builds=3)
    points = decay(searched, searched, setting, 10, recipe).points
    for point in points:
        for way in WAYS:
            at = point_of(point.share, way)
            hits = told["hits"][:, :, at, 0].sum() / (3 * M * 10)
            assert hits == pytest.approx(point.precision(way))
            assert told["costs"][:, :, at].sum() / (3 * M) == pytest.approx(point.cost(way))

"""Figures of how a clustering came about."""

import numpy as np
import pytest

from mips_core.figures import building
from mips_core.methods.clustering.rounds import Round


def test_building_figures_hold_rounds_and_sizes():
    rounds = [Round(10.0, 500, 8, 50), Round(120.0, 20, 8, 500), Round(125.0, 0, 8, 500)]
    assert building.objective(rounds, "flat-kmeans")["data"][0]["y"] == [0.2, 0.24, 0.25]
    assert building.moves(rounds, "flat-kmeans")["data"][0]["y"] == [500, 20, 0.5]
    bars = building.sizes(np.array([3, 0, 9, 6]), "flat-kmeans", ("leaf", "leaves"))
    assert bars["layout"]["xaxis"]["title"]["text"] == "Leaves, largest first"
    assert bars["data"][0]["y"].tolist() == [9, 6, 3]
    assert bars["layout"]["shapes"][0]["y0"] == pytest.approx(6)

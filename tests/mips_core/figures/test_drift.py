"""The pictures of a decay show every point of every way."""

import numpy as np

from mips_core import Dataset
from mips_core.figures import drift as figures
from mips_core.studies.drift import WAYS, compare_versions, decay
from tests.mips_core.studies.drift.drift_cases import FLAT, SMALL, data


def test_the_pictures_show_every_point_of_every_way():
    measured = decay(data(), data(), FLAT, 5, SMALL)
    lines = [t for t in figures.decay_figure(measured)["data"] if t["name"]]
    assert [line["name"] for line in lines] == ["Frozen clusters", "Refreshed", "Rebuilt"]
    for line, way in zip(lines, WAYS, strict=True):
        np.testing.assert_allclose(line["y"], [p.precision(way) for p in measured.points])
        np.testing.assert_allclose(line["x"], np.sqrt([0, 0.1, 1]))
    assert any(
        "Simulated" in a["text"] for a in figures.decay_figure(measured)["layout"]["annotations"]
    )
    frozen = figures.cost_figure(measured)["data"][0]
    assert np.isnan(frozen["y"][0])
    assert frozen["y"][-1] == measured.points[-1].spent("frozen")
    seen = compare_versions(data(), Dataset(data().items * 2))
    bars = figures.moves_figure(seen)["data"]
    assert all(bar["y"].sum() == 120 for bar in bars)

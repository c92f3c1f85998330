"""The picture of growth says what was measured and what is expected."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.evaluation.setting import Setting
from mips_core.figures import growth
from mips_core.figures.styles import resolve, tokens
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.growth import ScalePoint, Scaling

SIZES = (1_000, 2_000, 4_000, 8_000)
N = 80_000


def grown(costs=(60, 95, 130, 190), bytes=(4_000, 9_000, 15_000, 36_000), n=SIZES):
    points = tuple(
        ScalePoint(size, Setting(FlatKMeans(n_clusters=30), 0, 4), 250, cost, 0.96, (0.95, 0.97),
                   0.001 * size, 0.002 * size, memory, reached=True)
        for size, cost, memory in zip(n, costs, bytes, strict=True)
    )  # fmt: skip
    return Scaling("made up", False, 8, 10, 0.95, points)


def panels(figure):
    """Band, line and discs of each panel."""
    data = figure["data"]
    return [data[at : at + 3] for at in range(0, len(data), 3)]


def test_discs_are_what_was_measured():
    found = grown()
    cost, seconds, memory = panels(growth.growth(found, N))
    for (*_, discs), name, unit in ((cost, "cost", 1), (seconds, "seconds", 1),
                                    (memory, "bytes", 2**20)):  # fmt: skip
        assert discs["x"] == list(SIZES)
        expected = [getattr(point, name) / unit for point in found.points]
        np.testing.assert_allclose(discs["y"], expected)


def test_the_line_and_its_range_are_the_advice():
    found = grown()
    (band, line, _), *_ = panels(growth.growth(found, N))
    assert (line["x"][0], line["x"][-1]) == (1_000, N)
    assert line["line"]["dash"] == "dot"
    advice = found.at(N).inner_products
    assert line["y"][-1] == pytest.approx(advice.value)
    steps = len(line["x"])
    assert band["y"][steps - 1 : steps + 1] == pytest.approx([advice.high, advice.low])


def test_axes_hold_all_that_is_measured_and_expected():
    figure = growth.growth(grown(), N)
    resolve(figure, tokens("light"))
    for number, (_, line, discs) in enumerate(panels(figure)):
        suffix = discs["xaxis"][1:]
        assert suffix == ("", "2", "3")[number]
        for axis, values in (("x", [*line["x"], *discs["x"]]), ("y", [*line["y"], *discs["y"]])):
            told = figure["layout"][f"{axis}axis{suffix}"]
            low, high = told["range"]
            assert low < np.log10(min(values)) <= np.log10(max(values)) < high
            assert len(told["tickvals"]) >= 1
            assert all(low <= np.log10(tick) <= high for tick in told["tickvals"])


def test_panels_stand_apart_both_ways():
    found = grown()
    wide, narrow = growth.growth(found, N)["layout"], growth.narrow(found)
    across = [wide[f"xaxis{i}"]["domain"] for i in ("", "2", "3")]
    down = [narrow[f"yaxis{i}"]["domain"] for i in ("3", "2", "")]
    for domains in (across, down):
        ends = np.ravel(domains)
        assert ends[0] == pytest.approx(0)
        assert ends[-1] == pytest.approx(1)
        assert (np.diff(ends) > 0).all()


def test_a_wild_range_does_not_squeeze_the_points():
    wild = grown(costs=(60, 300, 50, 400))
    advice = wild.at(N).inner_products
    low, high = growth.growth(wild, N)["layout"]["yaxis"]["range"]
    assert advice.high > advice.value * growth.FAR > 0
    assert high < np.log10(advice.high)
    assert low > np.log10(advice.low)


def test_what_is_zero_has_no_panel():
    found = grown(bytes=(0, 0, 0, 0))
    titles = [note["text"] for note in growth.growth(found, N)["layout"]["annotations"]]
    assert titles == ["<b>Inner products a query</b>", "<b>Processor seconds to build</b>"]
    assert len(panels(growth.growth(found, N))) == 2


def test_too_few_sizes_are_refused():
    found = grown()
    some = (*found.sizes[:2], *(replace(point, reached=False) for point in found.sizes[2:]))
    with pytest.raises(DataError, match="a line needs 3"):
        growth.growth(replace(found, sizes=some), N)


@pytest.mark.parametrize(
    ("value", "text"), [(0.05, "0.05"), (1_000, "1,000"), (20_000, "20k"), (5e6, "5M"), (2e9, "2G")]
)
def test_ticks_are_short(value, text):
    (shown,) = {*growth._log(np.array([value, value]))["ticktext"]} & {text}
    assert shown == text

"""Clusters kept up in three ways are told apart, and what they lose is the difference."""

import pytest

from mips_core.figures.paper_drift import drift_panels
from mips_core.studies.paper.run import view_of
from tests.mips_core.studies.paper.paper_cases import whole


def test_lines_that_lie_near_each_other_are_told_apart():
    panels = drift_panels(view_of(whole().sets[0]))
    for panel in panels:
        ends = [end for line in panel.lines for spot in line.spots for end in (spot.low, spot.high)]
        assert panel.y.low <= min(ends)
        assert max(ends) <= panel.y.high
        assert panel.y.high - panel.y.low < 2 * (max(ends) - min(ends))
        assert len(panel.y.shown()) >= 4
    found, lost = ({line.label: line for line in panel.lines} for panel in panels)
    assert list(found) == ["Frozen", "Refreshed", "Rebuilt"]
    for way in ("Frozen", "Refreshed"):
        for mine, best, less in zip(
            found[way].spots, found["Rebuilt"].spots, lost[way].spots, strict=True
        ):
            assert less.y == pytest.approx(best.y - mine.y)

"""The figure of growth says what it shows, and nothing of sizes that it has not."""

from dataclasses import replace

import pytest

from mips_core.figures.paper_scale import scale_drawing
from mips_core.studies.paper.one_set import SetResult
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.mark.parametrize("most", [30_000, 300_000])
def test_the_scale_speaks_of_large_sizes_only_where_it_has_them(most):
    grown = whole().scale
    sums = {f"scale {name} {n}": replace(grown.sums[f"scale {name} 200"], n=n)
            for name in ("flat", "hierarchical") for n in (1_000, most)}  # fmt: skip
    caption = scale_drawing(SetResult(grown.facts, sums)).caption
    assert ("100,000" in caption) == (most > 100_000)
    assert f"{most:,} simulated" in caption

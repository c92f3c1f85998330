"""The map as a page: all it needs is in it, no markup of others, and it is small."""

import re
from dataclasses import replace

from mips_core.figures.map import MOST_POINTS, PointColours
from mips_core.figures.map_file import map_html
from tests.mips_core.figures.maps import mapped
from tests.mips_core.figures.page_files import unpacked


def test_the_page_holds_all_it_needs_and_no_markup_of_others():
    items = mapped()
    page = map_html(replace(items, simulated=True), PointColours(), "dark")
    outside, program, data = unpacked(page)
    assert "<title>some &lt;data&gt;: map</title>" in outside
    assert not re.search(r"\b(src|href)=", outside)
    assert "onerror=alert(1)>" not in outside
    assert b"Simulated data" in data
    assert "Plotly.newPlot" in program


def test_the_page_of_as_many_items_as_are_drawn_is_small():
    items = mapped(MOST_POINTS, hostile=False)
    names = [f"{word} {at}" for at, word in enumerate(["of", "a", "longer", "kind"] * 25_000)]
    page = map_html(replace(items, labels=names[: items.n]), PointColours())
    assert len(page) < 5_000_000

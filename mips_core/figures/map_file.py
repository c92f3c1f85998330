"""The map of all items as a page that needs nothing else, for a look at home and for mails."""

import json
from functools import cache
from typing import Any

from mips_core.figures.map import PointColours, map_figure
from mips_core.figures.page_file import page_file
from mips_core.figures.styles import Mode, tokens
from mips_core.figures.template import STAYS
from mips_core.studies.map_table import MappedItems

DRAW = """
const { data, layout } = JSON.parse(new TextDecoder().decode(window.pageData))
const notes = layout.annotations ?? []
if (innerWidth < 560) layout.annotations = notes.filter(({ name }) => name !== "wide")
Plotly.newPlot("map", data, layout, CONFIG)
"""
CONFIG = STAYS | {"responsive": True, "scrollZoom": True}


def map_html(
    mapped: MappedItems, colours: PointColours, mode: Mode = "light", **shown: Any
) -> bytes:
    """A page with the figure and all of Plotly in it; `shown` as `map_figure` takes it."""
    import plotly.graph_objects as go
    from plotly.io import to_json

    figure = go.Figure(map_figure(mapped, colours, mode, **shown))
    ground = tokens(mode)["background"]
    return page_file(
        f"{mapped.name}: map",
        '<div id="map"></div>',
        f"body {{ margin: 8px; background: {ground} }} #map {{ height: calc(100vh - 16px) }}",
        _program(),
        to_json(figure).encode("utf-8", "replace"),
        makes_programs=True,
    )


@cache
def _program() -> str:
    """All of Plotly, of which the bundles that are smaller do not draw so many points."""
    from plotly.offline import get_plotlyjs

    return f"{get_plotlyjs()}\n{DRAW.replace('CONFIG', json.dumps(CONFIG))}"

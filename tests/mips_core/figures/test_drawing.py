"""Drawings hold numbers; Plotly's picture has them all, in panels."""

import pytest

from mips_core.figures.drawing import (
    MARKERS,
    Drawing,
    Drawn,
    DrawnPanel,
    Span,
    Spot,
    as_plotly,
    narrow,
    shares,
    speedups,
)

SPOTS = tuple(Spot(2.0**i, 1 - i / 10, 0.9 - i / 10, 1.0, f"<b>{i}") for i in range(8))
LINE = Drawn("flat-kmeans", "Flat <i>", SPOTS, markers=False)


@pytest.fixture
def drawing():
    panels = tuple(
        DrawnPanel(f"K = {K}", speedups([LINE]), shares("Precision"), (LINE,)) for K in (1, 10)
    )
    return Drawing("name", "Title", "Caption", panels, simulated=True)


def test_axes_hold_what_is_drawn_and_tick_only_between_their_ends():
    x = speedups([LINE])
    assert x.share(x.low) == pytest.approx(0)
    assert x.share(x.high) == pytest.approx(1)
    assert all(0 <= x.share(spot.x) <= 1 for spot in SPOTS)
    assert all(x.low <= at <= x.high for at, _ in x.shown())
    assert [text for _, text in shares("").shown()] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert Span(0, 10, "", ()).share(5) == 0.5


def test_every_spot_is_in_the_figure_and_in_the_rows(drawing):
    figure = as_plotly(drawing)
    lines = [trace for trace in figure["data"] if trace["mode"] == "lines" and "name" in trace]
    assert [len(line["x"]) for line in lines] == [8, 8]
    assert {trace["legendgroup"] for trace in figure["data"]} == {"flat-kmeans"}
    assert {"xaxis", "xaxis2", "yaxis2"} <= figure["layout"].keys()
    rows = drawing.rows()
    assert len(rows) == 16
    assert rows[0]["simulated"]
    assert {row["panel"] for row in rows} == {"K = 1", "K = 10"}
    assert drawing.legend == {"flat-kmeans": "Flat <i>"}
    assert narrow(drawing)["xaxis"]["domain"] == [0, 1]


def test_what_a_file_wrote_is_text_and_few_markers_tell_the_shape(drawing):
    said = " ".join(map(str, (t.get("customdata") for t in as_plotly(drawing)["data"])))
    assert "<i>" not in said
    assert "&lt;i&gt;" in said
    assert len(LINE.marked()) == MARKERS
    assert len(Drawn("exact", "", SPOTS).marked()) == 8
    assert any(a["text"] == "Simulated data" for a in as_plotly(drawing)["layout"]["annotations"])

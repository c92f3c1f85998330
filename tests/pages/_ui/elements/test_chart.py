"""What a figure that updates tells the browser."""

from mips_core.figures.styles import METHODS
from pages._ui.elements import chart


def test_a_figure_is_laid_over_the_common_layout_and_chips_are_named():
    message = chart.Picture(
        figure={"data": ({"x": [1]},), "layout": {"xaxis": {"title": "cost"}}},
        alt="",
        height=100,
        chips=["exact", "flat-kmeans"],
        labels={"exact": "All of them"},
    ).message()
    assert message["figure"]["data"] == [{"x": [1]}]
    assert message["figure"]["layout"]["xaxis"]["title"] == "cost"
    assert set(message["figure"]["layout"]) > {"xaxis"}
    assert [chip["label"] for chip in message["chips"]] == [
        "All of them",
        METHODS["flat-kmeans"].label,
    ]


def test_an_element_with_sliders_is_mounted_as_its_own_kind(monkeypatch):
    drawn = []
    monkeypatch.setattr(chart, "_PLAIN", lambda **known: drawn.append("plain"))
    monkeypatch.setattr(chart, "_KINDS", {"live": lambda **known: drawn.append("live")})
    chart.mount({"figure": {}}, "one")
    chart.mount({"figure": {}, "live": {}}, "two")
    assert drawn == ["plain", "live"]

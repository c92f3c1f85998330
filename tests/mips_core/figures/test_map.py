"""The map as one figure: every item once, colours that say what they should, text that is text."""

import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from mips_core.base.text import in_one_line
from mips_core.figures.map import PointColours, map_figure
from mips_core.figures.map_names import LONGEST
from mips_core.figures.styles import MODES, plain, tokens
from tests.mips_core.figures.maps import HOSTILE, mapped, search


def rows_of(trace):
    return trace["customdata"][:, 0].astype(int).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_every_item_is_drawn_once_in_the_colour_of_its_cluster(mode):
    items = mapped()
    figure = map_figure(items, PointColours(), mode)
    go.Figure(figure)  # refuses what Plotly does not know
    drawn = [row for trace in figure["data"] for row in rows_of(trace)]
    assert sorted(drawn) == list(range(60))
    for trace in figure["data"]:
        (colour,) = {int(items.levels[0].colours[row % 7]) for row in rows_of(trace)}
        assert trace["marker"]["color"] == tokens(mode)[f"c{colour}"]
        rows = rows_of(trace)
        assert np.array_equal(np.column_stack([trace["x"], trace["y"]]), items.xy[rows])
        assert trace["text"] == [plain(items.labels[row]) for row in rows]
        assert trace["customdata"][:, 2].astype(int).tolist() == [row % 7 for row in rows]


def test_many_items_are_sampled_and_that_is_said():
    items = mapped(n=500, note="UMAP layout.")
    one, other = (map_figure(items, PointColours(), most=100, seed=seed) for seed in (0, 1))
    drawn = [sorted(row for t in figure["data"] for row in rows_of(t)) for figure in (one, other)]
    assert [len(set(rows)) for rows in drawn] == [100, 100]
    assert drawn[0] != drawn[1]
    note = one["layout"]["title"]["subtitle"]["text"]
    assert note == "UMAP layout. Drawn are 100 of the 500 items, a sample."
    whole = map_figure(items, PointColours())
    assert whole["layout"]["title"]["subtitle"]["text"] == "UMAP layout."


def test_values_go_along_the_palette_and_what_is_not_known_is_grey():
    values = np.arange(60.0)
    values[5] = np.nan
    figure = map_figure(mapped(), PointColours("values", "Norm", values))
    go.Figure(figure)
    grey, shown = figure["data"]
    assert rows_of(grey) == [5]
    assert grey["marker"]["color"] == tokens("light")["muted"]
    assert shown["marker"]["color"].tolist() == [v for v in range(60) if v != 5]
    scale = shown["marker"]["colorscale"]
    assert [stop for stop, _ in scale] == [i / 8 for i in range(9)]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for _, colour in scale)


def test_counts_that_span_sizes_have_a_log_scale_and_zero_its_place():
    counts = np.zeros(60, np.int64)
    counts[:4] = [1, 10, 100, 4000]
    (trace,) = map_figure(mapped(), PointColours("values", "Answers", counts, log=True))["data"]
    assert trace["marker"]["color"][-5:].tolist() == pytest.approx([0, 0, 1, 2, np.log10(4000)])
    assert rows_of(trace)[-4:] == [0, 1, 2, 3]  # the largest are on top
    bar = trace["marker"]["colorbar"]
    assert bar["ticktext"] == ["0 to 1", "10", "100", "1,000"]
    assert bar["tickvals"] == pytest.approx([0, 1, 2, 3])
    assert bar["ticklabeloverflow"] == "allow"


def test_long_labels_are_cut_under_the_pointer():
    items = mapped()
    long = replace(items, labels=[f"word {i}\n" + 10_000 * "x" for i in range(60)])
    named = replace(search(long), name=10_000 * "y")
    figure = map_figure(replace(long, search=named), PointColours())
    texts = [text for trace in figure["data"] for text in trace["text"]]
    assert all(len(text) <= 200 and text.endswith("…") and "\n" not in text for text in texts)


@pytest.mark.parametrize("values", [np.zeros(60), np.full(60, np.nan), np.full(60, 2.0)])
@pytest.mark.parametrize("log", [False, True])
def test_values_without_a_range_are_drawn(values, log):
    figure = map_figure(mapped(), PointColours("values", "Norm", values, log=log))
    go.Figure(figure)
    assert sorted(row for t in figure["data"] for row in rows_of(t)) == list(range(60))


def test_kinds_have_a_legend_whose_names_are_text():
    values = np.arange(60) % 4
    values[values == 3] = -1
    kinds = PointColours("kinds", "Part", values, names=("a", "b", HOSTILE))
    figure = map_figure(mapped(), kinds)
    go.Figure(figure)
    assert [trace["name"] for trace in figure["data"]] == ["a", "b", plain(HOSTILE), "not known"]
    assert sorted(row for trace in figure["data"] for row in rows_of(trace)) == list(range(60))
    assert all(trace["showlegend"] for trace in figure["data"])


def test_a_search_lies_over_faded_points():
    items = mapped()
    items = replace(items, search=search(items))
    *points, near, hits, misses, star = map_figure(items, PointColours())["data"]
    assert {trace["marker"]["opacity"] for trace in points} == {0.28}
    assert rows_of(near) == list(range(3, 20))
    assert (rows_of(hits), rows_of(misses)) == ([3], [0, 40])
    assert misses["marker"]["symbol"] == "x"
    assert (star["x"], star["y"], star["text"]) == ([0.5], [0.5], ["castle"])
    notes = [note["text"] for note in map_figure(items, PointColours())["layout"]["annotations"]]
    assert notes[:3] == [
        "<b>castle</b>, 5 probes",
        f"<b>{plain(in_one_line(HOSTILE, LONGEST))}</b>, missed",
        "<b>word 40</b>, missed",
    ]


@pytest.mark.parametrize("n", [1, 2])
def test_few_items_in_one_place(n):
    items = mapped(n=n, k=1)
    items = replace(items, xy=np.zeros((n, 2), np.float32))
    go.Figure(map_figure(items, PointColours()))
    alone = replace(items, levels=(), labels=None)
    (trace,) = map_figure(alone, PointColours())["data"]
    assert trace["text"] == [f"row {i}" for i in range(n)]

"""The picture of kept runs: told apart by more than colour, and names as text."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.limits import MAX_RUNS_TOGETHER
from mips_core.figures import runs as figures
from mips_core.figures.styles import METHODS, resolve, tokens
from tests.mips_core.studies.runs.run_cases import DATA, run_made


@pytest.fixture
def run():
    return run_made("one", [500, 100, 20], [1, 0.75, 0.25])


def lines(figure):
    return [trace for trace in figure["data"] if trace["mode"] == "lines+markers"]


def test_each_run_is_a_line_through_all_that_was_measured(run):
    other = run_made("two", [400, 50], [0.75, 0.5])
    figure = figures.runs_figure([run, other], 1, 10, 0.9)
    for trace, one in zip(lines(figure), (run, other), strict=True):
        np.testing.assert_array_equal(trace["x"], one.curve.speedup)
        np.testing.assert_array_equal(trace["y"], one.curve.precision(1))
        assert trace["line"]["color"] == "$flat-kmeans"
    assert [trace["name"] for trace in lines(figure)] == ["1  one", "2  two"]
    assert len([trace for trace in figure["data"] if trace.get("fill")]) == 2
    assert any(shape.get("x0") == shape.get("x1") == 10 for shape in figure["layout"]["shapes"])
    assert any(shape.get("y0") == shape.get("y1") == 0.9 for shape in figure["layout"]["shapes"])


def test_no_two_runs_look_alike(run):
    styles = figures.styles_of([run] * MAX_RUNS_TOGETHER)
    assert len({style.symbol for style in styles}) == len(styles)
    assert len({style.dash for style in styles[:6]}) == 6
    assert styles[0][1:] == (METHODS["flat-kmeans"].dash, METHODS["flat-kmeans"].symbol)


def test_names_are_text_in_the_key_beside_the_curve_and_over_it(run):
    hostile = replace(run, name="<b>x</b> %{y} &amp; \u202eabc")
    figure = figures.runs_figure([hostile, run], 1, 10, 0.9)
    shown = json.dumps(
        [
            [trace["name"] for trace in lines(figure)],
            [trace["customdata"] for trace in lines(figure)],
            [note["text"] for note in figure["layout"]["annotations"]],
        ]
    )
    assert "&lt;b&gt;x&lt;/b&gt;" in shown
    assert "<b>x" not in shown
    assert "%{y}" not in shown
    assert "\\u202e" not in shown


def test_many_runs_are_numbered_and_few_named(run):
    for count, text in ((3, "3  one"), (5, "5"), (MAX_RUNS_TOGETHER, str(MAX_RUNS_TOGETHER))):
        figure = figures.runs_figure([run] * count, 1, 10, 0.9)
        assert figure["layout"]["annotations"][count - 1]["text"] == text
        narrow = figures.narrow(figure)["annotations"]
        assert [note["text"] for note in narrow] == [str(n + 1) for n in range(count)]


def test_what_was_not_measured_at_k_is_left_out_and_keeps_its_number(run):
    other = run_made("deep", [400, 50], [0.75, 0.5])
    curve = replace(other.curve, histograms={5: np.array([[0, 0, 0, 0, 0, 4]] * 2)}, read_off={})
    figure = figures.runs_figure([replace(other, curve=curve), run], 1, 10, 0.9)
    assert [trace["name"] for trace in lines(figure)] == ["2  one"]


def test_simulated_data_is_named_and_other_data_has_no_common_exact_point(run):
    other = run_made("two", [90], [0.5], data=replace(DATA, n=77, simulated=True))
    figure = figures.runs_figure([run, other], 1, 10, 0.9)
    assert "Simulated data" in [note["text"] for note in figure["layout"]["annotations"]]
    assert not [trace for trace in figure["data"] if trace["mode"] == "markers"]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_colour_is_known(run, mode):
    figure = resolve(figures.runs_figure([run, run], 1, 10, 0.9), tokens(mode))
    assert '"$' not in json.dumps(figure, default=lambda array: array.tolist())

"""The figure of methods under noise shows what was measured."""

import numpy as np
import pytest

from mips_core.figures.styles import resolve, tokens
from mips_core.studies.robustness import RobustMethod
from tests.mips_core.figures.robust_methods import (
    FALLING,
    KEYS,
    LEVEL,
    S,
    drawn,
    histograms,
    method,
    question_of,
)


def test_a_method_is_drawn_with_its_interval_and_the_speedup_it_reaches():
    methods = {"flat-kmeans": method("flat-kmeans", FALLING)}
    groups, _ = drawn(KEYS, question_of(), methods)
    band, others, precision, speedup = groups["flat-kmeans"]
    under = methods["flat-kmeans"].by_seed[0]
    np.testing.assert_allclose(precision["y"], under.precision("noisy"), rtol=1e-6)
    np.testing.assert_allclose(speedup["y"], under.speedup, rtol=1e-6)
    assert speedup["yaxis"] == "y2"
    high, low = np.split(band["y"], 2)
    np.testing.assert_allclose(np.stack([low[::-1], high]).T, under.interval("noisy"), rtol=1e-6)
    assert np.isnan(others["y"]).all()
    assert {len(t["x"]) for t in (precision, speedup)} == {S}
    assert "builds" not in precision["hovertemplate"]


def test_other_builds_are_thin_lines_with_their_spread():
    groups, _ = drawn(KEYS, question_of(), {"pca-tree": method("pca-tree", FALLING, seeds=3)})
    _, others, precision, _ = groups["pca-tree"]
    assert len(others["x"]) == len(others["y"]) == 2 * S + 1
    np.testing.assert_allclose(others["y"][:S], FALLING - 0.01, atol=0.006)
    np.testing.assert_allclose(others["y"][S + 1 :], FALLING - 0.02, atol=0.006)
    assert np.isnan(others["y"][S])
    assert "3 builds: %{customdata[3]:.3f} to %{customdata[4]:.3f}" in precision["hovertemplate"]
    low, high, _, least, most = precision["customdata"].T
    np.testing.assert_allclose(most, precision["y"], rtol=1e-6)
    assert (least < most).all()
    assert ((low < precision["y"]) & (precision["y"] < high)).all()


def test_what_is_not_measured_is_an_empty_curve():
    chosen = method("flat-kmeans", FALLING)
    waiting = RobustMethod(chosen.solved, ())
    groups, _ = drawn(KEYS, question_of(), {"flat-kmeans": waiting})
    assert set(groups) == set(KEYS)
    assert all(np.isnan(trace["y"]).all() for traces in groups.values() for trace in traces)


def test_many_methods_have_no_bands():
    keys = [*KEYS, "srp-hash"]
    groups, _ = drawn(keys, question_of(), {key: method(key, FALLING) for key in keys})
    assert all("fill" not in trace for traces in groups.values() for trace in traces)
    assert len(groups["srp-hash"]) == 3


def test_the_ceiling_is_drawn_for_the_truth_before_noise_alone():
    methods = {"flat-kmeans": method("flat-kmeans", FALLING)}
    ceiling = histograms(np.linspace(1, 0.6, S))
    assert "exact" not in drawn(KEYS, question_of(), methods, ceiling)[0]
    groups, _ = drawn(KEYS, question_of("clean"), methods, ceiling)
    (line,) = groups["exact"]
    np.testing.assert_allclose(line["y"], np.linspace(1, 0.6, S), atol=0.006)
    np.testing.assert_allclose(groups["flat-kmeans"][2]["y"], FALLING / 2, atol=0.006)
    (line,) = drawn(KEYS, question_of("clean"), methods)[0]["exact"]
    assert np.isnan(line["y"]).all()


@pytest.mark.parametrize("reached", [1.0, 29.0, 180.0, 40_000.0])
def test_the_lower_axis_holds_what_is_asked_and_what_is_reached(reached):
    methods = {"flat-kmeans": method("flat-kmeans", LEVEL, speedup=reached, reached=False)}
    _, layout = drawn(KEYS, question_of(), methods)
    low, high = 10 ** np.array(layout["yaxis2"]["range"])
    assert low < min(30, reached)
    assert high > max(30, 1.5 * reached)
    ticks = layout["yaxis2"]["tickvals"]
    assert 2 <= len(ticks) <= 11
    assert low <= min(ticks) <= max(ticks) <= high
    assert any("asked: 30×" in note["text"] for note in layout["annotations"])
    assert layout["shapes"][0]["y0"] == 30


def test_the_axis_of_noise_has_both_units():
    _, layout = drawn(KEYS, question_of(), {})
    assert layout["xaxis"]["ticktext"] == [
        "0", "0.1<br>0.20 rms", "0.2<br>0.40 rms", "0.3<br>0.60 rms", "0.4<br>0.80 rms",
    ]  # fmt: skip
    _, layout = drawn(KEYS, question_of(unit="relative"), {})
    assert layout["xaxis"]["ticktext"][1] == "0.1 rms<br>0.05"
    _, layout = drawn(KEYS, question_of(rms=None), {})
    assert layout["xaxis"]["ticktext"][1] == "0.1"


def test_simulated_data_is_marked_in_the_picture():
    for simulated in (False, True):
        _, layout = drawn(KEYS, question_of(simulated=simulated), {})
        marks = [note for note in layout["annotations"] if note["text"] == "Simulated data"]
        assert len(marks) == simulated


def test_a_figure_has_colours_of_its_theme_alone():
    keys = [*KEYS[:2], "top-down-kmeans"]
    groups, layout = drawn(keys, question_of("clean"), {key: method(key, FALLING) for key in keys})
    painted = resolve([groups, layout], tokens("dark"))
    assert "'$" not in str(painted)

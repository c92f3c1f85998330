"""The figure of methods under noise, and its sentences, say what was measured."""

import numpy as np
import pytest

from mips_core.evaluation.operating_point import Solved
from mips_core.evaluation.setting import Setting
from mips_core.figures import robustness as figures
from mips_core.figures.robustness import Asked
from mips_core.figures.robustness_words import about_unit, note, sentence
from mips_core.figures.styles import resolve, tokens
from mips_core.methods.indexes import INDEXES
from mips_core.studies.noise import SIGMAS, UnderNoise
from mips_core.studies.robustness import RobustMethod

S, K = len(SIGMAS), 4
KEYS = ["flat-kmeans", "pca-tree", "largest-norm"]


def asked(truth="noisy", unit="absolute", **known):
    return Asked(1_000, K, truth, SIGMAS, unit, **{"rms": 0.5, **known})


def histograms(precision):
    """(S, K+1) of 100 queries that find 0 or all of K, `precision` of them all."""
    counts = np.zeros((S, K + 1), np.int64)
    counts[:, K] = np.rint(100 * np.asarray(precision))
    counts[:, 0] = 100 - counts[:, K]
    return counts


def method(key, noisy, seeds=1, reached=True, speedup=30.0):
    """A method that finds noisy (S,), and 1/100 less with each further seed; half before noise."""
    index = INDEXES[key]()
    drift = speedup * np.linspace(1, 1.5, S)
    by_seed = tuple(
        UnderNoise(
            Setting(index, seed, 3),
            K,
            100,
            drift,
            {
                "noisy": histograms(noisy - seed / 100),
                "clean": histograms(noisy / 2),
            },
        )
        for seed in range(seeds)
    )
    return RobustMethod(Solved(Setting(index, 0, 3), speedup, 0.9, reached), by_seed)


FALLING = np.linspace(0.9, 0.5, S)
LEVEL = np.full(S, 0.7)


def drawn(keys, question, methods, ceiling=None, speedup=30.0):
    """The traces of the figure with what the scene changes of them, by group."""
    still = figures.figure(keys, question)
    traces, layout = figures.scene(keys, question, speedup, methods, ceiling)
    assert len(traces) == len(still["data"])
    groups = {}
    for trace, change in zip(still["data"], traces, strict=True):
        groups.setdefault(trace["legendgroup"], []).append(trace | change)
    return groups, still["layout"] | layout


def test_a_method_is_drawn_with_its_interval_and_the_speedup_it_reaches():
    methods = {"flat-kmeans": method("flat-kmeans", FALLING)}
    groups, _ = drawn(KEYS, asked(), methods)
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
    groups, _ = drawn(KEYS, asked(), {"pca-tree": method("pca-tree", FALLING, seeds=3)})
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
    groups, _ = drawn(KEYS, asked(), {"flat-kmeans": waiting})
    assert set(groups) == set(KEYS)
    assert all(np.isnan(trace["y"]).all() for traces in groups.values() for trace in traces)


def test_many_methods_have_no_bands():
    keys = [*KEYS, "srp-hash"]
    groups, _ = drawn(keys, asked(), {key: method(key, FALLING) for key in keys})
    assert all("fill" not in trace for traces in groups.values() for trace in traces)
    assert len(groups["srp-hash"]) == 3


def test_the_ceiling_is_drawn_for_the_truth_before_noise_alone():
    methods = {"flat-kmeans": method("flat-kmeans", FALLING)}
    ceiling = histograms(np.linspace(1, 0.6, S))
    assert "exact" not in drawn(KEYS, asked(), methods, ceiling)[0]
    groups, _ = drawn(KEYS, asked("clean"), methods, ceiling)
    (line,) = groups["exact"]
    np.testing.assert_allclose(line["y"], np.linspace(1, 0.6, S), atol=0.006)
    np.testing.assert_allclose(groups["flat-kmeans"][2]["y"], FALLING / 2, atol=0.006)
    (line,) = drawn(KEYS, asked("clean"), methods)[0]["exact"]
    assert np.isnan(line["y"]).all()


@pytest.mark.parametrize("reached", [1.0, 29.0, 180.0, 40_000.0])
def test_the_lower_axis_holds_what_is_asked_and_what_is_reached(reached):
    methods = {"flat-kmeans": method("flat-kmeans", LEVEL, speedup=reached, reached=False)}
    _, layout = drawn(KEYS, asked(), methods)
    low, high = 10 ** np.array(layout["yaxis2"]["range"])
    assert low < min(30, reached)
    assert high > max(30, 1.5 * reached)
    ticks = layout["yaxis2"]["tickvals"]
    assert 2 <= len(ticks) <= 11
    assert low <= min(ticks) <= max(ticks) <= high
    assert any("asked: 30×" in note["text"] for note in layout["annotations"])
    assert layout["shapes"][0]["y0"] == 30


def test_the_axis_of_noise_has_both_units():
    _, layout = drawn(KEYS, asked(), {})
    assert layout["xaxis"]["ticktext"] == [
        "0", "0.1<br>0.20 rms", "0.2<br>0.40 rms", "0.3<br>0.60 rms", "0.4<br>0.80 rms",
    ]  # fmt: skip
    _, layout = drawn(KEYS, asked(unit="relative"), {})
    assert layout["xaxis"]["ticktext"][1] == "0.1 rms<br>0.05"
    _, layout = drawn(KEYS, asked(rms=None), {})
    assert layout["xaxis"]["ticktext"][1] == "0.1"


def test_absolute_noise_that_does_not_fit_the_data_is_said():
    assert about_unit(asked()) == about_unit(asked(rms=None)) == ""
    assert about_unit(asked(rms=0.01, unit="relative")) == ""
    assert "σ 0.4 is 40 times the data's rms: such queries are almost nothing but noise" in (
        about_unit(asked(rms=0.01))
    )
    assert "σ 0.4 is 0.04 times the data's rms: such queries are hardly changed" in (
        about_unit(asked(rms=10.0))
    )
    _, layout = drawn(KEYS, asked(rms=0.01), {})
    assert layout["xaxis"]["ticktext"][-1] == "0.4<br>40 rms"


def test_simulated_data_is_marked_in_the_picture():
    for simulated in (False, True):
        _, layout = drawn(KEYS, asked(simulated=simulated), {})
        marks = [note for note in layout["annotations"] if note["text"] == "Simulated data"]
        assert len(marks) == simulated


def test_a_figure_has_colours_of_its_theme_alone():
    keys = [*KEYS[:2], "top-down-kmeans"]
    groups, layout = drawn(keys, asked("clean"), {key: method(key, FALLING) for key in keys})
    painted = resolve([groups, layout], tokens("dark"))
    assert "'$" not in str(painted)


def said(sigma, methods, question=None, ceiling=None):
    return sentence(question or asked(), SIGMAS.index(sigma), methods, ceiling)


def test_the_sentence_names_the_best_and_who_lost_most():
    methods = {
        "flat-kmeans": method("flat-kmeans", FALLING),
        "pca-tree": method("pca-tree", FALLING * 0.5),
        "largest-norm": method("largest-norm", LEVEL * 0.5),
    }
    assert said(0.3, methods).startswith(
        "At σ **0.3** (0.60 of the data's rms), flat k-means finds **60.0%** (±"
    )
    assert said(0.3, methods).endswith(
        ") of the true top 4, 30.0 points less than without noise; PCA-tree loses 15.0."
    )
    assert said(0.0, methods).startswith("At σ **0**, without noise, flat k-means finds **90.0%**")
    assert said(0.0, methods).endswith("of the true top 4.")
    strong = said(0.3, methods, asked(rms=0.1))
    assert strong.startswith("At σ **0.3** (3.00 times the data's rms), flat")
    assert said(0.3, methods, asked(rms=None)).startswith("At σ **0.3**, flat k-means")
    relative = said(0.2, methods, asked(unit="relative"))
    assert relative.startswith("At σ **0.2** of the data's rms (0.1), flat k-means")


def test_the_sentence_gives_both_ends_of_an_interval_that_is_lopsided():
    sure = method("flat-kmeans", np.ones(S))
    low, high = sure.by_seed[0].interval("noisy")[0]
    ends = f"**100.0%** (95% interval {100 * low:.1f} to {100 * high:.1f}) of the true top 4"
    assert ends in said(0.3, {"flat-kmeans": sure})


def test_the_sentence_is_of_methods_at_the_speedup():
    far = method("largest-norm", LEVEL, reached=False, speedup=52.0)
    near = method("flat-kmeans", LEVEL * 0.5)
    assert "flat k-means finds **35.0%**" in said(0.1, {"flat-kmeans": near, "largest-norm": far})
    assert "as many as without noise." in said(0.1, {"flat-kmeans": near})
    alone = said(0.1, {"largest-norm": far})
    assert "largest norms, at 52.0×, find **70.0%**" in alone


def test_the_sentence_for_the_truth_before_noise_gives_the_ceiling():
    methods = {"flat-kmeans": method("flat-kmeans", FALLING)}
    ceiling = histograms(np.linspace(1, 0.6, S))
    text = said(0.4, methods, asked("clean"), ceiling)
    assert "**25.0%**" in text
    assert "of the top 4 before noise" in text
    assert text.endswith("; exact search itself finds 60.0%.")


def test_nothing_measured_is_said():
    assert said(0.2, {}) == "No method is measured at this speedup yet."


def test_the_note_counts_what_is_in_and_names_who_is_far():
    far = method("largest-norm", LEVEL, reached=False, speedup=52.3)
    assert note(30, {}, KEYS) == "0 of 3 methods are in."
    assert note(30, {"largest-norm": far}, KEYS) == (
        "1 of 3 methods are in. Largest norms: no setting near 30×, the nearest is 52.3×."
    )
    near = {key: method(key, LEVEL) for key in KEYS}
    assert note(30, near, KEYS) == ""
    assert note(30, {}, ["flat-kmeans"]) == ""

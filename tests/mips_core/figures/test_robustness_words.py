"""What noise does to methods, in sentences."""

import numpy as np

from mips_core.figures.robustness_words import about_unit, note, sentences
from mips_core.studies.noise import SIGMAS
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


def said(sigma, methods, question=None, ceiling=None):
    return sentences(question or question_of(), methods, ceiling)[SIGMAS.index(sigma)]


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
    strong = said(0.3, methods, question_of(rms=0.1))
    assert strong.startswith("At σ **0.3** (3.00 times the data's rms), flat")
    assert said(0.3, methods, question_of(rms=None)).startswith("At σ **0.3**, flat k-means")
    relative = said(0.2, methods, question_of(unit="relative"))
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
    text = said(0.4, methods, question_of("clean"), ceiling)
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


def test_absolute_noise_that_does_not_fit_the_data_is_said():
    assert about_unit(question_of()) == about_unit(question_of(rms=None)) == ""
    assert about_unit(question_of(rms=0.01, unit="relative")) == ""
    assert "σ 0.4 is 40 times the data's rms: such queries are almost nothing but noise" in (
        about_unit(question_of(rms=0.01))
    )
    assert "σ 0.4 is 0.04 times the data's rms: such queries are hardly changed" in (
        about_unit(question_of(rms=10.0))
    )
    _, layout = drawn(KEYS, question_of(rms=0.01), {})
    assert layout["xaxis"]["ticktext"][-1] == "0.4<br>40 rms"

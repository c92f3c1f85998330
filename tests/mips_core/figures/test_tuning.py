"""The picture of tuning says what the trials say."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, rng_for, truth_of
from mips_core.base.byte_size import byte_size
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import evaluate
from mips_core.figures import tuning
from mips_core.figures.styles import METHODS, resolve, tokens
from mips_core.studies.tuning import Need, cheapest
from tests.mips_core.evaluation.test_evaluate import random_dataset

KEYS = ("flat-kmeans", "pca-tree", "srp-hash", "top-down-kmeans")


@pytest.fixture(scope="module")
def tuned():
    dataset = random_dataset(m=200)
    truth = truth_of(dataset)
    tried = []
    for index in (index for key in KEYS for index in INDEXES[key].grid(dataset.n, dataset.d)):
        structure = index.build(dataset.items, rng_for(0))
        evaluation = evaluate(index, index.searcher(structure), truth, 0)
        tried.append(Tried(evaluation, 0.1, byte_size(structure)))
    return cheapest(tried, 10, Need(0.9, 0.9))


@pytest.fixture
def trials(tuned):
    return [tuned.chosen, *tuned.runners_up]


def figure_of(trials, tuned, target=0.9):
    figure = tuning.intervals(trials, tuned.chosen, 10, target)
    resolve(figure, tokens("dark"))
    return figure


def bars(figure):
    return [trace for trace in figure["data"] if trace["mode"] == "lines"]


def marks(figure):
    return [trace for trace in figure["data"] if trace["mode"] == "markers"]


def words(notes):
    return " ".join(note["text"] for note in notes)


def test_rows_stand_by_cost_with_their_intervals(trials, tuned):
    figure = figure_of(trials[::-1], tuned)
    by_cost = sorted(trials, key=lambda trial: trial.cost)
    assert [bar["x"] for bar in bars(figure)] == [list(trial.interval) for trial in by_cost]
    assert [mark["x"] for mark in marks(figure)] == [[trial.precision] for trial in by_cost]
    assert [bar["y"] for bar in bars(figure)] == [[y, y] for y in range(len(trials))]
    first, last = figure["layout"]["yaxis"]["range"]
    assert last < 0 < len(trials) - 1 < first  # the cheapest on top, and every row inside


def test_the_answer_stands_out_and_alone(trials, tuned):
    figure = figure_of(trials, tuned)
    bold = [bar["x"] for bar in bars(figure) if bar["line"]["width"] > 5]
    assert bold == [list(tuned.chosen.interval)]
    assert f"<b>{tuned.chosen.cost:,.0f}</b>" in words(figure["layout"]["annotations"])


def test_what_cannot_be_told_is_hollow_and_says_so(trials, tuned):
    unsure = replace(trials[0], verdict="cannot tell", cost=trials[0].cost + 1)
    figure = tuning.intervals([trials[0], unsure], trials[0], 10, 0.9)
    full, hollow = (mark["marker"]["color"] for mark in marks(figure))
    key = trials[0].setting.index.key
    assert hollow == "$background"
    assert full == ("$background" if "open" in METHODS[key].symbol else f"${key}")
    assert bars(figure)[1]["line"]["color"] == f"${key}@0.5"
    said = words(figure["layout"]["annotations"])
    assert "? cannot tell" in said
    assert "✓ holds" in said


def test_the_target_is_drawn_and_its_good_side_tinted(trials, tuned):
    tint, line = figure_of(trials, tuned)["layout"]["shapes"]
    assert tint["x0"] == line["x0"] == line["x1"] == 0.9
    assert tint["x1"] > 1
    assert "target 0.9" in words(figure_of(trials, tuned)["layout"]["annotations"])


@pytest.mark.parametrize(("target", "anchor"), [(0.5, "left"), (0.9, "center"), (1.0, "right")])
def test_the_name_of_the_target_stays_clear_of_what_stands_beside(trials, tuned, target, anchor):
    near = [replace(trials[0], precision=0.9, interval=(0.6, 0.99))]
    notes = tuning.intervals(near, None, 10, target)["layout"]["annotations"]
    (name,) = [note for note in notes if note["text"].startswith("target")]
    assert (name["x"], name["xanchor"]) == (target, anchor)


def test_without_a_target_there_is_no_verdict(trials, tuned):
    layout = figure_of(trials, tuned, None)["layout"]
    assert not layout["shapes"]
    assert not any(sign in words(layout["annotations"]) for sign in ("✓", "✕", "?"))


def test_the_axis_holds_every_interval_but_those_far_off(trials, tuned):
    low, high = figure_of(trials, tuned)["layout"]["xaxis"]["range"]
    near = [trial for trial in trials if trial.precision >= 0.75]
    assert low <= min(trial.interval[0] for trial in near)
    assert high >= max(trial.interval[1] for trial in near)
    far = replace(trials[0], precision=0.2, interval=(0.15, 0.25), verdict="does not hold")
    figure = figure_of([*trials, far], tuned)
    assert figure["layout"]["xaxis"]["range"] == [low, high]
    assert "◂ 0.200" in words(figure["layout"]["annotations"])
    low, _ = tuning.intervals([*trials, far], None, 10)["layout"]["xaxis"]["range"]
    assert low < 0.15


def test_the_axis_ends_hardly_beyond_1(trials, tuned):
    sure = replace(trials[0], precision=1.0, interval=(1.0, 1.0))
    for others in ([], trials):
        layout = figure_of([sure, *others], tuned, 0.99)["layout"]
        low, high = layout["xaxis"]["range"]
        assert 0 < high - 1 <= 0.04 * (1 - low) + 1e-12


def test_a_wide_interval_of_few_queries_is_drawn_whole(trials, tuned):
    wide = replace(trials[0], precision=1.0, interval=(0.6, 1.0), verdict="cannot tell")
    layout = figure_of([*trials, wide], tuned)["layout"]
    assert layout["xaxis"]["range"][0] <= 0.6
    assert "◂ 1.000" not in words(layout["annotations"])


def test_on_narrow_screens_the_target_crosses_intervals_and_no_words(trials, tuned):
    tint, *lines = tuning.narrow(trials, tuned.chosen, 0.9)["shapes"]
    assert tint["x0"] == 0.9
    assert len(lines) == len(trials)
    for y, line in enumerate(lines):
        assert line["x0"] == line["x1"] == 0.9
        assert y - 0.13 < line["y0"] < y < line["y1"]  # words end 9 px above: 0.13 of 70
    assert tuning.narrow(trials, tuned.chosen, None)["shapes"] == []


def test_a_narrow_picture_has_the_same_words(trials, tuned):
    wide = words(figure_of(trials, tuned)["layout"]["annotations"])
    narrow = words(tuning.narrow(trials, tuned.chosen, 0.9)["annotations"])
    for trial in trials:
        for text in (METHODS[trial.setting.index.key].label, f"{trial.cost:,.0f}", trial.verdict):
            assert text in wide
            assert text in narrow


def test_heights_grow_with_rows_and_with_long_settings(trials):
    one, more = tuning.heights(trials[:1]), tuning.heights(trials)
    assert np.less(one, more).all()
    words = max((trial.setting.in_words(1000) for trial in trials), key=len)
    assert len(words) < tuning.LETTERS  # so no line was broken here
    assert more[0] == tuning.TOP + tuning.BOTTOM + tuning.ROW * len(trials)

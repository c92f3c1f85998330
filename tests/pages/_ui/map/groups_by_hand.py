"""How the clusters fare, counted anew by hand."""

import numpy as np
import pytest

from pages._ui.map.scene import scene_of
from tests.pages.conftest import session_of, texts


def table(at, column="radius"):
    """The table with this column."""
    return next(e.value for e in at.dataframe if column in e.value)


def by_hand(scene):
    """(k,) searches that open each group, true answers in it, misses among them."""
    level, truth = scene.level, scene.evaluation.truth
    K, k = scene.session.K, len(level.sizes)
    opened, answers, misses = np.zeros((3, k), int)
    for query, true in zip(truth.queries, truth.ids[:, :K], strict=True):
        listed = scene.searcher.candidates(query[None], scene.effort, K + truth.excluded).ids
        opened[np.unique(level.of[listed])] += 1
        np.add.at(answers, level.of[true], 1)
        np.add.at(misses, level.of[np.setdiff1d(true, listed)], 1)
    return opened, answers, misses


def assert_counted_right(at):
    scene = scene_of(session_of(at))
    shown = table(at)
    groups = shown["number"].to_numpy()
    opened, answers, misses = (counts[groups] for counts in by_hand(scene))
    m = scene.evaluation.truth.m
    assert shown["items"].tolist() == scene.level.sizes[groups].tolist()
    assert shown["opened by"].to_numpy() == pytest.approx(100 * opened / m)
    assert shown["true answers"].to_numpy() == pytest.approx(100 * answers / answers.sum())
    assert shown["misses"].to_numpy() == pytest.approx(100 * misses / max(misses.sum(), 1))
    total = f"the true top {scene.session.K} of each: {misses.sum():,} missed of {answers.sum():,}."
    assert total in texts(at)

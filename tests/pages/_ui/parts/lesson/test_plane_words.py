"""The 72 words of the first chapters: where they lie is the same on any machine."""

import numpy as np
import pytest

from mips_core import shipped
from pages._ui.parts.lesson.plane_words import TOPICS, WORDS, directions, points, unit


def test_the_words_are_of_the_shipped_data_eight_a_topic():
    assert len(set(WORDS)) == 72
    assert {len(words.split()) for words in TOPICS.values()} == {8}
    assert set(WORDS) <= set(shipped("glove-6b-50d").labels)


def test_points_are_the_two_principal_directions_of_the_words():
    P = points()
    assert P.shape == (72, 2)
    assert np.linalg.norm(P, axis=1).max() == pytest.approx(1)
    assert P.mean(axis=0) == pytest.approx([0, 0], abs=1e-5)
    data = shipped("glove-6b-50d")
    X = data.items[[data.labels.index(word) for word in WORDS]].astype(float)
    _, vectors = np.linalg.eigh(np.cov(X.T))
    for axis in (0, 1):  # written from the definition: eigenvectors of the covariance
        along = (X - X.mean(axis=0)) @ vectors[:, -1 - axis]
        cosine = along @ P[:, axis] / np.linalg.norm(along) / np.linalg.norm(P[:, axis])
        assert abs(cosine) == pytest.approx(1, abs=1e-5)
    assert P[WORDS.index("jazz"), 0] > 0
    assert P[WORDS.index("team"), 1] > 0


def test_directions_go_round_in_half_degrees_and_nobody_writes_into_them():
    assert directions().shape == (720, 2)
    assert directions()[180] == pytest.approx([0, 1], abs=1e-7)
    assert unit([180])[0] == pytest.approx([-1, 0], abs=1e-7)
    with pytest.raises(ValueError, match="read-only"):
        points()[0] = 0

"""Lesson 12: draws of noise in the plane, and the same on all words."""

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.studies.noise import SIGMAS
from pages._ui.parts.lesson import stored
from pages._ui.parts.lesson.plane_words import WORDS, points, unit
from pages.learn.noisy_query import ANGLES, DRAWS, LESSON, drawn, shares
from tests.pages.wire_reader import unpack


@pytest.fixture(scope="module")
def data():
    return unpack(stored.packed("noisy_query"))


def at(data, name):
    """(DRAWS, 3) of the lesson's first state."""
    sigma, angle = SIGMAS.index(LESSON.state["s"]), ANGLES.index(LESSON.state["q"])
    return np.asarray(data[name][sigma][angle])


@pytest.mark.parametrize("seed", [0, DRAWS - 1])
def test_a_fresh_draw_is_the_stored_one(data, seed):
    tips, truth, returned = drawn(seed)
    assert (data["far"][:, seed] == tips[-1]).all()
    assert (data["truth"][:, :, seed] == truth).all()
    assert (data["returned"][:, :, seed] == returned).all()


def test_a_smaller_noise_moves_the_query_a_part_of_the_way():
    tips, *_ = drawn(3)
    clean = unit(np.array(ANGLES))
    for sigma, moved in zip(SIGMAS, tips, strict=True):
        part = clean + sigma / SIGMAS[-1] * (tips[-1] - clean)
        assert np.allclose(moved, part, atol=1e-6)


def test_truth_and_answers_are_those_of_the_definition(data):
    P = points().astype(float)
    index = INDEXES["flat-kmeans"](n_clusters=8)
    searcher = index.searcher(index.build(points(), rng_for(8)))
    for seed in (0, 7):
        tips, *_ = drawn(seed)
        for angle in (0, 24, 50):
            q = tips[4, angle]
            best = np.argsort(-(P @ q.astype(float)), kind="stable")
            assert data["truth"][4][angle][seed].tolist() == best[:3].tolist()
            near = set(searcher.candidates(q[None], 2, 3).ids.tolist())
            listed = [i for i in best.tolist() if i in near][:3]
            assert data["returned"][4][angle][seed].tolist() == listed


def test_steps_and_answer_say_what_is_so(data):
    facts = data["facts"]
    noisy, index = at(data, "truth"), at(data, "returned")
    clean = np.asarray(data["truth"][0][ANGLES.index(LESSON.state["q"])])
    assert (clean == clean[0]).all()
    assert {WORDS[i] for i in clean[0]} == {"army", "troops", "soldiers"}
    assert facts["winners"] == len({*noisy.ravel().tolist()}) == 7
    assert facts["index_noisy"] == f"{shares(noisy, index).mean():.0%}" == "92%"
    assert facts["index_clean"] == f"{shares(clean, index).mean():.0%}" == "71%"
    assert facts["exact_clean"] == f"{shares(clean, noisy).mean():.0%}" == "69%"
    sigma = SIGMAS.index(LESSON.state["s"])
    real = [f"{data['real'][name][sigma]:.0%}" for name in ("noisy", "clean", "exact")]
    assert real == [facts[f"real_{name}"] for name in ("noisy", "clean", "exact")]
    assert (data["real"]["exact"] >= data["real"]["clean"]).all()


def test_a_share_counts_what_is_among_the_answers():
    assert shares(np.array([[1, 2, 3]]), np.array([[3, 9, 1]])).tolist() == [2 / 3]

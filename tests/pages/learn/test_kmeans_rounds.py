import numpy as np
import pytest

from mips_core import rng_for
from mips_core.methods.clustering.rounds import spherical_kmeans, start_labels
from pages._ui.parts.lesson.plane_words import points, unit
from pages._ui.state.session import shipped, usual
from pages.learn.kmeans_rounds import LESSON, SEED, SQUEEZED, STOPS, K, make, story

D = (points() / np.linalg.norm(points(), axis=1)[:, None]).astype(np.float32)


STARTS = LESSON.values_of("story")


@pytest.fixture(scope="module")
def stories():
    return make()["stories"]


def arrows(angles: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(np.deg2rad(angles)), np.sin(np.deg2rad(angles))], axis=-1)


@pytest.mark.parametrize("name", STARTS)
def test_arrows_turn_to_the_sum_of_their_words_and_words_move_to_the_nearest(stories, name):
    told = stories[name]
    for stop in range(1, len(told["turned"])):
        labels, ways = told["labels"][stop], arrows(told["angles"][stop])
        if told["turned"][stop]:
            for cluster in set(labels):
                total = D[labels == cluster].astype(np.float64).sum(axis=0)
                assert ways[cluster] == pytest.approx(total / np.linalg.norm(total), abs=1e-5)
        else:
            cosines = np.nan_to_num(D @ ways.T, nan=-1)  # of arrows that were dropped
            own = np.take_along_axis(cosines, labels[:, None].astype(int), axis=1)[:, 0]
            assert own == pytest.approx(cosines.max(axis=1), abs=1e-5)
            assert told["moved"][stop] == (labels != told["labels"][stop - 1]).sum()
        mean = np.einsum("nd,nd->n", D, ways[labels]).mean()
        assert told["objective"][stop] == pytest.approx(mean, abs=1e-5)


@pytest.mark.parametrize("name", STARTS)
def test_the_objective_never_falls_and_at_the_end_no_word_moves(stories, name):
    objective = stories[name]["objective"]
    assert (np.diff(objective[np.isfinite(objective)]) >= -1e-6).all()
    assert stories[name]["moved"][-1] == 0


def test_every_start_ends_where_the_clustering_of_the_core_does(stories):
    drawn = start_labels(rng_for(SEED, "kmeans"), len(D), K)
    squeezed = unit(np.array(SQUEEZED))
    for name, start in (("random", drawn), ("drop", squeezed), ("reseed", squeezed)):
        end = spherical_kmeans(D, start, empty="reseed" if name == "reseed" else "drop")
        names = np.unique(stories[name]["labels"][-1])
        assert (names[end.labels] == stories[name]["labels"][-1]).all()
        mean = end.rounds[-1].objective / len(D)
        assert stories[name]["objective"][-1] == pytest.approx(mean, abs=1e-6)


def test_an_arrow_between_two_others_gets_no_word_and_is_dropped_or_starts_at_the_worst(stories):
    words = make()["angles"]
    assert not ((words > (110 + 125) / 2) & (words < (125 + 140) / 2)).any()
    for name in ("drop", "reseed"):
        assert set(stories[name]["labels"][1]) == {0, 2, 3, 4}
    assert np.isnan(stories["drop"]["angles"][2:, 1]).all()
    labels, angles = stories["reseed"]["labels"][2], stories["reseed"]["angles"][2]
    served = np.einsum("nd,nd->n", D, arrows(angles)[labels])
    worst = D[served.argmin()]
    assert arrows(angles)[1] == pytest.approx(worst, abs=1e-5)


def test_the_slider_has_room_for_the_longest_and_steps_reach_the_ends(stories):
    assert max(len(told["turned"]) for told in stories.values()) == STOPS
    ends = {step.state.get("story", "random"): step.state["t"] for step in LESSON.steps[3:]}
    assert ends["random"] == len(stories["random"]["turned"]) - 1
    assert ends["reseed"] == len(stories["reseed"]["turned"]) - 1


def test_reseeding_ends_higher_with_one_cluster_more():
    facts = make()["facts"]
    assert (facts["reseed"], facts["drop"], facts["left"]) == ("0.946", "0.934", 4)


def test_two_rounds_of_the_worked_example():
    four = np.array([[1, 0], [0.8, 0.6], [0, 1], [-0.6, 0.8]], np.float32)
    told = story(four, np.array([0, 1, 0, 1]), "drop")
    turns = told["angles"][told["turned"]][:, :2]
    ways = [[(0.7071, 0.7071), (0.1414, 0.9899)], [(0.9487, 0.3162), (-0.3162, 0.9487)]]
    assert arrows(turns) == pytest.approx(np.array(ways), abs=1e-4)
    assert told["labels"][~told["turned"]].tolist()[1:] == [[0, 0, 1, 1], [0, 0, 1, 1]]


def test_own_data_get_clusters_that_treat_empty_ones_as_shown():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "story": "reseed"})
    assert (session.index.key, session.index.empty) == ("flat-kmeans", "reseed")

import dataclasses

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data import catalog
from mips_core.data.catalog import CATALOG, shipped


@pytest.fixture(scope="module")
def glove():
    return shipped("glove-6b-50d")


def test_the_catalog_holds_what_is_shipped():
    assert list(CATALOG) == ["glove-6b-50d", "simulated-ratings"]


@pytest.mark.parametrize("key", CATALOG)
def test_a_source_agrees_with_what_it_loads(key):
    source = CATALOG[key]
    dataset = shipped(key, seed=3)
    assert source.key == key
    assert dataset.name == source.label
    assert dataset.simulated == source.simulated
    assert source.origin
    assert source.licence
    assert len(dataset.labels) == dataset.n
    assert all(note.endswith(".") for note in dataset.notes)


def test_a_source_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CATALOG["glove-6b-50d"].key = "other"


def test_glove_words_come_most_frequent_first(glove):
    assert glove.items.shape == (20_000, 50)
    assert glove.items.dtype == np.float32
    assert glove.m == 0
    assert list(glove.labels[:5]) == ["the", ",", ".", "of", "to"]
    assert glove.labels[-1] == "pitting"
    assert len(set(glove.labels)) == 20_000


def test_glove_vectors_are_those_of_the_source(glove):
    start_of_the = [0.418, 0.24968, -0.41242, 0.1217, 0.34527]  # as glove.6B.50d.txt gives them
    np.testing.assert_allclose(glove.items[0, :5], start_of_the, atol=0.002)


def test_glove_neighbours_make_sense(glove):
    unit = glove.items / np.linalg.norm(glove.items, axis=1, keepdims=True)
    near = np.argsort(-(unit @ unit[glove.labels.index("paris")]))[1:11]
    assert {"france", "brussels"} & {glove.labels[i] for i in near}


def test_glove_states_origin_licence_and_rounding(glove):
    told = " ".join(glove.notes)
    assert "Pennington" in told
    assert "PDDL-1.0" in told
    assert "float16" in told


def test_glove_does_not_depend_on_the_seed(glove):
    assert shipped("glove-6b-50d", seed=9).fingerprint == glove.fingerprint


def test_simulated_ratings_follow_the_seed():
    prints = [shipped("simulated-ratings", seed).fingerprint for seed in (0, 0, 1)]
    assert prints[0] == prints[1] != prints[2]


def test_an_unknown_key_is_answered_with_the_known_ones():
    with pytest.raises(DataError, match=r"'glove'.*glove-6b-50d, simulated-ratings"):
        shipped("glove")


def test_a_missing_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(catalog, "GLOVE_FILE", tmp_path / "words.npz")
    with pytest.raises(DataError, match=r"words\.npz is missing"):
        shipped("glove-6b-50d")

"""Vectors, queries and true answers in use, to take away."""

import h5py
import numpy as np
import pytest

from mips_core.serving.export import write_ann_benchmarks, write_npz
from pages._ui.parts import data_export
from pages._ui.state import session
from tests.pages.conftest import small_dataset
from tests.pages.data_page import (
    choose_metric,
    press,
    session_of,
)


class TestTakeAway:
    def test_buttons_are_there_for_what_is_in_use(self, at):
        assert [button.label for button in at.get("download_button")] == [
            "NumPy (.npz)", "ann-benchmarks (.hdf5)"
        ]  # fmt: skip
        choose_metric(at, "cosine")
        assert len(at.get("download_button")) == 0  # not of what is not used yet

    @pytest.mark.parametrize("metric", ["inner product", "euclidean"])
    def test_files_hold_the_raw_vectors_and_the_answers_of_the_metric(self, at, metric):
        press(choose_metric(at, "cosine"), "Use this data")
        press(choose_metric(at, metric), "Use this data")
        session = session_of(at)
        with np.load(data_export._made(session, write_npz)()) as found:
            assert np.array_equal(found["items"], session.source.items)
            assert found["queries"].shape == (400, 6)
            best = found["neighbors"][:, 0]
            X, Q = found["items"].astype(float), found["queries"].astype(float)
        scores = Q @ X.T
        if metric == "euclidean":
            scores = -np.linalg.norm(Q[:, None] - X[None], axis=2)
        assert np.array_equal(best, scores.argmax(axis=1))
        with h5py.File(data_export._made(session, write_ann_benchmarks)()) as found:
            assert np.array_equal(found["train"][:], session.source.items)
            assert found["neighbors"].shape == (400, 100)

    @pytest.mark.parametrize(
        ("name", "metric", "stem"),
        [
            ("GloVe 6B words", "inner product", "glove-6b-words-400"),
            ("a/b\\c: <x>", "cosine", "a-b-c-x-cosine-400"),
            ("...", "inner product", "vectors-400"),
            ("字 words", "euclidean", "字-words-euclidean-400"),
        ],
    )
    def test_file_names(self, name, metric, stem):
        recipe = session.QueryRecipe(count=400)
        chosen = session.Session(small_dataset(name=name), "", recipe, metric=metric)
        assert data_export.file_stem(chosen) == stem

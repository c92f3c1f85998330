"""Index files of an earlier state of the program answer as they did when they were written."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

import mips_core
from mips_core.base.params import plain_values

WRITTEN = Path(__file__).parents[3] / "written_before"
FILES = sorted(WRITTEN.glob("*.mips"))


def expected_of(file):
    """What was kept beside the file when it was written."""
    return json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))


def loaded(file):
    """The index of a file; with its items, which one of the files does not hold."""
    stored = mips_core.load(file)
    return stored if stored.has_items else stored.with_items(np.load(WRITTEN / "items.npy"))


def test_there_is_a_file_of_every_index():
    assert {expected_of(file)["index"]["key"] for file in FILES} == set(mips_core.INDEXES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_gives_the_answers_it_gave(file):
    expected, stored = expected_of(file), loaded(file)
    queries = np.array(expected["queries"], np.float32)
    for answer in expected["answers"]:
        ids, scores = stored.search(queries, expected["K"], answer["effort"])
        assert ids.tolist() == answer["ids"]
        assert [[repr(score) for score in row] for row in scores.tolist()] == answer["scores"]
        converted = stored.converted(queries)
        spent = stored.searcher.candidates(converted, answer["effort"], expected["K"]).spent
        assert {what: counts.tolist() for what, counts in spent.items()} == answer["spent"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_tells_what_it_told(file):
    expected, stored = expected_of(file), mips_core.load(file)
    assert {"key": stored.index.key, **plain_values(stored.index)} == expected["index"]
    for name in ("seed", "effort", "metric", "n", "d", "fingerprint", "made_by", "has_items"):
        assert getattr(stored, name) == expected[name], name
    labels = None if stored.labels is None else list(stored.labels[:2])
    assert labels == expected["labels"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_saved_again_is_the_same_bytes(file):
    again = io.BytesIO()
    mips_core.save(again, mips_core.load(file))
    assert again.getvalue() == file.read_bytes()

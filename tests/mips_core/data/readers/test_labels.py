"""Files of labels: which column is taken, and which may be chosen."""

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import labels as module
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Source
from mips_core.data.readers.labels import read_labels

METADATA = "word\tcount\tgroup\namber\t0\tx\nbrook\t3\ty\ncedar\t1\tx\n"


@pytest.fixture
def labels(tmp_path):
    def labels(content, n=3, name="metadata.tsv", **choices):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return read_labels(Source.of(tmp_path / name), n, Choices(**choices))

    return labels


def test_columns_are_offered_and_chosen_by_name(labels):
    found = labels(METADATA)
    assert found.labels == ["amber", "brook", "cedar"]
    assert [offer.name for offer in found.offers] == ["word", "count", "group"]
    assert found.offers[1].about == "0, 3, 1"
    assert found.taken == "word"
    chosen = labels(METADATA, label="group")
    assert (chosen.labels, chosen.taken) == (["x", "y", "x"], "group")
    assert "Column 3, “group”, of metadata.tsv is taken as labels." in chosen.notes
    assert labels(METADATA, label="metadata.tsv").taken == "word"
    with pytest.raises(DataError, match=r"no column “size”.*It has: “word”, “count”, “group”"):
        labels(METADATA, label="size")


def test_columns_without_names_are_chosen_by_number(labels):
    rows = "0\tamber\n1\tbrook\n2\tcedar\n"
    assert labels(rows).taken == "2"
    assert labels(rows, label="1").labels == ["0", "1", "2"]
    twice = "word\tword\n" + rows
    assert [offer.name for offer in labels(twice).offers] == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("id\tname\n7\ta\n8\tb\n9\tc\n", ["a", "b", "c"]),
        ("id\tgenre\n7\ta\n8\tb\n9\tc\n", ["a", "b", "c"]),
        ("id\n7\n8\n9\n", ["7", "8", "9"]),
        ("7\t1\n8\t2\n9\t3\n", ["7", "8", "9"]),
        ("a\t1\nb\nc\t3\n", ["a", "b", "c"]),
        ("a\n\nc\n\n\n", ["a", "", "c"]),
    ],
)
def test_the_column_of_words_is_taken(labels, content, wanted):
    assert labels(content).labels == wanted


def test_another_number_of_lines_is_refused(labels, monkeypatch):
    for n in (1, 5):
        with pytest.raises(DataError, match=f"has 4 lines for {n} vector"):
            labels(METADATA, n)
    monkeypatch.setattr(module, "SPARE_LINES", 2)
    with pytest.raises(DataError, match="has more than 3 lines for 1 vector\\."):
        labels(METADATA + METADATA, 1)


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        raise Cancelled

    (tmp_path / "labels.txt").write_text("a\n" * 100_000)
    with pytest.raises(Cancelled):
        read_labels(Source.of(tmp_path / "labels.txt", progress=stop), 100_000)


def test_labels_as_json(labels):
    assert labels('["amber", "brook", 3]', name="labels.json").labels == ["amber", "brook", "3"]
    with pytest.raises(DataError, match="2 lines for 3 vectors"):
        labels('["amber", "brook"]', name="labels.json")
    assert labels('["a"]\n[b]\nc\n', name="names.txt").labels == ['["a"]', "[b]", "c"]


def test_labels_in_latin_1(tmp_path):
    (tmp_path / "names.txt").write_bytes("é\nb\nc\n".encode("latin-1"))
    found = read_labels(Source.of(tmp_path / "names.txt"), 3)
    assert found.labels == ["é", "b", "c"]
    assert "Latin-1" in found.notes[-1]


def test_whole_numbers_of_an_npy_are_labels_and_objects_are_not(tmp_path):
    np.save(tmp_path / "y.npy", np.array([3, 1, 2]))
    assert read_labels(Source.of(tmp_path / "y.npy"), 3).labels == ["3", "1", "2"]
    np.save(tmp_path / "o.npy", np.array(["a", "b", "c"], object))
    with pytest.raises(DataError, match="pickle"):
        read_labels(Source.of(tmp_path / "o.npy"), 3)


def test_a_header_of_more_columns_than_are_looked_at(labels):
    found = labels("\t" * 1100 + "word\n" + "a\nb\nc\n")
    assert found.labels == ["a", "b", "c"]

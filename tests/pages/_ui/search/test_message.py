"""What the browser is told of answers."""

import numpy as np
import pytest

from mips_core import Dataset
from tests.pages.conftest import small_dataset, texts
from tests.pages.search_page import search, tables, told


def test_equal_scores_are_marked_and_counted(use):
    """Of four items that tie, the longest are scored first, and the lowest rows are true."""
    X = np.array([[1, 0], [1, 0], [1, 9], [1, 8], [0, 1]], np.float32)
    use(Dataset(X, np.array([[1, 0]], np.float32), name="ties"))
    true, returned = tables(at := search(index=["largest-norm"], effort="2", k="2"))
    assert true["row"].tolist() == [0, 1]
    assert true["answer"].tolist() == ["✕ missed"] * 2
    assert returned["row"].tolist() == [2, 3]
    assert returned["true rank"].tolist() == ["= equal score"] * 2
    said = told(at)
    assert (said["ties"][said["at"]], said["loss"][said["at"]]) == (1, 0)


@pytest.mark.parametrize(
    ("metric", "column"), [("cosine", "Cosine"), ("euclidean", "Euclidean distance")]
)
def test_scores_are_those_of_the_metric(metric, column):
    at = search(metric=metric, query="item 5")
    true, _ = tables(at)
    X = small_dataset().items.astype(float)
    if metric == "cosine":
        unit = X / np.linalg.norm(X, axis=1, keepdims=True)
        expected = np.sort(unit @ unit[5])[::-1][:10]
    else:
        expected = np.sort(np.linalg.norm(X - X[5], axis=1))[:10]
    assert true[column].to_numpy() == pytest.approx(expected, abs=1e-4)
    assert true["row"][0] == 5


def test_hostile_labels_stay_text(use):
    label = "<script>alert(1)</script> **x** [a](javascript:b) $y$"
    use(Dataset(small_dataset().items, labels=[label] * 400, name="hostile"))
    at = search(query="item 0")
    assert tables(at)[0]["label"].tolist() == [label] * 10
    assert told(at)["name"] == f"Row 0 “{label}”"
    assert label not in texts(at)

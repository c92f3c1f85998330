"""Versions matched by label or row, and kept up with."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mips_core import Dataset, searched_by
from mips_core.base.errors import DataError, ParamError
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.readers import Choices, read
from mips_core.studies.drift import WAYS, compare_versions, kept_fresh
from tests.mips_core.studies.drift.drift_cases import FLAT, data, labelled


def test_versions_are_matched_by_label_wherever_the_rows_are():
    old = labelled(data(n=6), list("abcdef"))
    X = old.items[[5, 3, 1, 0]].copy()
    X[1] *= 2
    X[2] *= 1 + 1e-5  # rounded
    new = Dataset(np.concatenate([X, X[:1]]), labels=["f", "d", "b", "a", "<i>z</i>"])
    seen = compare_versions(old, new)
    assert seen.by == "label"
    assert list(seen.change.before) == [5, 3, 1, 0, -1]
    assert list(seen.change.moved) == [False, True, False, False, False]
    assert (seen.change.n_added, seen.change.n_removed, seen.rounded) == (1, 2, 1)
    np.testing.assert_allclose(seen.cosines, [1], atol=1e-6)
    np.testing.assert_allclose(seen.ratios, [2], rtol=1e-6)
    assert "1 item moved, 1 is new, 2 left, of 6 before" in seen.in_words()
    assert "1 other differs by rounding alone" in seen.in_words()
    assert not list(seen.warnings())


def test_repeated_labels_are_matched_in_their_order_and_said():
    old = labelled(data(n=4), ["a", "a", "b", "c"])
    new = Dataset(old.items[[0, 1, 1]], labels=["a", "a", "a"])
    seen = compare_versions(old, new)
    assert list(seen.change.before) == [0, 1, -1]
    assert next(iter(seen.warnings())).startswith("1 label stands for more than one row")


def test_without_labels_rows_are_matched_by_number():
    old = data(n=5)
    seen = compare_versions(old, Dataset(-old.items[:3]))
    assert (seen.by, seen.change.n_moved, seen.change.n_removed) == ("row", 3, 2)
    assert any("another way than before" in said for said in seen.warnings())
    assert "Nothing changed" in compare_versions(old, old).in_words()


def test_versions_that_do_not_fit_are_refused():
    old = data()
    with pytest.raises(DataError, match="some has 4 dimensions, some 5"):
        compare_versions(old, data(d=4))
    with pytest.raises(DataError, match="softmax layer"):
        compare_versions(old, data(logits=True))
    with pytest.raises(DataError, match="some has no labels"):
        compare_versions(old, old, "label")
    with pytest.raises(ParamError, match="converted for its metric"):
        compare_versions(old, searched_by(old, "cosine"))
    with pytest.raises(DataError, match="holds 120 items, the old version 50"):
        kept_fresh(compare_versions(data(n=50), old), old, FLAT, 5)


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_a_new_version_is_kept_up_with_and_queries_find_their_own_rows(metric):
    old = with_queries(replace(data(), queries=np.empty((0, 5))), QueryRecipe(
        count=40, exclude_self=True))  # fmt: skip
    new = Dataset(np.concatenate([old.items[10:] * 1.5, data(n=7, seed=4).items]))
    versions = compare_versions(old, new)
    fresh = kept_fresh(versions, searched_by(old, metric), FLAT, 5)
    assert (fresh.point.n, fresh.point.m, fresh.point.removed) == (117, 40, 3)
    rows_now = versions.change.rows_now(old.query_rows)
    assert ((rows_now == -1) == (old.query_rows >= 117)).all()
    for way in WAYS:
        assert 0 < fresh.point.precision(way) <= 1


@pytest.mark.parametrize("suffix", ["csv", "txt", "jsonl", "parquet", "npy"])
def test_rows_left_out_of_a_file_keep_the_numbers_of_the_others(tmp_path, suffix):
    X = np.random.default_rng(0).normal(size=(50, 4)).round(3).astype(np.float32)
    for name, bad in (("old", [7]), ("new", [20, 21])):
        rows = X.tolist()
        for i in bad:
            rows[i][1] = float("nan")
        path = tmp_path / f"{name}.{suffix}"
        if suffix == "npy":
            np.save(path, np.array(rows, np.float32))
        elif suffix == "parquet":
            rows = [[None if v != v else v for v in row] for row in rows]
            pd.DataFrame({"embedding": rows}).to_parquet(path)
        elif suffix == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            sign = "," if suffix == "csv" else " "
            path.write_text("".join(sign.join(map(str, row)) + "\n" for row in rows))
    old, new = (read(tmp_path / f"{name}.{suffix}", Choices(skip_bad=True))
                for name in ("old", "new"))  # fmt: skip
    change = compare_versions(old, new).change
    assert (old.n, new.n) == (49, 48)
    assert (change.n_moved, change.n_removed, change.n_added) == (0, 2, 1)

"""The shared field cases of files of vectors, where that folder lies beside the project."""

import json
from pathlib import Path

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.open_files import open_files
from mips_core.data.readers import read

FOLDER = Path(__file__).parents[4].parent / "shared" / "cases"
TURN2 = FOLDER / "turn2"
READ = ("emb/", "npy/", "csv/", "geom/", "bin/")


def cases():
    if not FOLDER.is_dir():
        return []
    known = json.loads((FOLDER / "cases_shared.json").read_text())["cases"]
    return [case for case in known if case["files"] and case["files"][0].startswith(READ)]


def mentions(text, groups):
    """Groups of words none of which is in `text`."""
    text = text.lower()
    options = [group if isinstance(group, list) else [group] for group in groups]
    return [group for group in options if not any(str(word).lower() in text for word in group)]


def read_or_refusal(paths):
    try:
        return read(paths)
    except DataError as error:
        return error


def check_content(data, expect):
    if "n" in expect and "d" in expect:
        assert (data.n, data.d) == (expect["n"], expect["d"])
    for key, row in (("row_first", data.items[0]), ("row_last", data.items[-1])):
        if key in expect:
            np.testing.assert_allclose(row[:12], expect[key], rtol=1e-5, atol=1e-7)
    if "sum" in expect:
        size = max(1, np.abs(data.items).max())
        assert np.isclose(data.items.sum(dtype="f8"), expect["sum"], rtol=1e-4, atol=1e-4 * size)
    if expect.get("labels"):
        free = {*expect.get("label_blank_rows", ()), *expect.get("labels_ok_except_rows", ())}
        pairs = enumerate(zip(data.labels, expect["labels"], strict=True))
        assert [i for i, (got, want) in pairs if got != want and i not in free] == []


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder ../shared/cases is not here")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_field_case(case):
    expect = case["expect"]
    paths = [FOLDER / name for name in case["files"]]
    if expect["outcome"] in ("reject", "reject_or_warn"):
        with pytest.raises(DataError) as caught:
            read(paths)
        assert mentions(str(caught.value), expect.get("error_mentions", [])) == []
        return
    data = read_or_refusal(paths)
    if isinstance(data, DataError):
        assert "or_reject" in expect["outcome"] or "ask" in expect["outcome"], data
        assert mentions(str(data), expect.get("error_mentions", [])) == []
        return
    check_content(data, expect)
    if expect["outcome"] == "load_with_warning":
        assert mentions(" ".join(data.notes), expect.get("warning_mentions", [])) == []


def opened_or_refusal(paths):
    try:
        return open_files(paths)
    except DataError as error:
        return error


def later_cases():
    """The second lot, where files may hold vectors or ratings and the product decides."""
    manifest = TURN2 / "cases_turn2.json"
    return json.loads(manifest.read_text())["cases"] if manifest.is_file() else []


@pytest.mark.skipif(not TURN2.is_dir(), reason="the folder ../shared/cases/turn2 is not here")
@pytest.mark.parametrize("case", later_cases(), ids=lambda case: case["id"])
def test_later_field_case(case):
    expect = case["expect"]
    opened = opened_or_refusal([TURN2 / name for name in case["files"]])
    if isinstance(opened, DataError):
        assert expect["outcome"] in ("reject", "ask_user") or "_or_" in expect["outcome"], opened
        assert mentions(str(opened), expect.get("error_mentions", [])) == []
        return
    assert expect["outcome"] != "reject"
    if "warning" in expect["outcome"]:
        notes = " ".join(opened.dataset.notes)
        assert mentions(notes, expect.get("warning_mentions", [])) == []
    ratings = opened.ratings
    assert (ratings is not None) == (case["kind"] == "ratings")
    if ratings is None:
        check_content(opened.dataset, expect)
        return
    for key in ("n_users", "n_items", "n_ratings"):
        assert getattr(ratings, key) == expect.get(key, getattr(ratings, key))
    assert ratings.values.max() <= expect.get("matrix_max", np.inf)

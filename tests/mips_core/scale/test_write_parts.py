from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core.base.errors import DataError, ParamError
from mips_core.scale.manifest import read_manifest
from mips_core.scale.write_parts import blocks_of, rows_a_part, write_parts

X = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)


@settings(settings.get_profile("few"))
@given(cuts=st.lists(st.integers(0, 40), max_size=5), rows=st.integers(1, 50))
def test_neither_blocks_nor_parts_change_the_key_or_the_rows(tmp_path_factory, cuts, rows):
    folder = tmp_path_factory.mktemp("cut")
    bounds = sorted({0, 40, *cuts})
    blocks = [("X", X[a:b]) for a, b in pairwise(bounds)]
    manifest = write_parts(blocks, folder / "some", rows=rows)
    whole = write_parts([("X", X)], folder / "whole")
    assert manifest.key == whole.key
    assert {part.count for part in manifest.parts[:-1]} <= {rows}
    assert np.array_equal(manifest.take(np.arange(40)), X)
    other = write_parts([("X", np.concatenate([X[1:], X[:1]]))], folder / "other")
    assert other.key != whole.key


def test_files_of_a_folder_are_read_by_name_whatever_their_format(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    np.save(folder / "a.npy", X[:10])
    with (folder / "b.fbin").open("wb") as file:
        file.write(np.array([10, 3], "<u4").tobytes() + X[10:20].tobytes())
    np.savetxt(folder / "c.csv", X[20:], delimiter=",", fmt="%.9g")
    (folder / ".hidden").write_text("no vectors")
    manifest = write_parts(blocks_of([folder]), tmp_path / "out", rows=7)
    assert np.array_equal(manifest.take(np.arange(40)), X)
    assert manifest == read_manifest(tmp_path / "out")
    manifest.check_content()
    assert not [p for p in (tmp_path / "out").iterdir() if p.suffix not in {".npy", ".json"}]


def test_float16_is_stored_as_that_and_what_it_cannot_hold_is_refused(tmp_path):
    manifest = write_parts([("X", X)], tmp_path / "half", "float16", rows=16)
    assert manifest.rows(0).dtype == np.float16
    assert np.array_equal(manifest.take(np.arange(40)), X.astype(np.float16).astype(np.float32))
    with pytest.raises(DataError, match="beyond float16"):
        write_parts([("X", X * 1e6)], tmp_path / "far", "float16")
    with pytest.raises(ParamError, match="float64"):
        write_parts([("X", X)], tmp_path / "wide", "float64")


def test_rows_that_do_not_belong_together_are_refused(tmp_path):
    with pytest.raises(DataError, match="has 2 dimensions, the files before it 3"):
        write_parts([("X", X), ("Y", X[:, :2])], tmp_path / "a")
    with pytest.raises(DataError, match="holds nan"):
        write_parts([("X", np.full((2, 2), np.nan, np.float32))], tmp_path / "b")
    with pytest.raises(DataError, match="no vectors"):
        write_parts([], tmp_path / "c")
    with pytest.raises(DataError, match="was not found"):
        list(blocks_of([tmp_path / "nothing"]))
    write_parts([("X", X)], tmp_path / "d")
    with pytest.raises(DataError, match="manifest already"):
        write_parts([("X", X)], tmp_path / "d")


def test_a_part_holds_so_many_megabytes():
    assert rows_a_part(128, 128, "float16") == 2**19
    assert rows_a_part(1, 10**7, "float32") == 1

"""Files of runs: the same numbers back, and everything else refused with its place."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import DataError, ParamError
from mips_core.studies.runs import digest_of, read_runs, save_runs
from mips_core.studies.runs.files import written


def test_runs_come_back_as_they_were(every_run, tmp_path):
    path = tmp_path / "all.run.json"
    save_runs(path, every_run)
    back = read_runs(path)
    assert written(back) == written(every_run) == path.read_bytes()
    for run, again in zip(every_run, back, strict=True):
        assert (run.index, run.data, run.groups) == (again.index, again.data, again.groups)
        assert digest_of(run) == digest_of(again)
        for K in run.ks:
            np.testing.assert_array_equal(run.hits[K], again.hits[K])
            np.testing.assert_array_equal(run.curve.interval(K), again.curve.interval(K))


def test_what_is_not_known_comes_back_as_not_known(every_run):
    bare = replace(every_run[0], hits={}, seconds=None, bytes=None, groups=None, versions={})
    bare = replace(bare, data=replace(bare.data, queries=None, source=""))
    (back,) = read_runs(io.BytesIO(written([bare])))
    assert (back.hits, back.seconds, back.bytes, back.groups) == ({}, None, None, None)
    assert back.data == bare.data


@given(st.text(max_size=80).filter(str.strip), st.text(max_size=50))
def test_any_name_and_note_come_back(every_run, name, note):
    try:
        data = written([replace(every_run[0], name=name, note=note)])
    except ValueError:  # half a character
        return
    (back,) = read_runs(io.BytesIO(data))
    assert (back.name, back.note) == (name, note)


@settings(max_examples=200)
@given(st.data())
def test_a_flipped_bit_is_refused_or_changes_nothing(small, data):
    at = data.draw(st.integers(0, 8 * len(small) - 1))
    flipped = bytearray(small)
    flipped[at // 8] ^= 1 << at % 8
    try:
        back = read_runs(io.BytesIO(bytes(flipped)))
    except DataError:
        return
    assert written(back) == small  # an e of 1e-05 that became E


def test_a_file_that_is_cut_short_is_refused(small):
    for size in range(0, len(small) - 2, 97):
        with pytest.raises(DataError):
            read_runs(io.BytesIO(small[:size]))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cannot be read as JSON"),
        (b"PK\x03\x04" * 2_500_000, "cannot be read as JSON"),
        (b"[" * 200_000, "cannot be read as JSON"),
        (b"9" * 100_000, "cannot be read as JSON"),
        (b"\xff\xfe{}", "cannot be read as JSON"),
        (b"[]", "does not say that its format"),
        (b'{"format": "GeoJSON"}', "does not say that its format"),
        (b'{"format": "MIPS Explorer runs"}', "does not say its version"),
        (b'{"format": "MIPS Explorer runs", "version": true}', "does not say its version"),
        (b'{"format": "MIPS Explorer runs", "version": 2}', "made by a newer program"),
        (b'{"format": "MIPS Explorer runs", "version": 1}', "has no made_by"),
        (b'{"format": "a", "format": "MIPS Explorer runs"}', "cannot be read as JSON"),
    ],
)
def test_foreign_files_are_refused_with_what_they_are(data, said):
    with pytest.raises(DataError, match=said):
        read_runs(io.BytesIO(data))


def test_other_content_under_an_old_checksum_is_damaged(small):
    with pytest.raises(DataError, match="does not fit its checksum"):
        read_runs(io.BytesIO(small.replace(b"small", b"large")))


def test_a_large_file_is_refused_before_it_is_read(small, monkeypatch):
    monkeypatch.setattr("mips_core.studies.runs.files.MAX_RUNS_FILE_BYTES", len(small) - 1)
    with pytest.raises(DataError, match="is larger than"):
        read_runs(io.BytesIO(small))


def test_no_runs_and_too_many_are_not_written(every_run):
    for count in (0, 201):
        with pytest.raises(ParamError, match="holds 1 to 200"):
            written([every_run[0]] * count)


def test_what_cannot_be_written_leaves_the_old_file(every_run, tmp_path):
    path = tmp_path / "a.run.json"
    save_runs(path, every_run[:1])
    before = path.read_bytes()
    with pytest.raises(ParamError):
        save_runs(path, [])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DataError):
        save_runs(tmp_path / "nowhere" / "a.run.json", every_run[:1])
    with pytest.raises(DataError, match="cannot be read"):
        read_runs(tmp_path / "nothing.run.json")

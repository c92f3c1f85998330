"""Files of runs: the same numbers back, and everything else refused with its place."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import INDEXES, DataError, Dataset, ParamError
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.runs import measure_runs, read_runs, save_runs
from mips_core.studies.runs.files import checksum, written

RECIPE = QueryRecipe(count=20, source="noisy", noise=0.125)


@pytest.fixture(scope="module")
def runs():
    """One of every index on cosine data whose queries may not find their own row."""
    rng = np.random.default_rng(0)
    dataset = with_queries(
        Dataset(rng.normal(size=(60, 4)).astype(np.float32), name="<b>small</b>"), RECIPE
    )
    indexes = [cls() for cls in INDEXES.values()]
    return tuple(measure_runs(indexes, dataset, ks=(1, 100), source="here", queries=RECIPE))


@pytest.fixture(scope="module")
def small(runs):
    """The bytes of one short run."""
    return written([next(run for run in runs if run.index.key == "exact")])


def changed(data, *path, value):
    """The document with another value at a place, and a checksum that fits."""
    document = json.loads(data)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    if value is KeyError:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    document["sha256"] = checksum({part: document[part] for part in ("made_by", "runs")})
    return json.dumps(document).encode()


def test_runs_come_back_as_they_were(runs, tmp_path):
    path = tmp_path / "all.run.json"
    save_runs(path, runs)
    back = read_runs(path)
    assert written(back) == written(runs) == path.read_bytes()
    for run, again in zip(runs, back, strict=True):
        assert (run.index, run.data, run.groups) == (again.index, again.data, again.groups)
        assert run.digest == again.digest
        for K in run.ks:
            np.testing.assert_array_equal(run.hits[K], again.hits[K])
            np.testing.assert_array_equal(run.curve.interval(K), again.curve.interval(K))


def test_what_is_not_known_comes_back_as_not_known(runs):
    bare = replace(runs[0], hits={}, seconds=None, bytes=None, groups=None, versions={})
    bare = replace(bare, data=replace(bare.data, queries=None, source=""))
    (back,) = read_runs(io.BytesIO(written([bare])))
    assert (back.hits, back.seconds, back.bytes, back.groups) == ({}, None, None, None)
    assert back.data == bare.data


@given(st.text(max_size=80).filter(str.strip), st.text(max_size=50))
def test_any_name_and_note_come_back(runs, name, note):
    try:
        data = written([replace(runs[0], name=name, note=note)])
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


RUN = ("runs", 0)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ((*RUN, "name"), "", "runs[0].name is empty"),
        ((*RUN, "name"), "x" * 81, "runs[0].name has 81 characters"),
        ((*RUN, "note"), 3, "runs[0].note is no text"),
        ((*RUN, "kept"), "yesterday", "runs[0].kept"),
        ((*RUN, "kept"), KeyError, "runs[0] has no kept"),
        ((*RUN, "more"), 1, "runs[0] has an entry that is not known, 'more'"),
        ((*RUN, "seed"), 1.5, "runs[0].seed is no whole number"),
        ((*RUN, "seed"), True, "runs[0].seed is no whole number"),
        ((*RUN, "efforts"), [], "runs[0].efforts has 0 entries"),
        ((*RUN, "efforts"), [1, 1], "runs[0].efforts do not rise"),
        ((*RUN, "efforts"), [1, 2], "entries, not 2 to 2"),
        ((*RUN, "costs", "candidates"), [-1.0], "runs[0].costs.candidates[0] is -1"),
        ((*RUN, "costs", "candidates"), [0.0], "costs say that a search costs nothing"),
        ((*RUN, "costs", "candidates"), [1.0], "runs[0].speedup is not what follows"),
        ((*RUN, "speedup"), [2.0], "runs[0].speedup is not what follows"),
        ((*RUN, "index", "key"), "flat", "runs[0].index.key is 'flat'"),
        ((*RUN, "index", "depth"), 3, "runs[0].index holds what cannot be"),
        ((*RUN, "data", "n"), 0, "runs[0].data.n is 0"),
        ((*RUN, "data", "m"), 10**400, "runs[0].data.m is a very large number"),
        ((*RUN, "data", "metric"), "taxi", "runs[0].data.metric is 'taxi'"),
        ((*RUN, "data", "queries", "noise"), "much", "runs[0].data.queries holds what cannot be"),
        ((*RUN, "data", "queries", "seed"), KeyError, "runs[0].data.queries has no seed"),
        ((*RUN, "measured"), {}, "runs[0].measured is empty"),
        ((*RUN, "measured", "1", "histograms"), [[0, 19]], "does not count 20 queries"),
        ((*RUN, "measured", "1", "histograms"), [[20, 0]], "hits do not agree"),
        ((*RUN, "measured", "1", "precision"), [0.5], "precision is not what follows"),
        ((*RUN, "measured", "1", "interval"), [[0.1, 0.2]], "interval does not hold"),
        ((*RUN, "measured", "1", "precision_with_ties"), [0.5], "is less than the precision"),
        ((*RUN, "measured", "1", "hits"), "eJw=", "hits"),
        ((*RUN, "measured", "1", "hits"), "a" * 4000, "hits has 4,000 characters"),
        ((*RUN, "groups", "smallest"), 61, "runs[0].groups.smallest is 61"),
        ((*RUN, "bytes"), 0.5, "runs[0].bytes is no whole number"),
        ((*RUN, "versions"), {"numpy": 2}, "runs[0].versions.numpy is no text"),
        (("runs",), [], "runs has 0 entries"),
        (("runs",), {}, "runs is no list"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(small, path, value, place):
    with pytest.raises(DataError) as refused:
        read_runs(io.BytesIO(changed(small, *path, value=value)))
    assert place in refused.value.found


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_number_that_is_none_is_refused(small, number):
    document = json.loads(small)
    document["runs"][0]["build_seconds"] = "here"
    text = json.dumps(document).replace('"here"', number)
    with pytest.raises(DataError):
        read_runs(io.BytesIO(text.encode()))


def test_other_content_under_an_old_checksum_is_damaged(small):
    with pytest.raises(DataError, match="does not fit its checksum"):
        read_runs(io.BytesIO(small.replace(b"small", b"large")))


def test_packed_hits_cannot_unpack_to_more_than_they_must_be(small):
    import zlib
    from base64 import b64encode

    bomb = b64encode(zlib.compress(b"\1" * 3_000, 9)).decode()
    with pytest.raises(DataError, match="hits are not 1 × 20 numbers"):
        read_runs(io.BytesIO(changed(small, *RUN, "measured", "1", "hits", value=bomb)))


def test_a_large_file_is_refused_before_it_is_read(small, monkeypatch):
    monkeypatch.setattr("mips_core.studies.runs.files.MAX_RUNS_FILE_BYTES", len(small) - 1)
    with pytest.raises(DataError, match="is larger than"):
        read_runs(io.BytesIO(small))


def test_no_runs_and_too_many_are_not_written(runs):
    for count in (0, 201):
        with pytest.raises(ParamError, match="holds 1 to 200"):
            written([runs[0]] * count)


def test_what_cannot_be_written_leaves_the_old_file(runs, tmp_path):
    path = tmp_path / "a.run.json"
    save_runs(path, runs[:1])
    before = path.read_bytes()
    with pytest.raises(ParamError):
        save_runs(path, [])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DataError):
        save_runs(tmp_path / "nowhere" / "a.run.json", runs[:1])
    with pytest.raises(DataError, match="cannot be read"):
        read_runs(tmp_path / "nothing.run.json")

"""What cannot be is refused with its place; hits unpack to no more than they must be."""

import io
import json

import pytest

from mips_core import DataError
from mips_core.studies.runs import read_runs
from mips_core.studies.runs.files import checksum

RUN = ("runs", 0)


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


def test_packed_hits_cannot_unpack_to_more_than_they_must_be(small):
    import zlib
    from base64 import b64encode

    bomb = b64encode(zlib.compress(b"\1" * 3_000, 9)).decode()
    with pytest.raises(DataError, match="hits are not 1 × 20 numbers"):
        read_runs(io.BytesIO(changed(small, *RUN, "measured", "1", "hits", value=bomb)))

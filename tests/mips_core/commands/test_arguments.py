"""Indexes and numbers as options name them."""

import re

import numpy as np
import pytest

from mips_core import Dataset, ParamError
from mips_core.commands import arguments
from mips_core.commands.arguments import fitting, named_indexes
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PaperAugment, Plain
from mips_core.studies import forecast


def test_what_only_one_kind_has_is_set_where_it_is():
    texts = ["n_clusters=9", "reduction=paper,plain", "reduction.U=0.5,0.6"]
    found = named_indexes(["flat-kmeans"], texts)
    paper = [PaperAugment(U=U) for U in (0.5, 0.6)]
    expected = [FlatKMeans(n_clusters=9, reduction=kind) for kind in (*paper, Plain())]
    assert found == expected
    for wrong in ("reduction=plain", "reduction=plain,sphere"):
        with pytest.raises(ParamError, match="has no parameter 'U'"):
            named_indexes(["flat-kmeans"], [wrong, "reduction.U=0.5"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["@none.npy", "--index", "exact"], "none.npy"),
        (["@items.npy", "--index", "flat"], "no index 'flat'. Known: .*flat-kmeans"),
        (["@items.npy", "--index", "exact", "--set", "a=1"], "no parameter 'a'"),
        (["@items.npy", "--index", "exact", "--set", "a"], "has no “=”"),
        (
            ["@items.npy", "--index", "exact", "--set", "flat-kmeans.n_clusters=3"],
            "Add --index flat",
        ),
        (["@items.npy", "--index", "exact", "--k", "0,1"], "--k 0 is outside 1 to 100"),
        (["@items.npy", "--index", "exact", "--k", "ten"], "whole numbers joined by commas"),
        (["@items.npy", "--index", "exact", "--seed", "-1"], "--seed -1 is below 0"),
        (["@items.npy", "--index", "exact", "--out", "@no/such/place.json"], "cannot be written"),
        (["@items.npy", "--index", "flat-kmeans", "--set", "n_clusters=x"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run, arguments, words):
    done = run("curve", *arguments)
    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert re.search(words, done.output), done.output


def test_what_takes_long_is_said_and_what_does_not_fit_is_refused(monkeypatch, capsys):
    dataset = Dataset(np.eye(50, 4, dtype=np.float32))
    assert fitting([FlatKMeans()], dataset) == [FlatKMeans()]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(arguments, "LONG", 0.0)
    fitting([FlatKMeans()], dataset)
    assert capsys.readouterr().err == "Building and asking takes about 1 s.\n"
    monkeypatch.setattr(forecast, "budget", lambda: 1)
    with pytest.raises(ParamError, match="of memory on 50 items of 4 dimensions"):
        fitting([FlatKMeans()], dataset)

"""Indexes and numbers as options name them."""

import re

import pytest

from mips_core import ParamError
from mips_core.commands.arguments import named_indexes
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PaperAugment, Plain


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

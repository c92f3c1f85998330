"""Parameters: declared once, read from text, defended."""

import json
import re

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, compare
from mips_core.base.errors import ParamError
from mips_core.base.params import allowed, flat_values, format_value, params_of, with_text
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import PadToSphere, PaperAugment


def test_text_is_read_by_the_type_of_the_default():
    index = with_text(FlatKMeans(), {"n_clusters": "64", "reduction.U": "0.5", "empty": "reseed"})
    assert index == FlatKMeans(n_clusters=64, empty="reseed", reduction=PaperAugment(U=0.5))
    assert with_text(FlatKMeans(), {"reduction": "sphere"}).reduction == PadToSphere()
    sizes = with_text(HierarchicalKMeans(), {"sizes": "4x20x90", "n_levels": "3"})
    assert sizes.sizes == (4, 20, 90)


def test_a_nested_value_follows_its_kind_in_any_order():
    index = with_text(FlatKMeans(), {"reduction.m": "3", "reduction": "paper"})
    assert index.reduction == PaperAugment(m=3)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("n_cluster", "3", "has no parameter 'n_cluster'.*n_clusters"),
        ("n_clusters", "many", "n_clusters=many cannot be read.*a whole number from 0"),
        ("n_clusters", "-1", "n_clusters is -1, outside 0 to"),
        ("n_clusters.x", "3", "no parameter 'n_clusters.x'"),
        ("reduction", "cosine", "reduction=cosine cannot be read.*paper, sphere, plain"),
        ("reduction.U", "1.5", "U is 1.5, outside 0.05 to 0.99"),
        ("empty", "keep", "empty is keep.*Allowed: drop, reseed"),
    ],
)
def test_what_is_not_allowed_is_named(name, text, words):
    with pytest.raises(ParamError, match=words):
        with_text(FlatKMeans(), {name: text})


def test_sizes_must_match_levels():
    with pytest.raises(ParamError, match="4x20x90 names 3 levels, n_levels is 2"):
        HierarchicalKMeans(sizes=(4, 20, 90))


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_every_index_can_be_written_and_read_back(cls):
    index = cls()
    texts = {name: format_value(value) for name, value in flat_values(index).items()}
    assert with_text(cls(), texts) == index
    assert len(
        {name: allowed(p, getattr(index, name)) for name, p in params_of(cls).items()}
    ) == len(params_of(cls))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"n_clusters": 3.5}, "n_clusters is 3.5"),
        ({"n_clusters": "7"}, "n_clusters is '7'"),
        ({"n_clusters": True}, "n_clusters is True"),
        ({"max_rounds": None}, "max_rounds is None"),
    ],
)
def test_a_value_of_another_type_is_refused(values, words):
    with pytest.raises(ParamError, match=re.escape(words)):
        FlatKMeans(**values)


def test_sizes_are_whole_numbers_and_numpy_numbers_are_numbers():
    with pytest.raises(ParamError, match="sizes is"):
        HierarchicalKMeans(sizes=(3, 4.5))
    index = FlatKMeans(n_clusters=np.int64(7))
    assert index.setting(100) == "7 clusters"
    (curve,) = compare(
        [index], Dataset(np.eye(9, dtype=np.float32), np.eye(9, dtype=np.float32)), ks=(1,)
    )
    assert '"n_clusters": 7' in json.dumps(curve.as_dict())
    assert PaperAugment(U=np.float32(0.5)).U == 0.5

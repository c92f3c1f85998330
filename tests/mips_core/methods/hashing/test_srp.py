"""What hash indexes share: costs of bits, more tables, settings in words."""

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.methods.hashing.l2_alsh import L2ALSH
from mips_core.methods.hashing.simple_lsh import SimpleLSH
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.hashing.wta import WTAHash


@pytest.mark.parametrize("key", ["srp-hash", "simple-lsh"])
def test_bits_cost_an_inner_product_each(key):
    X = np.random.default_rng(0).normal(size=(80, 6)).astype(np.float32)
    index = INDEXES[key](n_bits=12, n_tables=10)
    found = index.searcher(index.build(X, rng_for(0))).candidates(X[:5], 10, 1)
    assert found.spent["projections"].tolist() == [120] * 5
    np.testing.assert_array_equal(found.cost, 120 + np.diff(found.starts))


@pytest.mark.parametrize(
    ("key", "larger"),
    [
        ("srp-hash", {"n_bits": 9}),
        ("simple-lsh", {"n_bits": 9}),
        ("wta-hash", {"n_permutations": 4}),
        ("l2-alsh", {"n_hashes": 9}),
    ],
)
def test_more_tables_leave_the_first_alone_and_longer_keys_only_split_buckets(key, larger, items):
    few, more, longer = (
        INDEXES[key](**values) for values in ({"n_tables": 3}, {"n_tables": 9}, larger)
    )
    found = [
        np.stack(index.searcher(index.build(items, rng_for(1))).groups()[:3])
        for index in (few, more, longer)
    ]
    np.testing.assert_array_equal(found[0], found[1])
    for coarse, fine in zip(found[0], found[2], strict=True):
        assert len(set(zip(coarse, fine, strict=True))) == fine.max() + 1


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (SRPHash(n_bits=12, n_tables=32), "12 bits, 32 tables"),
        (SimpleLSH(n_bits=1, n_tables=1), "1 bit, 1 table"),
        (WTAHash(n_permutations=2, prefix=4), "2 permutations of prefix 4, 64 tables"),
        (L2ALSH(n_hashes=10), "10 hashes, 64 tables"),
    ],
)
def test_settings_in_words(index, text):
    assert index.setting(100) == text

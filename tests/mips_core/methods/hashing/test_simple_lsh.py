"""Simple-LSH is signs on the sphere."""

import numpy as np

from mips_core import rng_for
from mips_core.methods.hashing.simple_lsh import SimpleLSH
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.reductions import PadToSphere
from tests.mips_core.methods.hashing.definitions import matrix


def test_sphere_worked_example():
    lifted = PadToSphere().fit(matrix([3, 4], [0, 1])).items(matrix([3, 4], [0, 1]))
    np.testing.assert_allclose(lifted, [[0.6, 0.8, 0], [0, 0.2, 0.9798]], atol=5e-5)


def test_simple_lsh_is_signs_on_the_sphere(items, queries):
    simple = SimpleLSH(n_bits=5, n_tables=7).build(items, rng_for(2))
    signs = SRPHash(n_bits=5, n_tables=7, reduction=PadToSphere()).build(items, rng_for(2))
    np.testing.assert_array_equal(
        simple.family.query_keys(queries), signs.family.query_keys(queries)
    )
    for one, other in zip(simple.buckets, signs.buckets, strict=True):
        np.testing.assert_array_equal(one, other)

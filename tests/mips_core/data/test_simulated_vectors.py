"""Simulated vectors: fewer are the first ones."""

from mips_core.data.simulated_vectors import BLOCK, simulated_vectors, vectors


def test_fewer_vectors_are_the_first_ones():
    long = vectors("items", BLOCK + 10, 2)
    assert (vectors("items", BLOCK + 3, 2) == long[: BLOCK + 3]).all()
    assert (vectors("items", 7, 2) == long[:7]).all()
    data = simulated_vectors(5, 3, 2)
    assert data.simulated
    assert (data.n, data.m, data.d) == (5, 3, 2)

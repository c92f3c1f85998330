"""The sizes of claim 12, and what is built at each."""

from mips_core.studies.paper import scale


def test_a_quick_run_has_fewer_sizes_and_large_ones_are_built_once():
    assert scale.sizes(quick=False)[-1] == 1_000_000
    assert scale.sizes(quick=True)[-1] == scale.QUICK
    assert [scale.builds_at(n, 3) for n in (1_000, 100_000, 300_000)] == [3, 3, 1]


def test_vectors_are_simulated_and_every_method_has_settings():
    few = scale.vectors(50)
    assert few.simulated
    assert (few.n, few.m, few.d) == (50, scale.QUERIES, scale.D)
    assert set(scale.settings(1_000)) == {"flat", "hierarchical"}
    assert scale.scale_name("flat", 1_000) == "scale flat 1000"

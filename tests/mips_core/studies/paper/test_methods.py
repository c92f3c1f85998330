"""What is built, and the parts that methods of the paper are."""

import numpy as np
import pytest

from mips_core.studies.paper.methods import CONVERGED, plan, seeds_of, with_parts
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.mark.parametrize("n", [4, 300, 20_000, 100_000])
def test_every_method_has_settings_for_any_number_of_items(n):
    for quick in (False, True):
        planned = plan(n, 10, quick)
        assert all(planned.values())
        assert {index.max_rounds for index in planned["flat"]} == {CONVERGED}
        assert {index.max_rounds for index in planned["short"]} == {10}
    assert seeds_of("pca-tree", 3) == (0,)
    assert seeds_of("flat", 3) == (0, 1, 2)


def test_the_methods_of_the_paper_are_parts_of_what_was_measured():
    sums = whole().sets[0].sums
    parts = with_parts(sums)
    assert {effort for _, effort in parts["k-means(2)"].settings} == {2}
    assert min(effort for _, effort in parts["several"].settings) == 2
    both = parts["k-means"].hits.shape[2]
    assert both == sums["flat"].hits.shape[2] + sums["hierarchical"].hits.shape[2]
    assert np.array_equal(parts["flat"].hits, sums["flat"].hits)
    assert with_parts({}) == {}


@pytest.mark.parametrize("n", [20_000, 100_000, 3_000_000])
def test_what_converges_as_in_the_paper_is_never_grouped(n):
    planned = plan(n, 10)
    fits = {index.explicit(n).fit for key in ("flat", "hierarchical") for index in planned[key]}
    assert "grouped" not in fits
    if n <= 100_000:  # the names of what was measured before stay
        assert fits == {"all"}

"""A recipe says how many items are fitted."""

from mips_core.groups.projection import (
    ProjectionRecipe,
)
from mips_core.groups.projection.layout import DEFAULT_FITTED


def test_how_many_are_fitted():
    assert ProjectionRecipe().fitted_of(100) == 100
    assert ProjectionRecipe().fitted_of(10**6) == DEFAULT_FITTED
    assert ProjectionRecipe(sample=500).fitted_of(10**6) == 500

"""The space of a map: its rows are made once, and an index sees them as it holds its centroids."""

import numpy as np

from mips_core.groups.projection import ProjectionRecipe
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from pages._ui.parts.map_space import Space, content
from tests.pages.conftest import small_dataset


def test_rows_are_made_once_for_what_the_items_are():
    dataset = small_dataset(n=40)
    space = Space(ProjectionRecipe(space="given"), None)
    rows = space.rows(dataset)
    assert rows is space.rows(small_dataset(n=40, name="another name"))
    assert np.array_equal(rows, dataset.items)
    assert content(small_dataset(n=41)) != content(dataset)


def test_an_index_brings_its_reduction():
    space = Space(ProjectionRecipe(space="cosine"), None).as_index(
        FlatKMeans(reduction=PadToSphere())
    )
    assert (space.recipe.space, space.reduction) == ("index", PadToSphere())
    assert space.rows(small_dataset(n=40)).shape == (40, 7)  # padded by one

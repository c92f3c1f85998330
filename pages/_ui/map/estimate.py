"""What a new layout of the map will take, said before it is made."""

import streamlit as st

from mips_core import Dataset, MipsError
from mips_core.groups.projection import Layout, ProjectionRecipe
from mips_core.studies import forecast
from mips_core.studies.map_forecast import forecast_map, refuse_large_map
from pages._ui.work.task import Task


def draw(dataset: Dataset, recipe: ProjectionRecipe, umap: Task[Layout]) -> None:
    """Say how long `umap` takes by this recipe, if long, if it fits, and not made yet."""
    try:
        refuse_large_map(recipe, dataset.n, dataset.d)
    except MipsError:
        return
    expected = forecast_map(recipe, dataset.n, dataset.d)
    long = forecast.rate_is_known() and expected.seconds >= forecast.LONG
    if long and umap.result is None:
        st.caption(f"Laying it out by UMAP takes {expected.in_words()}.")

"""What the Map page needs computed, each piece named by its inputs and kept by results."""

from mips_core import Dataset, Index
from mips_core.base.progress import Progress
from mips_core.groups.projection import Layout, ProjectionRecipe, pca_layout, project
from mips_core.groups.projection.pca import pca_note
from mips_core.groups.projection.run import framed
from pages._ui.parts.map_space import Space, content
from pages._ui.state.map_state import MapState
from pages._ui.work.task import Task, is_quick


def space_of(state: MapState, index: Index) -> Space:
    """The recipe `state` asks for; the reduction counts only where near is near for the index.

    The seed of the builds does not move the map, so that builds can be compared on it.
    """
    recipe = ProjectionRecipe(
        space=state.space, n_neighbors=state.neighbours, min_dist=state.apart, mode=state.speed
    )
    reduction = getattr(index, "reduction", None) if state.space == "index" else None
    return Space(recipe, reduction)


def umap(dataset: Dataset, space: Space) -> Task[Layout]:
    """UMAP's layout, with better and better ones on the way."""

    def make(progress: Progress) -> Layout:
        return project(dataset, space.recipe, space.reduction, progress)

    return Task(("map", "umap", *content(dataset), space), "Map", make, "child")


def pca(dataset: Dataset, space: Space) -> Task[Layout]:
    """The straight shadow of the data."""

    def make(progress: Progress) -> Layout:
        xy = pca_layout(space.rows(dataset), progress)
        return Layout(framed(xy), "pca", note=pca_note(xy))

    key = ("map", "pca", *content(dataset), space.recipe.space, space.reduction)
    return Task(key, "Map", make, "show", is_quick(dataset))

"""What the Map page needs computed, each piece named by its inputs and kept by results."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from mips_core import Dataset, Index, Searcher
from mips_core.base.progress import Progress, silent
from mips_core.evaluation.one_query import Question, Ranked
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.groups.projection import Layout, ProjectionRecipe, pca_layout, project, rows_of
from mips_core.groups.projection.pca import pca_note
from mips_core.groups.projection.run import framed
from mips_core.methods.reductions import Reduction
from mips_core.studies.misses.following import FollowedSearch, follow
from pages._ui import results, work
from pages._ui.blobs import Blob
from pages._ui.choices import Session
from pages._ui.map_blobs import block
from pages._ui.map_piece import Piece, is_quick, once
from pages._ui.map_view import MapView
from pages._ui.work import Measurement


@dataclass(frozen=True)
class Space:
    """What nearness on a map is measured on: of a data set, by a recipe, as a reduction sees it."""

    recipe: ProjectionRecipe
    reduction: Reduction | None

    def rows(self, dataset: Dataset) -> Any:
        """(n, d') float32, made once."""
        key = ("map rows", *_content(dataset), self.recipe.space, self.reduction)
        return once(key, lambda: rows_of(dataset, self.recipe.space, self.reduction))

    def as_index(self, index: Index) -> "Space":
        """The space in which `index` holds its centroids."""
        return Space(replace(self.recipe, space="index"), getattr(index, "reduction", None))


def space_of(view: MapView, index: Index) -> Space:
    """The recipe `view` asks for; the reduction counts only where near is near for the index.

    The seed of the builds does not move the map, so that builds can be compared on it.
    """
    recipe = ProjectionRecipe(
        space=view.space, n_neighbors=view.neighbours, min_dist=view.apart, mode=view.speed
    )
    reduction = getattr(index, "reduction", None) if view.space == "index" else None
    return Space(recipe, reduction)


def umap(dataset: Dataset, space: Space) -> Piece:
    """UMAP's layout, with better and better ones on the way."""

    def make(progress: Progress) -> Layout:
        return project(dataset, space.recipe, space.reduction, progress)

    return Piece(("map", "umap", *_content(dataset), space), "Map", make, "child")


def pca(dataset: Dataset, space: Space) -> Piece:
    """The straight shadow of the data."""

    def make(progress: Progress) -> Layout:
        xy = pca_layout(space.rows(dataset), progress)
        return Layout(framed(xy), "pca", note=pca_note(xy))

    key = ("map", "pca", *_content(dataset), space.recipe.space, space.reduction)
    return Piece(key, "Map", make, quick=is_quick(dataset))


def searcher_of(asked: Measurement) -> Searcher:
    """How a built index is asked."""
    built = work.build(asked, silent)
    return asked.index.searcher(built.structure)


def labels(dataset: Dataset) -> Blob | None:
    """The labels of the items for the browser."""
    return block(("labels", dataset.fingerprint), dataset.labels) if dataset.labels else None


def levels(asked: Measurement) -> Piece:
    """The groups of a built index, described."""

    def make(progress: Progress) -> tuple[GroupLevel, ...]:
        return describe(searcher_of(asked), asked.index, asked.dataset, progress=progress)

    texts = labels(asked.dataset)
    key = ("map levels", asked.build_key, asked.index, texts and texts.address)
    return Piece(key, "Clusters of the map", make, quick=is_quick(asked.dataset))


def known_levels(chosen: Session) -> tuple[GroupLevel, ...]:
    """Those of the index under the slider; none before it was built and described."""
    return results.recall(levels(chosen.asked_of(chosen.index)).key) or ()


def followed(
    asked: Measurement, question: Question, true: Ranked, levels: tuple[GroupLevel, ...]
) -> Piece:
    """One search at every effort."""

    def make(progress: Progress) -> FollowedSearch:
        searcher = searcher_of(asked)
        return follow(searcher, asked.index, asked.dataset, question, true, levels)

    query = (question.query.tobytes(), question.K, question.exclude)
    key = ("map search", asked.build_key, asked.index, *query)
    return Piece(key, "A search on the map", make, quick=is_quick(asked.dataset))


def _content(dataset: Dataset) -> tuple[Hashable, ...]:
    return (dataset.fingerprint, dataset.metric, dataset.logits)

"""What nearness on a map is measured on, made once for every page that asks for it."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from mips_core import Dataset, Index
from mips_core.groups.projection import ProjectionRecipe, rows_of
from mips_core.methods.reductions import Reduction, reduction_of
from pages._ui.work.task import items_name, once


@dataclass(frozen=True)
class Space:
    """What nearness on a map is measured on: of a data set, by a recipe, as a reduction sees it."""

    recipe: ProjectionRecipe
    reduction: Reduction | None

    def rows(self, dataset: Dataset) -> Any:
        """(n, d') float32, made once."""
        key = ("map rows", *content(dataset), self.recipe.space, self.reduction)
        return once(key, lambda: rows_of(dataset, self.recipe.space, self.reduction))

    def as_index(self, index: Index) -> "Space":
        """The space in which `index` holds its centroids."""
        return Space(replace(self.recipe, space="index"), reduction_of(index))


def content(dataset: Dataset) -> tuple[Hashable, ...]:
    """What of a data set a layout depends on."""
    return (items_name(dataset), dataset.metric, dataset.logits)

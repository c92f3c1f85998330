"""The map's layouts: PCA at once, UMAP after, kept on disk by content."""

from mips_core.groups.projection.layout import Layout, ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours, nearest
from mips_core.groups.projection.pca import pca_layout
from mips_core.groups.projection.placing import Anchors, anchors_of, place, sample_of
from mips_core.groups.projection.quality import trustworthiness
from mips_core.groups.projection.run import project
from mips_core.groups.projection.space import lifted_queries, rows_of
from mips_core.groups.projection.storage import layout_key, store_layout, stored_layout
from mips_core.groups.projection.umap_process import fit_umap, warm

__all__ = [
    "Anchors",
    "Layout",
    "Neighbours",
    "ProjectionRecipe",
    "anchors_of",
    "fit_umap",
    "layout_key",
    "lifted_queries",
    "nearest",
    "pca_layout",
    "place",
    "project",
    "rows_of",
    "sample_of",
    "store_layout",
    "stored_layout",
    "trustworthiness",
    "warm",
]

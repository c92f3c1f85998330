"""The map's layouts: PCA at once, UMAP after, kept on disk by content."""

from mips_core.groups.projection.crowding import crowding
from mips_core.groups.projection.layout import Layout, ProjectionRecipe
from mips_core.groups.projection.neighbours import nearest
from mips_core.groups.projection.pca import pca_layout
from mips_core.groups.projection.placing import Anchors, anchors_of, place
from mips_core.groups.projection.quality import trustworthiness
from mips_core.groups.projection.run import project
from mips_core.groups.projection.space import lifted_queries, rows_of
from mips_core.groups.projection.umap_process import warm

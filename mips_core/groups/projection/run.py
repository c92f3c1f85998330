"""The whole way from a data set to its layout: what is on disk, else PCA at once and UMAP after."""

from dataclasses import dataclass, replace

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.groups.projection.layout import Layout, ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours, nearest
from mips_core.groups.projection.pca import pca_layout, pca_note
from mips_core.groups.projection.placing import Anchors, anchors_of, sample_of
from mips_core.groups.projection.space import rows_of
from mips_core.groups.projection.storage import layout_key, store_layout, stored_layout
from mips_core.groups.projection.umap_process import fit_umap, warm
from mips_core.methods.reductions import Reduction

FEWEST = 4  # items that UMAP can lay out
FEW = 10_000  # items up to which there are more epochs
EPOCHS_OF_FEW, EPOCHS_OF_MANY = 300, 200
CENTRAL = 0.98  # share of the items, along each axis, that the frame is fitted to
NEAREST_REACH = 1e-6  # of the farthest item: nearer, float32 could not hold where that stands
PCA_SHARE, NEIGHBOURS_SHARE, ANCHORS_SHARE = 0.03, 0.15, 0.2  # of the whole time, cumulated


def project(
    dataset: Dataset,
    recipe: ProjectionRecipe,
    reduction: Reduction | None = None,
    progress: Progress = silent,
) -> Layout:
    """Where the n items of `dataset` stand, in the space of `recipe` (see `rows_of`).

    At once where this was asked before, by any process. Else `progress` is given partial Layouts:
    PCA first, then UMAP a few times a second. All are framed as `framed` says. Items beyond the
    sample that is fitted stand, in every Layout, among their nearest fitted neighbours. Where UMAP
    has nothing to lay out, the PCA picture is the result, and its note says why. Raises MipsError
    where UMAP's process breaks down, Cancelled as `progress` does.
    """
    progress(0.0, "Reading the items")
    rows = rows_of(dataset, recipe.space, reduction)
    key = layout_key(rows, recipe)
    stored = stored_layout(key)
    if stored is not None:
        return stored
    warm()
    start = pca_layout(rows, span(progress, 0.0, PCA_SHARE))
    reason = ""
    if len(start) < FEWEST or not start.any():  # UMAP has nothing to lay out
        reason = pca_note(start) or f"UMAP needs {FEWEST} items or more; this is PCA."
    layout = Layout(framed(start), "pca", settled=bool(reason), note=reason)
    progress(PCA_SHARE, "PCA is drawn", layout)
    if not reason:
        layout = _umap(rows, start, recipe, progress)
    store_layout(key, layout)
    return layout


def framed(xy: Matrix) -> Matrix:
    """xy (n, 2) moved and scaled, both axes alike: the middle 98% of the items reach from -1 to 1.

    So pictures of the same items take the same room, and a few far away leave it to the others.
    All zeros where the items share one place.
    """
    wide = xy.astype(np.float64)
    low, high = np.quantile(wide, [(1 - CENTRAL) / 2, (1 + CENTRAL) / 2], axis=0)
    wide -= (low + high) / 2
    reach = max(float((high - low).max()) / 2, NEAREST_REACH * float(np.abs(wide).max()))
    return np.asarray(wide / (reach or 1.0), np.float32)


def default_epochs(fitted: int) -> int:
    """How many epochs `fitted` items are given where the recipe leaves it open.

    umap-learn gives few items 500; of 4,000 shipped words, 300 keep the neighbours as well
    (trustworthiness .898 and .897; 200: .893).
    """
    return EPOCHS_OF_FEW if fitted <= FEW else EPOCHS_OF_MANY


def _umap(rows: Matrix, start: Matrix, recipe: ProjectionRecipe, progress: Progress) -> Layout:
    """The UMAP layout of rows (n, d'), from `start` (n, 2), their PCA layout."""
    n = len(rows)
    fitted = sample_of(n, max(recipe.fitted_of(n), FEWEST), recipe.seed)
    fitted_rows = rows[fitted] if len(fitted) < n else rows
    finding = _named(span(progress, PCA_SHARE, NEIGHBOURS_SHARE), "Finding neighbours")
    neighbours = nearest(fitted_rows, recipe.n_neighbors, finding)
    others = Others.of(rows, fitted, span(progress, NEIGHBOURS_SHARE, ANCHORS_SHARE))
    epochs = recipe.epochs or default_epochs(len(fitted))
    draft = Layout(
        xy=start,
        method="umap",
        settled=False,
        note=_note(n, neighbours, recipe),
        epochs=epochs,
        fitted=None if others is None else fitted,
        reproducible=recipe.mode == "reproducible",
    )
    drafts: list[Layout] = []

    def on_epoch(epoch: int, xy: Matrix) -> None:
        drafts.append(replace(draft, epoch=epoch, xy=_whole(xy, others)))

    def report(fraction: float, message: str, partial: object = None) -> None:
        overall = ANCHORS_SHARE + fraction * (1 - ANCHORS_SHARE)
        progress(overall, message, drafts.pop() if drafts else None)

    xy = fit_umap(start[fitted], neighbours, recipe, epochs, on_epoch, report)
    return replace(draft, epoch=epochs, xy=_whole(xy, others), settled=True)


@dataclass(frozen=True, eq=False)
class Others:
    """The items that are not fitted, and what holds them."""

    fitted: Ids
    ids: Ids
    anchors: Anchors

    @staticmethod
    def of(rows: Matrix, fitted: Ids, progress: Progress) -> "Others | None":
        """The rows (n, d') that are not among `fitted`; None where all are."""
        if len(fitted) == len(rows):
            return None
        rest = np.ones(len(rows), np.bool_)
        rest[fitted] = False
        ids = np.flatnonzero(rest)
        named = _named(progress, "Placing the other items")
        return Others(fitted, ids, anchors_of(rows, fitted, rows[ids], named))


def _whole(xy_fitted: Matrix, others: Others | None) -> Matrix:
    """(n, 2) the framed layout of all items, given that of the fitted."""
    if others is None:
        return framed(xy_fitted)
    xy = np.empty((len(others.fitted) + len(others.ids), 2), np.float32)
    xy[others.fitted] = xy_fitted
    xy[others.ids] = others.anchors.places(xy_fitted)
    return framed(xy)


def _named(progress: Progress, name: str) -> Progress:
    """`progress` under one name and the share that is done: "Finding neighbours, 40%"."""

    def report(fraction: float, message: str, partial: object = None) -> None:
        progress(fraction, f"{name}, {fraction:.0%}")

    return report


def _note(n: int, neighbours: Neighbours, recipe: ProjectionRecipe) -> str:
    """What a reader of the UMAP picture of n items should know."""
    fitted, k = neighbours.ids.shape
    said = []
    if fitted < n:
        said.append(
            f"UMAP placed {fitted:,} items drawn at random; the other {n - fitted:,} stand among "
            "their nearest of those."
        )
    if k < recipe.n_neighbors:
        said.append(f"All {fitted:,} are neighbours of each other.")
    if recipe.mode == "parallel":
        said.append("Another run gives a slightly different picture.")
    return " ".join(said)

"""What a map of all items will take, told before it starts: memory and time, about.

Work is counted as in `forecast`, so that its rate turns it into seconds. The numbers below were
fitted to four layouts of 20,000 to 200,000 items of 50 and 100 dimensions, by 15 and 60 neighbours
each, in 40 epochs on two processors: time was .98 to 1.1 of what is said now, memory .8 at most.
"""

from math import log2

from mips_core.base.threads import n_threads
from mips_core.groups.projection.layout import Method, ProjectionRecipe
from mips_core.groups.projection.neighbours import EXACT_ROWS, OPENED
from mips_core.groups.projection.pca import MOST_PRODUCTS
from mips_core.groups.projection.placing import EXACT_PAIRS, SHARE
from mips_core.groups.projection.run import default_epochs
from mips_core.studies.forecast import FIXED_BYTES, Forecast, budget, fewer_items, refuse_beyond

PASS = 500  # multiplications an entry of the items: reading, lifting, projecting, drawing it
PAIR = 6.5  # and for each dimension of two rows that are compared
AT_ONCE = 0.28  # of that, where all are compared
PULLS = 28_000  # and for all that moves an item in an epoch, times log2 of its neighbours, …
SPREAD = 50_000  # … where so many are moved; fewer lie nearer in memory
ITEM = 150  # bytes an item takes beside its rows: its places, also while they are framed
ANCHOR = 80  # and where it is placed by its neighbours among the fitted
COPIES = 5  # of the rows of the fitted, while neighbours are found
NEIGHBOUR = 85  # bytes that a neighbour takes, while edges are weighed


def forecast_map(recipe: ProjectionRecipe, n: int, d: int, method: Method = "umap") -> Forecast:
    """What a layout of n items of d dimensions takes; its rows are held beside the items."""
    row = 4.0 * (d + 1)
    work = PASS * n * d + min(n * d**2, MOST_PRODUCTS)
    room = (row + ITEM) * n
    if method == "umap":
        fitted, k = recipe.fitted_of(n), recipe.n_neighbors
        others = n - fitted
        looked_at = AT_ONCE if fitted <= EXACT_ROWS else OPENED
        share = AT_ONCE if fitted * others <= EXACT_PAIRS else SHARE
        work += PAIR * d * fitted * (looked_at * fitted + share * others)
        epochs = recipe.epochs or default_epochs(fitted)
        alone = n_threads() if recipe.mode == "reproducible" else 1  # of a rate on all of them
        pulls = PULLS * min(fitted / SPREAD, 1.0) ** 0.5
        work += pulls * alone * epochs * fitted * log2(k)
        edges = max(row * (others + COPIES * fitted), NEIGHBOUR * fitted * k)
        room += row * n + ANCHOR * others + edges  # PCA's rows stay while UMAP has its own
    return Forecast(work, FIXED_BYTES + 4.0 * n * d + room)


def refuse_large_map(recipe: ProjectionRecipe, n: int, d: int, method: Method = "umap") -> None:
    """Raise ParamError where a layout will not fit in memory, and say what would."""
    sizes, what = (forecast_map(recipe, n, d, method).bytes, budget()), f"A map by {method.upper()}"
    refuse_beyond(what, *sizes, n, d, lambda: what_fits(recipe, n, d, method))


def what_fits(recipe: ProjectionRecipe, n: int, d: int, method: Method) -> str:
    """Advice that holds: PCA, else fewer items; "" where nothing fits."""
    if method == "umap" and forecast_map(recipe, n, d, "pca").bytes <= budget():
        return "PCA would fit."
    return fewer_items(n, budget(), lambda fewer: forecast_map(recipe, fewer, d, method).bytes)

"""What a map of all items will take, told before it starts: memory and time, about.

Work is counted as in `forecast`, so that its rate turns it into seconds.
"""

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, memory
from mips_core.base.threads import n_threads
from mips_core.groups.projection.layout import Method, ProjectionRecipe
from mips_core.groups.projection.neighbours import EXACT_ROWS, OPENED
from mips_core.groups.projection.pca import MOST_PRODUCTS
from mips_core.groups.projection.placing import EXACT_PAIRS, SHARE
from mips_core.groups.projection.run import default_epochs
from mips_core.studies.forecast import FEWEST_ITEMS, FIXED_BYTES, Forecast, budget

PASS = 40  # multiplications an entry of the items that reading, lifting and projecting it take
PAIR = 2.0  # and for each dimension of two rows that are compared
PULL = 1_500  # and for each pull along an edge, on one processor
ITEM = 220  # bytes an item takes beside its rows: its places as they are framed, and as drawn
ANCHOR = 140  # and where it is placed by its neighbours among the fitted
NEIGHBOUR = 100  # bytes that a neighbour takes while its edges are made


def forecast_map(recipe: ProjectionRecipe, n: int, d: int, method: Method = "umap") -> Forecast:
    """What a layout of n items of d dimensions takes; its rows are held beside the items."""
    work = PASS * n * d + min(n * d**2, MOST_PRODUCTS)
    room = 4.0 * n * (d + 1) + ITEM * n
    if method == "umap":
        fitted = recipe.fitted_of(n)
        others = n - fitted
        looked_at = 1.0 if fitted <= EXACT_ROWS else OPENED
        share = 1.0 if fitted * others <= EXACT_PAIRS else SHARE
        work += PAIR * d * fitted * (looked_at * fitted + share * others)
        epochs = recipe.epochs or default_epochs(fitted)
        alone = n_threads() if recipe.mode == "reproducible" else 1  # of a rate on all of them
        work += PULL * alone * epochs * fitted * recipe.n_neighbors
        room += 4.0 * (n + others + 3 * fitted) * (d + 1)
        room += ANCHOR * others + NEIGHBOUR * fitted * recipe.n_neighbors
    return Forecast(work, FIXED_BYTES + 4.0 * n * d + room)


def refuse_large_map(recipe: ProjectionRecipe, n: int, d: int, method: Method = "umap") -> None:
    """Raise ParamError where a layout will not fit in memory, and say what would."""
    size, room = forecast_map(recipe, n, d, method).bytes, budget()
    if size > room:
        items = f"{counted(n, 'item', 'items')} of {counted(d, 'dimension', 'dimensions')}"
        raise ParamError(
            f"A map by {method.upper()} takes about {memory(size)} of memory on {items}; "
            f"the limit is {memory(room)}.",
            what_fits(recipe, n, d, method) or "The data alone do not fit.",
        )


def what_fits(recipe: ProjectionRecipe, n: int, d: int, method: Method) -> str:
    """Advice that holds: PCA, else fewer items; "" where nothing fits."""
    if method == "umap" and forecast_map(recipe, n, d, "pca").bytes <= budget():
        return "PCA would fit."
    fewer = n // 2
    while fewer >= FEWEST_ITEMS:
        if forecast_map(recipe, fewer, d, method).bytes <= budget():
            return f"A sample of {fewer:,} items would fit."
        fewer //= 2
    return ""

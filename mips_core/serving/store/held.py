"""The vectors that a stored index holds, as data to search anew."""

import numpy as np

from mips_core.data.dataset import Dataset, Metric
from mips_core.data.metrics import EXTRA, EuclideanLift
from mips_core.serving.store.stored import StoredIndex


def held_data(stored: StoredIndex) -> tuple[Dataset, Metric]:
    """A data set without queries, and the metric by which it has the very items of `stored`.

    Of a Euclidean index the vectors come back as they were: x - c is exact, and so is adding c. Of
    one by cosine the lengths are gone: its unit vectors rank by inner product as by cosine. Raises
    DataError where the index holds no items.
    """
    items = stored.items_or("Open the data it was built on, then the index.")
    metric = stored.metric
    if isinstance(stored.conversion, EuclideanLift):
        items = np.ascontiguousarray(items[:, :-EXTRA] + stored.conversion.centre)
    source = Dataset(
        items=items,
        labels=stored.labels,
        name=stored.name,
        simulated=stored.simulated,
        logits=stored.logits,
    )
    return source, "inner product" if metric == "cosine" else metric

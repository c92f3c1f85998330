"""A softmax layer as a search problem: its classes are items, its hidden states queries.

The logit of a class is w.h + b = [w, b].[h, 1] (Auvolat et al. 2015, section 6).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import DataError

Vectors = NDArray[Any]  # real numbers of any dtype, one vector a row


def layer_items(weights: Vectors, bias: Vectors) -> Vectors:
    """Items [w, b] (n, d + 1) of weights (n, d), one class a row, and bias (n,).

    In the narrowest dtype that holds both exactly. Raises DataError where they do not fit.
    """
    if weights.ndim != 2 or bias.shape != weights.shape[:1]:
        raise DataError(
            f"The weights are {_size(weights)}, the bias {_size(bias)}.",
            "Give one row of weights and one number of bias a class.",
        )
    return np.column_stack([weights, bias])


def layer_queries(hidden: Vectors) -> Vectors:
    """Queries [h, 1] (m, d + 1) of hidden states (m, d), in their dtype."""
    return np.column_stack([hidden, np.ones(len(hidden), hidden.dtype)])


def _size(array: Vectors) -> str:
    return " × ".join(f"{length:,}" for length in array.shape) or "a single value"

"""The fit of k-means as files and links tell it, which those of earlier versions did otherwise."""

from dataclasses import replace
from typing import Any

from mips_core.base.errors import ParamError
from mips_core.methods.indexes import Index


def as_built(index: Index, n: int) -> Index:
    """`index` of n items, as it is told where it was built, with the fit that it had.

    A build by groups tells `grouped`. One that tells `all` where all would be grouped now comes
    from a version that grouped nothing by itself: every item met every cluster.
    """
    told: Any = index
    if getattr(told, "fit", "") != "all":
        return index
    try:
        return replace(told, fit="exact") if told.explicit(n).fit == "grouped" else index
    except ParamError:  # more clusters than can be: such data cannot be here
        return index

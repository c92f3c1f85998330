"""Which clusters a query opens: by inner product descending, lower number on ties, everywhere.

The curve needs all clusters in order (`order`), a search only the first few (`first`).
"""

from mips_core.methods.cluster_order.first import FEW, MOST_PICKED, first_children, first_clusters
from mips_core.methods.cluster_order.order import cluster_order, cluster_orders

__all__ = [
    "FEW",
    "MOST_PICKED",
    "cluster_order",
    "cluster_orders",
    "first_children",
    "first_clusters",
]

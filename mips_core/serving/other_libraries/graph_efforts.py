"""What graph indexes of all libraries share: how they are built, and how hard they are asked.

Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using hierarchical
navigable small world graphs", TPAMI 2020: M links an item and a level, efConstruction and ef the
length of the list of best items kept while building and while searching. With inner products the
graph loses what a metric guarantees, and may miss items whatever the effort.
"""

from mips_core.methods.searcher import effort_ladder

M = 16
EF_CONSTRUCTION = 200
MOST_EF = 4096
CHUNK = 4096  # items added between two reports of progress


def ef_ladder(n: int, K: int) -> list[int]:
    """Values of ef for K answers of n items: at least K, as both libraries take no less."""
    most = max(K, min(n, MOST_EF))
    return [K, *(ef for ef in effort_ladder(most) if ef > K)]

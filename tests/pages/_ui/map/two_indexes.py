"""Two indexes held beside each other on the map, as tests look at them."""

import numpy as np

from mips_core.groups.clusters import moved
from tests.pages.conftest import session_of, texts
from tests.pages.map_page import a_map

BOTH = ["flat-kmeans", "hierarchical-kmeans"]


def compared(**address):
    """The page with the second index beside the first, everything there."""
    return a_map(**{"index": BOTH, "map": "other=2", **address})


def groups_of(at, position, level=-1):
    """(n,) the group of each item in a kept index."""
    session = session_of(at)
    asked = session.measurement_of(session.kept[position])
    return asked.index.searcher(asked.built.structure).groups()[level]


def table(at):
    """The table of what changed; None where there is none."""
    return next((e.value for e in at.dataframe if "changed" in e.value), None)


def said(at):
    """All texts, boxes included."""
    return " ".join([texts(at), *(e.value for e in [*at.info, *at.error, *at.caption])])


def assert_compared_right(at, first, second):
    """The table and the sentence against counts by hand; groups (n,) of both."""
    found, shown = moved(first, second), table(at)
    for row in shown.itertuples(index=False):
        inside = first == row.number
        assert row.items == inside.sum()
        assert row.stayed == (inside & ~found.items).sum()
        assert row.changed == (inside & found.items).sum()
        went = np.bincount(second[inside & found.items], minlength=1)
        assert row[-1] == went.max()
    assert shown["changed"].is_monotonic_decreasing
    assert f"{100 * found.share:.1f}% of the items changed" in said(at)
    assert f"**{found.adjusted_rand:.3f}**".replace("-", "−") in said(at)

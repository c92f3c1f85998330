"""Maps of few items, with names that would be markup."""

import numpy as np

from mips_core.groups.clusters import GroupLevel
from mips_core.studies.map_table import MappedItems, SearchMarks

HOSTILE = "</script><img src=x onerror=alert(1)> & %{x}"


def level(of, names):
    k = len(names)
    sizes = np.bincount(of, minlength=k).astype(np.int32)
    central = np.array([np.flatnonzero(of == g)[0] if sizes[g] else -1 for g in range(k)], np.int32)
    colours = (np.arange(k) % 12).astype(np.uint8)
    nouns = ("cluster", "clusters")
    return GroupLevel(f"{k} clusters", nouns, of, sizes, names, central, colours, None, None)


def mapped(n=60, k=7, hostile=True, **known):
    """Items of k clusters and one empty one."""
    rng = np.random.default_rng(0)
    of = (np.arange(n) % k).astype(np.int32)
    labels = [f"word {i}" for i in range(n)]
    labels[:2] = [HOSTILE, "$miss"] if hostile else labels[:2]
    names = [*labels[:k], ""]
    xy = rng.normal(size=(n, 2)).astype(np.float32)
    return MappedItems("some <data>", xy, rng.random(n), labels, (level(of, names),), **known)


def search(items, found=(True, False, False)):
    candidates = np.zeros(items.n, bool)
    candidates[3:20] = True
    true = np.array([3, 0, 40], np.int32)
    return SearchMarks("castle", (0.5, 0.5), -1, "5 probes", candidates, true, np.array(found))

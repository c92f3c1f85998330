"""Spread items, and what the nodes of a binary tree of them hold."""

import numpy as np


def held(tree):
    """Items of every leaf, and of every other node those of the leaves below it."""
    items = {
        node: set(tree.members[tree.starts[node] : tree.starts[node + 1]])
        for node in range(len(tree.children))
    }
    for node in reversed(range(len(tree.children))):
        if tree.children[node] >= 0:
            items[node] = items[tree.children[node]] | items[tree.children[node] + 1]
    return items


def spread(seed, n=300, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    return X.astype(np.float32), rng.normal(size=(4, d)).astype(np.float32)

"""Data, trees fitted to it, and slow oracles from the definitions."""

import heapq
import math

import numpy as np

from mips_core.base.progress import silent
from mips_core.studies.tree_softmax import fit_tree_softmax


def gaussian(n, m, d=4, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)).astype(np.float32), rng.normal(size=(m, d)).astype(np.float32)


def fitted(X, Q, progress=silent):
    return fit_tree_softmax(X, Q, np.random.default_rng(0), progress)


def flat_oracle(X, q, t):
    """log p(x|q) of the flat softmax, from the definition."""
    scores = [t * sum(float(a) * float(b) for a, b in zip(x, q, strict=True)) for x in X]
    largest = max(scores)
    total = largest + math.log(sum(math.exp(s - largest) for s in scores))
    return [s - total for s in scores]


def decide(model, node, q):
    """The children of an inner node, with the log probability of turning to them."""
    z = sum(float(a) * float(b) for a, b in zip(model.weights[node], q, strict=True))
    z += float(model.biases[node])
    left = -math.log1p(math.exp(-z)) if z > 0 else z - math.log1p(math.exp(z))
    yield from zip(map(int, model.children[node]), (left, left - z), strict=True)


def tree_oracle(model, q):
    """log p(x|q) of the tree: the sum of its decisions, leaf by leaf."""
    inner = len(model.children)
    logs = [0.0] * (inner + 1)

    def descend(place, log):
        if place >= inner:
            logs[place - inner] = log
        else:
            for child, more in decide(model, place, q):
                descend(child, log + more)

    descend(0, 0.0)
    return logs


def ranked(logs):
    return sorted(range(len(logs)), key=lambda i: (-logs[i], i))


def beam_oracle(model, q, width):
    """Leaves found, best first, and nodes opened."""
    inner, level, found, opened = len(model.children), [(0.0, 0)], [], 0
    while level:
        level = sorted(level, key=lambda pair: (-pair[0], pair[1]))[:width]
        opened += len(level)
        below = [(log + more, c) for log, p in level for c, more in decide(model, p, q)]
        found += [(log, place - inner) for log, place in below if place >= inner]
        level = [pair for pair in below if pair[1] < inner]
    return [i for _, i in sorted(found, key=lambda pair: (-pair[0], pair[1]))], opened


def best_first_oracle(model, q, K):
    """Nodes opened until the K likeliest leaves are known."""
    inner, heap, opened, found = len(model.children), [(0.0, 0)], 0, 0
    while found < K:
        log, place = heapq.heappop(heap)
        if place >= inner:
            found += 1
        else:
            opened += 1
            for child, more in decide(model, place, q):
                heapq.heappush(heap, (log - more, child))
    return opened


def mean_cross_entropy(model, X, Q):
    """Of the tree on items drawn by the flat softmax, in nats."""
    total = 0.0
    for q in Q:
        flat, tree = flat_oracle(X, q, model.scale), tree_oracle(model, q)
        total -= sum(math.exp(p) * log for p, log in zip(flat, tree, strict=True))
    return total / len(Q)


def log_probabilities(model, Q):
    """(m, n) log p(item|q) in nats."""
    return model.log_masses(Q)[:, model.n - 1 :]

"""The definitions, written the slow and obvious way. Nothing here imports the package."""

import math


def dot(x, y):
    return sum(float(a) * float(b) for a, b in zip(x, y, strict=True))


def ranking(X, q, among=None):
    """Item numbers by falling inner product with q; ties go to the lower number."""
    among = range(len(X)) if among is None else among
    return sorted(among, key=lambda i: (-dot(X[i], q), i))


def precision(X, Q, rows, k, exclude=None):
    """Score each query's candidates, keep the best k, count how many are truly best."""
    shares = []
    for i, (q, row) in enumerate(zip(Q, rows, strict=True)):
        banned = set() if exclude is None else {exclude[i]}
        truth = [j for j in ranking(X, q) if j not in banned][:k]
        kept = [j for j in ranking(X, q, row) if j not in banned][:k]
        shares.append(len(set(kept) & set(truth)) / len(truth))
    return sum(shares) / len(shares)


def tolerant_precision(X, Q, rows, k):
    """As `precision`, but a retrieved score within 1e-5 of the k-th true one counts, k at most."""
    shares = []
    for q, row in zip(Q, rows, strict=True):
        truth = ranking(X, q)[:k]
        last = dot(X[truth[-1]], q)
        kept = ranking(X, q, row)[:k]
        right = [j for j in kept if dot(X[j], q) >= last - 1e-5 * abs(last)]
        shares.append(min(len(right), len(truth)) / len(truth))
    return sum(shares) / len(shares)


def augment(X, U, m):
    """P(x) of the paper, equation 4."""
    longest = max(math.sqrt(dot(x, x)) for x in X)
    s = U / longest if longest else 1.0
    lifted = []
    for x in X:
        square = dot(x, x) * s * s
        lifted.append([s * float(v) for v in x] + [0.5 - square ** (2**j) for j in range(m)])
    return lifted


def spherical_kmeans(X, labels, max_rounds=1000):
    """Algorithm 1 from given labels, empty clusters dropped: labels, centroids, objectives."""
    X = [[float(v) for v in x] for x in X]
    labels, objectives = list(labels), []
    while True:
        live = sorted(set(labels))
        centroids = []
        for c in live:
            total = [
                sum(v)
                for v in zip(*(x for x, a in zip(X, labels, strict=True) if a == c), strict=True)
            ]
            length = math.sqrt(dot(total, total))
            centroids.append([v / length for v in total])
        old = [live.index(a) for a in labels]
        labels = [max(range(len(centroids)), key=lambda c: (dot(x, centroids[c]), -c)) for x in X]
        objectives.append(sum(dot(x, centroids[a]) for x, a in zip(X, labels, strict=True)))
        if labels == old or len(objectives) == max_rounds:
            return labels, centroids, objectives


def probe(centroids, labels, q, p):
    """Candidates and cost of a flat search that opens the p clusters of largest q.c."""
    order = ranking(centroids, q)[:p]
    found = {i for i, a in enumerate(labels) if a in order}
    return found, len(centroids) + len(found)


def beam(levels, q, p):
    """Algorithm 2: levels [(centroids, labels of what lies below)] coarse to fine."""
    current = list(range(len(levels[0][0])))
    cost = 0
    for centroids, labels in levels:
        cost += len(current)
        kept = ranking(centroids, q, current)[:p]
        current = [i for i, a in enumerate(labels) if a in kept]
    return set(current), cost + len(current)

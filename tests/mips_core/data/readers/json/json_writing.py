"""The same vectors, written as JSON in many ways."""

import json

import numpy as np

V = np.random.default_rng(0).normal(size=(4, 3)).round(4).tolist()
WORDS = ["amber", "ice cream", "Señor", '"q", 1']
PAIRS = list(zip(WORDS, V, strict=True))
X = np.array(V, np.float32)
ROWS = [{"id": 10 + i, "title": word, "vector": v} for i, (word, v) in enumerate(PAIRS)]


def one_a_line(rows, end="\n", last="\n"):
    return end.join(json.dumps(row) for row in rows) + last


def check(found, labels=None):
    np.testing.assert_array_equal(found.vectors, X)
    assert found.vectors.dtype == np.float32
    assert (None if found.labels is None else list(found.labels)) == labels
    return found


def named(**more):
    return {"model": "m", "embeddings": V, **more}

"""Items with labels of every kind, for tests of what is typed."""

import numpy as np

from mips_core import Dataset

LABELS = (
    "king man woman queen|new york|spider-man|rock + roll|bank|bank|King|0.5*x|C++|−|don't|"
    'the "best" one'
)
LABELS = [*LABELS.split("|")[0].split(), *LABELS.split("|")[1:]]
ROW = {label: row for row, label in reversed(list(enumerate(LABELS)))}


def words(**known):
    X = np.random.default_rng(0).normal(size=(len(LABELS), 3)).astype(np.float32)
    return Dataset(X, labels=LABELS, name="words", **known)

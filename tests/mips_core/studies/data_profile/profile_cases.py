"""Made-up items, and what is said of them."""

import numpy as np

from mips_core import Dataset
from mips_core.data.readers.remarks import remarks
from mips_core.studies.data_profile.facts import facts_of
from mips_core.studies.data_profile.findings import findings

RNG = np.random.default_rng(5)
BALL = RNG.normal(size=(300, 6)).astype(np.float32)
UNIT = BALL / np.linalg.norm(BALL, axis=1, keepdims=True)


def with_notes(X, labels=None):
    return Dataset(X, labels=labels, notes=remarks(X, labels))


def said(dataset):
    return [found.found for found in findings(dataset, facts_of(dataset))]


def scaled(X, row, factor):
    Y = X.copy()
    Y[row] *= factor
    return Y

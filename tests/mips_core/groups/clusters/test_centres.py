"""The middle of a group agrees with its definition."""

import numpy as np
import pytest

from mips_core.groups.clusters.centres import CENTRAL, CENTRAL_SHARE, centres, members_of


def test_centres_agree_with_the_definition(items):
    of = (np.arange(len(items)) * 7 % 3).astype(np.int32)
    of[of == 1] = 2
    directions, central = centres(items, members_of(of, 4))
    X = items.astype(np.float64)
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    unit = np.divide(X, norms, out=np.zeros_like(X), where=norms > 0)
    for group in range(4):
        own = np.flatnonzero(of == group)
        if len(own) == 0:
            assert (central[group] == -1).all()
            assert not directions[group].any()
            continue
        mean = unit[own].mean(axis=0)
        assert directions[group] * np.linalg.norm(mean) == pytest.approx(mean, abs=1e-6)
        way = unit[own] - unit.mean(axis=0)
        lengths = np.linalg.norm(way, axis=1)
        along = way @ (mean - unit.mean(axis=0))
        cosines = np.divide(along, lengths, out=np.zeros(len(own)), where=lengths > 1e-9)
        count = max(CENTRAL, int(np.ceil(CENTRAL_SHARE * len(own))))
        least = np.sort(cosines)[-count:][0]
        wanted = own[cosines >= least - 1e-6][:CENTRAL].tolist()
        assert central[group].tolist() == [*wanted, -1, -1][:CENTRAL]


def test_of_few_items_all_are_central():
    rows = np.eye(3, dtype=np.float32)
    _, central = centres(rows, members_of(np.array([0, 1, 0], np.int32), 2))
    assert central.tolist() == [[0, 2, -1], [1, -1, -1]]

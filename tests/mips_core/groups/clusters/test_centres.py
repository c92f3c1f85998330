"""The middle of a group agrees with its definition."""

import numpy as np
import pytest

from mips_core.groups.clusters.centres import CENTRAL_SHARE, centres, members_of


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
            assert central[group] == -1
            assert not directions[group].any()
            continue
        mean = unit[own].mean(axis=0)
        assert directions[group] * np.linalg.norm(mean) == pytest.approx(mean, abs=1e-6)
        way = unit[own] - unit.mean(axis=0)
        lengths = np.linalg.norm(way, axis=1)
        along = way @ (mean - unit.mean(axis=0))
        cosines = np.divide(along, lengths, out=np.zeros(len(own)), where=lengths > 1e-9)
        better = (cosines > cosines[np.searchsorted(own, central[group])] + 1e-6).sum()
        assert better < max(1, np.ceil(CENTRAL_SHARE * len(own)))

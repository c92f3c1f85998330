"""P evens out norms, and changes answers as exact search by cosine does."""

import numpy as np
import pytest

from mips_core import PaperAugment, truth_of
from mips_core.studies.paper.norms import MS, POINTS, US, measured, norms_of
from tests.mips_core.studies.paper.paper_cases import M, users


def test_norms_are_those_of_the_lifted_items():
    items = users().searched.items
    lengths = np.linalg.norm(items.astype(float), axis=1)
    for m, U in ((1, 0.5), (3, 0.75), (6, 0.75)):
        lifted = PaperAugment(U, m).fit(items).items(items)
        assert norms_of(lengths, m, U) == pytest.approx(np.linalg.norm(lifted, axis=1), rel=1e-5)


def test_answers_kept_are_those_of_a_search_by_cosine():
    searched = users().searched
    truth = truth_of(searched)
    told = measured(searched, truth, (1, 10))
    lengths = np.linalg.norm(searched.items.astype(float), axis=1)
    for point in (0, 7, len(POINTS) - 1):
        m, U = POINTS[point]
        scores = (truth.queries @ searched.items.T) / norms_of(lengths, m, U)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
        kept = [len({*a} & {*b}) for a, b in zip(best, truth.ids[:, :10], strict=True)]
        assert told["hits"][:, point, 1].sum() == sum(kept)
    spreads = told["hits"][:, :, -1].sum(axis=0) / M
    for at in range(len(US)):
        assert (np.diff(spreads[at * len(MS) : (at + 1) * len(MS)]) <= 0).all()

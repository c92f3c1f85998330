"""How often each item is a true answer, and how often it is missed."""

import numpy as np

from mips_core.base.arrays import Ids, Mask
from mips_core.base.errors import ParamError
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.truth import Truth
from mips_core.methods.bits import unpack_bits


def answer_counts(truth: Truth, K: int) -> Ids:
    """(n,) for how many queries each item is among the true top K: its in-degree; hubs have many.

    Radovanović, Nanopoulos and Ivanović, "Hubs in space", JMLR 2010: N_k(x). Raises ParamError for
    a K out of range.
    """
    return np.bincount(truth.ids[:, : truth.answers(K)].ravel(), minlength=truth.n)


def missed(evaluation: Evaluation, K: int, effort: int) -> Mask:
    """(m, K) which true answers, best first, are no candidates of their query at `effort`.

    Nothing is searched again. Raises ParamError for an effort that was not measured, and for a K
    out of range or at which the evaluation cannot be read off.
    """
    if evaluation.K not in (None, K):
        raise ParamError(
            f"{evaluation.index.label} was measured at K = {evaluation.K} alone, not {K}.",
            "Its candidates depend on K: evaluate it once for each.",
        )
    (places,) = np.nonzero(evaluation.efforts == effort)
    if len(places) == 0:
        first, last = evaluation.efforts[0], evaluation.efforts[-1]
        raise ParamError(
            f"Effort {effort} was not measured.", f"Efforts go from {first} to {last}."
        )
    at, K = int(places[0]), evaluation.truth.answers(K)
    if evaluation.ranks is not None:
        return evaluation.ranks[:, :K] > at
    assert evaluation.found is not None
    return ~unpack_bits(evaluation.found[at], K)


def times_missed(evaluation: Evaluation, K: int, effort: int) -> Ids:
    """(n,) for how many queries each item is a true answer that a search at `effort` misses.

    Raises ParamError as `missed` does.
    """
    truth = evaluation.truth
    ids = truth.ids[:, : truth.answers(K)]
    return np.bincount(ids[missed(evaluation, K, effort)], minlength=truth.n)

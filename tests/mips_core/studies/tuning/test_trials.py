"""Questions that cannot be asked are refused in words."""

import pytest

from mips_core import DataError, ParamError
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.tuning import Budget, Need, cheapest, tune
from tests.mips_core.studies.tuning.tuning_cases import GRID, K, dataset, tried


@pytest.mark.parametrize("m", [1, FEWEST_TO_SPLIT - 1])
def test_without_queries_to_hold_out_nothing_is_tuned(m):
    data = dataset(m=m)
    with pytest.raises(DataError, match="Tuning needs 20 queries or more"):
        tune(data, GRID, K, Need(0.9))
    with pytest.raises(DataError, match=f"There (is 1 query|are {m} queries)"):
        cheapest(tried(GRID[:1], m=m), K, Need(0.9))


def test_bad_questions_are_refused_in_words():
    for precision in (0, -1, 1.01):
        with pytest.raises(ParamError, match="precision asked for"):
            Need(precision)
    for confidence in (0.4, 1, 2):
        with pytest.raises(ParamError, match="confidence asked for"):
            Need(0.9, confidence)
    with pytest.raises(ParamError, match="limit of seconds is -1"):
        Budget(seconds=-1)
    with pytest.raises(ParamError, match="limit of inner products is nan"):
        Budget(inner_products=float("nan"))
    with pytest.raises(ParamError, match="No setting was tried"):
        cheapest([], K, Need(0.9))
    with pytest.raises(ParamError, match="K is 101"):
        tune(dataset(), GRID, 101, Need(0.9))
    with pytest.raises(ParamError, match="measured at K = 10 alone"):
        cheapest(tried((IPTree(),)), 5, Need(0.9))

"""What is told of more items, and what is refused."""

from dataclasses import replace

import pytest

from mips_core.base.errors import DataError, ParamError
from tests.mips_core.studies.growth.growth_cases import scaling


def test_too_few_sizes_refuse_in_words():
    made = scaling(reached=(True, False, True, False))
    assert (len(made.points), len(made.left_out)) == (2, 2)
    with pytest.raises(DataError, match=r"95% was reached at 2 of the 4 sizes .* 96.0%, at 20,000"):
        made.at(10**6)
    with pytest.raises(DataError, match="reached at 0 of the 1 sizes"):
        replace(made, sizes=made.left_out[:1]).exponents  # noqa: B018


@pytest.mark.parametrize("n", [-1, 0, 2_499, 10**13])
def test_no_advice_outside_what_can_be_told(n):
    with pytest.raises(ParamError, match="Ask for 2,500 to 1,000,000,000,000"):
        scaling().at(n)

"""What to expect, in sentences."""

from mips_core.studies.growth import in_words
from tests.mips_core.studies.growth.growth_cases import SIZES, scaling


def test_advice_in_words():
    assert in_words(scaling().at(10**6)) == (
        "At **1,000,000 items** (50 times as many), with 1,000 clusters, expect about "
        "**14,000 inner products** a query, **71× fewer** than exact search; 1.7 minutes of "
        "processor time to build; 95 MB. Extrapolated from 2,500 to 20,000 items of this data, "
        "for 95% of the true top 10. Ranges are 95% prediction intervals."
    )
    bent = scaling(cost=dict(zip(SIZES, (100, 400, 500, 3_000), strict=True)).get, simulated=True)
    assert not bent.straight
    said = in_words(bent.at(8_000))
    assert "**8,000 items**, with 89 clusters" in said
    assert "(" in said.split("inner products** a query")[1][:3]
    assert (
        "Read off a line through what was measured from 2,500 to 20,000 items of this simul" in said
    )
    assert "do not lie on a line: inner products grow like n to the power 1.50, ± 0.29 (st" in said
    dear = in_words(scaling(cost=lambda n: 2 * n, reached=(False, True, True, True)).at(20_000))
    assert "**more** than exact search (0.5×)" in dear
    assert "At 2,500 items 95% was not reached (the best is 93.0%): that size is left out." in dear
    assert "times as many" not in dear

"""The bill of one query under the slider, as a sentence."""

import re

import numpy as np

from mips_core import rng_for
from pages._ui.parts import example_bill
from pages._ui.state.session import usual
from tests.pages.conftest import small_dataset


def test_it_says_what_the_index_computes_and_finds_once_it_is_built_here():
    session = usual(small_dataset(), "small")
    assert example_bill.sentence(session, 3) == ""
    session.effort = 2
    measurement = session.measurement_of(session.index)
    measurement.here()
    said = example_bill.sentence(session, 3)
    dataset = session.dataset
    q = dataset.queries[3]
    best = np.argsort(-(dataset.items.astype(float) @ q.astype(float)))[:10]
    structure = session.index.build(dataset.items, rng_for(session.seed))
    asked = session.index.searcher(structure).candidates(q[None], 2, 10)
    found = len(set(best.tolist()) & set(asked.ids.tolist()))
    assert "exact search computes 400 inner products" in said
    assert re.findall(r"\*\*([^*]+)\*\*", said) == [
        *(dataset.query_labels[3], f"{asked.cost[0]:,.0f}", f"{found} of the 10"),
    ]

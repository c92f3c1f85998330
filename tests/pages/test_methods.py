"""Methods in words, which of them are compared, and what is tried of each."""

import re

from mips_core import INDEXES, exact_top_k
from mips_core.base.params import params_of
from mips_core.data.queries import QueryRecipe, with_queries
from pages._ui.text.widgets import plain
from tests.pages.conftest import small_dataset, texts


def test_every_index_is_described_with_its_parameters_cost_and_source(app):
    at = app("methods.py", settle=False)
    assert not at.exception
    words = texts(at)
    assert len(at.subheader) >= len(INDEXES)
    for cls in INDEXES.values():
        what, cost = cls.about()
        assert plain(what) in words
        assert plain(cost) in words
        assert plain(cls.cite) in words
        for p in params_of(cls).values():
            assert plain(p.help) in words
    places = {heading.anchor for heading in at.subheader}
    linked = set(re.findall(r"\]\(#([\w-]+)\)", words))
    assert set(INDEXES) == linked <= places


def test_the_dual_search_runs_as_it_is_shown(app):
    at = app("methods.py", settle=False)
    data = with_queries(small_dataset(), QueryRecipe(count=20))
    found = {"items": data.items, "queries": data.queries}
    exec(at.code[0].value, found)
    assert found["found"].ids.tolist() == exact_top_k(data.items, data.queries, 10).tolist()

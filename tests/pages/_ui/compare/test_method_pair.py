"""Two methods at one speedup: chosen, said and drawn."""

import numpy as np
import pytest

from mips_core.studies.noise import SPEEDUPS
from pages._ui.state import session
from tests.pages.compare_page import all_in, compared, table
from tests.pages.conftest import small_dataset, texts


def test_exchanging_the_methods_turns_the_difference_round(app):
    at = compared(app, compare="first=flat-kmeans,second=largest-norm,speedup=3")
    before = table(at)
    next(b for b in at.button if b.label == "Exchange").click().run()
    assert not at.exception
    np.testing.assert_allclose(table(at)["difference"], -before["difference"])
    np.testing.assert_allclose(table(at)["low_95"], -before["high_95"])
    assert (table(at)["finds_more"] == before["finds_more"]).all()


def test_a_method_is_chosen_and_lasts_in_the_address_and_on_other_pages(app):
    at = compared(app, compare="second=largest-norm,speedup=7")
    at.selectbox(key="compare second largest-norm").set_value("srp-hash").run()
    all_in(at)
    assert any("SRP-hash" in column for column in table(at))
    assert at.query_params["compare"] == "second=srp-hash,speedup=7"
    at = app("methods.py", settle=False)
    at = app("compare.py", settle=False)
    assert at.selectbox(key="compare second srp-hash").value == "srp-hash"


def test_a_link_to_a_method_that_is_not_there_shows_the_usual_one(app):
    at = compared(app, compare="first=nothing,second=largest-norm,speedup=5")
    assert at.selectbox(key="compare first flat-kmeans").value == "flat-kmeans"


def test_a_speedup_that_a_method_does_not_reach_is_said_with_the_nearest(app):
    at = compared(app, compare="speedup=200")
    assert "At 200× there is nothing to compare" in texts(at)
    assert "Flat k-means: no setting near it, the nearest is" in texts(at)
    assert set(table(at).index) < set(SPEEDUPS)


@pytest.mark.parametrize(("m", "said"), [(9, "9 queries, {} ones,"), (1, "1 query, {} one,")])
def test_few_queries_are_said_to_be_chosen_and_scored_on(app, m, said):
    at = compared(app, queries=f"rows {m} 0.1 no", compare="speedup=2")
    assert said.format("settings are chosen and scored on the same") in texts(at)
    assert (table(at)["queries"] == m).all()


def test_simulated_data_is_labelled(app, monkeypatch):
    dataset = small_dataset(simulated=True)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    at = compared(app, compare="speedup=3")
    assert "Simulated ratings" in texts(at)
    assert table(at)["simulated"].all()

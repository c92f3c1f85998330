"""What a setting must reach or may cost."""

import pytest

from mips_core.studies.tuning import Budget, Need, cheapest, in_words, most_precise
from pages._ui.work import jobs
from tests.pages.conftest import session_of
from tests.pages.tune_page import known, opened, search, slide, sliders, table, words


def test_sliders_change_the_answer_and_start_nothing():
    at = search(opened())
    before, count = at.success[0].value, len(known(at))
    slide(at, "precision", 0.7)
    assert at.success[0].value != before
    need = Need(0.7, 0.95)
    assert table(at)["inner_products"].min() <= cheapest(known(at), 10, need).chosen.cost
    slide(at, "confidence", 0.999)
    assert "with 99.9% confidence" in at.success[0].value
    assert sliders(at) == {"Precision@10, at least": 0.7, "Sure of it": 0.999}
    assert (len(known(at)), jobs.of(session_of(at).owner)) == (count, [])
    assert at.query_params["tune"] == "precision=0.7,confidence=0.999"


def test_a_budget_is_kept_and_one_that_nothing_keeps_is_said():
    at = search(opened())
    at.segmented_control(key="tune known").set_value("budget").run()
    next(f for f in at.number_input if f.label.startswith("Inner products")).set_value(120).run()
    assert not at.exception
    assert at.success[0].value == in_words(most_precise(known(at), 10, Budget(120)))
    assert at.query_params["tune"] == "known=budget,inner_products=120"
    assert sliders(at) == {}
    next(f for f in at.number_input if f.label.startswith("Seconds")).set_value(1e-9).run()
    assert "No setting keeps the budget" in at.warning[0].value
    assert not at.dataframe  # rather than an empty table
    next(f for f in at.number_input if f.label.startswith("Seconds")).set_value(None).run()
    assert at.success[0].value == in_words(most_precise(known(at), 10, Budget(120)))


@pytest.mark.parametrize("count", [1, 19])
def test_too_few_queries_are_said(count):
    at = opened(method=["flat-kmeans"], queries=f"rows {count} 0.1 no")
    assert not at.exception
    (said,) = at.warning  # once, also where something is known from other pages
    assert f"{count} quer" in said.value
    assert "half of them are held out" in said.value
    assert "Nothing was tried yet" not in words(at)
    assert at.button(key="tune find").disabled


def test_no_method_is_said():
    at = opened(method="none")
    assert "No method is chosen" in words(at)
    assert at.button(key="tune find").disabled


def test_where_it_must_run_in_faiss_only_that_is_tried():
    at = opened(method=["flat-kmeans", "srp-hash", "largest-norm"])
    at.toggle(key="tune faiss").set_value(True).run()
    assert at.query_params["tune"] == "faiss=yes"
    at = search(at)
    assert {tried.evaluation.index.key for tried in known(at)} == {"flat-kmeans"}
    assert at.success[0].value.startswith("**Flat k-means, ")
    at.toggle(key="tune faiss").set_value(False).run()
    assert not at.success  # what else may be the answer was not asked for
    none = opened(method=["srp-hash"], tune="faiss=yes")
    assert "None of the methods chosen runs in faiss." in words(none)
    assert none.button(key="tune find").disabled

"""The answer in words, and what can be done with it."""

import re
from dataclasses import replace

from mips_core.studies.tuning import Need, cheapest
from mips_core.studies.tuning.wording import close_call_in_words, order_in_words
from pages._ui.tune import search as tune_search
from tests.pages.conftest import session_of
from tests.pages.tune_page import known, look, opened, search, slide, table, words


def test_what_other_pages_measured_is_answered_from_at_once():
    at = opened(method=["flat-kmeans", "srp-hash"])
    (tried,) = known(at)
    assert tried.evaluation.index.key == "flat-kmeans"
    assert re.search(r"1 index built in .* and tried at \d+ efforts in all", words(at))
    assert "The search would try" in words(at)
    assert not at.success
    assert re.search(r"\*\*Provisional: best of 1 of \d+ settings so far", words(at))
    assert "Flat k-means, 20 clusters" in words(at)


def test_why_what_is_cheaper_is_not_the_answer_is_said():
    at = search(opened())
    assert "from the safest to the cheapest, until one fails" in words(at)
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    sure = replace(tuned.chosen, interval=(0.96, 1.0), verdict="not tested")
    assert "reads “not tested”" in order_in_words(tuned, [sure])
    unsure = replace(sure, interval=(0.94, 1.0), verdict="cannot tell")
    assert "not tested" not in order_in_words(tuned, [unsure])
    none = order_in_words(replace(tuned, chosen=None), [sure])
    assert "until one fails, here the first. What reads “not tested”" in none


def test_another_k_is_answered_at_once():
    at = search(opened())
    at.segmented_control(key="context K 10").set_value(1).run()
    assert not at.exception
    assert "of the true top 1," in at.success[0].value
    assert "precision@1" in table(at).columns
    assert tune_search.under_way(session_of(at))


def test_a_target_that_nothing_reaches_says_the_best_there_is():
    at = slide(search(opened()), "precision", 1.0)
    (said,) = at.warning
    best = cheapest(known(at), 10, Need(1.0, 0.95)).best
    assert "No setting reaches 1 at 95% confidence" in said.value
    assert best.setting.in_words(400) in said.value
    assert "tune use" not in {button.key for button in at.button}
    assert not table(at)["answer"].any()


def test_using_the_setting_keeps_the_index_and_the_effort():
    at = search(opened())
    setting = cheapest(known(at), 10, Need(0.95, 0.95)).chosen.setting
    at.button(key="tune use").click().run()
    session = session_of(at)
    assert session.index == setting.index
    assert session.effort == setting.effort
    assert "in use on every page" in words(at)
    assert at.button(key="tune use").disabled
    assert at.query_params["effort"] == str(setting.effort)


def test_settling_the_close_call_asks_more_queries_and_searches_again():
    at = search(opened(queries="rows 100 0.1 no"))
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert tuned.queries_needed > 100
    assert close_call_in_words(tuned) in words(at)
    at.button(key="tune settle").click().run()
    look(at)
    assert session_of(at).recipe.count == min(tuned.queries_needed, 400)
    assert {t.evaluation.truth.m for t in known(at)} == {session_of(at).dataset.m}
    assert len(known(at)) >= 2

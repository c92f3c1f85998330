"""What every page says of a data set."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.text.dataset_words import LOGITS, MEANING, problem, ranked_by
from tests.pages.conftest import small_dataset


def script():
    from dataclasses import replace

    from pages._ui.text.dataset_words import say_simulated
    from tests.pages.conftest import small_dataset

    say_simulated(small_dataset())
    say_simulated(replace(small_dataset(), simulated=True))


def test_only_what_is_simulated_is_said_to_be():
    [box] = AppTest.from_function(script).run().info
    assert box.value.startswith("**Simulated ratings.**")


@pytest.mark.parametrize("metric", MEANING)
def test_what_ranks_the_items_is_told_by_metric_or_by_the_layer(metric):
    dataset = replace(small_dataset(), metric=metric)
    assert ranked_by(dataset) == MEANING[metric]
    assert ranked_by(replace(dataset, logits=True)) == LOGITS


@pytest.mark.parametrize(("label", "called"), [("saturday", "saturday"), ("9", "query 9")])
def test_a_query_whose_label_is_a_bare_number_is_called_a_query(label, called):
    dataset = small_dataset()
    named = replace(dataset, queries=dataset.items[:1], query_labels=[label])
    assert f"For **{called}**: " in problem(named, (0, [1]))


def test_an_example_that_ends_in_a_cut_title_has_three_dots():
    dataset = small_dataset()
    named = replace(dataset, labels=["The Lord of the Rings: The Two Towers (2002)"] * dataset.n)
    assert problem(named, (0, [1])).endswith("…")

"""What every page says of a data set."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.text.dataset_words import LOGITS, MEANING, ranked_by
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

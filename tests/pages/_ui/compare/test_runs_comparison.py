"""Kept runs side by side."""

import pytest

from pages._ui.compare import runs_shelf
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.runs_page import keep, labelled, names, section, settled, table


def test_two_runs_are_compared_and_a_name_twice_gets_a_number():
    at = keep(keep(section(), 0, "mine"), 2, "mine")
    assert names(at) == ["mine", "mine (2)"]
    found = table(at)
    assert list(found["name"]) == ["mine", "mine (2)"]
    assert {"precision@10", "inner products", "finest groups", "empty", "bytes"} <= {*found}
    parts = [column for column in found if column.startswith("of them ")]
    assert found[parts].sum(axis=1).tolist() == pytest.approx(found["inner products"].tolist())
    differing = next(d.value for d in at.dataframe if "setting" in d.value and len(d.value) == 1)
    assert list(differing["setting"]) == ["Clusters"]
    assert "Equal in all: data, metric, queries, K, method" in texts(at)


def test_another_k_shows_the_nearest_that_all_have():
    at = keep(keep(section()), 2)
    session_of(at).K = 7
    at = settled(at.run())
    assert "Not all of these runs were measured at K = 7; they are shown at K = 10." in texts(at)
    assert "precision@10" in table(at)


def test_the_speedup_and_the_precision_last_in_the_address():
    at = keep(keep(section()), 2)
    number = labelled(at.number_input, "At the precision")
    number.set_value(0.75).run()
    assert "speedup at 75%" in table(at)
    assert "precision=0.75" in str(at.query_params["runs"])


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"n": 1}, "there is nothing to compare"),
        ({"n": 5}, "there is nothing to compare"),
        ({"simulated": True}, "with 1 query"),
    ],
)
def test_little_data_and_simulated_data(use, known, said):
    use(small_dataset(**known))
    at = section(k="100", queries="rows 1 0.1 no")
    keep(keep(at))
    (one, other) = runs_shelf.runs_of(session_of(at))
    assert one.data.m == other.data.m == 1
    assert one.data.simulated == known.get("simulated", False)
    assert said in texts(at)

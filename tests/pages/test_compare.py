"""Compare, run headless: what can be held against each other, and what cannot."""

import pytest

from tests.pages.conftest import texts

RUN = "pca-tree:depth=14|0|1.10.100|glove-6b-50d|rows_60_0.1_no_0|inner%20product|one"


def test_the_same_method_twice_is_said_and_nothing_is_measured(app):
    at = app("compare.py", settle=False, compare="second=flat-kmeans")
    assert not at.exception
    assert "Flat k-means is chosen twice" in texts(at)
    assert not at.dataframe


METHODS, CLOCK, RUNS = "is built with 3 seeds", "cheapest setting with each", "Open files of runs"


@pytest.mark.parametrize(
    ("address", "tab"),
    [
        ({}, METHODS),
        ({"compare": "view=clock"}, CLOCK),
        ({"compare": "view=runs"}, RUNS),
        ({"runs": f"shown={RUN}"}, RUNS),  # a link from before there were tabs
        ({"runs": f"shown={RUN}", "compare": "view=methods"}, METHODS),
    ],
)
def test_one_tab_is_drawn_and_the_address_says_which(app, address, tab):
    at = app("compare.py", settle=False, **address)
    assert not at.exception
    drawn = " ".join([texts(at), *(field.label for field in at.file_uploader)])
    assert [one for one in (METHODS, CLOCK, RUNS) if one in drawn] == [tab]

"""Compare, run headless: what can be held against each other, and what cannot."""

from tests.pages.conftest import texts


def test_the_same_method_twice_is_said_and_nothing_is_measured(app):
    at = app("compare.py", settle=False, compare="second=flat-kmeans")
    assert not at.exception
    assert "Flat k-means is chosen twice" in texts(at)
    assert not at.dataframe

"""A measurement: built once for all queries, named by all that counts."""

from tests.pages.conftest import session_of


def test_candidates_that_depend_on_k_are_measured_for_each(app):
    at = app("tradeoff.py", index=["ip-tree"], method=["none"])
    session = session_of(at)
    first = session.measurement_of(session.index)
    assert first.evaluation.K == 10
    session.K = 3
    second = session.measurement_of(session.index)
    assert second.key != first.key
    assert second.building.key == first.building.key
    assert second.evaluation is None

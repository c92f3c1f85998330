"""A measurement: built once for all queries, named by all that counts."""

from mips_core import INDEXES
from mips_core.studies import forecast
from pages._ui.work import jobs
from pages._ui.work.measurement import Measurement
from tests.pages.conftest import session_of, small_dataset


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


def test_what_does_not_fit_is_refused_before_it_is_built(monkeypatch):
    measurement = Measurement(small_dataset(), INDEXES["flat-kmeans"](), 0, 10)
    monkeypatch.setattr(forecast, "budget", lambda: 1)
    measurement.start("me")
    assert jobs.wait(10)
    assert "of memory on 400 items" in measurement.job.error


def test_how_long_it_takes_is_expected_once_the_machine_is_known(monkeypatch):
    measurement = Measurement(small_dataset(), INDEXES["flat-kmeans"](), 0, 10)
    monkeypatch.setattr(forecast, "rate_is_known", lambda: False)
    assert measurement.expected is None
    monkeypatch.setattr(forecast, "rate_is_known", lambda: True)
    assert 0 < measurement.expected < 60


def test_no_page_counts_what_it_reads_off_first(app):
    session = session_of(app("tradeoff.py", index=["pca-tree"], method=["none"]))
    evaluation = session.measurement_of(INDEXES["flat-kmeans"]()).here().evaluation
    kept = dict(evaluation.read_off)
    for fold in (None, 0, 1):
        assert evaluation.curve((session.K,), fold) is kept[(session.K, fold)]

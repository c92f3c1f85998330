"""An index as it is built, and once it is there."""

import time

from pages._ui.work import jobs, measurement
from tests.pages.conftest import session_of, texts


def test_indexes_that_differ_in_how_they_are_fitted_are_told_apart(app):
    names = ["head-kmeans:n_clusters=5", "head-kmeans:n_clusters=5,fit=growing,copies=2"]
    at = app("build.py", index=names, at="1", show="built")
    assert [at.button(key=f"show {number}").label.partition(", ")[2] for number in (0, 1)] == [
        "head of 1%, 5 clusters",
        "head of 1%, 5 clusters, growing fit, 2 copies",
    ]
    assert ": samples that grew, and all items at last" in texts(at)
    assert "Rounds see samples that grow, from 80 to 396 items" in texts(at)


def test_a_cancelled_build_says_so_and_can_go_on(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at = app("build.py", settle=False)
        job = session_of(at).measurement_of(session_of(at).index).job
        assert job.active
        for other in jobs.of(session_of(at).owner):  # Home, passed on the way here, asked for more
            if other is not job:
                jobs.cancel(other)
        at.button(key="cancel build").click().run()
        assert jobs.wait(5)
        at.run()
        assert not at.exception
        assert "cancelled" in texts(at)
        assert jobs.find(job.key) is job
    at.button(key="rebuild").click().run()
    jobs.wait(300)
    at.run()
    assert "live clusters after" in texts(at)

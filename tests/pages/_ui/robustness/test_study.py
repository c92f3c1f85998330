"""Which settings stand for methods at a speedup, and what comes first."""

from mips_core.base.progress import silent
from pages._ui.robustness.study import study_of
from pages._ui.work import jobs, measurement, results
from tests.pages.conftest import session_of
from tests.pages.robustness_page import FEW, opened, waiting_forever


def setting_of(task):
    """What noise is put on; None where the task is another."""
    return task.key[2] if task.key[0] == "under noise" else None


def test_what_is_known_of_a_method_stands_for_it_until_all_is(app, monkeypatch):
    monkeypatch.setattr(measurement, "measure", waiting_forever)
    session = session_of(app("robustness.py", settle=False, method=["flat-kmeans"]))
    monkeypatch.undo()
    study = study_of(session)
    for job in jobs.of(session.owner):
        jobs.cancel(job)
    assert jobs.wait(10)
    assert study.solved("flat-kmeans") == []
    for number, asked in enumerate(study.grids["flat-kmeans"], 1):
        results.remember(asked.key, asked.make(silent))
        known = study_of(session).solved("flat-kmeans")
        chosen_from = {one.setting.index for one in known}
        assert known
        assert chosen_from <= {one.index for one in study.grids["flat-kmeans"][:number]}
    results.remember(study.noise.key, study.noise.make(silent))
    study = study_of(session)
    first = next(setting_of(task) for _, task in study.tasks(7) if setting_of(task))
    assert first == study.solved("flat-kmeans")[7].setting


def test_what_is_nearest_to_the_slider_comes_first(app):
    study = study_of(session_of(opened(app)))
    for at in (0, 7, 12):
        order = {}
        for wanted, task in study.tasks(at):
            order.setdefault(setting_of(task), wanted)
        for key in FEW:
            solved = study.solved(key)
            places = [order[one.setting] for one in solved]
            assert min(places) == places[at]
            seeds = [order[setting_of(task)] for task in study.others(solved[at])]
            assert min(seeds) > max(places)


def test_candidates_that_depend_on_k_are_asked_for_each(app):
    at = opened(app, method=["ip-tree"])
    session = session_of(at)
    session.K = 3
    assert all(not method.by_seed for method in study_of(session).methods(7).values())

"""Tune, where the data are a sample of vectors in parts."""

from contextlib import contextmanager

from mips_core.scale.engine import Local
from mips_core.studies.forecast import forecast
from mips_core.studies.tuning import Budget, Need
from mips_core.studies.tuning.wording import in_words
from pages._ui.tune import on_all
from pages._ui.work import jobs, parts_data
from pages._ui.work import on_all as work
from tests.pages.conftest import session_of, texts
from tests.pages.tune_page import slide


def tuned(at):
    at.button(key="tune on all").click().run()
    assert jobs.wait(120)
    return at.run()


def answer_in(at):
    session = session_of(at)
    return on_all._task(session, parts_data.sampled_of(session.dataset)).result


def test_the_answer_is_of_all_and_in_the_words_of_tune(sampled):
    at = slide(sampled.go("tune.py"), "precision", 0.7)
    assert "On all 400 vectors" in [header.value for header in at.subheader]
    assert "*Tune on all* tries " in texts(at)
    at = tuned(at)
    assert not at.exception
    answer = answer_in(at)
    assert answer.chosen.n == 400
    assert in_words(answer).startswith(at.success[-1].value)
    assert "This is of all 400, asked the same queries." in texts(at)
    at.button(key="tune all use").click().run()
    session = session_of(at)
    assert session.index == answer.chosen.setting.index.explicit(400).explicit(150)
    assert session.effort == answer.chosen.setting.effort


def test_another_need_is_another_question(sampled):
    at = tuned(slide(sampled.go("tune.py"), "precision", 0.7))
    assert "tune on all" not in {button.key for button in at.button}
    at = slide(at, "precision", 0.8)
    assert "tune on all" in {button.key for button in at.button}
    assert answer_in(tuned(at)).need.precision == 0.8


def test_without_a_method_or_with_few_queries_it_says_why_not(sampled):
    at = sampled.go("tune.py")
    session_of(at).methods = []
    at.run()
    assert "No method is chosen that could be tried" in texts(at)
    assert "tune on all" not in {button.key for button in at.button}


def test_settings_that_no_worker_holds_are_counted_beside_the_answer(sampled, monkeypatch):
    at = slide(sampled.go("tune.py"), "precision", 0.7)
    session_of(at).methods = ["flat-kmeans", "head-kmeans"]
    grid = work.grid_on_all(["head-kmeans"], sampled.manifest, faiss=False)
    needs = sorted({forecast(index, 400, 6, 60).bytes for index in grid})

    @contextmanager
    def small():
        engine = Local(2)
        engine.memory = (needs[0] + needs[1]) / 2 / 0.6
        yield engine

    monkeypatch.setattr(work, "_engine", small)
    at = tuned(at.run())
    assert not at.exception
    (told,) = answer_in(at).left_out
    assert told.key == "head-kmeans"
    assert "workers with 200 MB would hold it" in told.why
    assert f"Left out: {told.in_words()}." in texts(at)


def test_a_goal_is_named_in_a_few_words():
    assert on_all._goal_in_words(Need(0.9, 0.95), 10) == "precision@10 of 0.9 at 95%"
    limits = on_all._goal_in_words(Budget(inner_products=1500), 1)
    assert limits == "precision@1 within 1,500 inner products"
    assert on_all._goal_in_words(Budget(), 1) == "precision@1 within no limit"

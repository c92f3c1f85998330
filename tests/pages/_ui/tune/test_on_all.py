"""Tune, where the data are a sample of vectors in parts."""

from mips_core.studies.tuning.wording import in_words
from pages._ui.tune import on_all
from pages._ui.work import jobs, parts_data
from tests.pages.conftest import session_of, texts
from tests.pages.tune_page import slide


def tuned(at):
    at.button(key="tune on all").click().run()
    assert jobs.wait(120)
    return at.run()


def answer_in(at):
    session = session_of(at)
    return on_all._task(session, parts_data.sampled_of(session.dataset)).result.answer


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

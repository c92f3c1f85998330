"""Trade-off, where the data are a sample of vectors in parts."""

from pages._ui.work import jobs
from tests.pages.conftest import session_of


def words(at):
    return " ".join(markdown.value for markdown in [*at.markdown, *at.caption])


def test_the_curve_on_all_is_measured_when_asked_and_told_apart(sampled):
    at = sampled.go("tradeoff.py")
    assert not at.exception
    assert "On all 400 vectors" in [header.value for header in at.subheader]
    assert "of the sample of 150" in words(at)
    assert "*Measure on all* builds **" in words(at)
    assert "python -m mips_core parts clean FOLDER" in words(at)
    assert "Thick line: on all" not in words(at)
    at.button(key="on all").click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert "Thick line: on all 400" in words(at)
    assert "**, built on all 400 by " in words(at)
    assert "*Measure on all*" not in words(at)
    assert "Thin line: on the sample of 150" in words(at)
    session_of(at).position = 1
    at.run()
    assert "cannot be built on vectors in parts" in words(at)
    assert "Thick line: on all" not in words(at)
    assert "on all" not in {button.key for button in at.button}

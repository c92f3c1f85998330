"""Learn as a page."""


def test_learn_opens_on_its_contents(app):
    at = app("course.py", settle=False)
    assert not at.exception
    assert not at.error

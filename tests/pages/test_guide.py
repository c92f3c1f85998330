"""The guide shows each page of the documentation that it names."""

from pages._ui.text.documents import READ_HERE
from tests.pages.conftest import texts


def test_each_page_of_the_guide_opens(app):
    at = app("guide.py", settle=False)
    for name, title in READ_HERE.items():
        at.segmented_control(key="guide page").set_value(name).run()
        assert not at.exception, title
        assert "## " in texts(at)

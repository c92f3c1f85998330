"""A stored picture reaches the browser as it is."""

from pages._ui.elements import still_picture as element
from pages._ui.elements.still_picture import still_picture


def test_the_browser_gets_the_picture_and_its_colours(monkeypatch):
    sent = {}
    monkeypatch.setattr(element, "_STILL", lambda **given: sent.update(given))
    still_picture("<svg/>", "--hit: red", key="one")
    assert sent == {"data": {"svg": "<svg/>", "colours": "--hit: red"}, "key": "one"}

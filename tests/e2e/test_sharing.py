"""What tests share leaves nothing of one for the next."""

from types import SimpleNamespace

import pytest

from tests.e2e.harness import ROOT
from tests.e2e.sharing import Servers

APP = ROOT / "tests" / "e2e" / "element_app.py"
pytestmark = pytest.mark.browser
STORE = "() => { localStorage.x = 1; sessionStorage.x = 1; document.cookie = 'x=1' }"
STORED = "() => [localStorage.length, sessionStorage.length, /x=1/.test(document.cookie)]"
DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"


def test_a_tab_is_as_new_for_the_next_test(tabs, server):
    address = f"{server.url}/_stcore/health"
    first = tabs.open(server.url, 1280, "light")
    first.page.goto(address)
    first.page.evaluate(STORE)
    assert first.page.evaluate(STORED) == [1, 1, True]
    first.page.set_viewport_size({"width": 700, "height": 700})
    first.page.emulate_media(color_scheme="dark")
    tabs.leave(first)
    second = tabs.open(server.url, 1280, "light")
    assert second.page is first.page
    second.page.goto(address)
    assert second.page.evaluate(STORED) == [0, 0, False]
    assert second.page.viewport_size == {"width": 1280, "height": 900}
    assert not second.page.evaluate(DARK)
    second.page.evaluate("() => console.error('heard')")
    second.until(lambda: second.faults, ["console: heard"])
    assert first.faults == []
    tabs.drop(second)
    third = tabs.open(server.url, 1280, "light")
    assert third.page is not second.page
    tabs.leave(third)


def test_modules_share_a_server_where_they_ask_for_the_same():
    one, same = (SimpleNamespace(APP="a.py", __name__=name) for name in ("one", "same"))
    others = [
        SimpleNamespace(APP="b.py", __name__="other"),
        SimpleNamespace(APP="a.py", __name__="other", OPTIONS={"server.port": 1}),
        SimpleNamespace(APP="a.py", __name__="other", OWN_SERVER=True),
    ]
    assert Servers.kind_of(one) == Servers.kind_of(same)
    assert all(Servers.kind_of(one) != Servers.kind_of(other) for other in others)

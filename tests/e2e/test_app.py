"""The app's frame: every page opens, cold deep links too, and our files are served safely."""

import gzip
import http.client
import urllib.request

import pytest

from pages._ui.elements import serve
from tests.e2e.harness import ROOT, AppPage, Server

APP = ROOT / "app.py"
PAGES = {
    "": "Home",
    "data": "Data",
    "build": "Build",
    "trade-off": "Trade-off",
    "robustness": "Robustness",
    "tune": "Tune",
    "compare": "Compare",
    "drift": "Keep fresh",
    "search": "Search",
    "map": "Map",
    "report": "Report",
    "learn": "Learn",
    "methods": "Methods",
    "paper": "Paper",
    "guide": "Guide",
}
# On a phone, what is touched is 36 px wide and high, or a word in a text.
TOO_SMALL = """
() => [...document.querySelectorAll(
  "button, input[type=range], .st-key-contents a, [data-testid=stPageLink] a"
)].map((node) => [node.getBoundingClientRect(), node])
  .filter(([box]) => box.width > 1 && box.right > 0 && box.bottom > 0)
  .filter(([box]) => Math.min(box.width, box.height) < 36)
  .map(([box, node]) => `${node.ariaLabel ?? node.innerText}: ${box.width} × ${box.height}`)
"""
MODE_BARS = """
() => [...document.querySelectorAll(".js-plotly-plot")].map((plot) => [
  plot._context.showSendToCloud, plot._context.plotlyServerURL,
  [...plot.querySelectorAll(".modebar-btn")].map((button) => button.dataset.title)])
"""
pytestmark = pytest.mark.browser


def get(server, path, **headers):
    """Status, headers and body, with the path sent as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("GET", path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def at(app, path):
    """Wait until the page is the one under this path."""
    here = app.page.locator('[data-testid="stSidebarNav"] a[aria-current=page]')
    app.until(here.all_text_contents, [PAGES[path]])
    assert app.page.get_by_text("Page not found").count() == 0


def address(name):
    return serve.address().removeprefix(".") + name


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_and_fits(app, path):
    app.goto(path)
    at(app, path)
    app.idle()
    assert not app.overflows()
    title = f"{PAGES[path]} · GloVe 6B words · MIPS Explorer"
    app.until(app.page.title, title)
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.idle()
    assert not app.overflows()
    app.until(lambda: app.page.evaluate(TOO_SMALL), [])
    app.assert_clean()


def test_a_chart_offers_the_link_of_the_view_and_no_upload(app):
    app.goto("trade-off")
    app.drawn(2)
    bars = app.page.evaluate(MODE_BARS)
    buttons = ["Zoom", "Pan", "Reset axes", "Copy link"]
    assert sorted(bars) == [[False, "", []], [False, "", buttons]]
    app.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    bar = app.page.locator(".st-key-context")
    for button in (
        bar.get_by_role("button", name="Copy link"),
        app.page.locator("[data-title='Copy link']"),
    ):
        app.page.evaluate("() => navigator.clipboard.writeText('')")
        button.click()
        copied = app.until(lambda: app.page.evaluate("() => navigator.clipboard.readText()"))
        assert copied == app.page.url
    app.page.locator("[data-title='Link copied']").wait_for()
    bar.get_by_role("button", name="Link copied").wait_for(state="detached")
    app.page.context.clear_permissions()
    app.assert_clean()


def test_a_deep_link_is_the_first_thing_a_server_is_asked(browser, tmp_path):
    """Nothing has run yet: Streamlit must not look for pages beside the script on its own."""
    with Server(APP, tmp_path / "log.txt") as server:
        context = browser.new_context()
        app = AppPage(context.new_page(), server.url)
        app.goto("build")
        at(app, "build")
        app.assert_clean()
        context.close()


def test_no_folder_of_pages_beside_the_script():
    """With one, a cold server takes its file names for addresses: the cause of that error."""
    assert not (ROOT / "pages/_ui/pages").exists()


def test_navigation_lists_our_pages_and_shows_where_the_focus_is(app):
    app.goto()
    links = app.page.locator('[data-testid="stSidebarNav"] a')
    app.until(links.all_inner_texts, list(PAGES.values()))
    links.first.focus()
    app.page.keyboard.press("Tab")
    ring = "() => getComputedStyle(document.activeElement).outline"
    assert app.page.evaluate(ring) == "rgb(59, 114, 217) solid 2px"


def test_the_sidebar_is_narrow_and_nothing_covers_the_context_bar(app):
    app.goto("data")
    app.until(lambda: app.page.locator('[data-testid="stSidebar"]').bounding_box()["width"], 216)
    button = app.page.locator(".st-key-context button").first
    button.click(timeout=5000)
    app.page.wait_for_selector('[data-testid="stPopoverBody"]')
    app.assert_clean()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("chart.js", "text/javascript"),
        ("logo.svg", "image/svg+xml"),
        ("plotly-basic.min.js", "text/javascript"),
    ],
)
def test_files_come_with_type_and_long_life(server, name, kind):
    status, headers, body = get(server, address(name))
    assert status == 200
    assert headers["content-type"].startswith(kind)
    assert "immutable" in headers["cache-control"]
    assert body == serve.files()[name].read_bytes()
    status, _, nothing = get(server, address(name), If_None_Match=headers["etag"])
    assert (status, nothing) == (304, b"")
    status, headers, packed = get(server, address(name), Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == body


def test_another_version_is_not_kept(server):
    status, headers, _ = get(server, "/assets/old/chart.js")
    assert status == 200
    assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/v/../../../pyproject.toml",
        "/assets/v/..%2f..%2f..%2fpyproject.toml",
        "/assets/v/%2e%2e/%2e%2e/pyproject.toml",
        "/assets/v/..\\..\\pyproject.toml",
        "/assets//etc/passwd",
        "/assets/v/%2fetc%2fpasswd",
        "/assets/v/chart.js%00.svg",
        "/assets/v/datasets",
        "/assets/v/",
    ],
)
def test_no_other_file_can_be_reached(server, path):
    status, _, body = get(server, path)
    assert b"[project]" not in body
    assert b"root:" not in body
    assert status in (400, 404)


def test_health(server):
    with urllib.request.urlopen(f"{server.url}/_stcore/health") as answer:
        assert answer.status == 200

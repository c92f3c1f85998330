"""One browser for all tests; see `sharing` for what else they share.

A module names its script in APP, and in OPTIONS what its server is started with. On failure a
screenshot and the log go to ./artifacts.
"""

import pytest

from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS, ROOT
from tests.e2e.sharing import Servers, Tabs

ARTIFACTS = ROOT / "artifacts"


def pytest_collection_modifyitems(items):
    """Tests that can share a server follow each other, in the order they had."""
    here = [item for item in items if hasattr(item.module, "APP")]
    order = iter(sorted(here, key=lambda item: Servers.kind_of(item.module)))
    items[:] = [next(order) if hasattr(item.module, "APP") else item for item in items]


@pytest.fixture(scope="session")
def browser():
    path = chromium_path()
    if path is None:
        pytest.fail("No Chromium found: install it, set CHROMIUM, or set BROWSER=0", pytrace=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    kept = Servers(lambda: tmp_path_factory.mktemp("server") / "log.txt")
    yield kept
    kept.close()


@pytest.fixture(scope="session")
def tabs(browser):
    return Tabs(browser)


@pytest.fixture(scope="module")
def server(request, browser, servers):
    return servers.of(request.module)


@pytest.fixture
def scheme():
    """The system's colour scheme; parametrise to change it."""
    return "light"


@pytest.fixture
def width():
    """The viewport's width in px; parametrise to change it."""
    return 1280


@pytest.fixture
def app(request, server, tabs, scheme, width):
    page = tabs.open(server.url, width, scheme)
    yield page
    if not getattr(request.node, "failed", False):
        tabs.leave(page)
        return
    try:
        keep_picture_and_log(page, server, request.node.name.replace("/", "-"))
    finally:
        tabs.drop(page)


def keep_picture_and_log(page, server, name):
    page.shot(ARTIFACTS / f"{name}.png", full=True)
    text = "\n".join([server.log(), "--- in the browser", *page.faults])
    (ARTIFACTS / f"{name}.log").write_text(text)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when != "teardown":
        item.failed = getattr(item, "failed", False) or report.failed
    return report

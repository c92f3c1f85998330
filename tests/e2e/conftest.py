"""One browser a session, one server a module, one fresh context a test.

A module names its script in APP. On failure a screenshot and the log go to ./artifacts.
"""

import os

import pytest

from tests.e2e.harness import FLAGS, ROOT, AppPage, Server, chromium_path

ARTIFACTS = ROOT / "artifacts"


@pytest.fixture(scope="session")
def browser():
    if os.environ.get("BROWSER") == "0":
        pytest.skip("BROWSER=0: browser tests are switched off")
    path = chromium_path()
    if path is None:
        pytest.fail("No Chromium found: install it, set CHROMIUM, or set BROWSER=0", pytrace=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def server(request, browser, tmp_path_factory):
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with Server(request.module.APP, log, **getattr(request.module, "OPTIONS", {})) as started:
        yield started


@pytest.fixture
def scheme():
    """The system's colour scheme; parametrise to change it."""
    return "light"


@pytest.fixture
def width():
    """The viewport's width in px; parametrise to change it."""
    return 1280


@pytest.fixture
def app(request, browser, server, scheme, width):
    height = 844 if width < 600 else 900
    context = browser.new_context(
        viewport={"width": width, "height": height},
        **{"color_scheme": scheme, "reduced_motion": "reduce", "has_touch": width < 600},
    )
    page = AppPage(context.new_page(), server.url)
    yield page
    if getattr(request.node, "failed", False):
        name = request.node.name.replace("/", "-")
        page.shot(ARTIFACTS / f"{name}.png", full=True)
        text = "\n".join([server.log(), "--- in the browser", *page.faults])
        (ARTIFACTS / f"{name}.log").write_text(text)
    context.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.failed = report.failed
    return report

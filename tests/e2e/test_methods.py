"""Methods in a browser: choosing which are compared while others are measured, and their page."""

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser


def chosen(app):
    """What the button over the methods says: 5 of 12."""
    return app.page.locator('[data-testid="stPopoverButton"]').last.inner_text().split("\n")[0]


def pick(app, method, expected):
    """Press a method in the open list."""
    app.page.get_by_role("button", name=method).click()
    app.until(lambda: chosen(app), expected)


def test_more_methods_are_asked_for_while_others_are_measured(app):
    app.goto("trade-off?method=flat-kmeans")
    app.until(lambda: chosen(app), "1 of 13")
    app.page.get_by_role("button", name="1 of 13").click()
    pick(app, "△ Simple-LSH", "2 of 13")
    pick(app, "⬢ Largest norms", "3 of 13")
    app.looked_again()  # which must not undo it
    assert chosen(app) == "3 of 13"
    app.until(lambda: app.page.url, lambda url: "method=largest-norm" in url)
    app.page.get_by_role("button", name="All of them").click()
    app.until(lambda: chosen(app), "13 of 13")
    pick(app, "★ Product quantization", "12 of 13")
    app.until(lambda: app.page.url, lambda url: "product-quantization" not in url)
    app.assert_clean()


def test_k_can_be_changed_while_settings_are_measured(app):
    app.page.goto(f"{app.url}/trade-off?seed=7&method=flat-kmeans")
    app.page.get_by_role("button", name="K 10").click()
    app.page.get_by_role("radio", name="100", exact=True).click()
    app.until(lambda: app.page.url, lambda url: "k=100" in url)
    app.looked_again()
    assert "k=100" in app.page.url
    app.assert_clean()


@pytest.mark.parametrize("width", [1280, 390])
def test_every_method_is_described(app):
    app.goto("methods")
    app.until(lambda: app.page.get_by_text("Cost of a query:").count(), 14)
    app.until(lambda: app.page.locator(".mx-still svg circle").count(), lambda n: n > 14 * 72)
    app.page.get_by_text("Parameters of WTA-hash").click()
    app.page.get_by_text("Permutations (3 by default, a whole number from 1 to 16").wait_for()
    assert not app.overflows()
    app.assert_clean()

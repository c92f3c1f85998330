"""The main job in a browser: open the app cold, see curves, drag, change K, come back by link."""

from pathlib import Path

import pytest

from tests.e2e.harness import ROOT, AppPage, Server

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
READY = "() => Number(document.querySelector('.mx-live')?.dataset.precision) > 0"


def state(app):
    """What the live curve says of itself."""
    return app.page.evaluate("() => ({...document.querySelector('.mx-live').dataset})")


def open_curve(app, path):
    app.goto(path)
    app.page.wait_for_function(READY, timeout=60_000)


def all_in(app):
    """Wait until every setting is measured."""
    app.page.get_by_text("settings are in").wait_for(state="detached", timeout=120_000)
    app.idle()


def sentence(app):
    return app.page.locator(".mx-sentence").inner_text()


def test_a_cold_server_shows_a_curve(browser, tmp_path):
    with Server(APP, tmp_path / "log.txt") as server:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        app = AppPage(context.new_page(), server.url)
        open_curve(app, "")
        assert "of the true top 10 with" in sentence(app)
        assert "fewer inner products" in sentence(app)
        app.assert_clean()
        context.close()


def test_dragging_probes_moves_everything_without_the_server(app):
    open_curve(app, "trade-off")
    all_in(app)
    before, tiles = state(app), app.page.locator(".mx-tile-value").all_inner_texts()
    bars = app.figures()[-1]["traces"][0]["y"]
    app.drag("Probes", 0.07, 0.5)
    after = state(app)
    assert int(after["draws"]) - int(before["draws"]) > 20
    assert float(after["precision"]) > float(before["precision"])
    assert float(after["speedup"]) < float(before["speedup"])
    assert app.page.locator(".mx-tile-value").all_inner_texts() != tiles
    assert app.figures()[-1]["traces"][0]["y"] != bars
    app.idle()
    app.page.wait_for_function(f"() => location.search.includes('effort={after['effort']}')")
    assert state(app)["effort"] == after["effort"]
    app.assert_clean()


def test_dragging_clusters_steps_through_builds(app):
    open_curve(app, "trade-off")
    all_in(app)
    seen = {state(app)["build"]}
    slider = app.page.get_by_label("Clusters", exact=True)
    slider.focus()
    for _ in range(2):
        app.page.keyboard.press("ArrowRight")
        app.page.wait_for_timeout(400)
        app.idle()
        seen.add(state(app)["build"])
        assert float(state(app)["precision"]) > 0
    assert len(seen) == 3
    build = state(app)["build"].replace(",", "")
    app.page.wait_for_function(f"() => location.search.includes('n_clusters%3D{build}')")
    app.assert_clean()


def test_a_setting_that_is_not_built_yet_appears_by_itself(app):
    app.goto("trade-off?seed=77")
    app.page.get_by_label("Clusters", exact=True).focus()
    app.page.keyboard.press("End")
    app.page.wait_for_function(READY, timeout=120_000)
    assert state(app)["build"] == "1,131"
    app.assert_clean()


def test_k_changes_in_place_and_the_link_reopens_the_view(app):
    open_curve(app, "trade-off")
    app.page.get_by_role("button", name="K 10").click()
    app.page.get_by_role("radio", name="100", exact=True).click()
    app.idle()
    app.page.wait_for_function("() => document.body.innerText.includes('of the true top 100')")
    app.page.keyboard.press("Escape")
    app.drag("Probes", 0.07, 0.3)
    app.page.wait_for_function("() => /k=100/.test(location.search)")
    app.page.wait_for_timeout(800)
    app.idle()
    said, address = sentence(app), app.page.url
    app.page.goto("about:blank")
    app.page.goto(address)
    app.page.wait_for_function(READY, timeout=60_000)
    app.idle()
    assert sentence(app) == said
    app.assert_clean()


def test_zoom_and_a_hidden_curve_survive_another_k(app):
    open_curve(app, "trade-off")
    all_in(app)
    app.page.locator(".mx-live").get_by_role("button", name="Hierarchical k-means").click()
    hidden = "() => [...document.querySelectorAll('.js-plotly-plot')].some((p) => p._fullData?.some((t) => t._input.legendgroup === 'hierarchical-kmeans' && t.visible !== true))"  # noqa: E501
    app.page.wait_for_function(hidden)
    app.page.get_by_role("button", name="K 10").click()
    app.page.get_by_role("radio", name="1", exact=True).click()
    app.idle()
    assert app.page.evaluate(hidden)
    app.assert_clean()


def test_building_draws_while_it_builds_and_can_be_cancelled(app):
    app.goto("build?seed=91&queries=rows+2000+0.1+no")
    app.page.get_by_role("spinbutton", name="Clusters").fill("4000")
    app.page.keyboard.press("Enter")
    app.idle()
    app.page.get_by_role("button", name="Build", exact=True).click()
    app.page.get_by_text("items changed cluster").wait_for(timeout=60_000)
    app.page.get_by_role("button", name="Cancel", exact=True).click()
    app.page.get_by_text("4,000 clusters: cancelled").wait_for(timeout=20_000)
    app.page.get_by_role("button", name="Build it after all").click()
    app.page.get_by_text("live clusters after").wait_for(timeout=120_000)
    app.idle()
    app.drawn(3)
    app.assert_clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", ["", "build", "trade-off"])
def test_pages_fit_and_take_the_theme(app, scheme, path, tmp_path):
    app.goto(path)
    app.drawn(1)
    app.idle()
    assert not app.overflows()
    background = app.page.evaluate(
        "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    )
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 22, 29)"}[scheme]
    app.shot(tmp_path / "page.png", full=True)
    assert (tmp_path / "page.png").stat().st_size > 20_000
    app.assert_clean()


def test_simulated_data_is_labelled_wherever_it_shows(app):
    for path in ("", "data", "build", "trade-off"):
        app.goto(f"{path}?data=simulated-ratings")
        assert "simulated" in app.page.locator(".st-key-context").inner_text().lower()
    open_curve(app, "trade-off?data=simulated-ratings")
    assert app.page.get_by_text("Made by the seeded generator").count() == 1
    with app.page.expect_download() as saved:
        app.page.get_by_role("button", name="SVG", exact=True).click()
    assert "Simulated data" in Path(saved.value.path()).read_text()
    app.assert_clean()

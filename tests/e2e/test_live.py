"""The main job in a browser: open the app cold, see curves, drag, change K, come back by link."""

import re

import pytest

from pages._ui.state.session import DEFAULT_METHODS
from tests.e2e.harness import ROOT, AppPage, Server

APP = ROOT / "app.py"
# What the page says of its first curve, at the moment that stands.
FIRST_CAPTION = """
new MutationObserver(() => {
  const curve = document.querySelector(".mx-live")
  const said = [...document.querySelectorAll("[data-testid=stCaptionContainer]")]
    .find((node) => node.innerText.includes("bands are 95% intervals"))
  if (Number(curve?.dataset.precision) > 0 && said) window.firstCaption ??= said.innerText
}).observe(document, { subtree: true, childList: true, attributes: true })
"""
# What the page ever says that it waits for.
WAITS = """
() => {
  window.waits = new Set()
  const look = () => (document.body.innerText.match(/Waiting for .*/g) ?? [])
    .forEach((words) => window.waits.add(words))
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
}
"""
pytestmark = pytest.mark.browser


def state(app):
    """What the live curve says of itself."""
    return app.page.evaluate("() => ({...document.querySelector('.mx-live')?.dataset})")


def ready(app, seconds=60):
    """Wait until the setting under the slider is measured."""
    app.until(lambda: float(state(app).get("precision") or 0) > 0, seconds=seconds)


def open_curve(app, path):
    app.goto(path)
    ready(app)


def all_in(app):
    """Wait until every setting is measured."""
    app.looked_again()  # most are asked for at the second look
    stops, missing = app.page.locator(".mx-stop"), app.page.locator(".mx-stop-open")
    app.until(lambda: stops.count() > 1 and missing.count() == 0, seconds=120)
    app.page.get_by_text("settings are in").wait_for(state="detached", timeout=120_000)
    app.idle()


def most_clusters(app):
    """Ask by hand for a setting that is not built, and wait until it is measured."""
    slider = app.page.get_by_label("Clusters", exact=True)
    app.until(slider.is_enabled)
    slider.focus()
    app.page.keyboard.press("End")
    app.until(lambda: state(app)["build"], "1,131")
    ready(app, seconds=120)


def hand_goes_first(app):
    """A setting asked for by hand comes before those that nobody asked for, and waits for none."""
    app.goto("trade-off?seed=78")  # of which nothing is stored
    app.page.evaluate(WAITS)
    most_clusters(app)
    assert app.page.locator(".mx-stop-open").count() > 0  # others are still to come
    waits = " ".join(app.page.evaluate("() => [...window.waits]"))
    assert not re.search("asked for before|“", waits)


def take_answers(app, usual, wanted):
    """Choose another K, and wait until the sentence is about it."""
    app.page.get_by_role("button", name=f"K {usual}").click()
    app.page.get_by_role("radio", name=str(wanted), exact=True).click()
    app.until(lambda: sentence(app), lambda said: f"of the true top {wanted} with" in said)
    app.page.keyboard.press("Escape")
    app.page.locator('[data-testid="stPopoverBody"]').wait_for(state="detached")


def addressed(app, words):
    """Wait until the address has these words."""
    app.until(lambda: app.page.url, lambda url: words in url)


def traces(app, group=None):
    drawn = [trace for figure in app.figures() for trace in figure["traces"]]
    return [trace for trace in drawn if group in (None, trace["group"])]


def sentence(app):
    return app.page.locator(".mx-sentence").inner_text()


def test_a_cold_server_shows_all_curves_before_it_has_measured_any(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    with Server(APP, tmp_path / "log.txt") as server:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        app = AppPage(context.new_page(), server.url)
        app.page.add_init_script(FIRST_CAPTION)
        app.page.goto(server.url)
        ready(app)
        assert app.until(lambda: app.page.evaluate("() => window.firstCaption")).startswith(
            "Stored with the data, where the same code measured it; 0 of 62 settings"
        )
        app.until(lambda: {trace["group"] for trace in traces(app)} >= set(DEFAULT_METHODS))
        best = [t for t in traces(app) if "best of its settings" in (t["name"] or "")]
        assert len(best) == len(DEFAULT_METHODS)
        for trace in best:  # no zigzag: what saves more finds less
            assert trace["x"] == sorted(trace["x"])
            assert trace["y"] == sorted(trace["y"], reverse=True)
        picture = app.page.locator(".mx-live [role=img]").first
        app.until(lambda: picture.get_attribute("aria-label"), lambda alt: sentence(app) in alt)
        assert "of the true top 10 with" in sentence(app)
        assert "fewer inner products" in sentence(app)
        hand_goes_first(app)
        app.assert_clean()
        context.close()


def test_dragging_probes_moves_everything_without_the_server(app):
    open_curve(app, "trade-off")
    all_in(app)
    app.drawn(2)
    before, tiles = state(app), app.page.locator(".mx-tile-value").all_inner_texts()
    bars = app.figures()[-1]["traces"][0]["y"]
    app.drag("Probes", 0.07, 0.5)
    after = state(app)
    assert int(after["draws"]) - int(before["draws"]) > 20
    assert float(after["precision"]) > float(before["precision"])
    assert float(after["speedup"]) < float(before["speedup"])
    assert app.page.locator(".mx-tile-value").all_inner_texts() != tiles
    app.until(lambda: app.figures()[-1]["traces"][0]["y"] != bars)
    addressed(app, f"effort={after['effort']}&")
    assert state(app)["effort"] == after["effort"]
    app.assert_clean()


def next_build(app):
    """Step the slider of builds, and wait until Python has heard of it; returns the build."""
    before = state(app)["build"]
    app.page.keyboard.press("ArrowRight")
    build = app.until(lambda: state(app)["build"], lambda now: now != before)
    assert float(state(app)["precision"]) > 0
    addressed(app, f"n_clusters%3D{build.replace(',', '')}")
    return build


def test_the_slider_of_clusters_steps_through_builds(app):
    open_curve(app, "trade-off")
    all_in(app)
    seen = {state(app)["build"]}
    app.page.get_by_label("Clusters", exact=True).focus()
    seen |= {next_build(app), next_build(app)}
    assert len(seen) == 3
    app.assert_clean()


def test_a_setting_that_is_not_built_yet_appears_by_itself(app):
    app.goto("trade-off?seed=77")
    most_clusters(app)
    assert state(app)["build"] == "1,131"
    app.assert_clean()


def test_k_changes_in_place_and_the_link_reopens_the_view(app):
    open_curve(app, "trade-off")
    all_in(app)
    take_answers(app, 10, 100)
    app.drag("Probes", 0.07, 0.3)
    addressed(app, "k=100&")
    addressed(app, f"effort={state(app)['effort']}&")
    said, address = sentence(app), app.page.url
    app.page.goto("about:blank")
    app.page.goto(address)
    ready(app)
    app.until(lambda: sentence(app), said)
    app.assert_clean()


def test_a_hidden_curve_stays_hidden_at_another_k(app):
    def shown():
        return {trace["visible"] for trace in traces(app, "pca-tree")}

    def heights():
        return [trace["y"] for trace in traces(app, "flat-kmeans")]

    open_curve(app, "trade-off")
    all_in(app)
    app.page.locator(".mx-live").get_by_role("button", name="PCA-tree").click()
    app.until(shown, {False})
    before = heights()
    take_answers(app, 10, 1)
    app.until(lambda: heights() != before)
    assert shown() == {False}
    app.assert_clean()


def test_building_can_be_cancelled_and_draws_while_it_builds(app):
    app.goto("build?seed=91&index=flat-kmeans:n_clusters=141,empty=reseed")  # reseeding takes long
    app.page.get_by_text("live clusters after").wait_for(timeout=60_000)
    app.page.get_by_role("spinbutton", name="Clusters").fill("7000")
    app.page.keyboard.press("Enter")
    app.page.get_by_text("7,000 clusters").first.wait_for()
    app.page.get_by_role("button", name="Build", exact=True).click()
    app.page.get_by_role("button", name="Cancel", exact=True).click()
    app.page.get_by_text(re.compile("7,000 clusters.*: cancelled")).wait_for()
    app.page.get_by_role("button", name="Build it after all").click()
    app.page.get_by_text("items changed cluster").wait_for(timeout=60_000)
    app.page.get_by_text("live clusters after").wait_for(timeout=120_000)
    app.drawn(3)
    app.idle()
    app.assert_clean()


@pytest.mark.parametrize(
    ("path", "width", "scheme"),
    [("", 1920, "dark"), ("build", 390, "light"), ("trade-off", 390, "dark")],
)
def test_pages_fit_and_take_the_theme(app, scheme, path, tmp_path):
    app.goto(path)
    app.drawn(1)
    app.idle()
    assert not app.overflows()
    colour = "(node) => getComputedStyle(node).backgroundColor"
    app.until(
        lambda: app.page.locator('[data-testid="stApp"]').evaluate(colour),
        {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 22, 29)"}[scheme],
    )
    if app.page.viewport_size["width"] == 1920:  # as on a projector: most of it is the picture
        assert app.figures()[0]["width"] > 1500
        assert app.page.locator(".mx-large").count() == 1
    app.shot(tmp_path / "page.png", full=True)
    assert (tmp_path / "page.png").stat().st_size > 20_000
    app.assert_clean()


def test_simulated_data_is_labelled_wherever_it_shows(app):
    for path in ("", "data", "build", "trade-off"):
        app.goto(f"{path}?data=simulated-ratings")
        bar = app.page.locator(".st-key-context")
        app.until(bar.inner_text, lambda text: "simulated" in text.lower())
    open_curve(app, "trade-off?data=simulated-ratings")
    app.until(app.page.get_by_text("Made by the seeded generator").count, 1)
    assert "Simulated data" in app.download("SVG").path().read_text()
    app.assert_clean()

"""What a map takes is said before it is made, and what will not fit is not begun."""

from mips_core.base.errors import DataError
from mips_core.studies import forecast, map_forecast
from mips_core.studies.map_forecast import forecast_map
from pages._ui.map import places
from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts
from tests.pages.map_page import a_map, message, opened, settled


def test_a_long_layout_is_told_until_it_is_made(monkeypatch):
    forecast.rate()
    monkeypatch.setattr(forecast, "LONG", 0.0)
    monkeypatch.setattr(places, "project", None)  # it is not made yet
    at = opened()
    assert "Laying it out by UMAP takes about" in texts(at)
    monkeypatch.setattr(forecast, "LONG", 1e9)
    assert "Laying it out" not in texts(at.run())


def test_what_is_made_is_not_told_again(monkeypatch, fits):
    forecast.rate()
    monkeypatch.setattr(forecast, "LONG", 0.0)
    at = a_map()
    assert len(fits) == 1
    assert "Laying it out" not in texts(at.run())


def test_before_it_is_started_again_it_is_told_beside_the_button(monkeypatch):
    def fails(*_):
        raise DataError("The process that makes maps ended.", "Start it again.")

    forecast.rate()
    monkeypatch.setattr(forecast, "LONG", 0.0)
    monkeypatch.setattr(places, "project", fails)
    at = a_map()
    assert at.button(key="again map")
    assert texts(at).count("Laying it out by UMAP takes about") == 2  # among the choices, too
    monkeypatch.setattr(forecast, "LONG", 1e9)
    assert "Laying it out" not in texts(at.run())


def test_umap_that_will_not_fit_is_not_begun_and_pca_is_shown(monkeypatch, fits):
    forecast.rate()
    monkeypatch.setattr(forecast, "LONG", 0.0)
    recipe = places.ProjectionRecipe()
    pca = forecast_map(recipe, 400, 6, "pca").bytes
    monkeypatch.setattr(map_forecast, "budget", lambda: pca)
    at = settled(opened())
    (told,) = at.error
    assert "A map by UMAP takes about" in told.value
    assert "PCA would fit" in told.value
    assert "Laying it out" not in texts(at)
    assert message(at)["n"] == 400
    assert not fits
    assert not places.under_way(session_of(at))
    assert not any(job.label == "Map" for job in jobs._BOOK.values() if job.lane == "child")
    at.segmented_control(key="map layout umap").set_value("pca").run()
    assert not settled(at).error
    assert "Laying it out" not in texts(at)


def test_where_not_even_pca_fits_the_page_says_so(monkeypatch, fits):
    monkeypatch.setattr(map_forecast, "budget", lambda: 1)
    at = settled(opened())
    assert "The data alone do not fit" in at.error[0].value
    assert not fits
    assert message(at) is None

"""What the Tune page says before a search."""

from mips_core.studies import forecast
from pages._ui.tune import search
from tests.pages.conftest import session_of


def test_a_long_search_is_told_and_what_does_not_fit_cannot_be_started(app, monkeypatch):
    at = app("tune.py", settle=False, method=["flat-kmeans"])
    forecast.rate()
    monkeypatch.setattr(forecast, "LONG", 0.0)
    at.run()
    told = [caption.value for caption in at.caption if caption.value.startswith("Trying ")]
    assert len(told) == 1
    assert "takes about" in told[0]
    sizes = [
        forecast.forecast(one.index, one.dataset.n, one.dataset.d, one.dataset.m).bytes
        for one in search.wanted(session_of(at))
    ]
    monkeypatch.setattr(forecast, "budget", lambda: min(sizes))
    at.run()
    assert not button(at).disabled  # the others are not tried, and it says so
    assert any("would not fit in memory" in error.value for error in at.error)
    monkeypatch.setattr(forecast, "budget", lambda: 1)
    at.run()
    assert button(at).disabled


def button(at):
    """The one that starts a search."""
    return next(one for one in at.button if one.label.startswith("Find the"))

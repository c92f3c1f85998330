"""What the Tune page says before a search."""

from itertools import permutations

import pytest

from mips_core.studies import forecast
from mips_core.studies.tuning import scouting
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


@pytest.mark.parametrize("room", [0.5, 1.5, 3.0])
def test_of_many_items_the_most_that_may_be_built_is_told(app, monkeypatch, room):
    """Whatever order samples tell, and however dear the first is."""
    at = app("tune.py", settle=False, method=["flat-kmeans"])
    monkeypatch.setattr(forecast, "LARGE", session_of(at).source.n)
    monkeypatch.setattr(scouting, "KEPT", (3, 2))
    monkeypatch.setattr(scouting, "EACH", 0)
    data = session_of(at).dataset
    n, d = data.n, data.d
    indexes = [one.index for one in search.wanted(session_of(at))]
    works = [forecast.forecast(index, n, d).work for index in indexes]
    monkeypatch.setattr(scouting, "WORK", room * max(works) / (2 * n**1.25 * d))
    monkeypatch.setattr(forecast, "rate_is_known", lambda: True)
    monkeypatch.setattr(forecast, "rate", lambda: sum(works) / 1e6)
    at.run()
    (told,) = (words.value for words in at.caption if "tried on samples" in words.value)
    hours = float(told.partition("at most about ")[2].partition(" h ")[0].replace(",", ""))
    built = max(
        sum(forecast.forecast(index, n, d).seconds for index in chosen)
        for order in permutations(indexes, 3)
        for chosen, _ in [scouting._affordable(order, 2, n, d)]
    )
    assert hours >= int(built / 3_600)


def button(at):
    """The one that starts a search."""
    return next(one for one in at.button if one.label.startswith("Find the"))

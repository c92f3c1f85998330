"""Home, run headless on a small data set."""

import pytest

from pages._ui.state import session as choices
from tests.pages.conftest import session_of, small_dataset, texts


def test_home_says_what_this_is_and_leads_on(app):
    at = app()
    assert not at.exception
    assert "without computing them all" in at.title[0].value
    assert "Measured on this machine: small, 400 items" in texts(at)
    assert "largest inner product *q · x*. For **word" in texts(at)
    assert "Small ring: exact search" in texts(at)
    assert "ledger" not in texts(at)
    cards = {link.proto.label: link.proto.page for link in at.main.get("page_link")}
    assert cards["**Reach a precision**"] == "tune"
    assert "exact search computes 400 inner products. This index computes **" in texts(at)
    assert list(cards.values())[-3] == "learn"  # the fourth of six
    session = session_of(at)
    assert session.measurement_of(session.index).evaluation is not None


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_smallest_data_has_pages_too(app, monkeypatch, n):
    tiny = small_dataset(n=n, d=1)
    monkeypatch.setattr(choices, "load_from_catalog", lambda key: tiny)
    for page in ("home.py", "build.py", "tradeoff.py", "data.py"):
        at = app(page)
        assert not at.exception, page
    assert (n if n < 10 else 10) == session_of(at).K

"""Trade-off, run headless on a small data set."""

from mips_core import INDEXES
from pages._ui.state.session import DEFAULT_METHODS


def test_trade_off_shows_a_table_of_every_point(app):
    at = app("tradeoff.py")
    assert not at.exception
    table = at.dataframe[0].value
    assert set(table["method"]) == {INDEXES[key].label for key in DEFAULT_METHODS}
    assert table["precision@10"].between(0, 1).all()
    assert (table["low_95"] <= table["precision@10"]).all()
    assert not [header for header in at.subheader if "On all" in header.value]  # no sample of parts

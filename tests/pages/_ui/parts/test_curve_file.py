"""The curve as a file: all builds that are measured, and words for who was not there."""

from pages._ui.parts import curve_file
from tests.mips_core.figures.page_files import unpacked
from tests.pages.conftest import session_of
from tests.pages.wire_reader import unpack


def test_it_holds_what_is_measured_and_nothing_that_leads_back(app):
    at = app("tradeoff.py")
    assert "Page (HTML)" in [button.label for button in at.get("download_button")]
    session = session_of(at)
    outside, _, data = unpacked(curve_file.file_of(session.snapshot()))
    told = unpack(data)
    assert told["alone"]
    live = told["live"]
    assert live["lessons"] == {}
    assert live["builds"]
    assert all(build["points"] for build in live["builds"])
    assert live["chosen"]["build"] in [build["value"] for build in live["builds"]]
    assert f"{session.source.name}: precision and speedup" in outside
    assert "true top" in outside

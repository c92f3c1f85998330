"""The section of kept runs, and what a link names that is not here."""

import io
import re
from dataclasses import replace

from mips_core.studies.runs import read_runs
from mips_core.studies.runs.files import written
from pages._ui.compare import runs_link, runs_shelf
from tests.pages.conftest import session_of, texts
from tests.pages.runs_page import HOSTILE, keep, new_session, section, settled, table


def test_a_link_to_data_that_is_gone_says_so_and_takes_the_file():
    at = keep(keep(section(), 0, HOSTILE), 2)
    session = session_of(at)
    file = written([run_from(run, "f" * 32) for run in runs_shelf.runs_of(session)])
    link = runs_link.text_of_all(read_runs(io.BytesIO(file)))
    again = settled(new_session(runs=f"shown={link}"))
    assert "The data of 2 runs of this link is not here" in texts(again)
    assert not re.search(r"(?<!\\)<script", texts(again))
    runs_shelf.keep(session_of(again), read_runs(io.BytesIO(file)))
    again.run()
    assert "is not here" not in texts(again)
    assert table(again)["name"][0] == HOSTILE


def test_the_page_shows_the_section(app):
    at = app("compare.py", settle=False, compare="view=runs")
    assert not at.exception
    assert "No run is kept yet" in texts(at)


def run_from(run, source):
    """The same run, measured on data of this source."""
    return replace(run, data=replace(run.data, source=source))

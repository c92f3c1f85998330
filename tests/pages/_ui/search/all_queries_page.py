"""All queries on the Search page, beside what the core tells."""

from mips_core import diagnose
from pages._ui.search import work
from pages._ui.text.widgets import plain
from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts
from tests.pages.search_page import opened


def search(**address):
    """The same once everything is there."""
    at = opened(**address)
    at.session_state["search tab"] = "All queries"
    at.run()
    assert jobs.wait(300)
    return at.run()


def table(at, column):
    """The table with this column."""
    return next(e.value for e in at.dataframe if column in e.value)


def expected(at):
    """The diagnosis, made anew."""
    session = session_of(at)
    asked = session.measurement_of(session.index)
    searcher = asked.index.searcher(asked.built.structure)
    effort = work.effort_of(session, asked)
    return diagnose(asked.evaluation, searcher, session.dataset, session.K, effort)


def assert_told(at):
    assert not at.exception
    found = expected(at)
    said = texts(at)
    assert plain(found.summary()) in said
    for sentence in found.sentences():
        assert plain(sentence) in said
    return found

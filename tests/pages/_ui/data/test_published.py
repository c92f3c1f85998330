"""Published sets on the Data page: nothing comes before a press."""

import pytest
from streamlit.testing.v1 import AppTest

from mips_core.base.cache_folder import VARIABLE
from mips_core.data.published.entries import FIRST_WORDS, MIRROR, PUBLISHED
from mips_core.data.published.fetch import files_of
from mips_core.data.queries import QueryRecipe
from pages._ui.data import published
from pages._ui.data.draft import PUBLISHED as ORIGIN
from pages._ui.data.published import PublishedFile, protocol
from pages._ui.text.widgets import PAGES
from pages._ui.work import jobs
from tests.mips_core.data.published.server import look_alike, movielens_100k, serving
from tests.pages.conftest import MAIN, begin_anew
from tests.pages.data_page import button, press, read_on, session_of, texts, understood

KEY = "movielens-100k"


@pytest.fixture
def way(monkeypatch, tmp_path):
    """A server that gives MovieLens 100k; nothing of it is on this machine yet."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    content = movielens_100k()
    monkeypatch.setitem(PUBLISHED, KEY, look_alike(KEY, content))
    with serving(content) as (way, address):
        monkeypatch.setenv(MIRROR, address)
        yield way
    if (job := jobs.find(("published", KEY))) is not None:
        jobs.forget(job)


@pytest.fixture
def page(at, way):
    """The page with MovieLens 100k chosen."""
    at.segmented_control(key="data origin").set_value(ORIGIN).run()
    at.selectbox(key="data published").set_value(KEY).run()
    assert not at.exception
    return at


def test_terms_are_shown_and_nothing_comes_before_a_press(page, way):
    assert "Licence. For research" in texts(page)
    assert "Asks 127.0.0.1" in texts(page)
    assert "Put ml-100k.zip into" in texts(page)
    assert way.asked == []


def test_a_press_fetches_and_another_reads_as_the_paper_does(page, way):
    press(page, "Fetch")
    read_on(page)
    assert way.asked == ["/ml-100k.zip"]
    press(page, "Read it as the paper does")
    read_on(page)
    assert understood(page)["Items"] == "9"
    press(page, "Use this data")
    session = session_of(page)
    assert session.source.name == "MovieLens 100k"
    assert "Film 1 (1995)" in session.source.labels
    assert session.recipe.source == "own"


def test_a_slow_one_is_cancelled_and_goes_on_at_the_next_press(page, way):
    way.waits_after = 40_000
    press(page, "Fetch")
    page.button(key="data fetch cancel").click().run()
    way.go_on.set()
    read_on(page)
    assert "Cancelled. What came is kept" in texts(page)
    way.waits_after = None
    press(page, "Fetch")
    read_on(page)
    assert way.ranges[-1].startswith("bytes=")
    assert button(page, "Read it as the paper does")


def test_what_fails_is_said_with_how_to_place_it(page, way):
    way.content = way.content[:-1] + b"!"
    press(page, "Fetch")
    read_on(page)
    assert "is not the published file" in page.error[0].value.replace("\\", "")
    assert "By hand" in page.error[0].value


def test_the_protocol_is_the_papers():
    assert protocol(PUBLISHED["netflix"], "rows") == QueryRecipe(source="own", count=60_000)
    assert (PUBLISHED["netflix"].rank, PUBLISHED["movielens-10m"].rank) == (300, 150)
    words = PUBLISHED["word2vec-googlenews"]
    assert protocol(words, "noisy") == QueryRecipe(source="noisy", count=2_000)
    assert FIRST_WORDS == 100_000


def test_a_file_that_went_is_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 2\n")
    file = PublishedFile.of(path)
    assert (file.path(), file.size, file.private) == (path, 4, "")
    path.unlink()
    with pytest.raises(published.DataError, match="gone"):
        file.path()


def test_what_was_placed_by_hand_is_seen_and_unpacked_and_nobody_is_asked(page, way, tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "ml-100k.zip").write_bytes(way.content)
    press(page, "Look again")
    press(page, "Unpack it")
    read_on(page)
    assert button(page, "Read it as the paper does")
    assert way.asked == []


def test_what_is_only_placed_by_hand_has_no_button_that_fetches(page, way):
    page.selectbox(key="data published").set_value("netflix").run()
    assert not page.exception
    assert "Put combined_data_1.txt" in texts(page)
    assert not [b for b in page.button if b.key == "data fetch"]


def fetched(page):
    press(page, "Fetch")
    read_on(page)


@pytest.mark.parametrize("rank", [150, 300])
def test_the_ranks_of_the_paper_are_offered(page, way, rank):
    fetched(page)
    page.segmented_control(key=f"data published rank {KEY}").set_value(rank).run()
    press(page, "Read it as the paper does")
    assert session_of(page).draft.interpretation.rank == rank
    read_on(page)
    assert understood(page)["Items"] == "9"


def test_who_cancels_ends_it_for_nobody_who_waits_too(page, way, app):
    way.waits_after = 40_000
    press(page, "Fetch")
    other = AppTest.from_file(MAIN, default_timeout=60).run()
    other.switch_page(str(PAGES / "data.py")).run()
    other.segmented_control(key="data origin").set_value(ORIGIN).run()
    other.selectbox(key="data published").set_value(KEY).run()
    assert [b.key for b in other.button if "fetch" in (b.key or "")] == ["data fetch cancel"]
    page.button(key="data fetch cancel").click().run()
    page.run()
    assert "Cancelled for you. It comes all the same" in texts(page)
    job = jobs.find(("published", KEY))
    assert (job.state, job.stop, job.owner) == ("running", False, session_of(other).owner)
    press(page, "Fetch")  # and waits again
    assert page.button(key="data fetch cancel")
    page.button(key="data fetch cancel").click().run()
    other.button(key="data fetch cancel").click().run()
    way.go_on.set()
    read_on(other)
    assert job.state == "cancelled"
    assert "Cancelled. What came is kept" in texts(other)


def test_a_set_is_opened_again_by_a_server_that_was_started_anew(page, way, monkeypatch):
    fetched(page)
    press(page, "Read it as the paper does")
    read_on(page)
    press(page, "Use this data")
    before = session_of(page)
    begin_anew()
    del page.session_state["session"]
    page.run()
    read_on(page)
    after = session_of(page)
    assert after is not before
    assert (after.data, after.missing) == (before.data, "")
    assert after.source.name == "MovieLens 100k"
    assert after.source.query_fingerprint == before.source.query_fingerprint
    for path in files_of(PUBLISHED[KEY]):
        path.unlink()
    begin_anew()
    del page.session_state["session"]
    page.run()
    assert "is no longer in memory" in texts(page)

"""Earlier data on the Data page: listed, used again as they were left, deleted."""

import re

import pytest

from pages._ui.data import earlier_list
from pages._ui.state.session import DEFAULT_DATA
from tests.pages.conftest import begin_anew
from tests.pages.data_page import (
    button,
    npy,
    numbers,
    press,
    session_of,
    texts,
    upload,
)


def earlier(at):
    at.segmented_control(key="data origin").set_value("Earlier").run()
    assert not at.exception


def test_data_that_were_used_are_used_again_as_they_were_left(earlier_store, app):
    at = app("data.py", method="flat-kmeans", index="flat-kmeans:n_clusters=9")
    upload(at, "mine.npy", npy(numbers(30)))
    at.segmented_control(key="data metric").set_value("cosine").run()
    press(at, "Use this data")
    data = session_of(at).data
    begin_anew()
    del at.session_state["session"]
    for name in list(at.query_params):
        del at.query_params[name]
    at.run()
    assert session_of(at).data == DEFAULT_DATA
    earlier(at)
    assert "mine.npy · just now" in texts(at)
    assert re.search(r"30 × 5 · [\d.,]+ (kB|bytes) on disk", texts(at))
    press(at, "Use again")
    session = session_of(at)
    assert (session.data, session.metric, session.index.n_clusters) == (data, "cosine", 9)
    assert data in at.query_params["data"]
    earlier(at)
    assert button(at, "Use again").disabled
    press(at, "Delete")
    assert "Nothing yet" in texts(at)
    assert session_of(at).data == data
    at.run()
    assert earlier_store.settle()
    assert "Nothing yet" in texts(at)


def test_where_nothing_is_kept_it_is_said(at):
    earlier(at)
    assert "not kept when the server ends: the server has not started" in texts(at)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "just now"), (59, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"),
     (86_400 * 9, "9 days ago")],
)  # fmt: skip
def test_ages_are_told_in_their_largest_unit(seconds, text):
    assert earlier_list.age(seconds) == text

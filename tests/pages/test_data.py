"""The Data page, headless: what is shown, and not used until asked; data of any size."""

import numpy as np
import pytest

from pages._ui.work import jobs, uploads
from tests.pages.data_page import (
    PAGE,
    PAGES,
    button,
    npy,
    numbers,
    press,
    session_of,
    texts,
    understood,
    upload,
)


def test_it_opens_on_what_is_searched(at):
    assert not at.exception
    assert at.title[0].value == "Data"
    assert "✓ small is searched now" in texts(at)
    assert understood(at)["Items"] == "400"
    assert understood(at)["Labels"] == "“word 0”, “word 1”, “word 2” …"
    assert button(at, "Use this data").disabled
    assert button(at, "Keep small").disabled
    assert at.dataframe[0].value["label"].tolist()[:2] == ["word 0", "word 1"]


def test_an_upload_is_shown_and_not_used_until_asked(at):
    X = numbers(30, seed=30)  # which no other test opens for all visitors
    upload(at, "mine.npy", npy(X))
    assert understood(at) | {"Items": "30", "Dimensions": "5", "Labels": "none"} == understood(at)
    assert "Not used yet.] small is searched until you use this data." in texts(at)
    assert "Once it is used: Only who has a link of this data sees it" in texts(at)
    assert session_of(at).source.name == "small"
    press(at, "Use this data")
    session = session_of(at)
    assert session.source.name == "mine.npy"
    assert session.data == session.source.fingerprint
    assert np.array_equal(session.source.items, X)
    assert uploads.find(session.data, session.share.key) is session.source
    assert uploads.find(session.data) is None
    assert "✓ mine.npy is searched now], with 30 queries." in texts(at)
    assert button(at, "Use this data").disabled


def test_one_item_can_be_searched_on_every_page(at):
    upload(at, "one.npy", npy(numbers(1)))
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (1, 1)
    assert at.toggle(key="data queries exclude_self").disabled
    at.segmented_control(key="data metric").set_value("euclidean").run()
    press(at, "Use this data")
    for page in ("build.py", "tradeoff.py", "home.py", "search.py", "methods.py", PAGE):
        at.switch_page(str(PAGES / page)).run()
        jobs.wait(300)
        at.run()
        assert not at.exception, page


@pytest.mark.parametrize("n", [2, 3])
def test_a_handful_of_items(at, n):
    upload(at, "few.npy", npy(numbers(n, 2)))
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (n, n)
    at.toggle(key="data queries exclude_self").set_value(True).run()
    at.segmented_control(key="data queries source").set_value("noisy").run()
    assert not at.exception
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (n - 1, n)


def test_more_answers_than_there_are_items_come_back_with_more_items(at):
    upload(at, "few.npy", npy(numbers(5)))
    press(at, "Use this data")
    assert session_of(at).K == 5
    assert at.query_params["k"] == "5"
    upload(at, "more.npy", npy(numbers(60)))
    press(at, "Use this data")
    assert session_of(at).K == 10

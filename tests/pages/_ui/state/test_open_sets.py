"""Data that stay open: found again as they were left, within the memory that is given to them."""

import gc
from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES
from mips_core.data.queries import QueryRecipe
from pages._ui.state import open_sets
from pages._ui.state.open_sets import OpenSets, make_room
from pages._ui.state.session import DEFAULT_DATA, usual
from pages._ui.work import uploads
from tests.pages.conftest import MAIN, begin_anew, session_of, small_dataset, texts
from tests.pages.data_page import npy, numbers, press, upload


@pytest.fixture(autouse=True)
def _alone():
    """No sets of other tests are open."""
    gc.collect()
    for one in list(open_sets._ALL):
        one.left.source = None


def other_set(number):
    """30 items, with another number for each."""
    dataset = small_dataset(n=30)
    return replace(dataset, items=dataset.items + np.float32(number))


def use(session, dataset):
    session.use(dataset, dataset.fingerprint, QueryRecipe(count=10))
    return session.data, session.share.key


def test_each_set_is_found_as_it_was_left():
    session = usual(small_dataset(), DEFAULT_DATA)
    first = INDEXES["flat-kmeans"](n_clusters=7)
    session.keep(first)
    session.effort, session.K, session.query = 3, 5, "row:4"
    before = session.snapshot()
    key = use(session, other_set(1))
    session.keep(INDEXES["srp-hash"]())
    session.drop(first)
    session.effort, session.K = 9, 7
    assert first not in session.kept
    owner = session.owner

    shipped = session.open.take((DEFAULT_DATA, ""))
    open_sets.leave(session)
    open_sets.go_back(session, shipped.left)
    for name in ("source", "data", "recipe", "indexes", "position", "methods", "query", "K"):
        assert getattr(session, name) == getattr(before, name), name
    assert (session.effort, session.owner) == (3, owner)
    [other] = session.open.sets
    assert other.key == key
    session.open.take(key)
    open_sets.leave(session)
    open_sets.go_back(session, other.left)
    assert (session.index.key, session.effort, session.K) == ("srp-hash", 9, 7)
    assert session.share.key == key[1]


def test_what_is_no_data_sets_own_stays():
    session = usual(small_dataset(), DEFAULT_DATA)
    use(session, other_set(1))
    session.states["runs"] = runs = object()
    session.states["compare"] = compare = object()
    shipped = session.open.take((DEFAULT_DATA, ""))
    open_sets.leave(session)
    open_sets.go_back(session, shipped.left)
    assert session.states["runs"] is runs
    assert session.states["compare"] is not compare


def test_a_set_that_is_used_again_is_open_once_and_as_it_was_left():
    session = usual(small_dataset(), DEFAULT_DATA)
    session.K = 3
    use(session, other_set(1))
    session.K = 8
    session.use(small_dataset(), DEFAULT_DATA, QueryRecipe(count=20))
    assert (session.K, session.recipe.count) == (3, 20)
    assert [one.n for one in session.open.sets] == [30]


def test_what_is_missing_is_not_left_open():
    session = usual(small_dataset(), DEFAULT_DATA)
    session.missing = "f" * 32
    use(session, other_set(1))
    assert session.open.sets == []


def test_those_left_longest_ago_go_first_whosever_they_are():
    ada, bob = OpenSets(), OpenSets()
    size = other_set(0).items.nbytes
    kept = []
    for number, sets in enumerate((ada, bob, ada, bob)):
        one = usual(other_set(number), f"{number}")
        sets.leave(one)
        kept.append(one)
    make_room(3 * size + 100)
    assert [one.source is None for one in kept] == [True, False, False, False]
    assert [one.here for one in ada.sets] == [False, True]
    make_room(0)
    assert not any(one.here for one in (*ada.sets, *bob.sets))


def test_shared_and_mapped_items_take_no_room_of_their_own(tmp_path):
    sets, dataset = OpenSets(), other_set(5)
    for number in range(3):
        sets.leave(usual(dataset, f"{number}"))
    np.save(tmp_path / "x.npy", small_dataset(n=40).items)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="c")
    sets.leave(usual(type(dataset)(mapped), "mapped"))
    make_room(dataset.items.nbytes)
    assert all(one.here for one in sets.sets)


def test_no_more_than_so_many_stay_open():
    sets = OpenSets()
    for number in range(open_sets.MOST + 3):
        sets.leave(usual(small_dataset(), f"{number}"))
    assert [one.left.data for one in sets.sets] == [str(i) for i in range(3, open_sets.MOST + 3)]


def listed(at):
    return [b for b in at.button if (b.key or "").startswith("context open")]


def test_pages_go_to_and_fro_by_the_bar(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    mine = session_of(at).data
    [back] = listed(at)
    assert back.label == "small · 400 × 6"
    back.click().run()
    assert not at.exception
    assert session_of(at).data == DEFAULT_DATA
    assert DEFAULT_DATA in at.query_params["data"]
    [again] = listed(at)
    assert again.label.replace("\\", "") == "mine.npy · 30 × 5"
    again.click().run()
    assert (session_of(at).data, session_of(at).missing) == (mine, "")
    at.switch_page(str(MAIN.parents[1] / "build.py")).run()
    assert not at.exception
    at.button(key=f"context close 0 {DEFAULT_DATA}").click().run()
    assert listed(at) == []


def test_what_was_let_go_of_is_opened_anew_where_it_is_kept_and_else_said(at, earlier_store):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    mine = session_of(at).data
    listed(at)[0].click().run()
    make_room(0)
    begin_anew()
    at.run()
    [again] = listed(at)
    assert again.proto.help.startswith("It was let go of")
    again.click().run()
    assert not at.exception
    assert (session_of(at).data, session_of(at).missing) == (mine, "")
    listed(at)[0].click().run()
    make_room(0)
    begin_anew()
    earlier_store.delete(mine)
    uploads.forget_old()
    at.run()
    listed(at)[0].click().run()
    assert not at.exception
    assert session_of(at).missing == mine
    assert "is no longer in memory" in texts(at)

"""Data a link names that are not in memory: opened again, or named until the visitor chooses."""

from threading import Event

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core.data import folder
from mips_core.data.readers.arrays import binary
from pages._ui.state.session import DEFAULT_DATA
from pages._ui.text.widgets import PAGES
from pages._ui.work import jobs, results
from pages._ui.work.task import items_name, once
from tests.pages.conftest import MAIN, begin_anew
from tests.pages.data_page import button, npy, numbers, press, read_on, session_of, texts, upload

PAGE = "data.py"


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    root = tmp_path / "given"
    root.mkdir()
    np.save(root / "mine.npy", numbers(30))
    monkeypatch.setenv(folder.VARIABLE, str(root))
    return root


def open_from_folder(at):
    at.segmented_control(key="data origin").set_value("Folder").run()
    at.multiselect(key="data folder files").set_value(["mine.npy"]).run()
    press(at, "Read")
    read_on(at)
    press(at, "Use this data")
    return session_of(at).data


def restart(at):
    """The page finds a server that knows its address and nothing else."""
    begin_anew()
    del at.session_state["session"]
    at.run()
    assert not at.exception
    return at


def test_what_is_gone_is_named_and_the_address_stays_until_one_chooses(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    data = session_of(at).data
    for _ in range(2):
        restart(at)
        assert "mine.npy 30 × 5 (728 bytes) is no longer in memory" in texts(at)
        assert "What you see below is small" in texts(at)
        assert data in at.query_params["data"]
    press(at, "Go on with small")
    assert "no longer in memory" not in texts(at)
    assert DEFAULT_DATA in at.query_params["data"]


def test_a_link_shares_until_its_owner_stops_that_and_both_ends_say_so(at, app):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    own = session_of(at)
    assert "Copy link puts a key in" in texts(at)
    link = {**dict(at.query_params), "key": own.share.key}
    guest = AppTest.from_file(MAIN, default_timeout=60)

    def opened(words):
        guest.query_params.clear()
        for name, value in words.items():
            guest.query_params[name] = value
        if "session" in guest.session_state:
            del guest.session_state["session"]
        guest.run().switch_page(str(PAGES / PAGE)).run()
        assert not guest.exception
        return session_of(guest)

    assert opened(link).source is own.source
    assert "You have this data by a link" in texts(guest)
    assert "Stop sharing" not in [button.label for button in guest.button]
    press(at, "Stop sharing")
    assert "Links copied before open it no more." in texts(at)
    assert own.source.name == "mine.npy"
    guest.run()  # the page that was open
    for _ in range(2):
        assert session_of(guest).source.name == "small"
        assert "mine.npy 30 × 5 (728 bytes) is shared no more. Who uploaded it" in texts(guest)
        del guest.session_state["session"]
        guest.run()  # its refresh
    press(guest, "Go on with small")
    assert "shared no more" not in texts(guest)
    assert "key" not in guest.query_params


def test_who_refreshes_still_owns_what_they_uploaded(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    source = session_of(at).source
    del at.session_state["session"]
    at.run()
    assert session_of(at).source is source
    assert button(at, "Stop sharing")


def test_the_button_leads_to_where_files_are_opened(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    data = session_of(at).data
    restart(at)
    press(at, "Open the files again")
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    assert (session_of(at).data, session_of(at).missing) == (data, "")
    assert "no longer in memory" not in texts(at)


def test_a_file_of_the_data_folder_is_opened_again_by_its_link(data_folder, app):
    at = app(PAGE, method="flat-kmeans", k="7", index="flat-kmeans:n_clusters=9")
    data = open_from_folder(at)
    restart(at)
    read_on(at)
    session = session_of(at)
    assert (session.data, session.K, session.index.n_clusters) == (data, 7, 9)
    assert "no longer in memory" not in texts(at)


def test_how_its_files_were_understood_is_in_the_link(data_folder, at):
    np.save(data_folder / "mine.npy", np.arange(60, dtype=np.float32).reshape(20, 3) % 7)
    at.segmented_control(key="data origin").set_value("Folder").run()
    at.multiselect(key="data folder files").set_value(["mine.npy"]).run()
    press(at, "Read")
    read_on(at)
    at.segmented_control(key="data kind").set_value("ratings").run()
    read_on(at)
    press(at, "Use this data")
    data = session_of(at).data
    read_on(restart(at))
    assert session_of(at).data == data


def test_a_file_that_was_changed_is_not_taken_for_the_other(data_folder, at):
    data = open_from_folder(at)
    np.save(data_folder / "mine.npy", numbers(30, seed=8))
    read_on(restart(at))
    assert "was changed" in texts(at)
    assert session_of(at).missing == data
    assert button(at, "Go on with small")


def test_what_is_kept_is_there_again_without_a_word(earlier_store, at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    data = session_of(at).data
    restart(at)
    assert session_of(at).data == data
    assert "no longer in memory" not in texts(at)
    assert "✓ mine.npy is searched now" in texts(at)


def test_of_a_kept_folder_file_no_copy_is_made(earlier_store, data_folder, at):
    data = open_from_folder(at)
    restart(at)
    assert not (earlier_store.folder / data / "data").exists()
    read_on(at)
    assert session_of(at).data == data


def test_who_uses_a_mapped_file_loses_it_when_it_is_written_over(data_folder, at, monkeypatch):
    monkeypatch.setattr(binary, "MAPPED", 0)
    data = open_from_folder(at)
    at.run()
    assert session_of(at).data == data
    assert session_of(at).dataset.is_mapped
    with (data_folder / "mine.npy").open("r+b") as file:
        file.seek(200)
        file.write(b"other")
    at.run()
    read_on(at)
    assert session_of(at).missing == data
    assert "Its file in the data folder was changed" in texts(at)


def test_who_uses_a_mapped_file_loses_it_though_nothing_can_be_made_of_it(
    data_folder, at, monkeypatch
):
    monkeypatch.setattr(binary, "MAPPED", 0)
    data = open_from_folder(at)
    written_over(data_folder / "mine.npy", npy(numbers(30) * 0))
    results.forget_all()  # as it is where there is little room
    at.run()
    assert not at.exception
    read_on(at)
    assert session_of(at).missing == data
    assert "Its file in the data folder was changed" in texts(at)


def written_over(file, content):
    """The very file holds other bytes, as many as before."""
    with file.open("r+b") as there:
        there.write(content)


def norms(at, file):
    """How long the items in use are, as pages remember it; and as those of the file are."""
    source, name = session_of(at).source, items_name(session_of(at).source)
    remembered = once(("norms", name), lambda: np.linalg.norm(source.items, axis=1))
    return remembered.tolist(), np.linalg.norm(np.load(file), axis=1).tolist()


@pytest.mark.parametrize("mapped", [True, False])
def test_of_what_is_written_over_nothing_is_shown_of_other_content(
    data_folder, at, monkeypatch, mapped
):
    if mapped:
        monkeypatch.setattr(binary, "MAPPED", 0)
    file = data_folder / "mine.npy"
    first, other = file.read_bytes(), npy(2 * numbers(30)[::-1])
    data = open_from_folder(at)
    assert session_of(at).source.is_mapped == mapped
    written_over(file, other)
    norms(at, file)  # as a page makes them that is drawn before it sees that
    assert open_from_folder(at) != data
    made, true = norms(at, file)
    assert made == true
    written_over(file, first)
    assert open_from_folder(at) == data
    made, true = norms(at, file)
    assert made == true


def test_what_is_being_made_of_other_content_is_not_shown_of_this_one(data_folder, at, monkeypatch):
    monkeypatch.setattr(binary, "MAPPED", 0)
    file = data_folder / "mine.npy"
    first, begun, goes_on = file.read_bytes(), Event(), Event()
    data = open_from_folder(at)
    source = session_of(at).source

    def work(progress):
        made = np.linalg.norm(source.items, axis=1)
        begun.set()
        assert goes_on.wait(60)
        return made

    written_over(file, npy(2 * numbers(30)[::-1]))
    job = jobs.start(("norms", items_name(source)), "", work, "me")
    assert begun.wait(20)
    written_over(file, first)
    at.run()
    read_on(at)
    assert (session_of(at).data, session_of(at).missing) == (data, "")
    goes_on.set()
    assert jobs.wait_for(job, 20)
    made, true = norms(at, file)
    assert made == true


def test_a_file_in_memory_may_be_written_over(data_folder, at):
    data = open_from_folder(at)
    np.save(data_folder / "mine.npy", numbers(9))
    at.run()
    assert (session_of(at).data, session_of(at).missing) == (data, "")


def test_float16_that_is_kept_is_the_same_data_and_kept_by_their_link(data_folder, at):
    np.save(data_folder / "mine.npy", numbers(30).astype(np.float16))
    data = open_from_folder(at)
    assert session_of(at).source.items.dtype == np.float32
    at.toggle(key="data choices keep_float16").set_value(True).run()
    read_on(at)
    press(at, "Use this data")
    assert (session_of(at).data, session_of(at).source.items.dtype) == (data, np.float16)
    read_on(restart(at))
    assert (session_of(at).data, session_of(at).source.items.dtype) == (data, np.float16)

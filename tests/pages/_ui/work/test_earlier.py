"""What is kept between runs: whether, how much, and that it stands in for making it anew."""

from threading import Thread

import numpy as np
import pytest
import streamlit as st

from mips_core import INDEXES, DataError, ParamError, truth_of
from mips_core.base.limits import MAX_EARLIER_BYTES
from mips_core.base.progress import silent
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation import builder
from pages._ui.state.dataset_in_use import searched
from pages._ui.work import earlier, measurement, results, uploads
from pages._ui.work.measurement import Measurement
from tests.pages.conftest import begin_anew, small_dataset


@pytest.mark.parametrize(
    ("text", "is_open", "room"),
    [
        ("", False, MAX_EARLIER_BYTES),
        ("", True, 0),
        ("0", False, 0),
        (" 50 ", True, 50 * 2**20),
    ],
)
def test_the_room_is_what_the_variable_says_and_none_on_an_open_server(text, is_open, room):
    assert earlier.room_in({earlier.VARIABLE: text}, is_open=is_open) == room


@pytest.mark.parametrize("text", ["2 GB", "-1", "1.5", "٣", "9" * 30])
def test_what_is_no_number_of_megabytes_is_refused(text):
    with pytest.raises(ParamError, match="MIPS_EXPLORER_KEEP is"):
        earlier.room_in({earlier.VARIABLE: text}, is_open=False)


@pytest.mark.parametrize(
    ("address", "is_open"),
    [("localhost", False), ("127.0.0.1", False), ("127.1.2.3", False), ("::1", False),
     ("unix:///run/x", False), ("0.0.0.0", True), (None, True), ("", True), ("10.0.0.7", True),
     ("::", True), ("localhost.example.org", True)],
)  # fmt: skip
def test_only_loopback_is_closed(monkeypatch, address, is_open):
    options = {"server.address": address, "server.allowedHosts": []}
    monkeypatch.setattr(st, "get_option", options.get)
    assert earlier.is_open() is is_open
    options["server.allowedHosts"] = ["localhost", "mips.example.org"]  # through a proxy
    assert earlier.is_open()


def test_why_nothing_is_kept_is_told(monkeypatch, tmp_path, earlier_store):
    assert "2,000 MB" in earlier.told()
    earlier_store.problem = "full"
    assert "cannot be written" in earlier.told()
    with monkeypatch.context() as patch:
        patch.setattr(earlier, "is_open", lambda: True)
        earlier.start()
        assert "open to others" in earlier.told()
        patch.setenv(earlier.VARIABLE, "0")
        earlier.start()
        assert "MIPS_EXPLORER_KEEP says so" in earlier.told()
    with monkeypatch.context() as patch:
        (tmp_path / "file").write_text("in the way")
        patch.setattr(earlier, "cache_folder", lambda: tmp_path / "file")
        earlier.start()
        assert earlier.store() is None
        assert "cannot be written, so layouts of maps are not kept either." in earlier.told()
    earlier.start()


@pytest.mark.parametrize("metric", ["inner product", "euclidean"])
@pytest.mark.parametrize("key", ["flat-kmeans", "pca-tree", "product-quantization"])
def test_after_a_restart_nothing_is_built_or_measured_again(
    monkeypatch, earlier_store, metric, key
):
    source = small_dataset()
    uploads.hold(source)
    earlier.keep(source)
    earlier.keep_view(source.fingerprint, {"k": ["5"]})

    def tried(source):
        dataset = searched(source, QueryRecipe(count=30), metric)
        measured = Measurement(dataset, INDEXES[key]().explicit(dataset.n), 3, 5)
        return measured.here(), measured

    before, _ = tried(source)
    begin_anew()

    def again(*what, **more):
        raise AssertionError("made again")

    for module, name in ((builder, "built"), (measurement, "evaluate"), (measurement, "truth_of")):
        monkeypatch.setattr(module, name, again)
    source = earlier.find(source.fingerprint)
    after, measured = tried(source)
    assert after.evaluation.curve((5,)).as_dict() == before.evaluation.curve((5,)).as_dict()
    assert (after.seconds, after.bytes) == (before.seconds, before.bytes)
    assert measured.built.seconds == before.seconds
    with monkeypatch.context() as patch:  # other code may measure otherwise
        patch.setattr(earlier, "made_by", lambda: "other code")
        begin_anew()
        with pytest.raises(AssertionError, match="made again"):
            tried(earlier.find(source.fingerprint))


def test_damaged_measurements_are_made_again(earlier_store):
    source = small_dataset()
    uploads.hold(source)
    earlier.keep(source)
    earlier.keep_view(source.fingerprint, {"k": ["5"]})
    dataset = searched(source, QueryRecipe(count=30))
    first = measurement.truth_for(dataset, silent)
    begin_anew()
    for path in (earlier_store.folder / source.fingerprint).iterdir():
        if len(path.name) == 32:
            path.write_bytes(path.read_bytes()[:-3])
    earlier.find(source.fingerprint)
    np.testing.assert_array_equal(measurement.truth_for(dataset, silent).ids, first.ids)


def test_of_data_nobody_keeps_nothing_is_written(earlier_store):
    dataset = searched(small_dataset(), QueryRecipe(count=30))
    measurement.truth_for(dataset, silent)
    assert earlier_store.settle()
    assert [path.name for path in earlier_store.folder.iterdir()] == ["about.json"]
    assert truth_of(dataset).m == 30


@pytest.mark.parametrize("kept", [True, False])
def test_what_is_made_while_the_file_is_written_over_is_of_neither_content(earlier_store, kept):
    name, changed, saved = "0" * 31 + str(int(kept)), [False], []
    uploads.watch(name, lambda: changed[0])
    if kept:
        earlier_store._known[name] = None

    def once(made, mapped=True):
        return earlier.once_kept(
            name, "truth", lambda path: None, lambda path, value: saved.append(value), made,
            mapped=mapped,
        )  # fmt: skip

    assert once(lambda: 1) == 1
    assert earlier_store.settle()
    assert saved == [1] * kept

    def while_written_over():
        changed[0] = True
        return 2

    with pytest.raises(DataError, match="written over meanwhile"):
        once(while_written_over)
    assert earlier_store.settle()
    assert saved == [1] * kept
    assert once(lambda: 3, mapped=False) == 3  # of a copy in memory, such as an upload
    assert earlier_store.settle()
    changed[0], before = False, list(saved)

    def while_read_anew():
        reading = Thread(target=results.forget_of, args=(name,))
        reading.start()
        reading.join()
        return 4

    with results.making(), pytest.raises(DataError, match="written over meanwhile"):
        once(while_read_anew)
    assert earlier_store.settle()
    assert saved == before

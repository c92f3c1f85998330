"""Files become a data set, as a job."""

from threading import Event

import pytest

from mips_core import Choices, RatingChoices
from pages._ui.data import reading
from pages._ui.data.reading import Interpretation
from pages._ui.work import jobs, results
from pages._ui.work.task import items_name
from tests.pages.data_page import (
    npy,
    numbers,
    read_on,
    session_of,
    understood,
    upload,
)


def test_what_is_kept_of_a_refusal_holds_no_arrays(at):
    upload(at, "b.csv", b"1,2,3\n4,5\n6,7,8\n")
    draft = session_of(at).draft
    error = reading.result(reading.key_of(draft.files, draft.interpretation)).error
    assert (error.__traceback__, error.__cause__, error.__context__) == (None, None, None)


def test_what_was_read_and_then_forgotten_is_read_again(at):
    upload(at, "mine.npy", npy(numbers(30)))
    results.forget_all()
    at.run()
    read_on(at)
    assert understood(at)["Items"] == "30"


def test_equal_uploads_share_neither_what_is_read_nor_what_is_computed(at):
    X = npy(numbers(30))
    first = upload(at, "mine.npy", X)
    one = session_of(first).draft.files
    upload(at, "mine.npy", X)
    two = session_of(at).draft.files
    read = [reading.result(reading.key_of(f, Interpretation())).dataset for f in (one, two)]
    assert read[0].fingerprint == read[1].fingerprint
    assert [dataset.private for dataset in read] == [one[0].private, two[0].private]
    assert items_name(read[0]) != items_name(read[1])


def test_a_job_of_files_that_nobody_has_any_more_reads_nothing(temporary):
    class Gone:
        name, size, key, here = "a.npy", 1, "a", True

    go = Event()
    jobs.start("busy", "Busy", lambda progress: go.wait(30), "someone", lane="read")
    asked = reading.Interpretation()
    key = reading.start([Gone()], asked, "me")
    go.set()
    jobs.wait(30)
    assert jobs.find(key).state == "cancelled"
    assert results.recall(key) is None


@pytest.mark.parametrize(
    "chosen",
    [
        Interpretation(),
        Interpretation(kind="ratings", rank=12, ratings=RatingChoices(user="who", skip_bad=True)),
        Interpretation(Choices(label="title"), kind="vectors"),
        Interpretation(Choices(keep_float16=True)),
    ],
)
def test_how_files_were_understood_can_be_told_in_a_link(chosen):
    assert Interpretation.of(chosen.text) == chosen


@pytest.mark.parametrize("text", ["", "x", "ratings|many||", "|||", "vectors|7|label|"])
def test_nonsense_is_the_usual_understanding(text):
    assert Interpretation.of(text).choices == Choices()

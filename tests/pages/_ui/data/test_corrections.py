"""What else files could mean: arrays and tables."""

import io
import json

import numpy as np

from mips_core import Dataset
from pages._ui.work import jobs
from tests.pages.data_page import (
    PAGES,
    button,
    choose,
    csv,
    leave_and_come_back,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    understood,
    upload,
)


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


ARRAYS = {"one": numbers(9), "two": numbers(8, seed=2), "narrow": numbers(7, 3)}


class TestArrays:
    def test_which_array_is_asked_and_everything_else_stays(self, at):
        upload(at, "several.npz", npz(**ARRAYS))
        assert "several tables" in at.warning[0].value
        assert (len(at.error), len(at.table)) == (0, 0)
        assert "Say what it is" in [h.value for h in at.subheader]
        box = at.selectbox(key="data choices array")
        assert box.options == [
            "one · 9 × 5, float32", "two · 8 × 5, float32", "narrow · 7 × 3, float32"
        ]  # fmt: skip
        assert box.value is None
        choose(at, "data choices array", "two")
        assert len(at.warning) == 0
        assert understood(at)["Items"] == "8"
        at.number_input(key="data queries count").set_value(3).run()
        choose(at, "data choices queries", "one")
        assert understood(at)["Queries found"] == "9"
        assert at.number_input(key="data queries count").value == 3
        press(at, "Use this data")
        assert np.array_equal(session_of(at).source.items, ARRAYS["two"])

    def test_a_correction_that_fails_can_be_taken_back(self, at):
        upload(at, "several.npz", npz(items=ARRAYS["one"], users=ARRAYS["two"],
                                      narrow=ARRAYS["narrow"]))  # fmt: skip
        assert understood(at)["Queries found"] == "8"
        choose(at, "data choices queries", "narrow")
        assert "3 dimensions" in at.error[0].value
        assert len(at.table) == 0
        at.button(key="data earlier").click().run()
        read_on(at)
        assert len(at.error) == 0
        assert understood(at)["Queries found"] == "8"

    def test_a_correction_is_asked_anew_and_not_of_the_cache(self, at):
        upload(at, "pair.npz", npz(items=ARRAYS["one"], users=ARRAYS["two"]))
        choose(at, "data choices queries", "-")
        assert understood(at)["Queries found"] == "none"
        choose(at, "data choices array", "users")
        assert understood(at)["Items"] == "8"

    def test_an_unsettled_upload_outlasts_another_page(self, at):
        upload(at, "several.npz", npz(**ARRAYS))
        leave_and_come_back(at)
        choose(at, "data choices array", "one")
        assert understood(at)["Items"] == "9"


class TestTables:
    def test_a_frame_that_may_lie_on_its_side_is_asked_about(self, at):
        X = numbers(6, 4)
        frame = {str(j): {str(i): float(X[i, j]) for i in range(6)} for j in range(4)}
        upload(at, "frame.json", json.dumps(frame).encode())
        assert "outer name" in at.warning[0].value
        choose(at, "data choices array", "inner names")
        assert (understood(at)["Items"], understood(at)["Dimensions"]) == ("6", "4")
        keys = [box.key for box in at.selectbox]
        assert "data choices queries" not in keys  # the other way round is no queries
        choose(at, "data choices array", "outer names")
        assert (understood(at)["Items"], understood(at)["Dimensions"]) == ("4", "6")

    def test_a_readme_beside_vectors_is_left_out(self, at):
        upload(at, batch={"README.md": b"# Mine\n", "mine.npy": npy(numbers(9))})
        assert understood(at)["Items"] == "9"
        assert "README.md" in understood(at)["Left out"]

    def test_another_label_column_and_none(self, at):
        rows = "\n".join(f"{i},word {i},kind {i},{i}.5,1.5,2" for i in range(6))
        upload(at, "table.csv", f"id,title,genre,x,y,z\n{rows}".encode())
        box = at.selectbox(key="data choices label")
        assert box.value == "title"
        assert [option.split(" · ")[0] for option in box.options[:1]] == ["no labels"]
        choose(at, "data choices label", "genre")
        assert understood(at)["Labels"].startswith("“kind 0”")
        choose(at, "data choices label", "-")
        assert understood(at)["Labels"] == "none"

    def test_a_first_line_of_numbers_may_name_the_columns(self, at):
        upload(at, "table.csv", b"1,2,3,4,5\n5,6,7,8,9\n9,10,11,12,13\n")
        assert understood(at)["Items"] == "3"
        at.segmented_control(key="data choices header").set_value("names").run()
        read_on(at)
        assert understood(at)["Items"] == "2"
        assert at.segmented_control(key="data choices header").value == "names"

    def test_bad_rows_are_left_out_with_one_press(self, at):
        X = numbers(20)
        X[[3, 7], 1] = np.nan
        upload(at, "holes.npy", npy(X))
        assert "holds nan in row 3" in at.error[0].value
        assert len(at.table) == 0
        assert button(at, "Leave out").label == "Leave out the 2 bad rows"
        press(at, "Leave out the 2 bad rows")
        read_on(at)
        assert understood(at)["Items"] == "18"
        assert "2 rows were left out" in understood(at)["Left out"]
        at.toggle(key="data choices skip_bad").set_value(False).run()
        read_on(at)
        assert button(at, "Leave out the 2 bad rows")

    def test_no_choice_is_drawn_where_there_is_none(self, at):
        upload(at, "mine.csv", csv([f"w{i}" for i in range(5)], numbers(5)))
        assert "Read it differently" in [h.value for h in at.subheader]
        assert not [s for s in at.selectbox if s.key == "data choices array"]


class TestFloat16:
    def test_it_is_kept_where_one_wants_and_every_page_answers(self, at):
        halves = numbers(60).astype(np.float16)
        upload(at, "halves.npy", npy(halves))
        assert understood(at)["Numbers"] == "float16, used as float32"
        at.toggle(key="data choices keep_float16").set_value(True).run()
        read_on(at)
        assert understood(at)["Numbers"] == "float16, kept so"
        press(at, "Use this data")
        session = session_of(at)
        assert session.source.items.dtype == session.dataset.items.dtype == np.float16
        assert session.data == Dataset(halves).fingerprint
        for page in sorted(PAGES.glob("[a-z]*.py")):
            at.switch_page(str(page)).run()
            jobs.wait(300)
            at.run()
            assert not at.exception, page.name
            assert not any(job.state == "failed" for job in jobs._BOOK.values()), page.name

    def test_other_files_are_not_asked_about(self, at):
        upload(at, "whole.npy", npy(numbers(60)))
        assert "data choices keep_float16" not in [toggle.key for toggle in at.toggle]

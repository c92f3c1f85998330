"""The Data page: what files were understood as, what may be corrected, ratings, the data folder."""

import io
import json
from threading import Event

import numpy as np
import pytest

from mips_core.data import folder
from pages._ui.data import reading
from pages._ui.work import jobs, results
from tests.pages.data_page import (
    PAGE,
    button,
    csv,
    leave_and_come_back,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    texts,
    understood,
    upload,
)


@pytest.fixture
def at(app):
    """The Data page on the shipped data, with little measured beside it."""
    return app(PAGE, method="flat-kmeans")


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def ratings_csv(n_users=30, n_items=20, seed=0):
    """Most pairs rated 1 to 5, with a header."""
    rng = np.random.default_rng(seed)
    lines = ["userId,movieId,rating"]
    for user in range(n_users):
        for item in rng.permutation(n_items)[: n_items * 2 // 3]:
            lines.append(f"u{user},m{item},{rng.integers(1, 6)}")
    return "\n".join(lines).encode()


def triples(header, n=9):
    """Each of n users and n items with two numbers."""
    rng = np.random.default_rng(0)
    lines = [
        f"{user},{item},{rng.integers(1, 6)},{rng.integers(1, 6)}"
        for user in range(n)
        for item in range(n)
    ]
    return "\n".join([header, *lines]).encode()


MOVIES = b"movieId,title\n" + b"\n".join(b"m%d,Film %d" % (i, i) for i in range(20))


def choose(at, key, value):
    at.selectbox(key=key).set_value(value).run()
    return read_on(at)


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


class TestRatings:
    def test_ratings_become_users_and_items_with_titles(self, at):
        upload(at, batch={"ratings.csv": ratings_csv(), "movies.csv": MOVIES})
        table = understood(at)
        assert (table["Items"], table["Dimensions"], table["Queries found"]) == ("20", "19", "30")
        assert table["Ratings"] == "390, 1 to 5; 65.00% of all pairs"
        assert table["Users"] == "30"
        assert "Film" in table["Labels"]
        assert "Users" in at.segmented_control(key="data queries source").options
        press(at, "Use this data")
        assert session_of(at).recipe.source == "own"
        assert session_of(at).dataset.query_labels is not None

    def test_another_rank_is_not_factored_again(self, at, monkeypatch):
        upload(at, "ratings.csv", ratings_csv())
        slider = at.slider(key="data rank slider")
        assert (slider.min, slider.max, slider.value) == (1, 19, 19)
        monkeypatch.setattr(reading, "open_files", None)  # cannot be called
        slider.set_value(4).run()
        read_on(at)
        assert understood(at)["Dimensions"] == "4"
        press(at, "Use this data")
        assert session_of(at).source.d == 4
        at.slider(key="data rank slider").set_value(5).run()
        read_on(at)
        assert understood(at)["Dimensions"] == "5"
        assert "Not used yet" in texts(at)

    def test_another_column_may_hold_the_ratings(self, at):
        upload(at, "odd.csv", triples("user,movie,first,second"))
        assert at.selectbox(key="data ratings value").value == "first"
        before = understood(at)
        choose(at, "data ratings value", "second")
        assert at.selectbox(key="data ratings value").value == "second"
        assert understood(at) != before

    def test_columns_are_asked_for_where_they_do_not_tell(self, at):
        upload(at, "odd.csv", triples("a,b,c,d"))
        at.segmented_control(key="data kind").set_value("ratings").run()
        read_on(at)
        assert len(at.warning) == 1
        choose(at, "data ratings user", "a")
        choose(at, "data ratings item", "b")
        choose(at, "data ratings value", "d")
        assert (understood(at)["Items"], understood(at)["Queries found"]) == ("9", "9")

    def test_ratings_may_be_vectors_after_all(self, at):
        upload(at, "odd.csv", triples("a,b,c,d"))
        at.segmented_control(key="data kind").set_value("ratings").run()
        read_on(at)
        at.segmented_control(key="data kind").set_value("vectors").run()
        read_on(at)
        assert understood(at)["Items"] == "81"

    def test_a_table_of_ratings_may_be_vectors_and_back(self, at):
        upload(at, "scores.csv", triples("user,item,rating,score"))
        kind = at.segmented_control(key="data kind")
        assert kind.value == "ratings"
        kind.set_value("vectors").run()
        read_on(at)
        assert (understood(at)["Items"], understood(at)["Queries found"]) == ("81", "none")
        at.segmented_control(key="data kind").set_value("ratings").run()
        read_on(at)
        assert understood(at)["Users"] == "9"

    def test_a_line_may_hold_all_ratings_of_a_user(self, at):
        rng = np.random.default_rng(0)
        lines = ["userId,m1,m2,m3,m4", *(",".join(map(str, [u, *rng.integers(0, 6, 4)]))
                                         for u in range(12))]  # fmt: skip
        upload(at, "wide.csv", "\n".join(lines).encode())
        at.segmented_control(key="data kind").set_value("ratings").run()
        read_on(at)
        assert understood(at)["Items"] == "4"
        layout = at.segmented_control(key="data ratings layout")
        assert (layout.value, layout.label) == ("user", "One line holds")
        layout.set_value("rating").run()
        read_on(at)
        assert "does not say which column holds" in at.warning[0].value
        at.segmented_control(key="data ratings layout").set_value("user").run()
        read_on(at)
        assert understood(at)["Users"] == "12"

    def test_bad_lines_are_left_out_with_one_press(self, at):
        upload(at, "ratings.csv", ratings_csv() + b"\nu1,m1,\nu2,m2,many")
        press(at, "Leave out the 2 bad lines")
        read_on(at)
        assert understood(at)["Items"] == "20"
        assert "2 lines left out" in understood(at)["Left out"]

    def test_a_matrix_may_be_ratings(self, at):
        rng = np.random.default_rng(0)
        Z = rng.integers(1, 6, (12, 9)) * (rng.random((12, 9)) < 0.7)
        upload(at, "matrix.npy", npy(Z.astype(np.float32)))
        assert understood(at)["Items"] == "12"
        at.segmented_control(key="data kind").set_value("ratings").run()
        read_on(at)
        assert (understood(at)["Items"], understood(at)["Queries found"]) == ("9", "12")

    def test_counts_may_be_read_on_a_logarithmic_scale(self, at):
        rng = np.random.default_rng(1)
        lines = ["user,artist,plays"]
        lines += [
            f"{u},{a},{int(np.exp(rng.normal(4, 2))) + 1}" for u in range(20) for a in range(12)
        ]
        upload(at, "plays.csv", "\n".join(lines).encode())
        most = understood(at)["Ratings"]
        at.toggle(key="data ratings scale").set_value(True).run()
        read_on(at)
        assert understood(at)["Ratings"] != most


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    root = tmp_path / "given"
    (root / "inner").mkdir(parents=True)
    np.save(root / "mine.npy", numbers(30))
    np.save(root / "inner" / "queries.npy", numbers(4, seed=2))
    (root / ".secret.npy").write_bytes(npy(numbers(3)))
    monkeypatch.setenv(folder.VARIABLE, str(root))
    return root


class TestFolder:
    def choose(self, at, *names):
        at.multiselect(key="data folder files").set_value(list(names)).run()
        press(at, "Read")
        return read_on(at)

    def test_it_is_offered_only_where_one_was_named(self, data_folder, at, monkeypatch):
        assert at.segmented_control(key="data origin").options == ["Shipped", "Upload", "Folder"]
        monkeypatch.delenv(folder.VARIABLE)
        at.run()
        assert at.segmented_control(key="data origin").options == ["Shipped", "Upload"]

    def test_files_are_read_where_they_lie(self, data_folder, at, temporary):
        at.segmented_control(key="data origin").set_value("Folder").run()
        assert [o.split(" · ")[0] for o in at.multiselect(key="data folder files").options] == [
            "mine.npy", "inner/queries.npy"
        ]  # fmt: skip
        assert button(at, "Read").disabled
        self.choose(at, "mine.npy", "inner/queries.npy")
        assert understood(at)["Queries found"] == "4"
        assert not list(temporary.glob("mips-upload-*"))
        press(at, "Use this data")
        assert session_of(at).source.n == 30
        assert (data_folder / "mine.npy").exists()
        leave_and_come_back(at)
        assert at.multiselect(key="data folder files").value == ["mine.npy", "inner/queries.npy"]

    def test_other_content_under_the_same_name_is_read_anew(self, data_folder, at):
        at.segmented_control(key="data origin").set_value("Folder").run()
        self.choose(at, "mine.npy")
        assert understood(at)["Items"] == "30"
        np.save(data_folder / "mine.npy", numbers(31))
        press(at, "Read")
        read_on(at)
        assert understood(at)["Items"] == "31"

    def test_what_became_a_link_is_refused(self, data_folder, at, tmp_path):
        np.save(tmp_path / "outside.npy", numbers(5))
        at.segmented_control(key="data origin").set_value("Folder").run()
        at.multiselect(key="data folder files").set_value(["mine.npy"]).run()
        (data_folder / "mine.npy").unlink()
        (data_folder / "mine.npy").symlink_to(tmp_path / "outside.npy")
        press(at, "Read")
        assert "or no longer" in at.error[0].value
        assert len(at.table) == 0

    def test_a_folder_that_went_away_is_said(self, data_folder, at):
        at.segmented_control(key="data origin").set_value("Folder").run()
        data_folder.rename(data_folder.with_name("gone"))
        at.run()
        assert "does not exist" in at.error[0].value


def test_a_job_of_files_that_nobody_has_any_more_reads_nothing(temporary):
    class Gone:
        name, size, key, here = "a.npy", 1, "a", True

    go = Event()
    jobs.start("busy", "Busy", lambda progress: go.wait(30), "someone")
    asked = reading.Interpretation()
    key = reading.start([Gone()], asked, "me")
    go.set()
    jobs.wait(30)
    assert jobs.find(key).state == "cancelled"
    assert results.recall(key) is None

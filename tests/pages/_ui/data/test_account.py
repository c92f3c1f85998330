"""The account of what could be used."""

import numpy as np

from pages._ui.data import reading
from pages._ui.text.widgets import safe_name
from tests.pages.data_page import (
    choose,
    csv,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    texts,
    understood,
    upload,
)

HOSTILE = ["<b>bold</b>", "$x^2$", "a|b", "[link](http://x)", "`code`", ":red[no]", "😀" * 200]


def test_files_uploaded_together_take_their_roles(at):
    upload(at, batch={"mine.npy": npy(numbers(30)), "queries.npy": npy(numbers(1, seed=2))})
    assert understood(at)["Queries found"] == "1"
    assert at.segmented_control(key="data queries source").value == "own"
    assert "Its own queries" in at.segmented_control(key="data queries source").options
    press(at, "Use this data")
    assert session_of(at).recipe.source == "own"
    assert session_of(at).dataset.m == 1


def test_labels_are_text_everywhere(at):
    X = numbers(len(HOSTILE))
    X[0] *= 50
    upload(at, "hostile.csv", csv(HOSTILE, X))
    shown = at.dataframe[0].value["label"].tolist()
    assert shown == HOSTILE[: len(shown)]
    cells = dict(at.table[0].value.itertuples(index=False))
    assert "\\<b\\>bold\\</b\\>" in cells["Labels"]
    assert "“\\<b\\>bold\\</b\\>”" in at.warning[0].value
    long = safe_name("../../etc/<i>x</i>.csv")
    assert "/" not in long
    assert "<" not in long


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
        slider = at.select_slider(key="data rank slider")
        assert (slider.options[0], slider.options[-1], slider.value) == ("1", "19", 19)
        monkeypatch.setattr(reading, "open_files", None)  # cannot be called
        slider.set_value(4).run()
        read_on(at)
        assert understood(at)["Dimensions"] == "4"
        press(at, "Use this data")
        assert session_of(at).source.d == 4
        at.select_slider(key="data rank slider").set_value(5).run()
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

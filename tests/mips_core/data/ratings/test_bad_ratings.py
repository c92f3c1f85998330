"""What is wrong with ratings is said with its place, or left out where asked."""

from time import process_time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.progress import silent
from mips_core.data.ratings import RatingChoices, UnsettledRatingsError, read_ratings

FAULTS = """user,item,rating
a,x,3
b,y,
c,z,nan
d,q,1e999
e,q,five
,q,1
f,,2
g,q
h,q,1,2
ok,x,1
i,x,1_0
"""
SPARSE = "%%MatrixMarket matrix coordinate real general\n"
PLACES = ["no rating in line 3", "“nan” as rating in line 4", "“1e999” as rating in line 5",
          "“five” as rating in line 6", "no user in line 7"]  # fmt: skip


def test_faults_are_listed_or_left_out(refusal, load):
    text = refusal("bad.csv", FAULTS)
    assert "9 lines hold no usable rating" in text
    assert all(place in text for place in PLACES)
    ratings = load("bad.csv", FAULTS, skip_bad=True)
    assert list(ratings.users) == ["a", "ok"]
    assert ratings.offers.bad_lines == 9
    assert ratings.user_names == ["a", "ok"]
    assert any("9 lines left out" in note for note in ratings.notes)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("h.csv", "userId,movieId,rating,timestamp\n", "no ratings"),
        ("blank.csv", "\n\n \n", "no ratings"),
        ("one.txt", "5\n6\n", "one column"),
        ("same.csv", "user,item,rating\na,x,3\nb,y,3\n", "every rating is the same, 3"),
        ("quote.csv", 'user,item,rating\na,"x,3\nb,y,4\n', "a quote that is not closed in line 2"),
        ("movies.csv", "movieId,title\n1,Toy Story (1995)\n", "titles and no ratings"),
        ("page.csv", "<!DOCTYPE html><html>", "web page"),
        ("x.pdf", "%PDF-1.7\nabc", "PDF"),
        ("x.pkl", b"\x80\x04\x95\0\0", "pickle"),
        ("c.txt", "1:\n7,3,2005-01-01\n8,x,2005-01-01\n,4,2005-01-01\n9\n",
         "“x” as rating in line 3, no user in line 4, “9” in line 5"),
        ("x.json", '{"user": 1, "item": 2, "stars": 3}\n{"user": 1\n{"item": 1, "stars": 2}\n',
         "no object in line 2, no user in line 3"),
        ("deep.json", '{"user": 1, "item": 2, "stars": 3}\n{"user": ' + "[" * 100_000, "line 2"),
        ("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "another kind"),
        ("x.mtx", f"{SPARSE}9 9 900000\n1 1 1\n", "too short"),
        ("x.mtx", f"{SPARSE}9 9 3\n1 1 1\n1 2 3\n", "head says"),
        ("x.mtx", f"{SPARSE}abc\n1 1 1\n", "line of sizes"),
        ("m.csv", "user,1,2,3,4\n" + "u,1,2,3,4\n" * 9 + "v,1,x,3,4\n", "“x” as rating in line 11"),
        ("README.txt", "This data set\ndescribes ratings.\n", "its lines are no table"),
        ("letters.csv", "user,item,rating\na,x,B\nb,y,C\n", "“B” as rating in line 2"),
    ],
)  # fmt: skip
def test_refusals_name_what_and_where(refusal, name, content, words):
    assert words in refusal(name, content)


def test_columns_without_known_names_are_asked_for(load):
    text = "who,what,how\na,x,3\nb,y,4\n"
    with pytest.raises(UnsettledRatingsError, match="“what” \\(such as “x”, “y”\\)") as caught:
        load("w.csv", text)
    offers = caught.value.offers
    assert [offer.name for offer in offers.columns] == ["who", "what", "how"]
    ratings = load("w.csv", text, user="what", item="who")
    assert (ratings.users, ratings.values.tolist()) == (["x", "y"], [3.0, 4.0])
    assert ratings.offers.value == "how"
    assert load("w.csv", text, user="what", item="who", value="-").implicit


@pytest.mark.parametrize(
    ("choices", "words"),
    [({"user": "nix"}, "no column “nix”"), ({"user": "who", "item": "who"}, "chosen twice")],
)
def test_choices_that_do_not_fit_are_refused(refusal, choices, words):
    assert words in refusal("w.csv", "who,what,how\na,x,3\nb,y,4\n", **choices)


def test_choices_override_the_layout(triples):
    text = "1,2,3\n4,5,6\n"
    assert triples("t.csv", text)[0] == ("1", "2", 3.0)
    assert triples("t.csv", text, user="2", item="1")[0] == ("2", "1", 3.0)
    assert triples("t.csv", text, layout="user")[0] == ("0", "0", 1.0)
    assert triples("t.csv", "user,item,rating\n" + text, header="names")[0] == ("1", "2", 3.0)
    with pytest.raises(ParamError, match="header"):
        triples("t.csv", text, header="maybe")


def test_preamble_lines_are_skipped_and_named(load):
    for preamble, said in (
        ("70\n150\n", "2 lines"),
        ("% a remark\n", "1 line"),
        ("sep=\t\n", "1 line"),
    ):
        ratings = load("p.dat", f"{preamble}3\t38\t847\n40\t4\t12\n")
        assert ratings.n_ratings == 2
        assert any(said in note and "skipped" in note for note in ratings.notes)


@pytest.mark.parametrize("time", [",{}", ",1999-12-{}", ",1999-12-{}T00:00:00", ""])
def test_the_latest_of_a_repeated_pair_is_kept(load, time):
    days = [20, 10, 30, 15]
    rows = [("a", "x", 1), ("b", "x", 2), ("b", "x", 3), ("a", "x", 4)]
    lines = [",".join(map(str, row)) + time.format(day)
             for row, day in zip(rows, days, strict=True)]  # fmt: skip
    ratings = load(
        "d.csv", "user,item,rating" + ",timestamp" * bool(time) + "\n" + "\n".join(lines)
    )
    assert ratings.values.tolist() == ([1, 3] if time else [4, 3])
    assert ratings.users == ["a", "b"]
    said = next(note for note in ratings.notes if "repeated" in note)
    assert "2 pairs" in said
    assert "2 ratings are left out" in said
    assert ("by time" if time else "the last in the file") in said


def test_counts_may_be_read_as_logarithms(load):
    text = "user,artist,plays\na,x,3000\na,y,10\nb,x,1\nb,z,2\n"
    ratings = load("plays.csv", text)
    assert ratings.offers.log
    assert any("look like counts, from 1 to 3,000" in note for note in ratings.notes)
    logs = load("plays.csv", text, scale="log")
    np.testing.assert_allclose(logs.values, np.log1p(ratings.values))
    assert not load("r.csv", "user,item,rating\na,x,100\na,y,10\n").offers.log


def test_negative_ratings_stand_but_have_no_logarithm(load, refusal):
    text = "user,item,rating\na,x,-9.5\na,y,10\nb,x,0\n"
    assert load("j.csv", text).values.tolist() == [-9.5, 10, 0]
    assert "no log" in refusal("j.csv", text, scale="log")


def test_pairs_alone_are_implicit(load):
    for text in ("user,item\na,x\nb,y\n", "a,x\nb,y\na,y\n", "user,item,rating\na,x,1\nb,y,1\n"):
        ratings = load("pairs.csv", text)
        assert ratings.implicit
        assert (ratings.values == 1).all()
        assert any("implicit" in note for note in ratings.notes)


def test_text_cut_within_a_letter_is_no_utf8(load, refusal):
    assert load("cut.csv", b"user,item,rating\na,x,1\nb,y,2\nc,z\xc3,3\n").item_names[-1] == "zÃ"
    assert "“3Ã” as rating in line 4" in refusal(
        "cut.csv", b"user,item,rating\na,x,1\nb,y,2\nc,z,3\xc3"
    )


def test_a_matrix_needs_a_name_for_each_user(refusal, load):
    text = "user,1,2,3,4\nu,1,2,3,4\n,1,2,3,4\n"
    assert "no user in line 3" in refusal("m.csv", text)
    assert load("m.csv", text, skip_bad=True).user_names == ["u"]


def test_a_third_column_of_words_is_asked_about(load):
    with pytest.raises(UnsettledRatingsError):
        load("w.csv", "a,x,good\nb,y,bad\na,y,bad\n")


def test_text_that_is_not_utf8_is_read_and_said(load):
    for byte, letter, name in ((b"\xe9", "é", "Latin-1"), (b"\x80", "€", "Windows-1252")):
        ratings = load("l.csv", b"user,item,rating\n" + byte + b",x,3\nb,y,4\n")
        assert ratings.user_names[0] == letter
        assert any(name in note for note in ratings.notes)


@pytest.mark.parametrize(
    ("limit", "words"), [("MAX_RATINGS", "2 ratings"), ("MAX_NAMES", "2 diff")]
)
def test_limits_are_kept(load, monkeypatch, limit, words):
    monkeypatch.setattr(limits, limit, 2)
    for text in ("a,x,1\nb,y,2\nc,z,3\n", "a, x ,1\nb,y,2\nc,'z',3,\n"):
        with pytest.raises(DataError, match=f"more than {words}"):
            load("many.csv", "user,item,rating\n" + text)


ANY = st.text("ab1,;:|\t\n\r \"'.-é%#{}[]", max_size=60)
PIECES = st.lists(
    st.sampled_from(["user", "item", "rating", ",", "\t", "::", "\n", "1", "5", "2005-01-01", '"',
                     "1:", "%%MatrixMarket matrix coordinate real general\n", "{", "}", ";", " ",
                     '"user":', "nan", "880000000", "\r\n", "-", "é", "2 2 1\n"]),
    max_size=40,
).map("".join)  # fmt: skip


def read_or_refusal(load, name, text, skip_bad):
    try:
        return load(name, text, skip_bad=skip_bad)
    except DataError as error:
        return error


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY | PIECES, st.sampled_from(["r.csv", "u.data", "movies.dat", "x.json"]), st.booleans())
def test_whatever_the_text_it_ends_in_ratings_or_a_refusal(load, text, name, skip_bad):
    ratings = read_or_refusal(load, name, text, skip_bad)
    if isinstance(ratings, DataError):
        assert name in ratings.found
        assert ratings.remedy
        return
    assert ratings.n_ratings == len(ratings.users) == len(ratings.items) > 0
    assert np.isfinite(ratings.values).all()
    assert all(ratings.user_names)
    assert len(set(zip(ratings.users, ratings.items, strict=True))) == ratings.n_ratings


def test_progress_is_reported(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(
        "user,item,rating\n" + "".join(f"{k},{k % 7},{k % 5}\n" for k in range(200_000))
    )
    shares = []
    for text in (path.read_text(), path.read_text() + "x, y ,2\n"):  # the second read by line
        path.write_text(text)
        read_ratings(path, progress=lambda share, message, partial=None: shares.append(share))
        assert shares
        assert max(shares) <= 1
        shares.clear()
    assert read_ratings(path, progress=silent).n_ratings == 200_001


@pytest.mark.parametrize("end", ["", "x, y ,2\n"])  # by column, by line
def test_reading_can_be_cancelled(tmp_path, end):
    path = tmp_path / "r.csv"
    lines = (f"{k},{k % 7},{k % 5}\n" for k in range(100_000))
    path.write_text("user,item,rating\n" + "".join(lines) + end)

    def cancel(share, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_ratings(path, progress=cancel)


def test_coordinates_are_no_ids(refusal):
    found = refusal("glove.txt", "a 0.11 0.25 0.3\nb 0.21 0.35 0.4\nc -0.21 0.37 0.1\n")
    assert "does not say which column holds users" in found


def test_equal_ratings_offer_their_columns(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("user,item,rating\n" + "".join(f"{u},{i},4\n" for u in "abc" for i in "xyz"))
    with pytest.raises(UnsettledRatingsError) as caught:
        read_ratings(path)
    assert [offer.name for offer in caught.value.offers.columns] == ["user", "item", "rating"]
    implicit = read_ratings(path, RatingChoices(value="-"))
    assert implicit.implicit
    assert implicit.n_ratings == 9


def test_a_header_that_repeats_itself_many_times_is_told_at_once(refusal):
    wide = ",".join(["user", "item", *["again"] * 60_000])
    began = process_time()
    assert "r.csv" in refusal("r.csv", f"{wide}\n1,2,3\n")
    assert process_time() - began < 2


def test_a_line_broken_in_the_middle_of_a_matrix_is_named(refusal):
    text = "user,a,b\n" + "1,5,3\n" * 30_000 + "2,4\r,3\n"
    assert "cannot be read after line" in refusal("r.csv", text, layout="user")

"""Any files end in ratings, or in a refusal that says what was found, where, and what to do."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled, DataError
from mips_core.base.progress import silent
from mips_core.data.ratings import read_ratings
from tests.mips_core.data.ratings.written import THREE, table


def test_a_folder_as_one_zip(load):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("ml/README.txt", "This data set\ndescribes ratings.\n")
        archive.writestr("ml/ratings.csv", table(",", "userId,movieId,rating"))
        archive.writestr("ml/tags.csv", "userId,movieId,tag,timestamp\nu9,i9,funny,1445714994\n")
        archive.writestr("ml/links.csv", "movieId,imdbId,tmdbId\ni1,0114709,862\n")
        archive.writestr("ml/movies.csv", "movieId,title\ni1,One (1999)\n")
    ratings = load("ml.zip", file.getvalue())
    assert list(zip(ratings.users, ratings.items, ratings.values, strict=True)) == THREE
    assert ratings.titles == {"i1": "One (1999)"}
    for name in ("README.txt", "tags.csv", "links.csv"):
        assert any(name in note and "Left out" in note for note in ratings.notes)
    assert "u9" not in ratings.user_names


SPARSE = "%%MatrixMarket matrix coordinate real general\n"


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


def test_negative_ratings_stand_but_have_no_logarithm(load, refusal):
    text = "user,item,rating\na,x,-9.5\na,y,10\nb,x,0\n"
    assert load("j.csv", text).values.tolist() == [-9.5, 10, 0]
    assert "no log" in refusal("j.csv", text, scale="log")


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

"""Every layout in which ratings are published."""

import gzip
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

THREE = [("u1", "i1", 4.0), ("u1", "i2", 2.5), ("u2", "i1", 1.0)]
LINES = [f"{user}{{0}}{item}{{0}}{value:g}" for user, item, value in THREE]


def table(sign, header="", extra=""):
    lines = [line.format(sign) + extra for line in LINES]
    return "\n".join([header] * bool(header) + lines) + "\n"


@pytest.mark.parametrize("sign", ["::", "\t", ",", ";", "|", " "])
@pytest.mark.parametrize("extra", ["", "880000000", "2005-03-12", "2005-03-12 10:11:12"])
def test_lines_without_header(triples, sign, extra):
    extra = extra.replace(" ", "T") if sign == " " else extra
    assert triples("any.name", table(sign, extra=sign * bool(extra) + extra)) == THREE


@pytest.mark.parametrize(
    "names",
    ["userId movieId rating", "user item rating", "USER_ID ITEM_ID SCORE",
     "User-ID ISBN Book-Rating",
     "uid iid value", "customer product stars", "reviewerID asin overall", "userID artistID weight",
     "user_id track_id plays", "user_id:token item_id:token rating:float", "user id rating",
     "visitorid itemid preference", "#user item rating",
     "review/userId product/productId review/score"],
)  # fmt: skip
def test_names_of_columns(triples, load, names):
    assert triples("any.csv", table(",", names.replace(" ", ","))) == THREE
    reordered = pd.DataFrame(THREE, columns=names.split())[names.split()[::-1]]
    assert triples("any.tsv", reordered.to_csv(sep="\t", index=False)) == THREE
    assert triples("index.csv", reordered.to_csv()) == THREE
    assert load("any.csv", table(",", names.replace(" ", ","))).offers.value == names.split()[2]


def test_ids_are_text(triples):
    ids = ["007", "7", "B0", "b0", "1e3", "1000", "é", "0x1", "-1", "NA", "nan", "None"]
    text = "user,item,rating\n" + "".join(f"{id},{id},{k % 2}\n" for k, id in enumerate(ids))
    assert [user for user, _, _ in triples("ids.csv", text)] == ids
    assert [item for _, item, _ in triples("ids.tsv", text.replace(",", "\t"))] == ids


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: "\ufeff" + t,
        lambda t: "".join(f'"{w}"' if w not in ",\n" else w for w in split(t)),
        lambda t: t.replace(",", " , "),
        lambda t: t.replace(",", ";").replace(".", ","),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: t.replace("\n", ",\n"),
        lambda t: t.rstrip("\n"),
        lambda t: t.encode("utf-16"),
        lambda t: gzip.compress(t.encode()),
    ],
    ids=[
        "crlf",
        "bom",
        "quoted",
        "blanks",
        "decimal-comma",
        "blank-lines",
        "trailing",
        "no-end",
        "utf16",
        "gz",
    ],
)
def test_ways_of_writing(triples, change):
    assert triples("r.csv", change(table(",", "user,item,rating"))) == THREE


def split(text):
    return pd.Series(list(text.replace("\n", " \n ").replace(",", " , ").split(" "))).loc[
        lambda words: words != ""
    ]


def test_netflix(triples, load):
    combined = "1:\n30,3,2005-01-02\n31,4,2005-01-03\n2:\n30,5,2005-01-02\n"
    expected = [("30", "1", 3.0), ("31", "1", 4.0), ("30", "2", 5.0)]
    assert triples("combined_data_1.txt", combined) == expected
    first, second = combined.split("2:\n")
    parts = ("mv_0000001.txt", first, "mv_0000002.txt", f"2:\r\n{second}")
    assert triples(*parts) == expected
    titles = '1,2003,Dinosaur Planet\n2,NULL,Café, the; or: a "film"\n'.encode("latin-1")
    ratings = load("movie_titles.csv", titles, *parts)
    assert ratings.titles == {"1": "Dinosaur Planet", "2": 'Café, the; or: a "film"'}
    assert any("Latin-1" in note for note in ratings.notes)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("movies.dat", b"i1::Caf\xe9 (1951)::Drama\ni3::Other (1952)::Comedy\n"),
        ("u.item", b"i1|Caf\xe9 (1951)|01-Jan-1951||http://a|0|1\ni3|B (1952)||||0|0\n"),
        ("movies.csv", "movieId,title,genres\ni1,Café (1951),Drama\n".encode()),
        ("x.item", "item_id:token\tmovie_title:token_seq\ni1\tCafé (1951)\n".encode()),
        ("artists.dat", "id\tname\turl\ni1\tCafé (1951)\thttp://a\n".encode()),
    ],
)
def test_titles(load, name, content):
    ratings = load("ratings.tsv", table("\t"), name, content)
    assert ratings.titles == {"i1": "Café (1951)"}
    assert ratings.title_of("i2") == "i2"
    assert any(f"Titles of 1 of 2 items come from {name}" in note for note in ratings.notes)


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


def test_json_lines(triples):
    text = (
        '{"reviewerID": "u1", "asin": "007", "helpful": [0, 1], "overall": 5.0, "reviewText": ""}\n'
        '{"reviewerID": 12, "asin": 1e3, "overall": "4", "unixReviewTime": 1355616000}\n'
    )
    assert triples("reviews.json", text) == [("u1", "007", 5.0), ("12", "1e3", 4.0)]


def test_arrays_of_users_and_items(triples):
    X = np.array([[5, 0, 3], [0, 1, 2.5]])
    rated = [("0", "0", 5.0), ("0", "2", 3.0), ("1", "1", 1.0), ("1", "2", 2.5)]
    assert triples("m.npy", saved(np.save, X)) == rated
    assert triples("m.npz", saved(np.savez, ratings=X)) == rated
    assert triples("s.npz", saved(sp.save_npz, sp.csr_matrix(X))) == rated
    holes = np.where(X == 5, np.nan, X)
    assert triples("nan.npy", saved(np.save, holes)) == [("0", "1", 0.0), *rated[1:2],
                                                         ("1", "0", 0.0), *rated[2:]]  # fmt: skip


def saved(save, *arrays, **named):
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


def test_tables_of_users_and_items(triples):
    X = pd.DataFrame(
        [[5, np.nan, 3, 1], [np.nan, 0, 2.5, 4]], ["u1", "u2"], ["i1", "i2", "i3", "i4"]
    )
    rated = [("u1", "i1", 5.0), ("u1", "i3", 3.0), ("u1", "i4", 1.0),
             ("u2", "i2", 0.0), ("u2", "i3", 2.5), ("u2", "i4", 4.0)]  # fmt: skip
    assert triples("pivot.csv", X.rename_axis("userId").to_csv()) == rated
    assert triples("pivot.csv", X.to_csv(sep=";", na_rep="NaN")) == rated
    assert triples("pivot.csv", X.to_csv(sep=";", decimal=",")) == rated
    by_number = X.set_axis([1, 20, 3, 400], axis=1)
    for frame in (by_number, by_number.rename_axis("userId")):
        assert triples("pivot.csv", frame.to_csv())[1] == ("u1", "3", 3.0)
        assert triples("pivot.csv", frame.set_axis([7, 8]).to_csv())[1] == ("7", "3", 3.0)
    numbered = X.fillna(0).assign(more=1).to_csv(header=False, index=False)
    assert ("1", "4", 1.0) in triples("plain.csv", numbered)
    assert ("1", "1", 0.0) not in triples("plain.csv", numbered)


@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
def test_matrix_market(triples, field):
    X = sp.coo_matrix(np.array([[5, 0, 3], [0, 1, 2]]))
    file = io.BytesIO()
    scipy.io.mmwrite(file, X, comment="made here", field=field)
    values = [1.0] * 4 if field == "pattern" else X.data.tolist()
    expected = [(str(r + 1), str(c + 1), v) for r, c, v in zip(X.row, X.col, values, strict=True)]
    assert sorted(triples("x.mtx", file.getvalue())) == sorted(expected)


def test_amazon_puts_its_products_first(triples):
    text = "B000639705,A60XNB876KYML,3.0,1397779200\n0005019281,A1YJEY40YUW4SE,1.0,1391040000\n"
    assert triples("Books.csv", text)[0] == ("A60XNB876KYML", "B000639705", 3.0)
    swapped = "".join(",".join(np.array(line.split(","))[[1, 0, 2, 3]]) + "\n"
                      for line in text.split())  # fmt: skip
    assert triples("Old.csv", swapped)[0] == ("A60XNB876KYML", "B000639705", 3.0)


def test_json_arrays(triples):
    rows = [{"user": user, "item": item, "stars": value} for user, item, value in THREE]
    assert triples("x.json", json.dumps(rows, indent=1)) == THREE
    assert triples("x.json", json.dumps(rows)) == THREE
    frame = pd.DataFrame(rows)
    assert triples("x.jsonl", frame.to_json(orient="records", lines=True)) == THREE


@pytest.mark.parametrize("write", [pd.DataFrame.to_parquet, pd.DataFrame.to_feather])
def test_columns_of_parquet_and_feather(triples, refusal, write):
    frame = pd.DataFrame(THREE, columns=["user_id", "asin", "overall"])
    assert triples("x.bin", written(write, frame)) == THREE
    dated = frame.assign(timestamp=pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-03"]))
    twice = pd.concat([dated, dated.assign(overall=9.0, timestamp=pd.Timestamp("2020-01-02"))])
    again = triples("x.bin", written(write, twice.reset_index(drop=True)))
    assert [value for _, _, value in again] == [9.0, 9.0, 1.0]
    numbers = pd.DataFrame({"item": [3, 1, 3], "user": [10.0, 2.0, np.nan], "rating": [1, 2, 3]})
    assert triples("n.bin", written(write, numbers[:2])) == [("10", "3", 1.0), ("2", "1", 2.0)]
    assert "no user or item in row 2" in refusal("n.bin", written(write, numbers))
    assert len(triples("n.bin", written(write, numbers), skip_bad=True)) == 2


def written(write, frame):
    file = io.BytesIO()
    write(frame, file)
    return file.getvalue()


def test_titles_whose_genres_are_cut_by_bars(load):
    movies = "movieId,title,genres\n" + "".join(f'{i},"M, The {i}",A|B\n' for i in range(3))
    ratings = load("r.csv", "userId,movieId,rating\n1,0,5\n1,1,3\n2,2,4\n", "movies.csv", movies)
    assert ratings.titles == {str(i): f"M, The {i}" for i in range(3)}


@pytest.mark.parametrize(("odd", "scale"), [(-1, "1 to 9"), (99, "1 to 9")])
def test_a_value_that_may_mean_not_rated_is_remarked_on(load, odd, scale):
    values = [*range(1, 10), odd, odd]
    lines = "".join(f"{u % 3},{u},{value}\n" for u, value in enumerate(values))
    notes = " ".join(load("r.csv", "user,item,rating\n" + lines).notes)
    assert f"The value {odd} occurs 2 times; all others are from {scale}" in notes


def test_scales_without_a_value_apart_are_not_remarked_on(load):
    lines = "".join(f"{u % 3},{u},{value}\n" for u, value in enumerate([-2, -1, 0, 1, 2, 98, 99]))
    assert "not rated" not in " ".join(load("r.csv", "user,item,rating\n" + lines).notes)

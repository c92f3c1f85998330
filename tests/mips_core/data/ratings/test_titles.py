"""Files of titles beside ratings."""

import pytest

from tests.mips_core.data.ratings.written import table


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


def test_titles_whose_genres_are_cut_by_bars(load):
    movies = "movieId,title,genres\n" + "".join(f'{i},"M, The {i}",A|B\n' for i in range(3))
    ratings = load("r.csv", "userId,movieId,rating\n1,0,5\n1,1,3\n2,2,4\n", "movies.csv", movies)
    assert ratings.titles == {str(i): f"M, The {i}" for i in range(3)}

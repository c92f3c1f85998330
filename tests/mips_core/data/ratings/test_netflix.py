"""The layout of the Netflix Prize."""


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

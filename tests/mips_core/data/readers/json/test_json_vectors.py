"""JSON and JSON Lines: every way to write vectors gives the same, every fault is named."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers.choices import NONE, UnsettledError
from mips_core.data.readers.contract import Source, recognise
from mips_core.data.readers.json import stream
from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.tables import read_table

V = np.random.default_rng(0).normal(size=(4, 3)).round(4).tolist()
WORDS = ["amber", "ice cream", "Señor", '"q", 1']
PAIRS = list(zip(WORDS, V, strict=True))
X = np.array(V, np.float32)
ROWS = [{"id": 10 + i, "title": word, "vector": v} for i, (word, v) in enumerate(PAIRS)]
FRAME = pd.DataFrame(V, columns=["f0", "f1", "f2"]).assign(word=WORDS)
LISTED = pd.DataFrame({"word": WORDS, "embedding": V})


ORIENTS = ("records", "columns", "index", "split", "table", "values")
FRAMES = {
    "names and words": pd.DataFrame(V, columns=["f0", "f1", "f2"], index=WORDS),
    "names alone": pd.DataFrame(V, columns=["x1", "x2", "x3"]),
    "numbers and words": pd.DataFrame(V, index=WORDS),
    "numbers alone": pd.DataFrame(V),
    "as wide as long": pd.DataFrame(V[:3], columns=["f0", "f1", "f2"]),
    "one row": pd.DataFrame(V[:1], columns=["f0", "f1", "f2"]),
    "one column": pd.DataFrame([row[:1] for row in V], columns=["f0"], index=WORDS),
    "features": pd.DataFrame(V, columns=["height", "width", "age"], index=WORDS),
}
UNCERTAIN = ("numbers and words", "numbers alone", "features")


def one_a_line(rows, end="\n", last="\n"):
    return end.join(json.dumps(row) for row in rows) + last


@pytest.fixture
def table(tmp_path):
    def table(content, name="x.json", **choices):
        if not isinstance(content, str | bytes):
            content = json.dumps(content)
        return read_table(tmp_path, name, content, **choices)

    return table


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_read_as_it_was_or_asked_about(table, kind, orient):
    frame = FRAMES[kind]
    content = frame.to_json(orient=orient)
    uncertain = orient in ("columns", "index") and kind in UNCERTAIN
    rows, columns = ("inner names", "outer names")[:: 1 if orient == "columns" else -1]
    if uncertain:
        with pytest.raises(UnsettledError) as caught:
            table(content)
        assert [offer.name for offer in caught.value.offers.arrays] == ["outer names",
                                                                        "inner names"]  # fmt: skip
        turned = table(content, array=columns)
        np.testing.assert_array_equal(turned.vectors, frame.to_numpy(np.float32).T)
    found = table(content, array=rows if uncertain else "")
    np.testing.assert_array_equal(found.vectors, frame.to_numpy(np.float32))
    if frame.index.dtype != int and orient not in ("records", "values"):
        assert found.labels == list(frame.index)


def test_numbers_one_by_one_in_a_large_object_are_refused_in_words(refused, monkeypatch):
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 1000)
    frame = pd.DataFrame(np.ones((400, 3)), columns=["f0", "f1", "f2"])
    for orient in ("index", "columns"):
        assert "single values by name" in refused(frame.to_json(orient=orient)).found


@pytest.fixture
def refused(table):
    def refused(content, kind=DataError, **more):
        with pytest.raises(DataError) as caught:
            table(content, **more)
        assert isinstance(caught.value, UnsettledError) == (kind is UnsettledError)
        assert caught.value.remedy
        return caught.value

    return refused


def check(found, labels=None):
    np.testing.assert_array_equal(found.vectors, X)
    assert found.vectors.dtype == np.float32
    assert (None if found.labels is None else list(found.labels)) == labels
    return found


def named(**more):
    return {"model": "m", "embeddings": V, **more}


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        (V, None),
        (json.dumps(V, indent=2), None),
        (one_a_line(V), None),
        (ROWS, WORDS),
        (json.dumps(ROWS, indent=1), WORDS),
        (one_a_line(ROWS), WORDS),
        ("\ufeff\n" + one_a_line(ROWS, end="\r\n\r\n \t\r\n", last=""), WORDS),
        (dict(PAIRS), WORDS),
        ({"dim": 3, "words": dict(PAIRS)}, WORDS),
        ({word: {"values": v, "count": 2} for word, v in PAIRS}, WORDS),
        ({"vectors": {word: {"values": v, "id": word} for word, v in PAIRS}}, WORDS),
        (named(), None),
        (named(words=WORDS), WORDS),
        (named(ids=WORDS, documents=list("abcd"), metadatas=[{"a": 1}, None, {}, {}]), WORDS),
        ({"id": "x", "embeddings": {"float": V}, "texts": WORDS}, WORDS),
        ({"embeddings": [{"values": v} for v in V]}, None),
        ({"object": "list", "data": [{"object": "embedding", "index": i, "embedding": v}
                                     for i, v in enumerate(V)], "usage": {"n": 5}}, list("0123")),
        ({"result": {"points": [{"payload": {"title": word}, "vector": v}
                                for word, v in PAIRS]}}, WORDS),
        ([{"id": "b", "response": {"body": {"data": [{"embedding": v}]}}, "custom_id": word}
          for word, v in PAIRS], WORDS),
        ([{"id": i, "content": word, "embedding": str(v)}
          for i, (word, v) in enumerate(PAIRS)], WORDS),
        ([[word, *v] for word, v in PAIRS], WORDS),
        ([[word, v] for word, v in PAIRS], WORDS),
        ({"word": WORDS, **{f"f{j}": column for j, column in enumerate(X.T.tolist())}}, WORDS),
        *((frame.to_json(orient=orient), WORDS) for frame in (FRAME, LISTED)
          for orient in ("records", "columns", "index", "split", "table", "values")),
        (FRAME.to_json(orient="records", lines=True), WORDS),
    ],
)  # fmt: skip
def test_every_way_gives_the_same(table, content, labels):
    check(table(content), labels)


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt", "x"])
def test_the_content_counts_and_not_the_name(table, name):
    check(table(one_a_line(ROWS), name), WORDS)
    check(table(ROWS, name), WORDS)


def test_words_that_are_ids_come_before_texts(shared, table):
    found = table((shared / "cases/bin/embeddings.jsonl").read_bytes(), "embeddings.jsonl")
    assert found.vectors.shape == (14, 6)
    assert found.labels[0] == "amber"
    assert found.labels[-1] == "north"
    assert found.notes == ["Field “id” is taken as labels.", "Field left out: “text”."]


def test_hashes_do_not_come_before_texts(table):
    rows = [{"id": f"{i:032x}", "text": word, "v": v} for i, (word, v) in enumerate(PAIRS)]
    check(table(rows), WORDS)


def test_one_vector_is_enough(table):
    assert table([1, 2.5]).vectors.tolist() == [[1, 2.5]]
    assert "one vector" in table([1, 2.5]).notes[0]
    assert table({"embedding": [1, 2.5], "text": "hi"}).labels == ["hi"]
    assert table({"king": [1, 2.5]}).labels == ["king"]


def test_named_arrays_have_roles(table):
    found = check(table(named(labels=WORDS, queries=V[:2], other="x")), WORDS)
    np.testing.assert_array_equal(found.queries, X[:2])
    assert found.offers.array == "embeddings"
    assert found.offers.queries == "queries"
    layer = table({"W": V, "b": [0.5, 1, 2, 3], "hidden": V[:1]})
    np.testing.assert_array_equal(layer.bias, [0.5, 1, 2, 3])
    assert layer.queries.shape == (1, 3)


def test_arrays_are_chosen_among_several(table, refused):
    content = {"a": V, "b": V[:2], "names": WORDS}
    offers = refused(content, UnsettledError).offers
    assert [offer.name for offer in offers.arrays] == ["a", "b"]
    found = check(table(content, array="a", queries="b", label="names"), WORDS)
    assert found.queries.shape == (2, 3)
    assert "“c”" in refused(content, array="c").found


def test_fields_are_chosen_among_several(table, refused):
    rows = [{"t": word, "a": v, "b": v[::-1], "n": i}
            for i, (word, v) in enumerate(PAIRS)]  # fmt: skip
    offers = refused(rows, UnsettledError).offers
    assert [(offer.name, offer.about) for offer in offers.arrays] == [
        ("a", "lists of 3 numbers"),
        ("b", "lists of 3 numbers"),
    ]
    found = check(table(rows, array="a", label="n"), list("0123"))
    assert [offer.name for offer in found.offers.labels] == ["t", "n"]
    assert found.offers.labels[0].about.startswith("amber, ice cream")
    assert (found.offers.array, found.offers.label, found.offers.header) == ("a", "n", None)
    check(table(rows, array="a", label=NONE), None)
    assert "“zz”" in refused(rows, array="a", label="zz").found
    assert "It has: “a”, “b”." in refused(rows, array="t").remedy


def test_arrays_of_objects_are_chosen_among_several(table, refused):
    content = {"first": ROWS, "second": ROWS[:2]}
    assert len(refused(content, UnsettledError).offers.arrays) == 2
    check(table(content, array="first"), WORDS)


def test_a_name_that_stands_twice(table, refused):
    assert table('{"a": [1, 2], "a": [3, 4]}').labels == ["a", "a"]
    assert "“a” twice" in refused('{"a": [[1, 2]], "a": [[3, 4]]}').found
    assert "“v” twice" in refused('[{"v": [1, 2], "v": [3, 4]}]').found


def test_labels_that_are_no_text_are_shown(table):
    for content in (b'{"a\xff": [1, 2], "b": [3, 4]}', '{"a\\ud800": [1, 2], "b": [3, 4]}'):
        found = table(content)
        assert found.labels[1] == "b"
        assert found.labels[0].startswith("a\ufffd")
        assert "1 label is not UTF-8 (row 0)" in found.notes[0]


NUMBERS = st.lists(st.floats(-(2.0**49), 2.0**49, width=32), min_size=3, max_size=3)


@given(
    st.lists(st.tuples(st.text(), NUMBERS), min_size=2, max_size=9),
    st.sampled_from(["lines", "rows", "names", "pretty", "named"]),
    st.integers(9, 90),
)
def test_written_is_read_in_every_bit(tmp_path_factory, pairs, way, block):
    words = ["w", *(word for word, _ in pairs[1:])]
    vectors = [v for _, v in pairs]
    rows = [{"title": word, "vector": v} for word, v in zip(words, vectors, strict=True)]
    content = {
        "lines": one_a_line(rows, last=""),
        "rows": json.dumps(rows, ensure_ascii=False),
        "names": "{"
        + ",".join(f"{json.dumps(w)}: {v}" for w, v in zip(words, vectors, strict=True))
        + "}",
        "pretty": json.dumps(rows, indent=2),
        "named": json.dumps({"labels": words, "vectors": vectors}),
    }[way]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "BLOCK", block)
        patch.setattr(stream, "BULK", 2 * block)
        patch.setattr(lines, "BLOCK", block)
        content = content.encode(errors="surrogatepass")
        found = read_table(tmp_path_factory.mktemp("json"), "x.json", content)
    np.testing.assert_array_equal(found.vectors, np.array(vectors, np.float32))
    plain = [word.encode(errors="replace").decode() == word for word in words]
    assert [a == b for a, b in zip(found.labels, words, strict=True)] == plain


BAD = [[1, 2], [None, 2], None, "x", [1, "2"], [True, 1], [float("nan"), 1], [10**400, 1],
       [1e300, 1], [1, 2, 3], [], [[1], 2], {"a": 1}, [3, 4]]  # fmt: skip


@pytest.mark.parametrize("lines_", [False, True])
def test_bad_rows_are_counted_and_left_out(table, refused, lines_):
    content = one_a_line(BAD) if lines_ else BAD
    error = refused(content, UnsettledError)
    assert error.offers.bad_rows == 12
    where = "line 4" if lines_ else "row 3"
    assert f"{where} is the text “x” where a list of numbers is needed; 11 more" in error.found
    found = table(content, skip_bad=True)
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    assert found.offers.bad_rows == 12
    assert found.notes[-1].startswith("12 rows were left out: null in " + where[:4])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([None, 2], "null in row 1"),
        ([float("nan"), 2], "NaN in row 1"),
        ([float("-inf"), 2], "-inf in row 1"),
        ([10**400, 2], "a number out of range in row 1"),
        ([10**16, 2], "a number out of range in row 1"),
        ([1e99, 2], "1e+99 in row 1"),
        ([1], "row 1 has 1 number, the others have 2"),
        (["0.5", 2], "row 1 holds the text “0.5” where a number is needed"),
        ([False, 2], "row 1 holds false where"),
        ({"a": 1}, "row 1 is an object where"),
    ],
)
def test_a_bad_row_is_named(refused, row, words):
    assert words in refused([[1, 2], row, [3, 4], [5, 6]], UnsettledError).found


LINE = '{"w": "a", "v": [1, 2]}\n'


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"w": "b"}', "no vector in line 3, field “v”"),
        ('{"w": "b", "v": null}', "no vector in line 3, field “v”"),
        ('{"w": "b", "v": [1]}', "line 3, field “v”, has 1 number, the others have 2"),
        ('{"w": "b", "v": "zz"}', "line 3, field “v”, is the text “zz”"),
        ('{"w": "b", "v": [NaN, 1]}', "NaN in line 3, field “v”"),
        ('{"w": "b", "v": [1, {}]}', "line 3, field “v”, holds an object"),
        ("[1, 2]", "line 3 is a list where an object is needed"),
        ('{"w": "b", "v": [1,', "line 3 is not JSON: it ends in the middle of a value"),
        ('{"w": "b, "v": [1, 2]}', "line 3 is not JSON: in column 12"),
        ('{"w": "b", "v": [1, 2]},', "line 3 is not JSON: in column 24 something follows"),
        ('{"w": "b", "w": "c", "v": [1, 2]}', "“w” twice"),
        ("[" * 20_000, "line 3 is not JSON: its brackets are nested too deeply"),
        ("[" + "9" * 5000 + "]", "line 3 is not JSON: a whole number has too many digits"),
        ("{'w': 'b'}", "line 3 is not JSON: in column 2 a name in double quotes"),
    ],
)
def test_a_bad_line_is_named_and_may_be_left_out(table, refused, line, words):
    content = LINE + "\n" + line + "\n" + LINE + LINE
    error = refused(content, UnsettledError, name="x.jsonl")
    assert words in error.found
    assert error.offers.bad_rows == 1
    found = table(content, "x.jsonl", skip_bad=True)
    assert found.labels == ["a", "a", "a"]
    assert words in found.notes[-1]


def test_a_file_of_lines_cut_short_keeps_its_rows_if_asked(table):
    whole = one_a_line(ROWS, last="")
    for end in range(len(whole) - 1, len(json.dumps(ROWS[0])) + 8, -1):
        found = table(whole[:end], "x.jsonl", skip_bad=True)
        np.testing.assert_array_equal(found.vectors, X[: len(found.vectors)])


def test_a_document_cut_short_is_refused(refused):
    for content in (json.dumps(ROWS), json.dumps(named(words=WORDS)), json.dumps(V, indent=1)):
        for end in range(1, len(content)):
            error = refused(content[:end])
            assert "cut short" in error.found or "no vectors" in error.found


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[[1, 2],\n [3; 4]]", "line 2, column 4: a comma or a closing bracket is missing"),
        ("[[1, 2],\n [3, 4],]", "line 2, column 9: a value is missing"),
        ("[[1, 2]\n [3, 4]]", "line 2, column 2: a comma or a closing bracket is missing"),
        ("{'a': [1, 2]}", "line 1, column 2: a name in double quotes is missing"),
        ('{"a": [1, 2] "b": [3, 4]}', "line 1, column 14: a comma or a closing brace"),
        ('{"a" [1, 2]}', "line 1, column 6: a colon is missing"),
        ('{"a": [1, 2], 3: 4}', "line 1, column 15: a name in double quotes"),
        ('{"a": [1, nul]}', "line 1, column 11: a value is missing"),
        ('[{"a": "b\nc"}]', "line 1, column 10: a text holds a line break"),
        ("[\n[1, 2]\n]\n[3]", "line 4, column 1: something follows the end"),
        ("[[" + "9" * 5000 + "]]", "a whole number has too many digits"),
        ("[]", "only an empty array"),
        ("{}", "only an empty object"),
        ('["a", "b"]', "an array of text"),
        ("[true, false]", "an array of true and false"),
        ("[null, null]", "row 0 is null"),
        ("[[], []]", "row 0 is an empty list"),
        ([[V, V], [V, V]], "several vectors a row: row 0 has 2"),
        ([{"embedding": [V[0], V[1]]}], "lists of lists in field “embedding”"),
        ({"name": "x", "deps": {"a": "1"}, "files": ["a"]}, "the keys “name”, “deps”, “files”"),
        ({"added_tokens": [{"id": 0, "content": "x"}], "model": {"vocab": {"a": 0}}},
         "the keys “added_tokens”, “model”"),
        ({"a": [{"price": 3, "year": 1999}]}, "the keys “a”"),
        ([{"a": "x"}, {"a": "y"}], "its fields are “a”"),
        ({"type": "FeatureCollection", "features": [{"geometry": {"coordinates": [1.5, 2]}}]},
         "GeoJSON"),
        ({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": {"values": ROWS}},
         "a Vega chart"),
        ({"cells": [], "nbformat": 4}, "a notebook"),
        ([{"embedding": "AAAAPwAAgD8AAABAAAAAPwAAgD8AAABA"}], "encoded text: field “embedding”"),
        ([{"reviewerID": "A", "asin": "B", "overall": 5}, {"reviewerID": "A", "asin": "C",
          "overall": 4}], "ratings, not vectors"),
    ],
)  # fmt: skip
def test_what_holds_no_vectors_is_named(refused, content, words):
    assert words in refused(content).found


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '{"a":' * 100_000, "[[1,2]," + "[" * 100_000, "[1]\n" + "[" * 100_000,
     '{"a": ' + "[" * 50_000 + "]" * 50_000 + "}", "[" * 300 + "]" * 300],
)  # fmt: skip
def test_depth_is_refused_at_once(refused, content):
    start = time.process_time()
    refused(content, UnsettledError if "\n" in content else DataError)
    assert time.process_time() - start < 3


def test_limits_are_named(refused, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    monkeypatch.setattr(stream, "BULK", 64)
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 2**20)
    assert "larger than 1 MB" in refused(json.dumps([[0.5] * 300_000])).found
    monkeypatch.setattr(limits, "MAX_VALUES", 10)
    for content in (V, named(), dict(PAIRS), one_a_line(ROWS)):
        assert "more than 10 numbers" in refused(content).found
    many = {f"a{i}": [[1, 2]] for i in range(300)}
    monkeypatch.setattr(limits, "MAX_VALUES", 10_000)
    assert "more than 256 arrays" in refused(many).found


def test_arrays_too_large_to_hold_are_read_in_pieces(table, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 100)
    rows = [[float(i), 0.5] for i in range(99)]
    words = [f"word {i}" for i in range(99)]
    for content in ({"words": words, "vectors": rows}, {"in": {"words": words, "vectors": rows}},
                    {"all": dict(zip(words, rows, strict=True))}):  # fmt: skip
        found = table(content)
        assert found.vectors.tolist() == rows
        assert found.labels == words


def test_rows_keep_their_order_where_some_are_odd(table):
    found = table([None, *BAD[:1], "x", [3, 4], [5, 6]], skip_bad=True)
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert "no vector in row 0; row 2 is" in found.notes[-1]
    labels = table({"v": [[1, 2], [None, 1], [3, 4]], "labels": list("abc")}, skip_bad=True).labels
    assert labels == ["a", "c"]


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("glove.txt", "[ 0.1 0.2\n{ 0.3 0.4\n", "vectors_text"),
        ("cells.csv", "[0.1, 0.2];king\n[0.3, 0.4];queen\n", "table"),
        ("x.csv", '"[0.1, 0.2]"\n"[0.3, 0.4]"\n', "table"),
        ("print.txt", "[[0.1 0.2]\n [0.3 0.4]]\n", "foreign"),
        ("x.txt", '{"v": [1]', "json"),
        ("x.json", "0.1,0.2\n0.3,0.4\n", "table"),
    ],
)
def test_other_text_with_brackets_is_left_to_its_readers(tmp_path, name, content, key):
    (tmp_path / name).write_text(content)
    assert recognise(Source.of(tmp_path / name)).key == key


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        assert "x.json" in message
        raise Cancelled

    for content in (json.dumps(V), one_a_line(V)):
        with pytest.raises(Cancelled):
            read_table(tmp_path, "x.json", content, progress=stop)


def test_labels_and_names_are_bounded(refused, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    assert "4 labels; the limit is 3" in refused(ROWS).found
    monkeypatch.setattr(limits, "MAX_JSON_NAMES", 3)
    assert "more than 3 names" in refused(dict(PAIRS)).found


def test_a_missing_number_in_the_first_row_is_no_missing_dimension(table):
    with pytest.raises(UnsettledError, match="null in row 0"):
        table([[1.0, None], [2.0, 3.0]])

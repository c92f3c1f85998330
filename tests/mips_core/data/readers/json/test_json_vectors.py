"""JSON and JSON Lines: every way to write vectors gives the same, every bad line is named."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled
from mips_core.data.readers.choices import UnsettledError
from mips_core.data.readers.contract import Source, recognise
from mips_core.data.readers.csv.column_roles import KNOWN
from mips_core.data.readers.json import stream
from mips_core.data.readers.names import plain
from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.json.json_writing import (
    PAIRS,
    ROWS,
    WORDS,
    V,
    X,
    check,
    named,
    one_a_line,
)
from tests.mips_core.data.readers.tables import read_table

FRAME = pd.DataFrame(V, columns=["f0", "f1", "f2"]).assign(word=WORDS)
LISTED = pd.DataFrame({"word": WORDS, "embedding": V})


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


def test_one_vector_is_enough(table):
    assert table([1, 2.5]).vectors.tolist() == [[1, 2.5]]
    assert "one vector" in table([1, 2.5]).notes[0]
    assert table({"embedding": [1, 2.5], "text": "hi"}).labels == ["hi"]
    assert table({"king": [1, 2.5]}).labels == ["king"]


def test_among_many_words_one_may_be_called_as_vectors_are(table):
    words = [*map(str, range(20)), "x"]
    assert table({word: [i, 1.5] for i, word in enumerate(words)}).labels == words
    few = table({"x": [1, 2.5], "y": [3, 4.5]})
    assert few.vectors.tolist() == [[1, 2.5]]
    assert few.notes == ["Field left out: “y”."]


NAMES = st.text().filter(lambda name: plain(name) not in KNOWN)  # which may be one object's vector
NUMBERS = st.lists(st.floats(-(2.0**49), 2.0**49, width=32), min_size=3, max_size=3)


@given(
    st.lists(st.tuples(NAMES, NUMBERS), min_size=2, max_size=9),
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

"""A value that is not understood is never dropped in silence: it is read, or refused by name."""

import json
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import DataError
from mips_core.data.open_files import open_files
from tests.mips_core.data.readers.test_cases import read_or_refusal

BRACKETS = (
    ("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), ("[[", "]]"), ("([", "])"), ("{[", "]}"),
    ("tensor([", "])"), ("np.array([", "])"), ("array([", "], dtype=float32)"),
    ("tensor([", "], device='cuda:0')"), ("STRING_TO_VECTOR('[", "]')"), ("'[", "]'"),
    ("'{", "}'"), ("'", "'"), ("[ ", " ]"), ('"{', '}"'), ('"<', '>"'), ("[[", "],[0.5]]"),
    ('"[[', '],[0.5]]"'), ("{", ")"), ("(", ""),
)  # fmt: skip
WORDS = ("alder{i}", "{i}", "'w{i}'", "(w{i}", "('w{i}'", "w{i} x", "v{i},7", '"w{i}"', "w{i}:",
         "", "1.{i}5", "{{'w{i}'")  # fmt: skip


def check(path, X, named):
    """All of X were read, or nothing, and the reason is one that is `named`."""
    data = read_or_refusal([path])
    if isinstance(data, DataError):
        assert re.search(named, data.found)
    else:
        np.testing.assert_allclose(data.items, X.astype(np.float32), rtol=1e-6)


@given(
    bracket=st.sampled_from(BRACKETS),
    word=st.sampled_from(WORDS),
    sign=st.sampled_from([",", ", ", "\t", " ", ":", ": ", ";", "="]),
    inner=st.sampled_from([",", ", ", " ", ";", "|"]),
    head=st.sampled_from(["", "id,vec\n", "word vector\n", "# remark\n"]),
    tail=st.sampled_from(["", "", "", ",", "),", ");", "]"]),
    suffix=st.sampled_from(["csv", "tsv", "txt"]),
    shape=st.tuples(st.sampled_from([1, 2, 4, 30]), st.sampled_from([1, 2, 3, 5])),
    seed=st.integers(0, 2**16),
)
def test_any_bracket_is_read_whole_or_refused(
    tmp_path_factory, bracket, word, sign, inner, head, tail, suffix, shape, seed
):
    X = np.random.default_rng(seed).normal(size=shape).round(3)
    lines = [
        f"{label}{sign if label else ''}{bracket[0]}{inner.join(map(str, row))}{bracket[1]}{tail}\n"
        for label, row in ((word.format(i=i), row) for i, row in enumerate(X.tolist()))
    ]
    path = tmp_path_factory.mktemp("brackets") / f"x.{suffix}"
    path.write_text(head + "".join(lines))
    check(path, X, r"line|column|row|bracket|Python|vectors|table|array")


def nested(inner, steps):
    """`inner` inside objects and lists of one, as `steps` say, from the inside out."""
    for step in steps:
        inner = [inner] if step == "[" else {step: inner}
    return inner


@given(
    steps=st.lists(st.sampled_from(["data", "response", "[", "chunks", "x"]), max_size=4),
    counts=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    named=st.sampled_from(["embedding", "values", "other", ""]),
    beside=st.dictionaries(
        st.sampled_from(["score", "status_code", "id", "n"]), st.integers(0, 300), min_size=1
    ),
    document=st.sampled_from(["lines", "array", "object"]),
)
def test_any_nesting_gives_all_vectors_or_is_refused(
    tmp_path_factory, steps, counts, named, beside, document
):
    V = np.random.default_rng(0).normal(size=(sum(counts), 4)).round(3)
    rest = iter(V.tolist())
    rows = []
    for count in counts:
        vectors = [{named: next(rest)} if named else next(rest) for _ in range(count)]
        inner = nested(vectors if count > 1 else vectors[0], steps)
        rows.append({**beside, "field": inner})
    path = tmp_path_factory.mktemp("nesting") / ("x.jsonl" if document == "lines" else "x.json")
    if document == "lines":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.write_text(json.dumps(rows if document == "array" else {"data": rows}))
    check(path, V, r"field|row|line|vectors|keys")


@given(
    sign=st.sampled_from([",", ";", "\t", "|"]),
    above=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\r\n\"\x85\u2028\u2029",
                              exclude_categories=["Cc", "Cs"]), min_size=1, max_size=40)
        .filter(lambda line: line.strip()[:1] not in ("", *"{[<%#"))
        .filter(lambda line: not re.search(r"\d.*\d|user|item|rat", line, re.I)),
        min_size=1, max_size=3,
    ),
    mark=st.sampled_from(["# ", "#", "% ", "//", "", "sep=", "Export of "]),
    names=st.sampled_from([("user_id", "item_id", "rating"), ("userId", "movieId", "rating"),
                           ("reviewer", "asin", "overall"), ("user", "item", "score")]),
)  # fmt: skip
def test_any_remark_before_the_header_of_ratings_is_passed_over(
    tmp_path_factory, sign, above, mark, names
):
    triples = [(u, i, 1 + (u + 2 * i) % 5) for u in range(8) for i in range(u % 3, 9, 2)]
    path = tmp_path_factory.mktemp("remarks") / "x.csv"
    head = sign.join(names)
    path.write_text(
        "".join(f"{mark}{line}\n" for line in above) + head + "\n"
        + "".join(sign.join(map(str, triple)) + "\n" for triple in triples), "utf-8"
    )  # fmt: skip
    ratings = open_files([path]).ratings
    assert ratings is not None
    assert (ratings.n_users, ratings.n_items, ratings.n_ratings) == (8, 9, len(triples))
    assert ratings.values.tolist() == [value for _, _, value in triples]

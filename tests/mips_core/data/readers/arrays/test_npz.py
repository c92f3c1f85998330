"""Which arrays of an .npz are items, queries and labels."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.arrays.npz_writing import X, Y, npy, npz, zipped
from tests.mips_core.data.readers.outcomes import outcome

WORDS = np.array(["a", "b", "c", "d", "é", "f"])


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("change", [np.asarray, np.asfortranarray, lambda a: a.astype(">f8")])
def test_the_only_table_is_read(load, save, change):
    data = load("one.npz", npz(save, whatever=change(X)))
    np.testing.assert_array_equal(data.items, X)
    assert not data.notes


@pytest.mark.parametrize(
    ("items", "queries"),
    [("items", "queries"), ("item_factors", "user_factors"), ("V", "U"), ("train", "test"),
     ("itemFactors", "userFactors"), ("foo", "queries")],
)  # fmt: skip
def test_items_and_queries_are_told_by_name(load, items, queries):
    data = load("two.npz", npz(**{queries: Y, items: X}))
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    assert any(items in note and "items" in note for note in data.notes)


def test_embeddings_come_before_other_tables(load):
    data = load("emb.npz", npz(other=Y, embeddings=X))
    np.testing.assert_array_equal(data.items, X)
    assert data.m == 0
    assert "Left out: “other”." in data.notes


def test_text_before_numbers_are_labels(load):
    data = load("l.npz", npz(ids=np.arange(6), embeddings=X, labels=WORDS, short=WORDS[:3]))
    assert data.labels == list(WORDS)
    assert load("i.npz", npz(ids=np.arange(6), embeddings=X)).labels == list("012345")
    assert load("n.npz", npz(ids=np.arange(5), embeddings=X)).labels is None


def test_candidates_are_listed_where_names_do_not_tell(refusal):
    text = refusal("ab.npz", npz(a=X, b=Y))
    assert "“a” (6 × 4, float32)" in text
    assert "“b” (9 × 4, float32)" in text


def test_factors_that_do_not_fit_are_not_guessed(refusal):
    assert "4 × 6" in refusal("svd.npz", npz(U=X, s=np.ones(4), Vt=X.T.copy()))


def test_objects_are_left_closed(load, refusal):
    objects = np.array([None] * 6, dtype=object)
    assert any("never opened" in note for note in load("o.npz", npz(x=X, labels=objects)).notes)
    assert "pickle" in refusal("only.npz", npz(x=objects))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npz(), "no arrays"),
        (npz(x=X[0]), "one-dimensional"),
        (npz(x=X[0], y=WORDS), "“x” (4, float32), “y” (6, text"),
        (npz(x=X)[:-40], "cut short"),
        (npz(format=b"csr", indices=X[0], indptr=X[0], shape=X[0], data=X[0]), "sparse"),
    ],
    ids=["empty", "flat", "no table", "cut", "scipy"],
)
def test_other_content_is_refused(refusal, content, words):
    assert words in refusal("bad.npz", content)


def test_stored_numbers_keep_their_dtype(tmp_path):
    (tmp_path / "a.npz").write_bytes(npz(items=X.astype("f2"), queries=Y.astype(">f8")))
    data = read(tmp_path / "a.npz", keep_dtype=True)
    assert (data.items.dtype, data.queries.dtype) == (np.float16, np.float64)
    np.testing.assert_array_equal(data.queries, Y)


def test_choices_are_followed(tmp_path):
    (tmp_path / "a.npz").write_bytes(npz(a=X, b=Y, words=WORDS, n=np.arange(6)))
    data = read(tmp_path / "a.npz", Choices(array="a", queries="b", label="n"))
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    assert data.labels == list("012345")
    with pytest.raises(DataError, match="no table “c”"):
        read(tmp_path / "a.npz", Choices(array="c"))


@pytest.mark.parametrize(
    "arrays",
    [{"W": X, "b": X[:, 0], "H": Y}, {"kernel": X.T, "bias": X[:, 0], "hidden_states": Y}],
    ids=["rows", "columns"],
)
def test_a_classifier_layer_becomes_items_and_queries(load, arrays):
    data = load("layer.npz", npz(**arrays))
    np.testing.assert_array_equal(data.items, np.column_stack([X, X[:, 0]]))
    np.testing.assert_array_equal(data.queries, np.column_stack([Y, np.ones(9)]))
    assert data.logits


def test_answers_of_a_benchmark_are_left_out(load):
    data = load("t.npz", npz(train=X, test=Y, neighbors=np.zeros((9, 3), int), distances=Y[:, :3]))
    np.testing.assert_array_equal(data.queries, Y)
    assert "Left out: “neighbors”, “distances”." in data.notes


def test_text_of_no_length_is_blank(load):
    text = io.BytesIO()
    fields = {"descr": "<U0", "fortran_order": False, "shape": (6,)}
    np.lib.format.write_array_header_1_0(text, fields)
    content = zipped(("x.npy", npy(X)), ("labels.npy", text.getvalue()))
    assert set(load("a.npz", content).labels) == {"␠"}


def test_labels_beyond_the_limit_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 5)
    assert "6 labels; the limit is 5" in refusal("a.npz", npz(x=X, labels=WORDS))


def test_any_zip_called_npz_is_looked_into(load, refusal):
    assert "no arrays" in refusal("a.npz", zipped(("notes.txt", b"hello")))
    np.testing.assert_array_equal(load("a.zip.bak", zipped(("x.npy", npy(X)))).items, X)


@given(st.binary(min_size=1, max_size=40), st.floats(0, 1))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, share):
    whole = npz(embeddings=X, labels=WORDS)
    at = int(share * len(whole))
    path = tmp_path_factory.mktemp("npz") / "noise.npz"
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)

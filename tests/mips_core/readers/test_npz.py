"""Which arrays of an .npz are items, queries and labels."""

import io

import numpy as np
import pytest

from mips_core import limits

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
WORDS = np.array(["a", "b", "c", "d", "é", "f"])


def npz(save=np.savez, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


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
    assert "“a” (6 × 4)" in text
    assert "“b” (9 × 4)" in text


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
        (npz(x=X[0], y=WORDS), "“x” (4, float32), “y” (6, str"),
        (npz(x=X)[:-40], "cut short"),
        (npz(format=b"csr", indices=X[0], indptr=X[0], shape=X[0], data=X[0]), "sparse"),
    ],
    ids=["empty", "flat", "no table", "cut", "scipy"],
)
def test_other_content_is_refused(refusal, content, words):
    assert words in refusal("bad.npz", content)


def test_damaged_data_is_refused(refusal):
    content = bytearray(npz(np.savez_compressed, x=np.tile(X, (40, 1))))
    content[300:330] = bytes(30)
    assert "damaged" in refusal("bad.npz", bytes(content))


def test_unpacked_size_is_bounded(refusal, monkeypatch):
    content = npz(np.savez_compressed, x=np.ones((500, 50)))
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", len(content) + 10)
    assert "the limit is" in refusal("bomb.npz", content)

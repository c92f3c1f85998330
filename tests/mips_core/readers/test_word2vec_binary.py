"""word2vec's binary files, with and without line feeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.readers import read

X = np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)
WORDS = ["</s>", "b", "é", "007", "nan", "last"]
FEEDS = pytest.mark.parametrize("feed", [b"", b"\n"], ids=["gensim", "c"])


def packed(words=WORDS, X=X, feed=b"\n", promised=None):
    head = f"{promised or len(X)} {X.shape[1]}\n".encode()
    raw = [word if isinstance(word, bytes) else word.encode() for word in words]
    return head + b"".join(w + b" " + x.tobytes() + feed for w, x in zip(raw, X, strict=True))


@given(
    st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=2),
    st.integers(4, 20),
    st.sampled_from([b"", b"\n"]),
)
def test_written_is_read_in_every_bit(tmp_path_factory, words, d, feed):
    X = np.random.default_rng(d).normal(size=(len(words), d)).astype(np.float32)
    path = tmp_path_factory.mktemp("bin") / "words.bin"
    path.write_bytes(packed(words, X, feed))
    data = read(path)
    assert data.items.tobytes() == X.tobytes()
    assert data.labels == words


def test_words_with_blanks_are_whole_where_line_feeds_tell(load):
    words = ["a", "ice cream", "New York City", "b", "c", "d"]
    data = load("words.bin", packed(words))
    assert data.labels == words
    assert data.items.tobytes() == X.tobytes()


@FEEDS
def test_bad_utf8_keeps_its_row(load, feed):
    data = load("bytes.bin", packed([b"\xff", "b", b"c\xc3", "d", "e", "f"], feed=feed))
    assert data.n == 6
    assert data.labels[1] == "b"
    assert "2 labels are not UTF-8 (row 0, 2)" in data.notes[0]


@FEEDS
@pytest.mark.parametrize("promised", [5, 7])
def test_a_wrong_count_is_noted(load, feed, promised):
    data = load("count.bin", packed(feed=feed, promised=promised))
    assert data.items.tobytes() == X.tobytes()
    assert f"promises {promised} rows, the file holds 6" in data.notes[0]


@FEEDS
def test_a_file_cut_short_is_refused(refusal, feed):
    assert "row 5" in refusal("cut.bin", packed(feed=feed)[:-7])


def test_a_huge_claim_takes_no_memory(refusal):
    content = b"9000000000 300\n" + packed()[4:]
    assert "9,000,000,000 × 300" in refusal("claims.bin", content)


def test_numbers_that_are_not_finite_are_refused(refusal):
    bad = X.copy()
    bad[2, 3] = np.inf
    assert "row 2, column 3" in refusal("inf.bin", packed(X=bad))

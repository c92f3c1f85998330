"""word2vec's binary files, with and without line feeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import NONE
from tests.mips_core.data.readers.tables import read_table

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


@pytest.mark.parametrize("seed", range(20))
def test_words_with_blanks_are_whole_where_the_next_word_tells(load, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 12)).astype(np.float32)
    words = [" ".join(["ab", "c d", "efg", "h", "ijklm"][: rng.integers(1, 6)]) for _ in X]
    words[0] = "new york"
    data = load("words.bin", packed(words, X, b""))
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


def test_words_are_labels_unless_a_person_says_no(tmp_path):
    found = read_table(tmp_path, "w.bin", packed())
    assert found.labels == WORDS
    assert (found.offers.label, found.offers.labels[0].about) == ("words", "</s>, b, é …")
    assert read_table(tmp_path, "w.bin", packed(), label=NONE).labels is None
    for choice in ({"label": "nothing"}, {"array": "nothing"}):
        with pytest.raises(DataError, match="nothing"):
            read_table(tmp_path, "w.bin", packed(), **choice)


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_table(tmp_path, "w.bin", packed(), progress=stop)


def test_a_row_cut_short_after_odd_numbers_is_refused(refusal):
    odd = X * np.float32(1e30)
    assert "row 5" in refusal("cut.bin", packed(X=odd)[:-6])

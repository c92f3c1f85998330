"""Eight words with their vectors, and lines of them."""

import numpy as np
from hypothesis import strategies as st

X = np.random.default_rng(0).normal(size=(8, 5)).round(5).astype(np.float32)
WORDS = ["amber", "brook", "cedar", "delta", "ember", "fjord", "grove", "haven"]
WORD = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=6
).filter(lambda word: not word.startswith(("{", "[", "<", "#", "%")) and ":" not in word)


def rows(words=WORDS, X=X, sep=" ", end="\n"):
    lines = [
        sep.join([word, *(f"{v:.5f}" for v in row)]) for word, row in zip(words, X, strict=True)
    ]
    return "".join(line + end for line in lines)


def check(data, words=WORDS):
    np.testing.assert_allclose(data.items, X, rtol=1e-6)
    assert data.labels == (None if words is None else list(words))
    return data


def faulty(line, text):
    """The rows with the one at `line` (from 1) replaced."""
    lines = rows().splitlines()
    return "\n".join([*lines[: line - 1], text, *lines[line:]])


def note_of(data, *words):
    return next(note for note in data.notes if all(word in note for word in words))

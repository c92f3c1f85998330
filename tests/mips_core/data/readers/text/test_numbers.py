"""Lines of numbers give what Python's float gives, or nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.data.readers.text.numbers import is_number, matrix_of_cells, matrix_of_text

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SINGLE = st.floats(allow_nan=False, allow_infinity=False, width=32)


def written(value):
    """Ways to write a number: short, exact, with many digits, with an exponent."""
    return st.sampled_from(
        [repr(value), f"{value:.6f}", f"{value:.5g}", f"{value:.17g}", f"{value:.25g}",
         f"{value:e}", f"{value:+.3f}", f"{value:.0f}."]
    )  # fmt: skip


def middle(value):
    """The float64 half way to the next float32, with which rounding is hardest."""
    single = np.float32(value)
    with np.errstate(over="ignore"):
        return (float(single) + float(np.nextafter(single, np.float32(np.inf)))) / 2


TOKEN = st.one_of(
    FINITE.flatmap(written),
    SINGLE.flatmap(written),
    st.floats(allow_nan=False, allow_infinity=False, width=16).map(middle).flatmap(written),
    st.from_regex(r"[-+]?[0-9]{1,25}\.?[0-9]{0,25}([eE][-+]?[0-9]{1,4})?", fullmatch=True),
    st.sampled_from(["nan", "-inf", "Infinity", "0", "-0", "−1.5", ".5", "5.", "00.10", "1e22"]),
)


def expected(tokens):
    with np.errstate(over="ignore"):
        return np.array([float(t.replace("−", "-")) for t in tokens]).astype(np.float32)


@given(st.lists(TOKEN, min_size=1, max_size=40), st.sampled_from([" ", "\t", "  ", ",", " , "]))
def test_every_number_is_that_of_python(tokens, separator):
    text = separator.join(tokens).encode()
    sign = b"," if "," in separator else b" "
    found = matrix_of_text(text, 1, len(tokens), sign)
    np.testing.assert_array_equal(found[0], expected(tokens))
    np.testing.assert_array_equal(np.signbit(found[0]), np.signbit(expected(tokens)))


@pytest.mark.parametrize("digits", range(1, 26))
def test_random_numbers_of_any_length(digits):
    rng = np.random.default_rng(digits)
    tokens = [f"{v:.{digits}g}" for v in rng.normal(size=3000) * 10.0 ** rng.integers(-9, 9, 3000)]
    found = matrix_of_text("\n".join(tokens).encode(), 3000, 1, b" ")
    np.testing.assert_array_equal(found[:, 0], expected(tokens))


def test_the_middle_between_two_numbers():
    rng = np.random.default_rng(0)
    singles = rng.normal(size=4000).astype(np.float32).astype(float)
    halves = [middle(v) for v in singles]
    tokens = [f"{v:.{k}f}" for v, k in zip(halves, rng.integers(14, 18, 4000), strict=True)]
    for start in range(0, 4000, 8):
        part = tokens[start : start + 8]
        found = matrix_of_text(" ".join(part).encode(), 1, 8, b" ")
        np.testing.assert_array_equal(found[0], expected(part))


@given(st.text(st.sampled_from("0123456789.-+eE,;_ \t\n[]xnaif"), max_size=24))
def test_other_text_is_none(text):
    for separator, n in ((b" ", text.count("\n") + 1), (b",", text.count("\n") + 1)):
        rows = [line.replace("\t", " ").split(separator.decode()) for line in text.split("\n")]
        if separator == b" ":
            rows = [[token for token in row if token] for row in rows]
        rows = [[token.strip(" ") for token in row] for row in rows]
        d = len(rows[0])
        right = d > 0 and all(len(row) == d and all(map(is_number, row)) for row in rows)
        found = matrix_of_text(text.encode(), n, max(d, 1), separator)
        assert (found is not None) == right
        if right:
            np.testing.assert_array_equal(found, [expected(row) for row in rows])


@pytest.mark.parametrize(
    ("text", "separator"),
    [("1,,2", b","), ("1,2,", b","), (",1,2", b","), ("1 2", b","), ("1,2", b" "), ("1 2 3", b" "),
     ("1", b" "), ("1 2\n", b" "), ("1 2x", b" "), ("1_0 2", b" "), ("0x1 2", b" "), ("", b" ")],
)  # fmt: skip
def test_two_numbers_are_not_found_in(text, separator):
    assert matrix_of_text(text.encode(), 1, 2, separator) is None


@pytest.mark.parametrize("cells", [["[1],[2]", "[3", "4]"], ["[[1]", "[2]]"], ["[1, true]"],
                                   ["[[1, 2]]"], ["[1, 2], 3"]])  # fmt: skip
def test_lists_that_only_look_right_together_are_none(cells):
    assert matrix_of_cells(cells, 1) is None
    assert matrix_of_cells(cells, 2) is None

"""How cells are told apart: separators, quotes, lists in brackets."""

import pandas as pd
import pytest

from tests.mips_core.data.readers.csv.written import NUMBERS, PLAIN, X, check, text


@pytest.mark.parametrize(
    "form",
    ["[{}]", "[[{}]]", "array([{}])", "tensor([{}], device='cuda:0')", "{{{}}}", "{}"],
)
@pytest.mark.parametrize("between", [", ", " ", ";", "|"])
def test_lists_in_cells_are_told_however_they_are_written(load, form, between):
    cells = [form.format(between.join(row)) for row in zip(*NUMBERS, strict=True)]
    written = pd.DataFrame({"word": PLAIN, "embedding": cells}).to_csv(index=False)
    check(load("x.csv", written), PLAIN)


@pytest.mark.parametrize("name", ["tuples.txt", "tuples.csv"])
def test_lines_that_are_tuples_are_not_cut_at_their_commas(load, name):
    rows = X.astype(float).round(4).tolist()
    check(load(name, "\n".join(str(tuple(row)) for row in rows) + "\n"))


@pytest.mark.parametrize("wrap", ["np.float32({})", "np.float64({})", "tensor({})"])
def test_lists_of_numbers_with_their_type(load, wrap):
    cells = [f"[{', '.join(map(wrap.format, row))}]" for row in zip(*NUMBERS, strict=True)]
    check(load("x.csv", pd.DataFrame({"word": PLAIN, "v": cells}).to_csv(index=False)), PLAIN)


def test_thousands_with_points_between_semicolons_are_not_cut_at_the_commas(refusal):
    assert "“1.234,5”" in refusal("x.csv", "a;b\n" + "1.234,5;2.345,6\n" * 4)


@pytest.mark.parametrize("sign", [",", ";"])
def test_the_line_that_tells_excel_the_separator(load, sign):
    written = f"sep={sign}\n" + text(sign.join("abcd"), *NUMBERS, sep=sign)
    check(load("x.csv", written))

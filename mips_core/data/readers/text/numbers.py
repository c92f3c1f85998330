"""Numbers in text and JSON: how they are written, and how they become rows of a matrix."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix

MINUS = "−".encode()
_NUMBER_TYPES = {int, float}  # not bool
_NUMBER = re.compile(r"[-+−]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)",
                     re.I | re.A)  # fmt: skip
_OPEN = re.compile(r"([\w.]+\()?[\[({\s]*[\[({]")
_CLOSE = re.compile(r"[\])}\s]+(,\s*\w+=[^,\[({]*)*[\])}\s,;]*")  # [1, 2], dtype=float32)
_OPENER = re.compile(r"([\w.]++\()*+(?=\s*+[\[({<'])[\[({<'\s]*+(?=[-+−.\d])")
_CLOSER = re.compile(r"(?<=[\d.])\s*[\])}>'][\])}>'\s,;]*$")
_TORN = re.compile(
    r"([\[({<]['\"\s]*[-+−]?[\d.]+|['\"][-+−]?\d*\.\d+)(e[-+]?\d+)?"
    r"([\s,;|]+[-+−]?[\d.]+(?:e[-+]?\d+)?)*([\])}>'\"\s,;]*)$",
    re.I,
)
_LISTED = re.compile(r"[\s,;|\[({]")  # a list has one of these
_SCALAR = re.compile(r"\b(?:np\.|numpy\.)?\w+\(([^()\[\]]*)\)")  # np.float32(0.1), tensor(0.1)
_PLAIN = r"[-+−]?\d[\d.,' ]*"
_GROUPED = re.compile(
    rf"[€$£¥]\s?{_PLAIN}|{_PLAIN}\s?[%€$£¥]|"
    r"[-+−]?\d{1,3}(([,' \xa0\u202f]\d{3})+(\.\d+)?|([. \xa0]\d{3})+(,\d+)?)"
)
_SIGNS = str.maketrans(",;|", "   ")  # between the numbers of a list
TORN = (
    "Write one vector a line: a word and its numbers, parted by blanks or commas, or one list in "
    "square brackets in quotes."
)
FEWEST_BARE = 3  # numbers of a list without brackets
_COMMA = re.compile(r"[-+−]?\d*,\d+([eE][+-]?\d+)?", re.A)


def is_number(token: str) -> bool:
    """Whether `token` is written as one number, NaN and infinity included."""
    return _NUMBER.fullmatch(token) is not None


def is_decimal_comma(token: str) -> bool:
    """Whether `token` is a number such as 0,25."""
    return _COMMA.fullmatch(token) is not None


def is_list(cell: str) -> bool:
    """Whether `cell` is a vector written as text: [0.1, 0.2], array([0.1 0.2]), (0.1, 0.2)."""
    if _LISTED.search(cell) is None:
        return False
    numbers = (list_inside(cell) or "").replace("...", " ").split()
    if not numbers or not all(map(is_number, numbers)):
        return False
    bare = _OPEN.match(cell.strip()) is None
    return not bare or "." in numbers[0]  # in "7,1 0.2 0.3" 7,1 is a word before two numbers


def list_inside(cell: str) -> str | None:
    """The numbers of a vector written as text, separated by blanks; None for other text.

    Several lists in one cell are other text, too.
    """
    cell = cell.strip()
    if cell[:1] == "[" and "(" in cell:
        cell = _SCALAR.sub(r"\1", cell)
    start = _OPEN.match(cell)
    if start is None:
        return _bare_list(cell)
    end = min((i for i in map(cell.find, "])}") if i >= 0), default=-1)
    if end < 0 or _CLOSE.fullmatch(cell, end) is None:
        return None
    return cell[start.end() : end].translate(_SIGNS).strip()


def _bare_list(cell: str) -> str | None:
    """The numbers of a list without brackets: three or more, all but one with a decimal point."""
    numbers = cell.translate(_SIGNS).split()
    if len(numbers) < FEWEST_BARE or not all(map(is_number, numbers)):
        return None
    pointed = sum("." in number or "e" in number for number in numbers)
    return " ".join(numbers) if pointed > 1 and pointed * 2 > len(numbers) else None


def opens(cell: str) -> bool:
    """Whether `cell` is the first number of a list that goes on in the next cells: {0.1."""
    start = _OPENER.match(cell)
    return start is not None and is_number(cell[start.end() :])


def closes(cell: str) -> bool:
    """Whether `cell` is the last number of a list that began before: 0.5}."""
    end = _CLOSER.search(cell)
    return end is not None and is_number(cell[: end.start()])


def unbracketed(cell: str) -> str:
    """The number of a cell that `opens` or `closes` a list; any other cell as it is."""
    if opens(cell):
        return _OPENER.sub("", cell, count=1)
    return _CLOSER.sub("", cell) if closes(cell) else cell


def is_torn(text: str) -> bool:
    """Whether `text` ends in numbers of a list that is not understood: tensor([0.1, or <1.0, 2.0>.

    "Paris (48.85, 2.35)" is a word like any other.
    """
    part = _TORN.search(text) if "." in text else None
    if part is None or is_list(text):
        return False
    if not part[4].strip() or not is_balanced(text):
        return True
    wordy = re.search(r"[^\W\d_eE]", re.sub(r"[\w.]+\(", "", text[: part.start()]))
    return wordy is None or len(re.findall(r"[\d.]+", part[0])) > 2


def is_balanced(text: str) -> bool:
    """Whether as many brackets open as close."""
    return all(text.count(a) == text.count(b) for a, b in ("[]", "()", "{}"))


def is_grouped(cell: str) -> bool:
    """Whether `cell` is a number as written for people: 1,234.5, 1.234,5, 12 %, $5."""
    return _GROUPED.fullmatch(cell.strip()) is not None


def count_numbers(cell: str) -> int:
    """How many numbers a cell of a table holds: those of a list, one, or none."""
    cell = cell.strip()
    if is_number(cell) or is_decimal_comma(cell) or is_number(unbracketed(cell)):
        return 1
    return len((list_inside(cell) or "").split()) if is_list(cell) else 0


def matrix_of_text(text: bytes, n: int, d: int, separator: bytes) -> Matrix | None:
    """float32 (n, d) of n lines with d numbers each; None where the text is anything else.

    Numbers are separated by `separator`: b" " for blanks and tabs, b"," for a comma, perhaps with
    blanks. A number too large for float32 becomes an infinity.
    """
    if n == 0:
        return np.empty((0, d), np.float32)
    if b"_" in text:  # which Python allows within a number
        return None
    lines = text.replace(MINUS, b"-").split(b"\n")
    rows = [line.split() if separator == b" " else line.split(separator) for line in lines]
    if len(rows) != n or not {d}.issuperset(map(len, rows)):
        return None
    try:
        values = np.fromiter(map(float, chain.from_iterable(rows)), np.float64, n * d)
    except ValueError:
        return None
    with np.errstate(over="ignore"):
        return values.astype(np.float32).reshape(n, d)


def is_numbers(value: Any) -> bool:
    """Whether a JSON value is a list of numbers, with at least one."""
    return type(value) is list and bool(value) and _NUMBER_TYPES.issuperset(map(type, value))


def matrix_of(rows: Sequence[Any], d: int) -> Matrix | None:
    """float32 (b, d) of b lists of d numbers; None where one of them is anything else."""
    if not {list}.issuperset(map(type, rows)) or not {d}.issuperset(map(len, rows)):
        return None
    if not _NUMBER_TYPES.issuperset(map(type, chain.from_iterable(rows))):
        return None
    try:
        with np.errstate(over="ignore"):
            flat = np.fromiter(chain.from_iterable(rows), np.float64, len(rows) * d)
            return flat.astype(np.float32).reshape(len(rows), d)
    except OverflowError:  # a whole number of more than 308 digits
        return None


def matrix_of_cells(cells: Sequence[str], d: int) -> Matrix | None:
    """float32 (b, d) of b cells such as [0.1, 0.2] or [0.1 0.2]; None for any other text."""
    if not all(cell[:1] == "[" and cell[-1:] == "]" for cell in cells):
        return None
    commas = any("," in cell for cell in cells)
    separator = b"," if commas else b" "
    text = "\n".join([cell[1:-1].replace("\n", " ") for cell in cells])
    return matrix_of_text(text.encode(), len(cells), d, separator)

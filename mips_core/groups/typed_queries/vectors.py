"""A vector that is none of a data set's own: as people paste it, and asked as its queries are.

People paste numbers with commas or blanks between, as numpy or JSON print them.
"""

import re

import numpy as np

from mips_core.base.arrays import Floats, Matrix, as_matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted, in_one_line
from mips_core.data.dataset import Dataset
from mips_core.groups.typed_queries.one_query import Question, question_of

LONGEST = 40  # characters of a piece that a message repeats
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_PIECE = re.compile(r"[^\s,;]+")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", re.ASCII)
_NOTHING = re.compile(r"[,;](?=\s*[,;])|^\s*[,;]")  # a number is missing beside the comma
_NEXT_VECTOR = re.compile(r"[\])](?:\s*[,;])?\s*[\[(]")
# np.float32(0.5) is how numpy 2 prints a number of a list.
_SCALAR = re.compile(r"\b(?:np\.|numpy\.)?float(?:16|32|64)\(([^()]*)\)")
_CALL = re.compile(r"^\s*(?:np\.|numpy\.|torch\.)?(?:array|tensor)\(", re.IGNORECASE)
_CALL_END = re.compile(r"[\w\s,.:='\"<>]*\)\s*")  # "], dtype=float32)" behind its bracket


def query_length(source: Dataset) -> int:
    """How many numbers a query of `source` has, as it was read; of a softmax layer, a hidden state.

    A data set converted for another metric has rows of another length.
    """
    return source.d - source.logits


def question_of_vector(
    dataset: Dataset, vector: Matrix | Floats, K: int, exclude: tuple[int, ...] = ()
) -> Question:
    """A vector (query_length,), as those that were read, asked of `dataset` in its metric.

    `exclude` are rows it must not get. Raises DataError for entries beyond MAX_MAGNITUDE.
    """
    entries = np.append(vector, 1.0) if dataset.logits else vector  # [h, 1]
    query = as_matrix(entries[None], "The vector")
    if dataset.conversion is not None:
        query = dataset.conversion.queries(query)
    return question_of(dataset, query[0], K, exclude)


def vector_of_text(text: str, d: int) -> Matrix:
    """(d,) float32: the numbers of `text`, which may stand in brackets and on several lines.

    Raises DataError, with the place of what is wrong, for text without numbers, anything that is
    not a finite number of at most MAX_MAGNITUDE, decimal commas, several vectors, and for more or
    fewer than d numbers.
    """
    bare = _without_print_form(text.replace("−", "-"))
    count = len(_NEXT_VECTOR.findall(bare)) + 1
    if count > 1:
        raise DataError(f"The brackets hold {count:,} vectors.", "Paste one of them.")
    bare = re.sub(r"[\[\]()]", " ", bare)
    missing = _NOTHING.search(bare)
    if missing is not None:
        at = missing.end() - 1
        raise DataError(
            f"No number stands at the “{bare[at]}” {_place(text, at)}.",
            "Put one number between two commas.",
        )
    pieces = list(_PIECE.finditer(bare))
    if len(pieces) != d:
        _refuse_decimal_commas(bare)
    values = [_value(text, piece) for piece in pieces]
    if not values:
        raise DataError("There are no numbers.", f"Paste {counted(d, 'number', 'numbers')}.")
    if len(values) != d:
        wanted = counted(d, "dimension", "dimensions")
        raise DataError(
            f"The vector has {counted(len(values), 'number', 'numbers')}, a query here has "
            f"{wanted}.",
            "Paste a vector of the same model, whole.",
        )
    return np.array(values, np.float32)


def _without_print_form(text: str) -> str:
    """`text` with blanks in the place of array(...), dtype=..., np.float32(...): places stay."""

    def blank(call: re.Match[str]) -> str:
        return " " * len(call[0])

    def inside(call: re.Match[str]) -> str:
        before = call.start(1) - call.start()
        return " " * before + call[1] + " " * (call.end() - call.end(1))

    last = text.rfind("]") + 1
    if _CALL.match(text) and _CALL_END.fullmatch(text, last):
        text = _CALL.sub(blank, text[:last]) + " " * (len(text) - last)
    return _SCALAR.sub(inside, text)


def _refuse_decimal_commas(text: str) -> None:
    """Raise DataError where blanks or semicolons, not commas, seem to part the numbers."""
    pieces = [
        (piece.start(), piece[0].rstrip(","))
        for piece in re.finditer(r"[^\s;]+", text)
        if piece[0].strip(",")
    ]
    alone = len(pieces) < 2 and ";" not in text
    if alone or "." in text or any(piece.count(",") > 1 for _, piece in pieces):
        return
    for start, piece in pieces:
        if _DECIMAL_COMMA.fullmatch(piece):
            raise DataError(
                f"“{in_one_line(piece, LONGEST)}” {_place(text, start)} looks like one number with "
                "a decimal comma.",
                "Write it with a point; if these are two numbers, put a blank after the comma.",
            )


def _value(text: str, piece: re.Match[str]) -> float:
    """The number of a piece. Raises DataError where it is none that can be used."""
    if _NUMBER.fullmatch(piece[0]) and abs(float(piece[0])) <= MAX_MAGNITUDE:
        return float(piece[0])
    named = f"“{in_one_line(piece[0], LONGEST)}” {_place(text, piece.start())}"
    if piece[0] in ("...", "…"):
        raise DataError(
            f"The {named} stands for numbers that were left out.",
            "Print the whole vector: numpy.set_printoptions(threshold=sys.maxsize).",
        )
    not_finite = piece[0].lower().lstrip("+-") in ("nan", "inf", "infinity")
    if not (not_finite or _NUMBER.fullmatch(piece[0])):
        raise DataError(f"{named} is not a number.", "Paste the numbers alone.")
    raise DataError(
        f"{named} is no number that can be searched with.",
        f"Every entry must be finite and at most {MAX_MAGNITUDE:g} in size.",
    )


def _place(text: str, at: int) -> str:
    """Where the character at position `at` stands, counted as editors do."""
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    if "\n" not in text.strip():
        return f"(character {column:,})"
    return f"(line {line:,}, character {column:,})"

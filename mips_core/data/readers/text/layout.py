"""How the lines of words and numbers in a file are made, told from the first of them."""

import re
from collections import Counter
from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.choices import NONE, Choices, Offer, Offers
from mips_core.data.readers.names import EXAMPLES, are_counts, check_width, examples, quoted
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.numbers import TORN, is_torn

FIRST = "1"  # the column of words, as a person chooses it


@dataclass(frozen=True)
class TextLayout:
    """How the rows of a file are made."""

    d: int
    worded: bool  # something that is no number of the vector comes first in a row
    labelled: bool  # and it is taken as a label
    first: int  # line (from 1) of the first row
    promised: int | None  # rows according to the header
    dress: str  # how numbers are written, as `lines.dress_of` says
    notes: tuple[str, ...]
    offers: Offers


def text_layout(sample: list[bytes], name: str, choices: Choices) -> TextLayout:
    """d, header and labels, told from the first lines and by `choices`.

    Raises DataError where no vector is, or where a choice is none of those there are.
    """
    dress = text.dress_of(sample)
    plain = [text.undressed(line, dress) for line in sample]
    split = [(i, text.tokens_of(line)) for i, line in enumerate(plain, 1) if line.strip()]
    if not split:
        raise DataError(f"{name} holds no vectors, only blank lines.", "Give one vector a line.")
    header, body, notes = _body(split, choices)
    if dress == ",":
        notes.append("Numbers have decimal commas.")
    if not body:
        raise DataError(
            f"{name} holds no vectors, only the line “{' '.join(split[0][1])[:60]}”.",
            "One vector a line is needed.",
        )
    d, worded = _numbers(body, header[1] if header else None, name)
    inside = Counter(len(part[1].split()) for line in sample if (part := text.listed(line)))
    if dress == "[":  # what stands before the bracket is no coordinate
        d, worded = inside.most_common(1)[0][0], True
    _refuse_torn(body, d, worded, name)
    check_width(d, name)
    if header and header[1] != d:
        dimensions = counted(header[1], "dimension", "dimensions")
        notes.append(f"The header says {dimensions}, the rows have {d:,}.")
    counts = header is None and _first_is_id([tokens for _, tokens in body])
    wished = choices.label == FIRST and d > 1
    if not worded and (wished or (counts and choices.label != NONE)):
        d, worded = d - 1, True
        repeats = "" if wished else ", whole numbers without a repeat,"
        notes.append(f"Column 1{repeats} is taken as labels.")
    labelled = worded and choices.label != NONE
    return TextLayout(
        d=d,
        worded=worded,
        labelled=labelled,
        first=body[0][0],
        promised=header[0] if header else None,
        dress=dress,
        notes=tuple(notes),
        offers=_offers(body, d, worded, labelled, body[0] is not split[0], name, choices),
    )


def _numbers(
    body: list[tuple[int, list[str]]], promised: int | None, name: str
) -> tuple[int, bool]:
    """(d, whether a word comes first). Raises DataError where rows hold no d numbers."""
    _refuse_sparse(body[0], name)
    shapes = [(len(tokens), text.numbers_at_end(tokens)) for _, tokens in body]
    d, worded = _width(shapes, promised)
    if d < 1:
        raise DataError(
            f"{name} holds no vectors: line {body[0][0]:,} does not end in numbers, nor do most "
            "others.",
            "Each line needs a word and its numbers, or numbers alone.",
        )
    return d, worded


def _body(
    split: list[tuple[int, list[str]]], choices: Choices
) -> tuple[tuple[int, int] | None, list[tuple[int, list[str]]], list[str]]:
    """The (n, d) of a word2vec header or None, the rows after it and a heading, and notes."""
    if choices.header == "data":
        return None, split, []
    remarks = _remarks(split)
    heading = next((i for i, (at, _) in enumerate(split) if at not in remarks), 0)
    header = _header([tokens for _, tokens in split[heading:]])
    if not header and choices.header == "names":
        heading = max(heading, 1)
    elif not header:
        runs = [text.numbers_at_end(tokens) for _, tokens in split[heading:]]
        heading += len(runs) > 1 and runs[0] == 0 < max(runs)
    notes = []
    if heading:
        shown = quoted([" ".join(split[0][1])[:40]])
        first, last = split[0][0], split[heading - 1][0]
        notes = [f"Line {first:,}, {shown}, is taken as a heading."]
        if heading > 1:
            notes = [f"Lines {first:,} to {last:,}, from {shown} on, are taken as a heading."]
    rows = split[heading + (header is not None) :]
    return header, [row for row in rows if row[0] not in remarks], notes


def _remarks(split: list[tuple[int, list[str]]]) -> set[int]:
    """Lines, by their numbers, that begin as a remark and are no row like most others."""
    begun = {at for at, tokens in split if text.is_remark(tokens[0])}
    shapes = {at: (len(tokens), text.numbers_at_end(tokens)) for at, tokens in split}
    others = Counter(shape for at, shape in shapes.items() if at not in begun)
    if not others:
        return set()
    tokens, run = others.most_common(1)[0][0]
    return {at for at in begun if run == tokens or shapes[at][1] != run}


def _refuse_torn(body: list[tuple[int, list[str]]], d: int, worded: bool, name: str) -> None:
    """Raise DataError where most words end in a number that a bracket opens: x (0.1 0.2."""
    words = [(at, " ".join(tokens[:-d])) for at, tokens in body if worded]
    torn = [(at, word) for at, word in words if is_torn(word)]
    if len(torn) * 2 > len(body):
        at, word = torn[0]
        raise DataError(
            f"{name} cannot be read: line {at:,} holds {quoted([word])}, brackets that are not "
            "understood.",
            TORN,
        )


def _offers(
    body: list[tuple[int, list[str]]],
    d: int,
    worded: bool,
    labelled: bool,
    header: bool,
    name: str,
    choices: Choices,
) -> Offers:
    """The first column may be labels if there are others. Raises DataError for another choice."""
    about = examples([tokens[0] for _, tokens in body], len(body) > EXAMPLES)
    labels = (Offer(FIRST, about),) if d + worded > 1 else ()
    if choices.label not in ("", NONE, *(offer.name for offer in labels)):
        raise DataError(
            f"{name} has no column “{choices.label}” for labels.",
            f"Its words are column “{FIRST}”." if labels else "It has numbers only.",
        )
    if choices.array not in ("", name):
        raise DataError(
            f"{name} has no part “{choices.array}”: it is one table.", "Leave the choice open."
        )
    return Offers(labels=labels, label=FIRST if labelled else "", header=header)


def _header(lines: list[list[str]]) -> tuple[int, int] | None:
    """(n, d) where the first line is a word2vec header."""
    if len(lines[0]) != 2 or not all(re.fullmatch(r"[0-9]{1,12}", t) for t in lines[0]):
        return None
    n, d = map(int, lines[0])
    if len(lines) > 1 and len(lines[1]) == 2 and (d != 1 or n not in range(1, len(lines) + 1)):
        return None
    return n, d


def _refuse_sparse(row: tuple[int, list[str]], name: str) -> None:
    line, tokens = row
    if re.fullmatch(r"\d+:[-+.\deE]+", tokens[-1]):
        pair = next(token for token in tokens if re.fullmatch(r"\d+:[-+.\deE]+", token))
        raise DataError(
            f"{name} holds sparse “index:value” pairs, {quoted([pair])} in line {line:,}.",
            "Write every row out in full: a word, then one number for each dimension.",
        )


def _width(shapes: list[tuple[int, int]], promised: int | None) -> tuple[int, bool]:
    """(d, whether a word comes first), from (tokens, numbers at the end) of some rows."""
    tokens = Counter(t for t, _ in shapes).most_common(1)[0][0]
    worded = [run for t, run in shapes if run < t]
    run = Counter(worded or [r for _, r in shapes]).most_common(1)[0][0]
    if promised is not None:
        if tokens == promised and len(worded) * 2 <= len(shapes):
            return promised, False
        other = run != promised and tokens == run + 1 and len(worded) * 2 > len(shapes)
        return (run if other else promised if max(r for _, r in shapes) > 0 else 0), True
    if len(worded) * 2 > len(shapes) or (worded and run == tokens - 1):
        return run, True
    return tokens, False


def _first_is_id(rows: list[list[str]]) -> bool:
    rest = [row[1] for row in rows if len(row) > 1]
    fractions = len(rest) == len(rows) and all("." in value or "e" in value for value in rest)
    return fractions and are_counts([row[0] for row in rows])

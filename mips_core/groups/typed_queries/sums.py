"""Labels added and subtracted: "king - man + woman", as a vector."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import in_one_line
from mips_core.data.dataset import Dataset
from mips_core.data.labels import nearest, rows_named
from mips_core.groups.typed_queries.vectors import query_length

LONGEST = 60  # characters of a label that a sentence repeats
MOST_WORDS = 12  # of a text that may be several labels without signs between
_SIGN = r"([+\-−–])"  # the last two are what word processors make of a minus
_FIRST, _NEXT = re.compile(rf"\s*{_SIGN}"), re.compile(rf"(?<=\s){_SIGN}")  # not within a word
_INNER = re.compile(_SIGN)
_FACTOR = r"((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*[*×·]\s*"
_WEIGHED = re.compile(f"{_FACTOR}(.*)", re.DOTALL | re.ASCII)
_QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”')
_QUOTED_TERM = re.compile(rf"\s*(?:{_FACTOR})?(?:{_QUOTED.pattern})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Term:
    """A label and its factor. `row` is that of an item, or of a query where `of_query`.

    `namesakes` are how many labels are equal to it, itself included; the first is taken.
    """

    weight: float
    label: str
    row: int = -1
    of_query: bool = False
    namesakes: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """A vector (d,) float64 made of terms; `rows` are the items named by them, ascending."""

    vector: Floats
    terms: tuple[Term, ...]
    rows: tuple[int, ...]

    @property
    def written(self) -> str:
        """ "king − man + 0.5 woman", in one line."""
        parts = []
        for at, term in enumerate(self.terms):
            sign = "−" if term.weight < 0 else "+" if at else ""
            factor = "" if abs(term.weight) == 1 else f"{abs(term.weight):g}"
            parts += [sign, factor, in_one_line(term.label, LONGEST)]
        return " ".join(filter(None, parts))

    @property
    def notes(self) -> list[str]:
        """A sentence for each label that several rows have: which one was taken."""
        return [
            f"“{in_one_line(term.label, LONGEST)}” is the label of {term.namesakes:,} "
            f"{'queries' if term.of_query else 'items'}; {'query' if term.of_query else 'row'} "
            f"{term.row:,}, the first, was taken."
            for term in dict.fromkeys(replace(term, weight=1.0) for term in self.terms)
            if term.namesakes > 1
        ]


def sum_of(source: Dataset, text: str) -> Sum:
    """What `text` adds up to: labels of `source` with + and - between, and factors as in 0.5*king.

    A label is looked for among the items, then among the queries that came with them; capitals
    count only where both spellings are there. A label that holds signs with blanks before them
    stands in double quotes. A class of a softmax layer counts with its weights, without its bias.
    Raises DataError for an unknown label, with the nearest there are, and for text that is no sum.
    """
    if source.labels is None and source.query_labels is None:
        raise DataError(
            f"{in_one_line(source.name, LONGEST)} has no labels.", "Ask with a row or a vector."
        )
    terms = _terms_of(source, text)
    d = query_length(source)
    total = np.zeros(d)
    for term in terms:
        rows = source.queries if term.of_query else source.items
        total += term.weight * rows[term.row, :d].astype(np.float64)
    return Sum(total, tuple(terms), _items_named(source, terms))


def _terms_of(source: Dataset, text: str) -> list[Term]:
    whole = _Labels(source, [text])
    if text.strip() in whole:
        return [whole.term(1.0, text.strip())]
    chunks = _chunks(text)
    labels = _Labels(source, [chunk for _, chunk in chunks])
    return [term for sign, chunk in chunks for term in _terms(labels, sign, chunk)]


def _items_named(source: Dataset, terms: Iterable[Term]) -> tuple[int, ...]:
    """The rows of the items that were named, a query's own among them."""
    own = source.query_rows
    rows = {
        term.row if not term.of_query else -1 if own is None else int(own[term.row])
        for term in terms
    }
    return tuple(sorted(rows - {-1}))


def _chunks(text: str) -> list[tuple[float, str]]:
    """Sign, and what stands between two signs. Raises DataError where nothing does."""
    chunks: list[tuple[float, str]] = []
    operator = _FIRST.match(text)
    while True:
        at = operator.end() if operator else 0
        sign = operator[1] if operator else "+"
        quoted = _QUOTED_TERM.match(text, at)
        operator = _FIRST.match(text, quoted.end()) if quoted else _NEXT.search(text, at)
        chunk = text[at : operator.start() if operator else len(text)].strip()
        if not chunk:
            after = f" after the “{sign}”" if at else ""
            raise DataError(f"A label is missing{after}.", "Write labels with + or - between them.")
        chunks.append((1.0 if sign == "+" else -1.0, chunk))
        if operator is None:
            return chunks


def _terms(labels: "_Labels", sign: float, chunk: str) -> list[Term]:
    """The term that a chunk is, or the terms where signs stand in it without blanks."""
    factor, label = _weighed(chunk)
    if chunk in labels:
        return [labels.term(sign, chunk)]
    if label in labels:
        return [labels.term(sign * factor, label)]
    pieces = _INNER.split(chunk)
    if len(pieces) > 1 and all(_weighed(piece)[1] in labels for piece in pieces[::2]):
        signs = [sign, *(1.0 if inner == "+" else -1.0 for inner in pieces[1::2])]
        weighed = [_weighed(piece) for piece in pieces[::2]]
        return [labels.term(s * w, name) for s, (w, name) in zip(signs, weighed, strict=True)]
    raise labels.unknown(label)


def _weighed(chunk: str) -> tuple[float, str]:
    """The factor of a chunk and its label, without quotes. Raises DataError for a huge factor."""
    chunk, factor = chunk.strip(), 1.0
    product = _WEIGHED.fullmatch(chunk)
    if product:
        factor, chunk = float(product[1]), product[2].strip()
        if factor > MAX_MAGNITUDE:
            raise DataError(
                f"The factor {product[1]} is too large.", f"It can be up to {MAX_MAGNITUDE:g}."
            )
    quoted = _QUOTED.fullmatch(chunk)
    return factor, (quoted[1] or quoted[2] or "") if quoted else chunk


class _Labels:
    """The labels that a text may mean, looked up in one pass over those of a data set."""

    def __init__(self, source: Dataset, chunks: Iterable[str]) -> None:
        texts: set[str] = set()
        for chunk in chunks:
            texts |= {chunk.strip(), _weighed(chunk)[1]}
            texts |= {_weighed(piece)[1] for piece in _INNER.split(chunk)[::2]}
        self.source = source
        self.items = rows_named(source.labels or (), texts)
        others = texts - set(self.items)
        self.queries: Mapping[str, list[int]] = rows_named(source.query_labels or (), others)

    def __contains__(self, text: str) -> bool:
        return text in self.items or text in self.queries

    def term(self, weight: float, text: str) -> Term:
        """The term of a label that is there."""
        of_query = text not in self.items
        rows = self.queries[text] if of_query else self.items[text]
        labels = self.source.query_labels if of_query else self.source.labels
        assert labels is not None
        same = [row for row in rows if labels[row] == labels[rows[0]]]
        return Term(weight, labels[rows[0]], rows[0], of_query, len(same))

    def unknown(self, text: str) -> DataError:
        """That a label is not there, and which are near, or of which it is made."""
        parts = self._side_by_side(text.split())
        if parts:
            both = " + ".join(in_one_line(part, LONGEST) for part in parts)
            return DataError(
                f"No label is “{in_one_line(text, LONGEST)}”.",
                f"Between two labels stands + or -: write “{both}” to add them.",
            )
        labels = nearest([*(self.source.labels or ()), *(self.source.query_labels or ())], text)
        names = [f"“{in_one_line(label, LONGEST)}”" for label in labels]
        listed = ", ".join(names[:-1]) + (" or " if len(names) > 1 else "") + "".join(names[-1:])
        return DataError(
            f"No label is “{in_one_line(text, LONGEST)}”.",
            f"Near it: {listed}."
            if names
            else "Labels that hold + or - after a blank stand in double quotes.",
        )

    def _side_by_side(self, words: Sequence[str]) -> list[str]:
        """The fewest labels that follow each other in `words`; empty where they do not."""
        if not 2 <= len(words) <= MOST_WORDS:
            return []
        ends = range(1, len(words) + 1)
        spans = {(a, b): " ".join(words[a:b]) for b in ends for a in range(b)}
        labels = _Labels(self.source, spans.values())
        best: dict[int, list[str]] = {0: []}  # by how many of the words
        for b in ends:
            ways = [[*best[a], spans[a, b]] for a in best if spans[a, b] in labels]
            if ways:
                best[b] = min(ways, key=len)
        return best.get(len(words), [])

"""Finding a label among very many, and writing one where spreadsheets read it."""

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches

LISTED = 20_000  # labels that are compared letter by letter with one that is not there
OFF = 2  # letters by which the length of such a label may differ
# What spreadsheets take for the beginning of a formula, which may load or run something.
FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def matching(labels: Sequence[str], text: str) -> list[int]:
    """Positions of the labels that hold `text`, whatever the case; the nearest first.

    Nearest are those equal to the text, then equal but for the case, then those that begin with
    it, then the rest; in each of these by position. Nothing matches an empty text.
    """
    wanted = text.strip()
    if not wanted:
        return []
    return [position for _, position in sorted(_nearness(labels, wanted))]


def rows_named(labels: Sequence[str], texts: Collection[str]) -> dict[str, list[int]]:
    """text -> positions of the labels equal to it; where none is, of those equal but for the case.

    Blanks around a label or a text do not count, and within it any blanks are one: a line break is
    shown as one. Texts that are no label are left out.
    """
    wanted: dict[str, list[str]] = {}
    for text in texts:
        if text.strip():
            wanted.setdefault(_folded(text), []).append(text)
    alike: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        folded = _folded(label)
        if folded in wanted:
            alike.setdefault(folded, []).append(position)
    rows = {}
    for folded, positions in alike.items():
        for text in wanted[folded]:
            equal = [at for at in positions if labels[at].strip() == text.strip()]
            rows[text] = equal or positions
    return rows


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def nearest(labels: Sequence[str], text: str, count: int = 3) -> list[str]:
    """Up to `count` different labels that a text which is none may have meant, the likeliest first.

    Those spelled nearly alike, then those that hold the text. Of very many labels only the first
    LISTED of nearly the same length and with the same first or last letter are compared.
    """
    wanted = text.strip().casefold()
    if not wanted:
        return []
    folded: dict[str, str] = {}
    for label in labels:
        other = label.strip().casefold()
        same_size = other != "" and abs(len(other) - len(wanted)) <= OFF
        if same_size and (other[0] == wanted[0] or other[-1] == wanted[-1]):
            folded.setdefault(other, label)
            if len(folded) == LISTED:
                break
    alike = [folded[other] for other in get_close_matches(wanted, folded, count)]
    if len(alike) < count:
        alike += [labels[at] for at in matching(labels, text)[: count + len(alike)]]
    return list(dict.fromkeys(alike))[:count]


def _nearness(labels: Sequence[str], wanted: str) -> Iterator[tuple[int, int]]:
    """(0 to 3, position) of every label that holds `wanted`; 0 is nearest."""
    folded = wanted.casefold()
    for position, label in enumerate(labels):
        other = label.casefold()
        if folded in other:
            if label.strip() == wanted:
                yield 0, position
            elif other.strip() == folded:
                yield 1, position
            else:
                yield 3 - other.startswith(folded), position


def in_cell(text: str) -> str:
    """Text for a table that spreadsheets open: what would begin a formula is marked as text.

    Plain numbers stay as they are.
    """
    if not text.startswith(FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text

"""Finding a label among very many."""

from collections.abc import Iterator, Sequence


def matching(labels: Sequence[str], text: str) -> list[int]:
    """Positions of the labels that hold `text`, whatever the case; the nearest first.

    Nearest are those equal to the text, then equal but for the case, then those that begin with
    it, then the rest; in each of these by position. Nothing matches an empty text.
    """
    wanted = text.strip()
    if not wanted:
        return []
    found = sorted(_nearness(labels, wanted))
    return [position for _, position in found]


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

"""HTML from values: everything a person or a file wrote becomes text, in its own direction."""

from collections.abc import Iterable, Sequence
from html import escape

from mips_core.base.text import UNSEEN


class Html(str):
    """Markup made here; any other text is escaped where it is put in."""

    __slots__ = ()


def text(value: str) -> Html:
    """What stands in the page exactly as it is: no tag, no entity, no turn of direction."""
    if isinstance(value, Html):
        return value
    return Html(escape(value.encode(errors="replace").decode().translate(UNSEEN)))


def foreign(value: str) -> Html:
    """Text from a file or a person, whose direction does not change that of its surroundings."""
    return Html(f"<bdi>{text(value)}</bdi>")


def element(name: str, *inside: str, **attributes: str) -> Html:
    """<name attributes>inside</name>; `class_` and `data_x` lose and change their underscores."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items()
    )
    return Html(f"<{name}{told}>{''.join(map(text, inside))}</{name}>")


def joined(pieces: Iterable[str], between: str = "") -> Html:
    """One after another."""
    return Html(text(between).join(map(text, pieces)))


def table(
    caption: str, words: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]]
) -> Html:
    """Columns of words, then of numbers; scrolled by itself where it is too wide.

    The first cell of a row is its head.
    """
    kinds = ["words"] * len(words) + ["number"] * len(numbers)
    head = joined(
        element("th", title, scope="col", class_=kind)
        for title, kind in zip((*words, *numbers), kinds, strict=True)
    )
    body = joined(element("tr", _row(row, kinds)) for row in rows)
    inside = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", head)),
        element("tbody", body),
    )
    return element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _row(row: Sequence[str], kinds: Sequence[str]) -> Html:
    first, *others = row
    cells = (element("td", cell, class_=kind) for cell, kind in zip(others, kinds[1:], strict=True))
    return joined([element("th", first, scope="row", class_=kinds[0]), *cells])


def pairs(told: Iterable[tuple[str, str]]) -> Html:
    """A list of names and what they are."""
    return element(
        "dl", *(element(n, t) for name, is_ in told for n, t in (("dt", name), ("dd", is_)))
    )


def paragraph(*inside: str, **attributes: str) -> Html:
    """<p>."""
    return element("p", *inside, **attributes)

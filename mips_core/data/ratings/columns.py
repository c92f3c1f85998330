"""Which column of a table of ratings holds users, items, values and times."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mips_core.base.errors import DataError
from mips_core.data.ratings.choices import RatingChoices, RatingOffers, UnsettledRatingsError
from mips_core.data.readers.choices import NONE, Offer
from mips_core.data.readers.ratings_signs import is_part_of_time, key_of, named
from mips_core.data.readers.text.lines import is_decimal_comma, is_number
from mips_core.data.readers.words import quoted

DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?|[A-Z][a-z]{2} [A-Z][a-z]{2} \d.*")
STAMP = re.compile(r"\d{9,10}(\.\d+)?|\d{12,13}")
WORDS = re.compile(r"(?i)na|nan|null|none|n/a|")
MOSTLY = 0.8
LEAST_ITEMS = 4  # of a matrix of users and items


@dataclass(frozen=True)
class Column:
    """A column: its name in the header, or "", its first cells, and what a person calls it by."""

    name: str
    cells: tuple[str, ...]
    called: str = ""

    @cached_property
    def kind(self) -> str:
        """number, stamp (a number of seconds), date, text or empty: what most cells are."""
        filled = [cell for cell in self.cells if not WORDS.fullmatch(cell)]
        if not filled:
            return "empty"
        enough = MOSTLY * len(filled)
        if sum(STAMP.fullmatch(cell) is not None for cell in filled) > enough:
            return "stamp"
        if sum(_is_date(cell) for cell in filled) > enough:
            return "date"
        numbers = sum(is_number(c) or is_decimal_comma(c) for c in filled)
        return "number" if numbers > enough else "text"

    @property
    def measures(self) -> bool:
        """Whether most cells are fractions, which are no ids."""
        filled = [cell for cell in self.cells if cell]
        parts = sum(re.fullmatch(r"[-+−]?\d*[.,]\d*[1-9]\d*", cell) is not None for cell in filled)
        return parts > MOSTLY * len(filled)

    @property
    def offer(self) -> Offer:
        """Its name and what it looks like."""
        shown = quoted(dict.fromkeys(cell[:20] for cell in self.cells if cell), most=3)
        return Offer(self.called, f"such as {shown.split(' and ')[0]}" if shown else "empty")


def _is_date(cell: str) -> bool:
    return DATE.fullmatch(cell) is not None and not is_number(cell)


@dataclass(frozen=True)
class Roles:
    """Positions of columns, from 0; None where there is none."""

    user: int
    item: int
    value: int | None
    time: int | None
    notes: tuple[str, ...] = ()


def assign(columns: Sequence[Column], header: bool, choices: RatingChoices, file: str) -> Roles:
    """Roles by choice, then by names, or without a header by the usual order.

    Raises UnsettledRatingsError where they do not tell, DataError where a choice is no column.
    """
    _check(columns, choices, file)
    found = _by_names(columns) if header else _by_order(columns)
    chosen = {
        role: next(j for j, column in enumerate(columns) if column.called == name)
        for role in ("user", "item", "value")
        if (name := getattr(choices, role)) not in ("", NONE)
    }
    found = {role: j for role, j in found.items() if j not in chosen.values()} | chosen
    if choices.value == NONE:
        found.pop("value", None)
    _leftover(columns, found)
    user, item = found.get("user"), found.get("item")
    if user is None or item is None:
        raise _unsettled(columns, found, header, file)
    sought = "value" not in found and choices.value != NONE and (header or chosen)
    if sought and len(_third(columns, found)) > 1:
        raise _unsettled(columns, found, header, file)
    roles = Roles(user, item, found.get("value"), found.get("time"))
    return Roles(roles.user, roles.item, roles.value, roles.time, _notes(columns, header, roles))


def _check(columns: Sequence[Column], choices: RatingChoices, file: str) -> None:
    names = [column.called for column in columns]
    asked = [choices.user, choices.item, choices.value]
    for name in asked:
        if name not in ("", NONE, *names):
            raise DataError(
                f"{file} has no column “{name}”.", f"It has: {quoted(names)}. Choose one of them."
            )
    given = [name for name in asked if name not in ("", NONE)]
    if len(set(given)) < len(given):
        raise DataError(
            f"{file}: one column is chosen twice.", "Choose different columns for users, items "
            "and ratings."
        )  # fmt: skip


def _by_names(columns: Sequence[Column]) -> dict[str, int]:
    names = [column.name for column in columns]
    found: dict[str, int] = {}
    for role in ("user", "item", "time", "value"):
        left = ["" if j in found.values() else name for j, name in enumerate(names)]
        numbers = [name if columns[j].kind == "number" else "" for j, name in enumerate(left)]
        position = named(numbers, role) if role == "value" else None
        position = named(left, role) if position is None else position
        if position is not None:
            found[role] = position
    return found


def _by_order(columns: Sequence[Column]) -> dict[str, int]:
    """User, item, rating, time: what every tool writes without a header."""
    kinds = [column.kind for column in columns]
    if len(columns) < 2 or len([kind for kind in kinds if kind != "empty"]) > 4:
        return {}
    if any(column.measures for column in columns[:2]):
        return {}
    if kinds[1] == "date" or ("text" in kinds[2:] and "number" not in kinds[2:]):
        return {}
    found = {"user": 0, "item": 1}
    if _are_products_first(columns):
        found = {"user": 1, "item": 0}
    for j, kind in enumerate(kinds[2:], 2):
        if kind == "number" and "value" not in found:
            found["value"] = j
        elif kind in ("stamp", "date", "number") and "time" not in found:
            found["time"] = j
    return found


def _are_products_first(columns: Sequence[Column]) -> bool:
    """Whether Amazon's product numbers stand before its customers', as in its later files."""
    product, customer = re.compile(r"B[0-9A-Z]{9}|\d{9}[\dX]"), re.compile(r"A[0-9A-Z]{9,20}")
    pairs = zip(columns[0].cells, columns[1].cells, strict=True)
    return all(product.fullmatch(a) and customer.fullmatch(b) for a, b in pairs)


def _leftover(columns: Sequence[Column], found: dict[str, int]) -> None:
    """Where one of user and item is known, the only other column of ids must be the other."""
    missing = [role for role in ("user", "item") if role not in found]
    if len(missing) != 1 or (missing == ["user"] and "value" not in found):
        return
    left = [
        j
        for j, column in enumerate(columns)
        if j not in found.values()
        and column.kind not in ("date", "empty")
        and not is_part_of_time(column.name)
    ]
    unlike_times = [j for j in left if columns[j].kind != "stamp"]
    ids = [j for j in left if key_of(columns[j].name).endswith("id")]
    for few in (left, unlike_times, ids):
        if len(few) == 1:
            found[missing[0]] = few[0]
            return


def _third(columns: Sequence[Column], found: dict[str, int]) -> list[int]:
    """Columns of numbers that may be ratings: neither ids nor times; taken where it is one."""
    left = [
        j
        for j, column in enumerate(columns)
        if j not in found.values()
        and column.kind == "number"
        and not is_part_of_time(column.name)
        and not key_of(column.name).endswith(("id", "index", "unnamed:0"))
        and key_of(column.name)
    ]
    if len(left) == 1:
        found["value"] = left[0]
    return left


def offers_of(
    columns: Sequence[Column], found: dict[str, int | None], header: bool | None
) -> RatingOffers:
    """What may be chosen, and what `found` takes."""
    names = {role: columns[j].called for role, j in found.items() if j is not None}
    return RatingOffers(
        columns=tuple(column.offer for column in columns),
        user=names.get("user", ""),
        item=names.get("item", ""),
        value=names.get("value", ""),
        header=header,
        layout="rating" if header is not None and len(columns) > LEAST_ITEMS else "",
    )


def _unsettled(
    columns: Sequence[Column], found: dict[str, int], header: bool, file: str
) -> UnsettledRatingsError:
    listed = ", ".join(f"{quoted([c.called])} ({c.offer.about})" for c in columns[:12])
    parts = {"user": "users", "item": "items"}
    missing = [what for role, what in parts.items() if role not in found] or ["ratings"]
    what = " and which ".join(missing)
    return UnsettledRatingsError(
        f"{file} does not say which column holds {what}: {listed}.",
        "Choose the columns of users, items and ratings (“-” where there are no ratings).",
        offers_of(columns, dict(found), header),
    )


def _notes(columns: Sequence[Column], header: bool, roles: Roles) -> tuple[str, ...]:
    parts = [("users", roles.user), ("items", roles.item), ("ratings", roles.value)]
    if not header:
        taken = ", ".join(f"column {j + 1} as {what}" for what, j in parts if j is not None)
        return (f"No line names the columns: {taken}.",)
    if (roles.user, roles.item, roles.value) == _plainly(columns):
        return ()
    taken = ", ".join(
        f"{quoted([columns[j].called])} as {what}" for what, j in parts if j is not None
    )
    return (f"Taken: {taken}.",)


def _plainly(columns: Sequence[Column]) -> tuple[int | None, ...]:
    """Roles as the names alone say them."""
    found = _by_names(columns)
    return tuple(found.get(role) for role in ("user", "item", "value"))

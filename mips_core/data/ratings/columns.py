"""Which column of a table of ratings holds users, items, values and times."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import (
    NONE,
    Offer,
    RatingChoices,
    RatingOffers,
    UnsettledRatingsError,
)
from mips_core.data.readers.names import quoted
from mips_core.data.readers.ratings_signs import is_part_of_time, key_of, named
from mips_core.data.readers.text.numbers import is_decimal_comma, is_number

DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?|[A-Z][a-z]{2} [A-Z][a-z]{2} \d.*")
STAMP = re.compile(r"\d{9,10}(\.\d+)?|\d{12,13}")
WORDS = re.compile(r"(?i)na|nan|null|none|n/a|")
MOSTLY = 0.8
LEAST_ITEMS = 4  # of a matrix of users and items


@dataclass(frozen=True)
class RatingColumn:
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
        if sum(DATE.fullmatch(c) is not None and not is_number(c) for c in filled) > enough:
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


@dataclass(frozen=True)
class RatingRoles:
    """Positions of columns, from 0; None where there is none."""

    user: int
    item: int
    value: int | None
    time: int | None = None
    notes: tuple[str, ...] = ()

    def offers(self, columns: Sequence[RatingColumn], header: bool | None) -> RatingOffers:
        """What may be chosen, and what these roles take."""
        places = {"user": self.user, "item": self.item, "value": self.value}
        return offers_of(columns, places, header)


def assign(
    columns: Sequence[RatingColumn], header: bool, choices: RatingChoices, file: str
) -> RatingRoles:
    """Roles by choice, then by names, or without a header by the usual order.

    Raises UnsettledRatingsError where they do not tell, DataError where a choice is no column.
    """
    wishes = _wishes(columns, choices, file)
    places = _by_names(columns) if header else _by_order(columns)
    places = {role: j for role, j in places.items() if j not in wishes.values()} | wishes
    if choices.value == NONE:
        places.pop("value", None)
    _add_leftover(columns, places)
    user, item = places.get("user"), places.get("item")
    if user is None or item is None:
        raise _unsettled(columns, places, header, file)
    sought = "value" not in places and choices.value != NONE and (header or wishes)
    if sought and len(_third(columns, places)) > 1:
        raise _unsettled(columns, places, header, file)
    value, time = places.get("value"), places.get("time")
    notes = _notes(columns, header, (user, item, value))
    return RatingRoles(user, item, value, time, notes)


def _wishes(columns: Sequence[RatingColumn], choices: RatingChoices, file: str) -> dict[str, int]:
    """Positions of the columns chosen, by their roles."""
    names = [column.called for column in columns]
    chosen = {"user": choices.user, "item": choices.item, "value": choices.value}
    wishes = {role: name for role, name in chosen.items() if name not in ("", NONE)}
    for name in wishes.values():
        if name not in names:
            raise DataError(
                f"{file} has no column “{name}”.", f"It has: {quoted(names)}. Choose one of them."
            )
    if len({*wishes.values()}) < len(wishes):
        raise DataError(
            f"{file}: one column is chosen twice.", "Choose different columns for users, items "
            "and ratings."
        )  # fmt: skip
    return {role: names.index(name) for role, name in wishes.items()}


def _by_names(columns: Sequence[RatingColumn]) -> dict[str, int]:
    names = [column.name for column in columns]
    places: dict[str, int] = {}
    for role in ("user", "item", "time", "value"):
        left = ["" if j in places.values() else name for j, name in enumerate(names)]
        numbers = [name if columns[j].kind == "number" else "" for j, name in enumerate(left)]
        position = named(numbers, role) if role == "value" else None
        position = named(left, role) if position is None else position
        if position is not None:
            places[role] = position
    return places


def _by_order(columns: Sequence[RatingColumn]) -> dict[str, int]:
    """User, item, rating, time: what every tool writes without a header."""
    kinds = [column.kind for column in columns]
    if len(columns) < 2 or len([kind for kind in kinds if kind != "empty"]) > 4:
        return {}
    if any(column.measures for column in columns[:2]):
        return {}
    if kinds[1] == "date" or ("text" in kinds[2:] and "number" not in kinds[2:]):
        return {}
    places = {"user": 0, "item": 1}
    if _are_products_first(columns):
        places = {"user": 1, "item": 0}
    for j, kind in enumerate(kinds[2:], 2):
        if kind == "number" and "value" not in places:
            places["value"] = j
        elif kind in ("stamp", "date", "number") and "time" not in places:
            places["time"] = j
    return places


def _are_products_first(columns: Sequence[RatingColumn]) -> bool:
    """Whether Amazon's product numbers stand before its customers', as in its later files."""
    product, customer = re.compile(r"B[0-9A-Z]{9}|\d{9}[\dX]"), re.compile(r"A[0-9A-Z]{9,20}")
    pairs = zip(columns[0].cells, columns[1].cells, strict=True)
    return all(product.fullmatch(a) and customer.fullmatch(b) for a, b in pairs)


def _add_leftover(columns: Sequence[RatingColumn], places: dict[str, int]) -> None:
    """Where one of user and item is known, the only other column of ids must be the other."""
    missing = [role for role in ("user", "item") if role not in places]
    if len(missing) != 1 or (missing == ["user"] and "value" not in places):
        return
    left = [
        j
        for j, column in enumerate(columns)
        if j not in places.values()
        and column.kind not in ("date", "empty")
        and not is_part_of_time(column.name)
    ]
    unlike_times = [j for j in left if columns[j].kind != "stamp"]
    ids = [j for j in left if key_of(columns[j].name).endswith("id")]
    for few in (left, unlike_times, ids):
        if len(few) == 1:
            places[missing[0]] = few[0]
            return


def _third(columns: Sequence[RatingColumn], places: dict[str, int]) -> list[int]:
    """Columns of numbers that may be ratings: neither ids nor times; taken where it is one."""
    left = [
        j
        for j, column in enumerate(columns)
        if j not in places.values()
        and column.kind == "number"
        and not is_part_of_time(column.name)
        and not key_of(column.name).endswith(("id", "index", "unnamed:0"))
        and key_of(column.name)
    ]
    if len(left) == 1:
        places["value"] = left[0]
    return left


def offers_of(
    columns: Sequence[RatingColumn], places: Mapping[str, int | None], header: bool | None
) -> RatingOffers:
    """What may be chosen, and what `places` take."""
    names = {role: columns[j].called for role, j in places.items() if j is not None}
    return RatingOffers(
        columns=tuple(column.offer for column in columns),
        user=names.get("user", ""),
        item=names.get("item", ""),
        value=names.get("value", ""),
        header=header,
        layout="rating" if header is not None and len(columns) > LEAST_ITEMS else "",
    )


def _unsettled(
    columns: Sequence[RatingColumn], places: dict[str, int], header: bool, file: str
) -> UnsettledRatingsError:
    listed = ", ".join(f"{quoted([c.called])} ({c.offer.about})" for c in columns[:12])
    parts = {"user": "users", "item": "items"}
    missing = [what for role, what in parts.items() if role not in places] or ["ratings"]
    what = " and which ".join(missing)
    return UnsettledRatingsError(
        f"{file} does not say which column holds {what}: {listed}.",
        "Choose the columns of users, items and ratings (“-” where there are no ratings).",
        offers_of(columns, places, header),
    )


def _notes(
    columns: Sequence[RatingColumn], header: bool, places: Sequence[int | None]
) -> tuple[str, ...]:
    parts = zip(("users", "items", "ratings"), places, strict=True)
    taken = [(what, j) for what, j in parts if j is not None]
    if not header:
        listed = ", ".join(f"column {j + 1} as {what}" for what, j in taken)
        return (f"No line names the columns: {listed}.",)
    named = _by_names(columns)
    if [*places] == [named.get(role) for role in ("user", "item", "value")]:
        return ()
    listed = ", ".join(f"{quoted([columns[j].called])} as {what}" for what, j in taken)
    return (f"Taken: {listed}.",)

"""What to expect of more items, in sentences: Markdown that pages and commands show as it is."""

from math import floor, log10
from typing import TYPE_CHECKING

from mips_core.base.text import percent
from mips_core.studies.growth.power_law import Range

if TYPE_CHECKING:
    from mips_core.studies.growth.scaled import Advice, Scaling

MINUTE, HOUR, DAY = 60, 3600, 86_400
TIMES = ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes"), (1, "s"))
BYTES = ((2**40, "TB"), (2**30, "GB"), (2**20, "MB"), (2**10, "kB"))


def advice_in_words(advice: "Advice") -> str:
    """What n items will cost, from what that is told, and how far to trust it."""
    return " ".join(filter(None, (_expected(advice), _basis(advice), *_doubts(advice.scaling))))


def _expected(advice: "Advice") -> str:
    cost, n = advice.inner_products, advice.n
    factor = n / advice.scaling.points[-1].n
    times = f" ({two_digits(factor)} times as many)" if factor > 1 else ""
    built = f", with {advice.index.setting(n)}" if advice.index.main_param else ""
    return (
        f"At **{n:,} items**{times}{built}, expect about "
        f"**{two_digits(cost.value)} inner products** a query{_ends(cost)}, "
        f"{_savings(advice.speedup.value)}; {_in_units(advice.seconds, TIMES)} of processor time "
        f"to build; {_in_units(advice.bytes, BYTES)}."
    )


def _savings(speedup: float) -> str:
    if two_digits(speedup) == "1":
        return "as many as exact search"
    if speedup > 1:
        return f"**{two_digits(speedup)}× fewer** than exact search"
    return f"**more** than exact search ({two_digits(speedup)}×)"


def _basis(advice: "Advice") -> str:
    points = advice.scaling.points
    first, last = points[0].n, points[-1].n
    how = "Extrapolated" if advice.n > last else "Read off a line through what was measured"
    data = "this simulated data" if advice.scaling.simulated else "this data"
    return (
        f"{how} from {first:,} to {last:,} items of {data}, for {goal(advice.scaling.precision)}"
        f" of the true top {advice.scaling.K}. Ranges are 95% prediction intervals."
    )


def _doubts(scaling: "Scaling") -> list[str]:
    """What speaks against trusting the line."""
    said = [
        f"At {point.n:,} items {goal(scaling.precision)} was not reached (the best is "
        f"{percent(point.precision)}): that size is left out."
        for point in scaling.left_out
    ]
    if not scaling.straight:
        exponent, error = scaling.exponents["cost"]
        said.append(
            "The sizes measured do not lie on a line: inner products grow like n to the power "
            f"{exponent:.2f}, ± {error:.2f} (standard error). Take this as a guess."
        )
    return said


def two_digits(value: float) -> str:
    """14,000; 71; 1.4; 0.72: what an extrapolated number is good for."""
    if value <= 0:
        return "0"
    digits = 1 - floor(log10(value))
    text = f"{round(value, digits):,.{max(digits, 0)}f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def _ends(known: Range) -> str:
    """(8,000 to 25,000), or nothing where the ends are the same."""
    low, high = two_digits(known.low), two_digits(known.high)
    return f" ({low} to {high})" if low != high else ""


def _in_units(known: Range, units: tuple[tuple[int, str], ...]) -> str:
    """95 s (80 to 110); "less than 1 s" below the last unit."""
    found = [unit for unit in units if known.value >= unit[0]]
    if not found:
        return f"less than 1 {units[-1][1]}"
    size, name = found[0]
    scaled = Range(known.value / size, known.low / size, known.high / size)
    return f"{two_digits(scaled.value)} {name}{_ends(scaled)}"


def goal(share: float) -> str:
    """95%; 99.99%: a precision as it was asked for."""
    return f"{100 * share:.6g}%"

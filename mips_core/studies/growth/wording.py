"""What to expect of more items, in sentences: Markdown that pages and commands show as it is."""

from math import floor, log10
from typing import Any

from mips_core.base.params import plain_values
from mips_core.base.text import percent
from mips_core.evaluation.setting import index_in_words
from mips_core.studies.growth.power_law import Range
from mips_core.studies.growth.scaling import Expectation, Scaling

MINUTE, HOUR, DAY = 60, 3600, 86_400
TIMES = ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes"), (1, "s"))
BYTES = ((2**40, "TB"), (2**30, "GB"), (2**20, "MB"), (2**10, "kB"))


def in_words(expected: Expectation) -> str:
    """What n items will cost, from what that is told, and how far to trust it."""
    return " ".join(
        filter(None, (_expected(expected), _basis(expected), *_doubts(expected.scaling)))
    )


def as_dict(expected: Expectation) -> dict[str, Any]:
    """Plain values for JSON, and the sentences without Markdown."""
    ranges = {
        "inner_products": expected.inner_products,
        "speedup": expected.speedup,
        "processor_seconds": expected.seconds,
        "bytes": expected.bytes,
    }
    return {
        "n": expected.n,
        "index": {"key": expected.index.key, **plain_values(expected.index)},
        "setting": index_in_words(expected.index, expected.n),
        **{name: [r.value, r.low, r.high] for name, r in ranges.items()},
        "in_words": in_words(expected).replace("**", ""),
    }


def _expected(expected: Expectation) -> str:
    cost, n = expected.inner_products, expected.n
    factor = n / expected.scaling.points[-1].n
    times = f" ({two_digits(factor)} times as many)" if factor > 1 else ""
    built = f", with {expected.index.setting(n)}" if expected.index.main_param else ""
    return (
        f"At **{n:,} items**{times}{built}, expect about "
        f"**{two_digits(cost.value)} inner products** a query{_ends(cost)}, "
        f"{_savings(expected.speedup.value)}; {_in_units(expected.seconds, TIMES)} of processor "
        f"time to build; {_in_units(expected.bytes, BYTES)}."
    )


def _savings(speedup: float) -> str:
    if two_digits(speedup) == "1":
        return "as many as exact search"
    if speedup > 1:
        return f"**{two_digits(speedup)}× fewer** than exact search"
    return f"**more** than exact search ({two_digits(speedup)}×)"


def _basis(expected: Expectation) -> str:
    points = expected.scaling.points
    first, last = points[0].n, points[-1].n
    how = "Extrapolated" if expected.n > last else "Read off a line through what was measured"
    data = "this simulated data" if expected.scaling.simulated else "this data"
    return (
        f"{how} from {first:,} to {last:,} items of {data}, for "
        f"{100 * expected.scaling.precision:g}% of the true top {expected.scaling.K}. "
        "Ranges are 95% prediction intervals."
    )


def _doubts(scaling: Scaling) -> list[str]:
    """What speaks against trusting the line."""
    doubts = [
        f"At {point.n:,} items {100 * scaling.precision:g}% was not reached (the best is "
        f"{percent(point.precision)}): that size is left out."
        for point in scaling.left_out
    ]
    if not scaling.straight:
        exponent, error = scaling.exponents["cost"]
        doubts.append(
            "The sizes measured do not lie on a line: inner products grow like n to the power "
            f"{exponent:.2f}, ± {error:.2f} (standard error). Take this as a guess."
        )
    return doubts


def two_digits(value: float) -> str:
    """14,000; 71; 1.4; 0.72: what an extrapolated number is good for."""
    if value <= 0:
        return "0"
    digits = 1 - floor(log10(value))
    text = f"{round(value, digits):,.{max(digits, 0)}f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def _ends(ends: Range) -> str:
    """(8,000 to 25,000), or nothing where the ends are the same."""
    low, high = two_digits(ends.low), two_digits(ends.high)
    return f" ({low} to {high})" if low != high else ""


def _in_units(amount: Range, units: tuple[tuple[int, str], ...]) -> str:
    """95 s (80 to 110); "less than 1 s" below the last unit."""
    fitting = [unit for unit in units if amount.value >= unit[0]]
    if not fitting:
        return f"less than 1 {units[-1][1]}"
    size, name = fitting[0]
    scaled = Range(amount.value / size, amount.low / size, amount.high / size)
    return f"{two_digits(scaled.value)} {name}{_ends(scaled)}"

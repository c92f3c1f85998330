"""Numbers and names as people read them, alike in every sentence and table."""

from pathlib import Path

MADE_BY = "MIPS Explorer 0.1.0"  # in files that are taken away

# Control characters, and those that turn the direction of what follows them in a sentence.
UNSEEN = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F),
                        *range(0x2066, 0x206A)], " ")  # fmt: skip


def counted(count: int, one: str, many: str) -> str:
    """1 query; 2,000 queries."""
    return f"{count:,} {one if count == 1 else many}"


def verb(name: str, plural: str) -> str:
    """What a method of this name does: flat k-means keeps, largest norms keep."""
    many = name.lower().endswith("norms")
    return plural if many else f"{plural}s"


def times(factor: float) -> str:
    """A speedup: 0.95×, 13.4×, 1,204×."""
    return f"{factor:,.0f}×" if factor >= 100 else f"{factor:.{1 if factor >= 1 else 2}f}×"


def percent(share: float) -> str:
    """95.1%; with more digits near 1, so that nothing below it is shown as 100%."""
    digits = next((d for d in (1, 2, 3) if round(100 * share, d) < 100), 4)
    return f"{100 * share:.{1 if share == 1 else digits}f}%"


def rounded(count: int) -> int:
    """Up to two significant digits, as an estimate is known no better: 1,400 for 1,361."""
    step = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // step) * step


def inner_products(count: float) -> str:
    """1,602 inner products; 0.25 inner products; 1 inner product."""
    text = f"{count:,.0f}" if count >= 10 else f"{count:.2g}"
    return f"{text} {'inner product' if text == '1' else 'inner products'}"


def saved(cost: float, n: int) -> str:
    """With **13.4× fewer** inner products than exact search (1,602 instead of 20,000); Markdown.

    cost: mean inner products of a query, above 0.
    """
    spent = f"({inner_products(cost).partition(' ')[0]} instead of {n:,})"
    if n / 1.05 < cost < n:
        return f"with no fewer inner products than exact search {spent}"
    if cost < n:
        return f"with **{times(n / cost)} fewer** inner products than exact search {spent}"
    if cost == n:
        return f"with as many inner products as exact search ({n:,})"
    return f"with **more** inner products than exact search {spent}: {times(n / cost)}"


def memory(size: float) -> str:
    """3.2 MB, 427 kB, 12 bytes; a MB is 2^20 bytes."""
    for unit, name in ((2**20, "MB"), (2**10, "kB")):
        if size >= unit:
            share = size / unit
            return f"{share:,.0f} {name}" if share >= 100 else f"{share:.3g} {name}"
    return f"{size:,.0f} bytes"


def duration(seconds: float) -> str:
    """97 ns; 85 µs; 1.24 ms; 3.5 s; 1,240 s: three digits, or whole seconds; inf is not known."""
    if seconds == float("inf"):
        return "an unknown time"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size:  # what three digits would round up to 1
            amount = seconds / size
            return f"{amount:,.0f} {unit}" if amount >= 1000 else f"{amount:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def in_one_line(text: str, most: int) -> str:
    """`text` from a file, fit to stand in a sentence: one line of at most `most` characters."""
    line = " ".join(text[: 8 * most].encode(errors="replace").decode().translate(UNSEEN).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def shown_name(path: Path) -> str:
    """The file's own name as text, whatever bytes it is made of."""
    name = path.name or str(path)
    return name.encode(errors="surrogateescape").decode(errors="replace")

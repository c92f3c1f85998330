"""Part of the build of the documentation: fills in what the program itself says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ROOMS = {  # of the library, in the order of the reference
    "base": "Arrays, seeds, errors",
    "data": "Data",
    "methods": "Indexes and search",
    "evaluation": "Evaluation",
    "groups": "Clusters and maps",
    "serving": "Search elsewhere",
    "studies": "Studies",
    "report": "Reports",
}
NAMED = re.compile(r"^from \.([\w.]+) import (\w+) as \w+$", re.MULTILINE)
WIDTH, STEP, BOX = 760, 66, (124, 34)  # of the picture of the rooms, in pixels
SIDES = (0, 440), (480, WIDTH)  # of the library and of the pages in it

Uses = dict[str, set[str]]  # what a room imports from


def public_names() -> list[tuple[str, str]]:
    """Module and name of each public name, from the one list of them."""
    return NAMED.findall((ROOT / "mips_core/__init__.pyi").read_text(encoding="utf-8"))


def reference() -> str:
    """A heading for each room, and below it its public names, each made from its docstring."""
    parts = []
    for room, title in ROOMS.items():
        own = [f"mips_core.{m}.{name}" for m, name in public_names() if m.split(".")[0] == room]
        parts += [f"## {title}", *(f"::: {name}" for name in own)]
    return "\n\n".join(parts)


def imported(path: Path) -> Iterator[str]:
    """The modules that a file names in its imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str | None:
    """The room in which a dotted name stands; None outside the product."""
    top, *rest = module.split(".")
    if top == "mips_core":
        return rest[0] if rest else None
    if module.startswith("pages._ui."):
        shared = {"text", "work", "state", "elements", "parts"}
        return f"pages: {rest[1]}" if rest[1] in shared else "pages: one folder each"
    return None


def uses_of_rooms() -> Uses:
    """Which rooms each room imports from."""
    uses: Uses = {}
    for folder in ("mips_core", "pages/_ui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            room = room_of(dotted)
            if room in (None, "__init__"):
                continue
            met = {room_of(name) for name in imported(path)}
            uses.setdefault(room, set()).update(met - {None, room})
    return {room: met & uses.keys() for room, met in uses.items()}


def heights(uses: Uses) -> dict[str, int]:
    """For each room the longest way down to one that imports nothing."""
    high: dict[str, int] = {}
    while len(high) < len(uses):
        ready = {r for r in uses.keys() - high.keys() if uses[r] <= high.keys()}
        if not ready:
            raise ValueError(f"These rooms import each other: {sorted(uses.keys() - high.keys())}")
        high |= {r: max((high[u] + 1 for u in uses[r]), default=0) for r in ready}
    return high


def reach(uses: Uses, room: str) -> set[str]:
    """All rooms below one, by any number of steps."""
    return uses[room].union(*(reach(uses, below) for below in uses[room]))


def places(high: dict[str, int]) -> dict[str, tuple[float, float]]:
    """The middle of each room's box in the picture: the library at the left, the pages right."""
    place = {}
    for (left, right), of_pages in zip(SIDES, (False, True), strict=True):
        for h in set(high.values()):
            row = sorted(r for r in high if high[r] == h and r.startswith("pages") == of_pages)
            for i, room in enumerate(row):
                x = left + (i + 0.5) * (right - left) / len(row)
                place[room] = x, (max(high.values()) - h) * STEP + 56
    return place


def arrows(uses: Uses, place: dict[str, tuple[float, float]]) -> Iterator[str]:
    """Lines from each room to those that it imports from, without what follows from others."""
    for room, below in uses.items():
        for other in sorted(below - set().union(*(reach(uses, b) for b in below))):
            (x1, y1), (x2, y2) = place[room], place[other]
            yield (
                f'<path d="M{x1:.0f} {y1 + BOX[1] / 2:.0f}L{x2:.0f} {y2 - BOX[1] / 2 - 5:.0f}" '
                'stroke="currentColor" opacity=".5" marker-end="url(#tip)"/>'
            )


def house() -> str:
    """The rooms as an SVG picture: each above all that it imports from."""
    uses = uses_of_rooms()
    high = heights(uses)
    place = places(high)
    tall = (max(high.values()) + 1) * STEP + 24
    parts = [
        f'<rect x="{left}" y="0" width="{right - left}" height="{tall}" rx="10" '
        f'fill="currentColor" opacity=".06"/><text x="{left + 12}" y="22" font-weight="bold" '
        f'fill="currentColor">{name}</text>'
        for (left, right), name in zip(SIDES, ("mips_core", "pages/_ui"), strict=True)
    ]
    parts += arrows(uses, place)
    for room, (x, y) in place.items():
        name = room.removeprefix("pages: ")
        wide = BOX[0] + (16 if " " in name else 0)
        parts.append(
            f'<rect x="{x - wide / 2:.0f}" y="{y - BOX[1] / 2:.0f}" width="{wide}" '
            f'height="{BOX[1]}" rx="6" fill="var(--md-default-bg-color, #fff)" '
            f'stroke="currentColor"/><text x="{x:.0f}" y="{y + 5:.0f}" '
            f'text-anchor="middle" fill="currentColor">{name}</text>'
        )
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8Z" fill="currentColor"/></marker>'
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {tall}" role="img" font-size="14" '
        f'aria-label="Rooms of the program, each above those it imports from">'
        f"<defs>{tip}</defs>{''.join(parts)}</svg>"
    )


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for each page."""
    if "<!-- rooms -->" in markdown:
        markdown = markdown.replace("<!-- rooms -->", house())
    if "<!-- public names -->" in markdown:
        markdown = markdown.replace("<!-- public names -->", reference())
    return markdown

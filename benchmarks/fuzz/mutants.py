"""The mutant of a number: always the same files, made of a seed by a few mutations."""

from collections.abc import Sequence
from random import Random

from benchmarks.fuzz.judge import ways_of
from benchmarks.fuzz.mutations import MOST, mutations_for
from benchmarks.fuzz.packed import opened
from benchmarks.fuzz.seeds import Files, Seed

STEPS = (1, 1, 1, 2, 2, 3, 6)
INSIDE = 0.7
"""How often a packed file is damaged inside and packed again."""

DEEPEST = 3
CANNOT_CLOSE = (KeyError, ValueError, OverflowError, TypeError, RecursionError)  # a part is amiss


def mutant(key: str, seeds: Sequence[Seed], number: int, start: int = 0) -> tuple[Files, str]:
    """Files number `number` of a run, and the way in which they are to be read."""
    rng = Random(f"{key}/{start}/{number}")
    seed = seeds[number % len(seeds)]
    other = rng.choice(rng.choice(seeds).files)[1]
    names, contents = map(list, zip(*seed.files, strict=True))
    for _ in range(rng.choice(STEPS)):
        at = rng.randrange(len(names))
        contents[at] = _mutated(contents[at], rng, other)
    ways = ways_of(seed.kind)
    way = ways[0] if rng.random() < 0.6 else rng.choice(ways)
    return tuple(zip(names, contents, strict=True)), way


def _mutated(content: bytes, rng: Random, other: bytes, depth: int = 0) -> bytes:
    """`content` after one mutation, of the whole or of a part of it."""
    if depth < DEEPEST and rng.random() < INSIDE and (found := opened(content)):
        form, parts = found
        theirs = opened(other)
        others = list(theirs[1].values()) if theirs else [other]
        name = rng.choice(list(parts))
        what = rng.random() if len(parts) > 1 else 0.0
        if what < 0.85:
            parts[name] = _mutated(parts[name], rng, rng.choice(others), depth + 1)
        elif what < 0.9:
            del parts[name]
        elif what < 0.95:
            parts[name] = rng.choice((*parts.values(), *others))
        else:
            parts[_mutated(name.encode(), rng, b"", DEEPEST)[:200].decode("latin-1")] = parts[name]
        try:
            return form.join(parts, rng)
        except CANNOT_CLOSE:
            return content
    changed = rng.choice(mutations_for(content))(content, rng, other)
    return changed if len(changed) <= MOST else changed[:MOST]

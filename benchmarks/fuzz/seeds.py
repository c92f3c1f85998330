"""Sound small files of every flavour of every format: what mutants are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

IN_CHILD = ("hdf5", "matlab", "parquet", "arrow")
"""Parsers that are libraries of others, each file in a process of its own: they are slow."""

Files = tuple[tuple[str, bytes], ...]
Kind = Literal["vectors", "ratings", "index", "runs"]  # what they are read as


@dataclass(frozen=True)
class Seed:
    """Files (name, content) that are read together."""

    files: Files
    accepted: bool = True  # False: sound, and still refused, as a PDF is
    kind: Kind = "vectors"


def seed(name: str, content: bytes | str, *more: bytes | str, accepted: bool = True) -> Seed:
    """A seed of one file, or of several: name, content, name, content, …"""
    texts = [x.encode() if isinstance(x, str) else x for x in (content, *more[1::2])]
    names = [name, *(str(x) for x in more[::2])]
    return Seed(tuple(zip(names, texts, strict=True)), accepted)


def refused(name: str, content: bytes | str, *more: bytes | str) -> Seed:
    """A seed that is sound and not read."""
    return seed(name, content, *more, accepted=False)


Maker = Callable[[], Sequence[Seed]]
SEEDS: dict[str, Maker] = {}
"""Key of a reader, or of another parser of ours -> its seeds."""


def seeds_for(key: str) -> Callable[[Maker], Maker]:
    """Declare the function that makes the seeds of `key`."""

    def declare(make: Maker) -> Maker:
        SEEDS[key] = make
        return make

    return declare


FILES = ("arrays", "binary", "text", "tables", "ratings", "matlab", "others", "together", "ours")
for _name in FILES:
    import_module(f"benchmarks.fuzz.seeds_{_name}")

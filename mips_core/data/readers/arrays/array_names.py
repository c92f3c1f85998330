"""Names of arrays compared with known words, through the spellings of Keras, PyTorch and others."""

from collections.abc import Iterable

from mips_core.data.readers.names import plain, shortened

SUFFIX = ":0"  # TensorFlow's mark of a variable
NAME_LENGTH = 80  # characters shown; names of a model's layers are long


def shown(name: str) -> str:
    """A name in quotation marks, cut where it is longer than anybody gave it."""
    return f"“{shortened(name, NAME_LENGTH)}”"


def is_called(name: str, word: str) -> bool:
    """Whether an array's name, or its last part (model/embeddings), is `word` or words of it."""
    return _singular(word) in map(_singular, _spellings(name))


def is_one_of(name: str, words: Iterable[str]) -> bool:
    """Whether an array is called by one of `words`."""
    return any(is_called(name, word) for word in words)


def first_called(names: Iterable[str], words: Iterable[str]) -> list[str]:
    """Those of `names` that are the first of `words` which any of them is; [] for none."""
    found = ([name for name in names if is_called(name, word)] for word in words)
    return next(filter(None, found), [])


def parent(name: str) -> str:
    """What comes before the last part: fc of fc.weight and of fc/kernel:0."""
    return _path(name).rpartition("/")[0]


def _spellings(name: str) -> tuple[str, ...]:
    """The whole name, its last part, and the module of a table of users or items in PyTorch."""
    before, _, last = _path(name).rpartition("/")
    module = plain(before.rpartition("/")[2])
    if plain(last) == "weight" and module.startswith(("user", "item")):
        return plain(name), module  # item_embedding.weight; but not attention.query.weight
    return plain(name), plain(last)


def _path(name: str) -> str:
    return name.removesuffix(SUFFIX).replace(".", "/")


def _singular(word: str) -> str:
    return word.removesuffix("s")

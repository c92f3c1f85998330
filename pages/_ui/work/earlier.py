"""What is kept between runs: data in use, what was built and measured on them, and whether at all.

Nothing is kept before the server has started, nor where it is open to a network, unless who started
it says so: others could find there what was used.
"""

import os
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import streamlit as st

import mips_core
from mips_core import DataError, Dataset, MipsError, ParamError
from mips_core.base.cache_folder import cache_folder
from mips_core.base.limits import MAX_EARLIER_BYTES
from mips_core.base.text import memory
from pages._ui.work import results, uploads
from pages._ui.work.earlier_store import EarlierStore, Words
from pages._ui.work.uploads import DataOrigin

VARIABLE = "MIPS_EXPLORER_KEEP"
"""The environment variable that says how many megabytes may be kept; 0 keeps nothing."""

CODE = ("base", "data", "methods", "evaluation")  # rooms that what is measured depends on
Value = TypeVar("Value")

_STORES: list[EarlierStore] = []  # one, where anything is kept
_WHY_NOT = ["the server has not started"]
_HOMES: dict[str, str] = {}  # fingerprint of converted items -> of those they were made of


def room_in(environment: Mapping[str, str], *, is_open: bool) -> int:
    """Bytes that may be kept. Raises ParamError where the variable holds no such number."""
    text = environment.get(VARIABLE, "").strip()
    if not text:
        return 0 if is_open else MAX_EARLIER_BYTES
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ParamError(
            f"{VARIABLE} is {text!r}.", "Give a whole number of megabytes, 0 to keep nothing."
        )
    return int(text) * 2**20


def is_open() -> bool:
    """Whether others than this machine can reach the server, by itself or through a proxy."""
    names = [str(st.get_option("server.address") or ""), *st.get_option("server.allowedHosts")]
    here = ("localhost", "::1")
    return not all(name in here or name.startswith(("127.", "unix://")) for name in names)


def start() -> None:
    """Keep from now on what may be kept. Raises ParamError as `room_in`."""
    room = room_in(os.environ, is_open=is_open())
    _STORES.clear()
    if not room:
        _WHY_NOT[0] = f"{VARIABLE} says so" if os.environ.get(VARIABLE) else "it is open to others"
        return
    try:
        _STORES.append(EarlierStore(cache_folder() / "earlier", room))
    except (OSError, MipsError):
        _WHY_NOT[0] = (
            "the user’s cache folder cannot be written, so layouts of maps are not kept either"
        )


def store() -> EarlierStore | None:
    """Where earlier data are kept, if anywhere."""
    return _STORES[0] if _STORES else None


def told() -> str:
    """In a sentence, whether data will be there again."""
    here = store()
    if here is None:
        return f"Data you use are not kept when the server ends: {_WHY_NOT[0]}."
    if here.problem:
        return "Data you use are not kept now: the cache folder is full, or cannot be written."
    return (
        "Data you use are kept on this machine, with what was built and measured on them, up to "
        f"{memory(here.room)}; what was used longest ago goes first. They are there again when the "
        "server is started anew."
    )


def keep(dataset: Dataset, key: str = "") -> None:
    """A visitor has chosen to search this data set, which is held by this key."""
    here, origin = store(), uploads.origin_of(dataset.fingerprint, key)
    if here is not None and origin is not None:
        here.keep(dataset, origin)


def find(fingerprint: str) -> Dataset | None:
    """The data of this fingerprint, where all visitors may open them: in memory or kept."""
    dataset, here = uploads.find(fingerprint), store()
    return here.find(fingerprint) if dataset is None and here is not None else dataset


def keep_view(fingerprint: str, words: Words) -> None:
    """A visitor looks at these data, asked as a link of these words says."""
    here = store()
    if here is not None:
        here.keep_view(fingerprint, words)


def origin_of(fingerprint: str, key: str = "") -> DataOrigin | None:
    """Where the data of this fingerprint and key came from, if that is still known here."""
    here = store()
    entry = None if here is None else here.entry(fingerprint)
    return uploads.origin_of(fingerprint, key) or (None if entry is None else entry.origin)


def belongs(converted: str, source: str) -> None:
    """What is measured on these converted items is kept with those they were made of."""
    _HOMES[converted] = source


def once_kept(
    data: str,
    key: Hashable,
    load: Callable[[Path], Value],
    save: Callable[[Path, Value], None],
    make: Callable[[], Value],
    *,
    mapped: bool,
) -> Value:
    """What is kept under `key` for the items of this fingerprint; made now where nothing is.

    Raises DataError where they are `mapped` and their file was written over meanwhile: it would be
    of neither content. A copy in memory of the same items has lost nothing.
    """
    here, home = store(), _HOMES.get(data, data)

    def made_of_one() -> Value:
        value = make()
        if mapped and (uploads.has_changed(home) or results.outdated(home)):
            raise DataError("The file of these data was written over meanwhile.", "Open it again.")
        return value

    if here is None or not here.keeps(home):
        return made_of_one()
    name = blake2b(repr((key, made_by())).encode(), digest_size=16).hexdigest()
    value = here.read(home, name, load)
    if value is None:
        made = value = made_of_one()
        here.write(home, name, lambda path: save(path, made))
    return value


@cache
def made_by() -> str:
    """Names the code that builds and measures: what other code made is not taken for its own."""
    digest = blake2b(f"{version('numpy')} {version('numba')}".encode(), digest_size=16)
    core = Path(mips_core.__file__).parent
    for path in sorted(path for room in CODE for path in (core / room).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()

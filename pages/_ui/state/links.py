"""What a link holds as its words, and back. What cannot be read is left at its default."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from mips_core import INDEXES, Index, MipsError
from mips_core.base.params import flat_values, format_value, with_text
from mips_core.base.text import in_one_line
from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from mips_core.data.queries import QueryRecipe
from pages._ui.state import learn_state, report_state
from pages._ui.state.session import Session, methods
from pages._ui.work import memory, uploads
from pages._ui.work.uploads import DataOrigin, Share

LONGEST_QUERY = 6_000  # characters: servers and proxies refuse addresses beyond 8,000
MOST_NAME, MOST_FILES = 60, 400  # characters of what data are called, and of names of files
NO_METHOD = "none"  # an empty list cannot be told from a missing one in a link
SIZE = r"(\d{1,9})x(\d{1,9}) (\d{1,12}) (folder|upload|set:[a-z0-9-]{1,60})"
KEY = "key"  # opens what was uploaded; copy_link.js leaves the owner's part of it out
Words = Mapping[str, Sequence[str]]


def changes_text(spec: Any) -> str:
    """`n_clusters=141,n_levels=3`: the declared values that differ from the defaults."""
    kind: Any = type(spec)
    usual, values = _usual(kind)
    if spec == usual:
        return ""
    return ",".join(
        f"{name}={format_value(value)}"
        for name, value in flat_values(spec).items()
        if values.get(name) != value
    )


@cache  # every run writes the address
def _usual(kind: Callable[[], Any]) -> tuple[Any, Mapping[str, Any]]:
    """What is declared so at its defaults, and these by name."""
    return kind(), flat_values(kind())


@lru_cache(maxsize=512)
def index_text(index: Index) -> str:
    """`flat-kmeans:n_clusters=141`: the key and what differs from the defaults."""
    return ":".join(filter(None, (index.key, changes_text(index))))


memory.WHEN_ALONE.append(index_text.cache_clear)


def spec_of(usual: Any, text: str) -> Any:
    """`usual` with the changes of `text`, as `changes_text` writes them, or None."""
    pairs = [pair.split("=", 1) for pair in text.split(",") if pair]
    if any(len(pair) != 2 for pair in pairs):
        return None
    try:
        return with_text(usual, dict(pairs))
    except MipsError:
        return None


def index_of(text: str) -> Index | None:
    """The index written as `text`, or None where it is not one."""
    key, _, values = text.partition(":")
    index: Index | None = spec_of(INDEXES[key](), values) if key in INDEXES else None
    return index


def words_of(session: Session) -> dict[str, list[str]]:
    """The view as query parameters; of data that is gone, what was asked of it."""
    recipe, gone = session.recipe, session.missing
    asked = session.asked.source if gone and session.asked else recipe.source
    origin = session.lost or uploads.origin_of(gone or session.data, session.share.key)
    own_row = format_value(recipe.exclude_self)
    return {
        "data": [gone or session.data],
        **({KEY: [session.share.text]} if session.share.key else {}),
        **({"from": _from_words(origin)} if origin else {}),
        "queries": [f"{asked} {recipe.count} {recipe.noise:g} {own_row}"],
        "seed": [str(recipe.seed)],
        "k": [str(session.K)],
        "index": [index_text(index) for index in session.indexes],
        "at": [str(session.position)],
        "effort": [str(session.effort)],
        "show": [session.show],
        "method": session.methods or [NO_METHOD],
        "metric": [session.metric],
        **({"query": [session.query]} if 0 < len(session.query) <= LONGEST_QUERY else {}),
        **{name: [text] for name, v in session.states.items() if (text := changes_text(v))},
        **report_state.words_of(session.states["report"]),
        **learn_state.words_of(session.states["learn"]),
    }


def origin_of(words: Words) -> DataOrigin | None:
    """What these parameters tell of data that did not ship: as who made the link says."""
    size, name, reading, *files = [*words.get("from", ()), "", "", ""]
    told = re.fullmatch(SIZE, size, re.ASCII)
    if told is None:
        return None
    n, d, total = map(int, told.groups()[:3])
    names = tuple(file for file in files if file)
    lies, _, key = told[4].partition(":")
    return DataOrigin(
        in_one_line(name, MOST_NAME), n, d, names, total, lies == "folder", reading, key
    )


def _from_words(origin: DataOrigin) -> list[str]:
    """The same as parameters; names of files as far as they fit."""
    lies = "folder" if origin.folder else "upload"
    lies = f"set:{origin.published}" if origin.published else lies
    name = in_one_line(origin.name, MOST_NAME)
    words = [f"{origin.n}x{origin.d} {origin.size} {lies}", name, origin.reading]
    fits = sum(map(len, (origin.reading, *origin.files))) <= MOST_FILES
    return [*words, *(origin.files if fits else ())]


def data_of(words: Words) -> str:
    """The data that these parameters name; "" where they name none."""
    return _first(words, "data")


def share_of(words: Words) -> Share:
    """What these parameters have to open the data that they name."""
    return uploads.share_of(_first(words, KEY))


def take(session: Session, words: Words) -> None:
    """Let a new `session` ask what these parameters do; where they say nothing, it stays."""
    session.recipe = _recipe(words, session.recipe)
    session.metric = _metric(words, session.metric)
    session.K = min(max(_whole(words, "k", session.answers), 1), 100)
    indexes = dict.fromkeys(i for i in map(index_of, words.get("index", ())) if i is not None)
    session.indexes = list(indexes) or session.indexes
    session.position = min(_whole(words, "at", session.position), len(session.kept) - 1)
    if "effort" in words:
        session.effort = _whole(words, "effort", 0)
    session.show = "built" if _first(words, "show") == "built" else "best"
    session.methods = _methods(words, session.methods)
    session.query = _first(words, "query")
    session.states = {
        name: spec_of(v, _first(words, name)) or v for name, v in session.states.items()
    }
    session.states["report"] = report_state.with_words(session.states["report"], words)
    session.states["learn"] = learn_state.with_words(session.states["learn"], words)


def _methods(words: Words, usual: list[str]) -> list[str]:
    names = words.get("method", ())
    keys = list(dict.fromkeys(key for key in names if key in methods()))
    return keys if keys or NO_METHOD in names else usual


def _metric(words: Words, usual: Metric) -> Metric:
    name = _first(words, "metric")
    return next((metric for metric in MEASURES if metric == name), usual)


def _first(words: Words, name: str) -> str:
    values = words.get(name, ())
    return values[0] if values else ""


def _whole(words: Words, name: str, usual: int) -> int:
    text = _first(words, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else usual


def _recipe(words: Words, usual: QueryRecipe) -> QueryRecipe:
    seed = _whole(words, "seed", usual.seed)
    values: dict[str, Any] = {"seed": str(seed)}
    parts = _first(words, "queries").split()
    values |= dict(zip(("source", "count", "noise", "exclude_self"), parts, strict=False))
    try:
        return with_text(usual, values)
    except MipsError:
        return usual

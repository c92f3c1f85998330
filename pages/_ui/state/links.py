"""What a link holds as its words, and back. What cannot be read is left at its default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mips_core import INDEXES, Index, MipsError
from mips_core.base.params import flat_values, format_value, with_text
from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from mips_core.data.queries import QueryRecipe
from pages._ui.state import report_state
from pages._ui.state.page_states import default_states
from pages._ui.state.session import methods

LONGEST_QUERY = 6_000  # characters: servers and proxies refuse addresses beyond 8,000
NO_METHOD = "none"  # an empty list cannot be told from a missing one in a link
Words = Mapping[str, Sequence[str]]


def changes_text(spec: Any) -> str:
    """`n_clusters=141,n_levels=3`: the declared values that differ from the defaults."""
    usual = flat_values(type(spec)())
    return ",".join(
        f"{name}={format_value(value)}"
        for name, value in flat_values(spec).items()
        if usual.get(name) != value
    )


def index_text(index: Index) -> str:
    """`flat-kmeans:n_clusters=141`: the key and what differs from the defaults."""
    return ":".join(filter(None, (index.key, changes_text(index))))


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


@dataclass(frozen=True)
class Link:
    """What a link holds."""

    data: str  # a key of the catalog, or the fingerprint of an upload
    recipe: QueryRecipe
    K: int
    indexes: tuple[Index, ...]
    position: int
    effort: int
    show: str
    methods: tuple[str, ...]  # keys whose best is drawn
    metric: Metric = "inner product"
    query: str = ""  # what Search asks: "query 12", "words king - man"; "" where nothing was picked
    states: Mapping[str, Any] = field(
        default_factory=default_states
    )  # what other pages ask, by name


def words_of(link: Link) -> dict[str, list[str]]:
    """The link as query parameters."""
    recipe = link.recipe
    return {
        "data": [link.data],
        "queries": [
            f"{recipe.source} {recipe.count} {recipe.noise:g} {format_value(recipe.exclude_self)}"
        ],
        "seed": [str(recipe.seed)],
        "k": [str(link.K)],
        "index": [index_text(index) for index in link.indexes],
        "at": [str(link.position)],
        "effort": [str(link.effort)],
        "show": [link.show],
        "method": list(link.methods) or [NO_METHOD],
        "metric": [link.metric],
        **({"query": [link.query]} if 0 < len(link.query) <= LONGEST_QUERY else {}),
        **{name: [text] for name, v in link.states.items() if (text := changes_text(v))},
        **report_state.words_of(link.states["report"]),
    }


def link_of(words: Words, usual: Link) -> Link:
    """What these parameters ask for, `usual` where they say nothing or nothing readable."""
    indexes = tuple(
        dict.fromkeys(i for i in map(index_of, words.get("index", ())) if i is not None)
    )
    indexes = indexes or usual.indexes
    states = {name: _page_state(v, _first(words, name)) for name, v in default_states().items()}
    states["report"] = report_state.with_words(states["report"], words)
    return Link(
        data=_first(words, "data") or usual.data,
        recipe=_recipe(words, usual.recipe),
        K=min(max(_whole(words, "k", usual.K), 1), 100),
        indexes=indexes,
        position=min(max(_whole(words, "at", usual.position), 0), len(indexes) - 1),
        effort=_whole(words, "effort", usual.effort),
        show="built" if _first(words, "show") == "built" else "best",
        methods=_methods(words, usual.methods),
        metric=_metric(words, usual.metric),
        query=_first(words, "query"),
        states=states,
    )


def _page_state(usual: Any, text: str) -> Any:
    return spec_of(usual, text) or usual


def _methods(words: Words, usual: tuple[str, ...]) -> tuple[str, ...]:
    names = words.get("method", ())
    keys = tuple(dict.fromkeys(key for key in names if key in methods()))
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

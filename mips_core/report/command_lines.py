"""Command lines that measure a report's operating point again, with every value written out."""

import shlex
from collections.abc import Mapping
from typing import Any

from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe
from mips_core.report.contents import MethodSetting, Origin

PROGRAM = "python -m mips_core"
SOME_FILE = "FILE"


def commands(
    origin: Origin,
    recipe: QueryRecipe | None,
    searched: Dataset,
    K: int,
    setting: MethodSetting,
    effort: int,
) -> tuple[str, ...]:
    """The report on `setting` alone, and its whole curve; () where options cannot say all of it.

    They cannot say that queries are sampled from items that came with queries of their own.
    """
    data = _data(origin, recipe, searched)
    if data is None:
        return ()
    options = [
        *data,
        *index_options(setting.key, setting.values),
        "--k",
        str(K),
        "--seed",
        str(setting.seed),
    ]
    report = [*options, "--effort", str(effort), "--out", "report.html"]
    curve = [*options, "--out", "curve.json"]
    return tuple(
        f"{PROGRAM} {name} {shlex.join(words)}"
        for name, words in (("report", report), ("curve", curve))
    )


def _data(origin: Origin, recipe: QueryRecipe | None, searched: Dataset) -> list[str] | None:
    """Arguments that give the same items, queries and metric."""
    words = [_as_argument(name) for name in origin.files]
    if origin.shipped or origin.stem:
        words = [origin.shipped or SOME_FILE]
    if not words or (recipe is None and not origin.queries_file):
        return None
    if recipe is not None and origin.own_queries != (recipe.source == "own"):
        return None
    if origin.kind != "auto":
        words += ["--kind", origin.kind]
    for choice in origin.reading:
        words += ["--read", choice]
    if origin.rank is not None:
        words += ["--rank", str(origin.rank)]
    if searched.metric != "inner product":
        words += ["--metric", searched.metric]
    return words + (
        ["--queries", _as_argument(origin.queries_file)] if recipe is None else _queries(recipe)
    )


def _as_argument(name: str) -> str:
    """A file's name that is not taken for an option."""
    return f"./{name}" if name.startswith("-") else name


def _queries(recipe: QueryRecipe) -> list[str]:
    words = ["--n-queries", str(recipe.count), "--query-seed", str(recipe.seed)]
    if recipe.source == "noisy":
        words += ["--noise", repr(recipe.noise)]
    if recipe.exclude_self and recipe.source != "own":
        words += ["--exclude-self"]
    return words


def index_options(key: str, values: Mapping[str, Any]) -> list[str]:
    """The method and all of its parameters, as `plain_values` gives them."""
    words = ["--index", key]
    for name, value in values.items():
        words += ["--set", f"{name}={value}"]
    return words

"""A setting: an index, the seed it is built with, and how hard it is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.errors import ParamError
from mips_core.base.params import Param, format_value, params_of
from mips_core.methods.indexes import Index


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen, compared, timed and taken away; hashable."""

    index: Index
    seed: int
    effort: int

    def in_words(self, n: int) -> str:
        """The parameters and the effort for n items: "566 clusters, 24 probes"."""
        noun = self.index.effort_nouns[self.effort != 1]
        return f"{index_in_words(self.index, n)}, {self.effort:,} {noun}"


def position_of(effort: int, efforts: Sequence[int] | Ids) -> int:
    """Where in ascending `efforts` the largest stands that is not above `effort`; else the first.

    Another build may have fewer groups to open: then it opens all it has.
    """
    return max(int(np.searchsorted(efforts, effort, side="right")) - 1, 0)


@lru_cache(1024)  # it is asked for every point of a curve
def index_in_words(index: Index, n: int) -> str:
    """The parameters for n items, those included that are not at their default: "…, U 0.87"."""
    index = index.explicit(n)
    changed = (
        words
        for name, p, value, default in _changed(index)
        if _is_unsaid(index, name, default, n)
        for words in _words(p, value, default)
    )
    return ", ".join([index.setting(n), *changed])


def _changed(spec: Any) -> Iterator[tuple[str, Param, Any, Any]]:
    """Name, declaration, value and default of each parameter that is not at its default."""
    defaults = {f.name: f.default for f in fields(spec)}
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        if value != defaults[name]:
            yield name, p, value, defaults[name]


def _is_unsaid(index: Index, name: str, default: Any, n: int) -> bool:
    """Whether the index's own words are the same with the default; they tell the main one."""
    if name == index.main_param:
        return False
    try:
        return replace(index, **{name: default}).setting(n) == index.setting(n)
    except ParamError:
        return False  # it hangs together with another parameter, whose words tell


def _words(p: Param, value: Any, default: Any) -> Iterator[str]:
    """How a value reads; of a nested value its kind where it is another, and what is in it."""
    if p.kinds is None or type(value) is not type(default):
        label = p.label if len(p.label) == 1 else p.label[0].lower() + p.label[1:]
        yield (p.phrase or f"{label} {{}}").format(format_value(value))
    if p.kinds is not None:
        for _, inner, own, own_default in _changed(value):
            yield from _words(inner, own, own_default)

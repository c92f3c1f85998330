"""In which settings runs differ, as a flat table, and what they have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mips_core.base.params import flat_values, format_value, params_of
from mips_core.data.queries import QueryRecipe
from mips_core.studies.runs.run import Run

NOT_THERE = "–"  # a parameter that a method does not have
SHORT = 8  # digits of a fingerprint


@dataclass(frozen=True, slots=True)
class SettingRow:
    """What a setting is called, and its value in each run, as text."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SettingDifferences:
    """The settings in which runs differ, and what is the same in all, in few words."""

    rows: tuple[SettingRow, ...]
    same: tuple[str, ...]

    def same_in_words(self) -> str:
        """Equal in all: data, queries and seed."""
        if not self.same:
            return "Nothing is equal in all."
        *some, last = self.same
        listed = f"{', '.join(some)} and {last}" if some else last
        return f"Equal in all: {listed}."


class _Setting(NamedTuple):
    """A setting of a run, and the kind it is told under where all of the kind are equal."""

    kind: str
    name: str
    value: str


def differing(runs: Sequence[Run]) -> SettingDifferences:
    """What tells `runs`, one or more, apart: data, queries, method, parameters, seed, versions."""
    settings = [{(one.kind, one.name): one.value for one in _settings(run)} for run in runs]
    rows: list[SettingRow] = []
    kinds: dict[str, list[bool]] = {}  # whether each setting of the kind is the same in all
    for kind, name in dict.fromkeys(key for of_run in settings for key in of_run):
        values = tuple(of_run.get((kind, name), NOT_THERE) for of_run in settings)
        kinds.setdefault(kind, []).append(len(set(values)) == 1)
        if len(set(values)) > 1:
            rows.append(SettingRow(name, values))
    same = [kind if all(equal) else f"other {kind}" for kind, equal in kinds.items()
            if all(equal) or (any(equal) and kind == "parameters")]  # fmt: skip
    return SettingDifferences(tuple(rows), tuple(same))


def _settings(run: Run) -> Iterator[_Setting]:
    """Every setting of a run by what it is called; two data of one name differ by fingerprint."""
    data, recipe = run.data, run.data.queries
    yield _Setting("data", "Data", data.name)
    yield _Setting("data", "Simulated", format_value(data.simulated))
    yield _Setting("data", "Items", f"{data.n:,} × {data.d:,}")
    yield _Setting("data", "Fingerprint of the items", data.fingerprint[:SHORT])
    yield _Setting("metric", "Metric", data.metric)
    yield _Setting("queries", "Queries", f"{data.m:,}")
    yield _Setting("queries", "Queries drawn", "–" if recipe is None else recipe_in_words(recipe))
    yield _Setting("queries", "Fingerprint of the queries", data.query_fingerprint[:SHORT])
    yield _Setting("K", "K", ", ".join(map(str, run.ks)))
    yield _Setting("method", "Method", run.index.label)
    labels = _labels(run.index)
    for name, value in flat_values(run.index).items():
        yield _Setting("parameters", labels[name], format_value(value))
    yield _Setting("seed", "Seed", str(run.seed))
    for library, number in run.versions.items():
        yield _Setting("versions", f"Version of {library}", number)


def recipe_in_words(recipe: QueryRecipe) -> str:
    """How queries were made: "rows, 500 at most, seed 0"."""
    words = [recipe.source, f"{recipe.count:,} at most"]
    if recipe.source == "noisy":
        words.append(f"noise {recipe.noise:g}")
    if recipe.exclude_self:
        words.append("own row left out")
    return ", ".join([*words, f"seed {recipe.seed}"])


def _labels(spec: Any) -> Mapping[str, str]:
    """Name, as in `flat_values` -> label; what is inside another stands behind its label."""
    labels: dict[str, str] = {}
    for name, p in params_of(spec).items():
        labels[name] = p.label
        if p.kinds is not None:
            inner = _labels(getattr(spec, name)).items()
            labels |= {f"{name}.{own}": f"{p.label}: {label}" for own, label in inner}
    return labels

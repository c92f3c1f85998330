"""The options that commands share: indexes with their parameters, numbers, a file to write."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import click

from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_K, MAX_SEED
from mips_core.base.params import params_of, with_text
from mips_core.data.dataset import Dataset
from mips_core.methods.indexes import INDEXES, Index
from mips_core.studies.forecast import LONG, forecast, long_in_words, refuse_too_large

Command = TypeVar("Command", bound=Callable[..., Any])


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """One decorator of all these; help lists them in this order."""

    def with_all(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_all


index_options = together(  # --index (as `keys`) and --set (as `settings`), both repeatable
    click.option("--index", "keys", multiple=True, required=True,
                 help="An index key, or all; may repeat. The command `indexes` lists them."),
    click.option("--set", "settings", multiple=True, metavar="[KEY.]NAME=VALUE",
                 help="A parameter of every index, or of one. VALUE may be a comma list: every "
                 "combination is tried. A value that is itself a list is written 46x2154. "
                 "May repeat."),
)  # fmt: skip


def option(*names: str, **attributes: Any) -> Callable[[Command], Command]:
    """An option whose default is told by its help."""
    return click.option(*names, show_default=True, **attributes)


def out_option(help: str, *, required: bool = False) -> Callable[[Command], Command]:
    """--out, a file to write; `help` says what happens without it."""
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option("--out", type=path, required=required, help=help)


def numbers(ctx: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    """Callback of an option: whole numbers joined by commas, each once."""
    try:
        return tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise click.BadParameter(f"{text!r}: give whole numbers joined by commas.") from None


def decimals(ctx: click.Context, option: click.Parameter, text: str) -> tuple[float, ...]:
    """Callback of an option: numbers joined by commas, each once, ascending."""
    try:
        return tuple(sorted({float(part) for part in text.split(",")}))
    except ValueError:
        raise click.BadParameter(f"{text!r}: give numbers joined by commas.") from None


def decimals_option(flag: str, default: Sequence[float], help: str) -> Callable[[Command], Command]:
    """An option of several numbers, ascending."""
    text = ",".join(f"{value:g}" for value in default)
    return option(flag, default=text, callback=decimals, help=help)


k_option = option("--k", "K", default=10, help="How many answers a query wants.")


def seeds_option(help: str, default: str = "0,1,2") -> Callable[[Command], Command]:
    """--seed (as `seeds`) of several builds; `help` says what they do."""
    return option("--seed", "seeds", default=default, callback=numbers, help=help)


def check_numbers(ks: Sequence[int], seeds: Sequence[int]) -> None:
    """Raise ParamError for a --k or a --seed out of range."""
    for K in ks:
        if not 1 <= K <= MAX_K:
            raise ParamError(f"--k {K} is outside 1 to {MAX_K}.")
    if min(seeds) < 0:
        raise ParamError(f"--seed {min(seeds)} is below 0.", "Seeds are whole numbers from 0.")
    if max(seeds) > MAX_SEED:
        raise ParamError(f"A --seed is above {MAX_SEED}.", "Give a smaller one.")


def index_keys(keys: Sequence[str]) -> list[str]:
    """The keys of --index, each once, all of them for "all". ParamError for an unknown one."""
    keys = list(dict.fromkeys(k for key in keys for k in (INDEXES if key == "all" else [key])))
    for key in keys:
        if key not in INDEXES:
            raise ParamError(f"There is no index {key!r}.", f"Known: {', '.join(INDEXES)}.")
    return keys


def named_indexes(keys: Sequence[str], settings: Sequence[str]) -> list[Index]:
    """Every combination of the values in `settings`, for every key; defaults where none is given.

    Raises ParamError for an unknown key or parameter and for a value that cannot be.
    """
    by_key = _choices(index_keys(keys), settings)
    return [index for key, texts in by_key.items() for index in _combinations(key, texts)]


def indexes_to_try(
    keys: Sequence[str], settings: Sequence[str], dataset: Dataset, *, timed: bool = True
) -> list[Index]:
    """As `settings_to_try`, and `timed` as `fitting`, which refuses what is too large."""
    return fitting(settings_to_try(keys, settings, dataset.n, dataset.d), dataset, timed=timed)


def settings_to_try(keys: Sequence[str], settings: Sequence[str], n: int, d: int) -> list[Index]:
    """As `named_indexes` for every key that `settings` say something of; else its default grid."""
    indexes: list[Index] = []
    for key, texts in _choices(index_keys(keys), settings).items():
        indexes += _combinations(key, texts) if texts else INDEXES[key].grid(n, d)
    return indexes


def fitting(indexes: list[Index], dataset: Dataset, *, timed: bool = True) -> list[Index]:
    """`indexes`, once it was said how long they take, if long and `timed`.

    Raises ParamError where one is too large for the memory.
    """
    n, d, m = dataset.n, dataset.d, dataset.m
    refuse_too_large(indexes, n, d, m)
    seconds = sum(forecast(index, n, d, m).seconds for index in indexes)
    if timed and seconds >= LONG:
        click.echo(f"Building and asking takes about {long_in_words(seconds)}.", err=True)
    return indexes


def _combinations(key: str, texts: Mapping[str, Sequence[str]]) -> list[Index]:
    """The index at every combination of the values of its parameters, each once.

    What only some of the kinds have that are tried, as `reduction.U`, goes to those.
    """
    usual = INDEXES[key]()
    lacking = {name: _kinds_without(usual, name, texts) for name in texts}
    combinations = (dict(zip(texts, values, strict=True)) for values in product(*texts.values()))
    fitting = (
        {name: text for name, text in each.items()
         if each.get(name.partition(".")[0]) not in lacking[name]}
        for each in combinations
    )  # fmt: skip
    return list(dict.fromkeys(with_text(usual, each) for each in fitting))


def _kinds_without(usual: Index, name: str, texts: Mapping[str, Sequence[str]]) -> set[str]:
    """The kinds tried that lack the inner parameter `name`; none where all do, which is refused."""
    outer, _, inner = name.partition(".")
    declared = params_of(usual).get(outer)
    kinds = {} if declared is None or not inner else declared.kinds or {}
    tried = set(texts.get(outer, ())) & set(kinds)
    without = {kind for kind in tried if inner not in params_of(kinds[kind])}
    return set() if without == tried else without


def _choices(keys: Sequence[str], settings: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Key -> parameter -> texts. What is aimed at one index goes before what is for all."""
    choices: dict[str, dict[str, list[str]]] = {key: {} for key in keys}
    common: dict[str, list[str]] = {}
    for setting in settings:
        name, equals, values = setting.partition("=")
        if not equals:
            raise ParamError(f"--set {setting} has no “=”.", "Write name=value.")
        aimed, dot, inner = name.partition(".")
        if dot and aimed in INDEXES and aimed not in choices:
            raise ParamError(f"--set {setting} is for {aimed}.", f"Add --index {aimed}.")
        aim, name = (choices[aimed], inner) if dot and aimed in choices else (common, name)
        aim.setdefault(name, []).extend(values.split(","))
    for name, texts in common.items():
        having = [key for key in keys if name.partition(".")[0] in params_of(INDEXES[key])]
        for key in having or keys:  # where none has it, the first says so
            choices[key].setdefault(name, texts)
    return choices

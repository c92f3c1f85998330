"""The data a command is given: files or a shipped set, how to read them, by what to search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import cleandoc
from pathlib import Path
from typing import Any, cast

import click

from mips_core.base import limits
from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import allowed, params_of, with_text
from mips_core.base.progress import Progress, silent
from mips_core.commands.arguments import Command, option, together
from mips_core.data.catalog import CATALOG
from mips_core.data.catalog import shipped as load_from_catalog
from mips_core.data.dataset import Dataset, Metric
from mips_core.data.metrics import MEASURES, searched_by
from mips_core.data.open_files import Kind, Opened, open_files
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.rankable import repeats_in_words
from mips_core.data.ratings import RANK, RatingChoices, UnsettledRatingsError
from mips_core.data.readers import Choices, UnsettledError, read_queries
from mips_core.scale.manifest import NAME, read_manifest
from mips_core.scale.parts_dataset import is_manifest, parts_dataset

SHIPPED = " or ".join(CATALOG)
FILES = (
    "FILES are vectors, with labels or queries beside them, or ratings, in any format that is "
    f"known (`data FILES` tells); or the name of one shipped data set: {SHIPPED}."
)
READING = {**params_of(Choices()), **params_of(RatingChoices())}
READ_HELP = (
    "How to understand the files; may repeat. "
    + "; ".join(f"{name}: {p.label.lower()}" for name, p in READING.items())
    + "."
)


def _within(name: str) -> click.IntRange | click.FloatRange:
    """The range of a number of QueryRecipe, as an option checks it."""
    declared = params_of(QueryRecipe)[name]
    if isinstance(getattr(QueryRecipe, name), float):
        return click.FloatRange(declared.low, declared.high)
    return click.IntRange(int(declared.low), int(declared.high))


@dataclass(frozen=True, eq=False)
class InputData:
    """Data as they were read with the queries to ask, and the same by the metric in use."""

    opened: Opened
    raw: Dataset
    searched: Dataset
    recipe: QueryRecipe | None  # None: the queries are a file of their own


def data_options(command: Command) -> Command:
    """The options that say which data, which queries and which metric; its help says more too."""
    command.__doc__ = f"{cleandoc(command.__doc__ or '')}\n\n{FILES}"
    return OPTIONS(command)


read_option = click.option("--read", "reading", multiple=True, metavar="NAME=VALUE", help=READ_HELP)

OPTIONS = together(
    click.argument("files", nargs=-1, required=True),
    click.option("--queries", "queries_file", help="File of queries; default: those of the data."),
    option("--kind", type=click.Choice(["auto", "vectors", "ratings"]), default="auto",
           help="What FILES hold."),
    read_option,
    option("--rank", type=click.IntRange(1), default=RANK,
           help="Rank of the PureSVD that makes vectors of ratings."),
    option("--metric", type=click.Choice(list(MEASURES)), default="inner product",
           help="By what to search; all three are solved exactly as maximum inner product search."),
    option("--n-queries", type=_within("count"), default=500, help="How many queries to ask."),
    click.option("--noise", type=_within("noise"), help="Noise on sampled queries, in rms entries "
                 "of FILES."),
    click.option("--exclude-self", is_flag=True, help="A sampled query may not find its own row."),
    option("--query-seed", type=_within("seed"), default=0, help="Fixes which queries are drawn."),
)  # fmt: skip


def open_data(
    files: Sequence[str],
    kind: str = "auto",
    reading: Sequence[str] = (),
    rank: int = RANK,
    progress: Progress = silent,
) -> Opened:
    """The data set of `files`, or the shipped one of that name."""
    if len(files) == 1 and files[0] in CATALOG:
        if reading or kind != "auto":
            raise ParamError(
                f"{files[0]} is a shipped data set.", "--read and --kind are for files."
            )
        return Opened(load_from_catalog(files[0]))
    choices, rating_choices = _choices(reading)
    for file in files:
        if not Path(file).exists():
            raise DataError(
                f"{file} was not found.",
                f"Check the name and the folder. A shipped data set is named alone: {SHIPPED}.",
            )
    if len(files) == 1 and (path := _manifest(Path(files[0]))) is not None:
        manifest = read_manifest(path)
        dataset = parts_dataset(manifest, limits.MAX_FILE_BYTES, progress)
        return Opened(dataset, stored=manifest.dtype)
    return open_files(
        list(files), choices, rating_choices, kind=cast(Kind, kind), rank=rank, progress=progress
    )


def _manifest(path: Path) -> Path | None:
    """The manifest of vectors in parts that `path` is, or that lies in the folder `path`."""
    path = path / NAME if path.is_dir() else path
    return path if path.is_file() and is_manifest(path) else None


def read_data(
    files: Sequence[str],
    queries_file: str | None,
    metric: str,
    n_queries: int,
    noise: float | None,
    exclude_self: bool,
    query_seed: int,
    **how: Any,
) -> InputData:
    """What the options of `data_options` ask for."""
    asked = queries_file is not None
    reading = [text for text in how["reading"] if not (asked and text.startswith("queries="))]
    opened = open_data(files, **{**how, "reading": reading})
    dataset = opened.dataset
    sampled = noise is not None or exclude_self
    if sampled and (queries_file is not None or dataset.m):
        raise ParamError(
            "--noise and --exclude-self are for queries sampled from the items.",
            "Leave them out, or give items that come without queries.",
        )
    recipe = None
    if queries_file is not None:
        queries = queries_in(queries_file, how["reading"])
        raw = replace(dataset, queries=queries, query_rows=None, query_labels=None)
    else:
        recipe = QueryRecipe(
            source="own" if dataset.m else "rows" if noise is None else "noisy",
            count=n_queries,
            noise=noise or 0.0,
            exclude_self=exclude_self,
            seed=query_seed,
        )
        raw = with_queries(dataset, recipe)
    searched = searched_by(raw, cast(Metric, metric))
    notes = [*searched.notes, *filter(None, [repeats_in_words(searched.queries)])]
    return InputData(opened, raw, replace(searched, notes=notes), recipe)


def queries_in(file: str | Path, reading: Sequence[str]) -> Matrix:
    """The vectors of a file of queries; of --read, queries= and skip_bad= are for it."""
    choices, _ = _choices(reading)
    try:
        return read_queries(file, Choices(array=choices.queries, skip_bad=choices.skip_bad))
    except UnsettledError as error:
        hint = how_to_choose(error).replace("array=", "queries=")
        raise DataError(error.found, f"{error.remedy}{hint}") from None


def how_to_choose(error: Exception) -> str:
    """What to write on the command line where files are read once a person chooses."""
    if isinstance(error, UnsettledRatingsError):
        bad = error.offers.bad_lines
        return (
            f" Here: --read {'skip_bad=yes' if bad else 'user=…, --read item=…, --read value=…'}."
        )
    if isinstance(error, UnsettledError):
        ways = ["--read skip_bad=yes"] if error.offers.bad_rows else []
        ways += ["--kind ratings"] if error.offers.gaps else []
        return f" Here: {' or '.join(ways or ['--read array=NAME'])}."
    return ""


def _choices(reading: Sequence[str]) -> tuple[Choices, RatingChoices]:
    """The choices written as name=value; a name that both know goes to both."""
    texts = {}
    for text in reading:
        name, equals, value = text.partition("=")
        if not equals or name not in READING:
            raise ParamError(f"--read {text} cannot be read.", f"Write one of: {_known()}.")
        texts[name] = value

    def of(spec: Any) -> Any:
        return with_text(spec, {n: text for n, text in texts.items() if n in params_of(spec)})

    return of(Choices()), of(RatingChoices())


def _known() -> str:
    defaults = {name: getattr(spec, name) for spec in (Choices(), RatingChoices())
                for name in params_of(spec)}  # fmt: skip
    return "; ".join(f"{name}={allowed(p, defaults[name])}" for name, p in READING.items())

"""The paper's experiments and claims, on its data or on what stands in for them."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import click

from mips_core.base.errors import DataError
from mips_core.commands import output
from mips_core.commands.arguments import option
from mips_core.commands.input_data import open_data
from mips_core.data.catalog import CATALOG
from mips_core.report.paper import paper_files, picture_files, pictures
from mips_core.studies.paper.one_set import PaperData
from mips_core.studies.paper.presets import (
    FIRST,
    PRESETS,
    preset_data,
    with_paper_queries,
)
from mips_core.studies.paper.run import PaperResult, run_paper
from mips_core.studies.paper.units import UnitFolder
from mips_core.studies.paper.wording import family_in_words, rows, summary_in_words

UNITS = "units"  # the folder of what was measured, within the one that is written
PAUSE = 30.0  # seconds at least from one writing of partial figures to the next


@click.command("paper")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write. What was measured into it before is not measured again: a "
    "run that was stopped goes on.",
)
@click.option("--quick", is_flag=True, help="Fewer settings and queries, and smaller stand-ins.")
@click.option(
    "--data",
    "names",
    multiple=True,
    metavar="NAME",
    help=f"A preset ({', '.join(PRESETS)}), each with its stand-in; a shipped data set; "
    "a file or folder of vectors or ratings; or PRESET=FILE, where FILE is the paper's "
    "own data. May repeat. Default: all presets.",
)
@click.option(
    "--clock", is_flag=True, help="Time claim 16, quantization, too, beside ScaNN where it is "
    "installed. Times are never twice the same: with it, neither are the files."
)  # fmt: skip
@option(
    "--first",
    type=click.IntRange(1),
    default=FIRST,
    help="Vectors taken from the start of a larger file.",
)
@click.option(
    "--n-queries",
    type=click.IntRange(1, 100_000),
    help="Queries asked. Default: 60,000 users or 2,000 words; 500 in a quick run.",
)
@click.option("--rank", type=click.IntRange(1), help="Of the PureSVD of ratings. Default: as in "
              "the paper.")  # fmt: skip
def command(
    out: Path, quick: bool, names: Sequence[str], first: int, n_queries: int | None,
    rank: int | None, clock: bool,
) -> None:  # fmt: skip
    """Measure the paper's figures anew and judge its 17 claims.

    Writes figures as SVG, PNG and CSV, claims.json, claims.csv and report.html. Figures of what is
    known so far are written on the way. The same data give the same files, whether the run was
    stopped in between or not.
    """
    sets = [_data(name, quick, first, n_queries, rank) for name in names or [*PRESETS]]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"{out} cannot be made: {error.strerror}.", "Name another folder."
        ) from None
    result = run_paper(sets, UnitFolder(out / UNITS), quick, _Showing(out), clock=clock)
    for name, content in paper_files(result):
        output.write_file(out / name, content)
    output.end_progress()
    for line in _lines(result, out):
        click.echo(line)


class _Showing:
    """A Progress that also writes figures of what is known, now and then."""

    def __init__(self, out: Path) -> None:
        self.out, self.written = out, monotonic()

    def __call__(self, fraction: float, message: str, partial: Any = None) -> None:
        output.show_progress(fraction, message)
        due = monotonic() - self.written > PAUSE
        if due and isinstance(partial, PaperResult) and not partial.done:
            for name, content in picture_files(pictures(partial), png=False):
                output.write_file(self.out / name, content)
            self.written = monotonic()


def _data(name: str, quick: bool, first: int, n_queries: int | None, rank: int | None) -> PaperData:
    """What one --data names."""
    preset, equals, path = name.partition("=")
    if name in PRESETS:
        return preset_data(name, quick, n_queries)
    own = preset in PRESETS and bool(equals)
    path = path if own else name
    files = [path]
    if path not in CATALOG and Path(path).is_dir():
        files = sorted(str(file) for file in Path(path).iterdir() if file.is_file())
        if not files:
            raise DataError(f"{path} holds no files.", "Name a folder with vectors or ratings.")
    ranked = rank or PRESETS[preset if own else "movielens-10m"].rank
    dataset = open_data(files, rank=ranked, progress=output.show_progress).dataset
    output.end_progress()
    return with_paper_queries(dataset, "" if own else None, quick, n_queries, first)


def _lines(result: PaperResult, out: Path) -> Sequence[str]:
    """A line for every verdict, and what stands where."""
    lines = []
    for row in rows(result):
        lines.append(
            f"{row['claim']:>2} {row['verdict']:<14} {row['effect'] or '–'}; {row['conditions']}. "
            f"{row['says']} [{row['data']}]"
        )
        if row["why"]:
            lines.append(f"   {row['why']}")
        if row["clock"]:
            lines.append(f"   {row['clock']}")
    return [*lines, "", *summary_in_words(result), family_in_words(result),
            f"{out / 'report.html'} shows all of it."]  # fmt: skip

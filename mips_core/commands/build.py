"""An index, built and written to a file that can be asked elsewhere."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import span
from mips_core.base.seeds import rng_for
from mips_core.base.text import counted, memory
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.setting import Setting, index_in_words
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.serving.store import StoredIndex, save, stored_index
from mips_core.studies.forecast import grouped_in_words
from mips_core.studies.tuning import Need, Tuned, cheapest, in_words

BUILT = 0.9  # of the bar


@click.command("build")
@input_data.data_options
@arguments.index_options
@arguments.option("--seed", default=0, help="Of all that is drawn to build it.")
@click.option("--effort", type=int, help="How hard the index is asked where nothing else is said.")
@click.option(
    "--precision",
    type=float,
    help="Choose that effort: the cheapest that keeps this share of the true top K on queries it "
    "was not chosen on.",
)
@arguments.k_option
@arguments.option(
    "--items/--no-items",
    default=True,
    help="Whether the file holds the items too; without, they must be given to search it.",
)
@arguments.out_option("The file to write; .mips is its usual ending.", required=True)
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    seed: int,
    effort: int | None,
    precision: float | None,
    K: int,
    items: bool,
    out: Path,
    **options: Any,
) -> None:
    """Build one index on FILES and save it, to be asked with `search`."""
    if effort is not None and precision is not None:
        raise ParamError("--effort and --precision were both given.", "Leave one of them out.")
    need = None if precision is None else Need(precision)
    indexes = arguments.named_indexes(keys, settings)
    if len(indexes) != 1:
        raise ParamError(
            f"{len(indexes)} indexes were asked for.", "Give one --index, and one value a --set."
        )
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    dataset = input_data.read_data(**options).searched
    (index,) = arguments.fitting(indexes, dataset)
    if grouped := grouped_in_words(index, dataset.n):
        index = index.explicit(dataset.n)  # a file names the fit that was used
    stored, tuned = _stored(dataset, index, seed, effort, need, K)
    output.end_progress()
    for note in (*dataset.notes, grouped):
        if note:
            click.echo(note, err=True)
    if tuned is not None:
        click.echo(in_words(tuned).replace("**", ""))
    save(out, stored if items else replace(stored, items=None))
    click.echo(f"Written: {out}, {memory(out.stat().st_size)}. {_words(stored)}")


def _stored(
    dataset: Dataset, index: Index, seed: int, effort: int | None, need: Need | None, K: int
) -> tuple[StoredIndex, Tuned | None]:
    """The index, built; and how its effort was chosen, where a precision was asked for."""
    if need is None:
        structure = index.build(dataset.items, rng_for(seed), output.show_progress)
        return stored_index(dataset, index, seed, structure, effort), None
    builder = Builder(dataset.items, truth_of(dataset), K)
    tuned = cheapest([builder.tried(index, seed, span(output.show_progress, 0.0, BUILT))], K, need)
    if tuned.chosen is None:
        raise DataError(in_words(tuned).replace("**", ""), "Nothing was written.")
    effort = tuned.chosen.setting.effort
    return stored_index(dataset, index, seed, builder.build(index, seed).structure, effort), tuned


def _words(stored: StoredIndex) -> str:
    """Flat k-means, 566 clusters, 24 probes; 20,000 items of 50 dimensions."""
    index, n = stored.index, stored.n
    if stored.effort is None:
        setting = f"{index_in_words(index, n)}, no effort chosen"
    else:
        setting = Setting(index, stored.seed, stored.effort).in_words(n)
    size = f"{counted(n, 'item', 'items')} of {counted(stored.d, 'dimension', 'dimensions')}"
    return f"{index.label}, {setting}; {size}."

"""What files hold, what to know of it before searching, and the same for other tools."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.commands import input_data, output
from mips_core.commands.input_data import InputData
from mips_core.data.dataset import Dataset
from mips_core.data.ratings import Ratings
from mips_core.data.readers import Offers
from mips_core.evaluation.truth import truth_of
from mips_core.serving.export import Benchmark, benchmark_of, write_ann_benchmarks, write_npz
from mips_core.studies.data_profile.facts import facts_of
from mips_core.studies.data_profile.findings import findings, remarked

WRITERS: dict[str, Callable[[BinaryIO, Benchmark], None]] = {
    ".npz": write_npz,
    ".hdf5": write_ann_benchmarks,
    ".h5": write_ann_benchmarks,
}


@click.command("data")
@input_data.data_options
@click.option(
    "--export",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write vectors, queries and true answers: .npz, or .hdf5 as ann-benchmarks has them.",
)
def command(export: Path | None, **options: Any) -> None:
    """What FILES hold: vectors, labels, queries or ratings, and what to know before searching."""
    if export is not None and export.suffix not in WRITERS:
        raise DataError(f"{export} names no format known here.", f"Known: {', '.join(WRITERS)}.")
    output.check_writable(export)
    data = input_data.read_data(**options)
    for line in _understood(data):
        click.echo(line)
    if export is not None:
        truth = truth_of(data.searched)
        benchmark = benchmark_of(data.raw, data.searched, truth, data.recipe)
        with replacing(export) as file:
            WRITERS[export.suffix](file, benchmark)
        click.echo(f"Written: {export}")


def _understood(data: InputData) -> list[str]:
    dataset, source = data.searched, data.opened.dataset
    facts = facts_of(source)
    first = [f"“{label}”" for label in (source.labels or ())[:3]]
    rows = {
        "Items": f"{source.n:,}",
        "Dimensions": f"{source.d:,}",
        **_numbers(data.opened.offers, source),
        "Labels": f"{', '.join(first)}{' …' if source.n > 3 else ''}" if first else "none",
        "Queries": f"{dataset.m:,} of {source.m:,}"
        if source.m
        else counted(dataset.m, "sampled item", "sampled items"),
        "Norms": f"{facts.least:,.3g} to {facts.most:,.3g}, median {facts.median:,.3g}",
        "Searched by": dataset.metric,
        **_ratings(data.opened.ratings),
        **_offers(data.opened.offers),
    }
    lines = [f"{name + ':':<13}{value}" for name, value in rows.items()]
    lines += [note for note in dataset.notes if not remarked(note)]
    return lines + [
        " ".join(filter(None, (f.found, f.rest))) for f in findings(source, facts, dataset.metric)
    ]


def _numbers(offers: Offers, source: Dataset) -> dict[str, str]:
    """What becomes of float16, and how to choose."""
    if not offers.float16:
        return {}
    kept = source.items.dtype == np.float16
    become = "kept so" if kept else "made float32; --read keep_float16=yes keeps them"
    return {"Numbers": f"float16, {become}"}


def _ratings(ratings: Ratings | None) -> dict[str, str]:
    if ratings is None:
        return {}
    density = ratings.n_ratings / (ratings.n_users * ratings.n_items)
    return {
        "Ratings": f"{ratings.n_ratings:,} of {counted(ratings.n_items, 'item', 'items')} by "
        f"{counted(ratings.n_users, 'user', 'users')} ({density:.2%} of all pairs)"
    }


def _offers(offers: Offers) -> dict[str, str]:
    """What else could have been chosen with --read."""
    others = [f"{o.name} ({o.about})" for o in offers.arrays if o.name != offers.array]
    labels = [o.name for o in offers.labels if o.name != offers.label]
    rows = {"Also there": ", ".join(others[:8]), "Also labels": ", ".join(labels[:8])}
    return {name: text for name, text in rows.items() if text}

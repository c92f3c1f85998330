"""Vectors in parts: for data beyond one machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import click

from mips_core.base.progress import span
from mips_core.base.text import counted
from mips_core.commands import arguments, output
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.dask_engine import Dask
from mips_core.scale.engine import Engine, Local
from mips_core.scale.local_cluster import local_cluster
from mips_core.scale.manifest import DTYPES, Manifest, read_manifest
from mips_core.scale.parts_curve import evaluate_on_parts, sampled_queries, truth_on_parts
from mips_core.scale.scheduler_address import VARIABLE
from mips_core.scale.write_parts import LEAST_MB, MOST_MB, USUAL_MB, blocks_of, write_parts

manifest_argument = click.argument("manifest", type=click.Path(path_type=Path))


@click.group("parts")
def command() -> None:
    """Vectors in parts, beyond one machine: import them, check them, work on them."""


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A new folder.")
@arguments.option("--dtype", type=click.Choice(DTYPES), default="float32", help="Stored as this.")
@arguments.option(
    "--part-mb",
    type=click.IntRange(LEAST_MB, MOST_MB),
    default=USUAL_MB,
    help="MB of a part; 64 to 256 suit large data.",
)
def import_files(files: Sequence[Path], out: Path, dtype: str, part_mb: int) -> None:
    """Write the vectors of FILES, or of the files in folders, as parts with a manifest.

    Files of any known format, in the order of their names. .npy and .fbin are mapped; of all
    others one file is in memory at a time.
    """
    written = write_parts(blocks_of(files), out, dtype, part_mb, progress=output.show_progress)
    output.end_progress()
    click.echo(f"Written: {written.path}. {_words(written)}")


@command.command("check")
@manifest_argument
def check(manifest: Path) -> None:
    """Read every part of MANIFEST and say whether all is as it was written."""
    stored = read_manifest(manifest)
    stored.check_content(output.show_progress)
    output.end_progress()
    click.echo(f"All parts are as they were written. {_words(stored)}")


def _words(manifest: Manifest) -> str:
    vectors = f"{counted(manifest.n, 'vector', 'vectors')} of {manifest.d:,} dimensions"
    parts = counted(len(manifest.parts), "part", "parts")
    return f"{vectors}, {manifest.dtype}, in {parts}; key {manifest.key}."


@command.command("cluster")
@arguments.option(
    "--workers", type=click.IntRange(1, 256), default=2, help="Processes, one thread each."
)
def cluster(workers: int) -> None:
    """Start a scheduler and workers on this machine, for trying, until Ctrl-C.

    Nothing listens beyond this machine.
    """
    with local_cluster(workers) as address:
        click.echo(f"Started: --cluster {address}")
        sys.stdout.flush()
        while True:
            sleep(3600)


@command.command("curve")
@manifest_argument
@arguments.index_options
@arguments.option(
    "--k", "ks", default="1,10,100", callback=arguments.numbers, help="Answers a query wants."
)
@arguments.option("--seed", default=0, help="Of the builds.")
@arguments.option("--n-queries", type=click.IntRange(1, 100_000), default=500, help="Sampled rows.")
@click.option(
    "--cluster",
    "address",
    envvar=VARIABLE,
    help=f"The scheduler, tls://HOST:PORT; without, threads of this process. Or {VARIABLE}.",
)
@click.option("--plain-tcp", is_flag=True, help="Allow tcp:// to another machine.")
@arguments.out_option("Write the curves as JSON to this file. Default: print them.")
def curve(
    manifest: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    ks: tuple[int, ...],
    seed: int,
    n_queries: int,
    address: str | None,
    plain_tcp: bool,
    out: Path | None,
) -> None:
    """Build indexes on the parts of MANIFEST and measure precision and speedup at every effort.

    flat-kmeans and hierarchical-kmeans. What was stopped goes on after its last pass.
    """
    indexes = arguments.named_indexes(keys, settings)
    arguments.check_numbers(ks, (seed,))
    output.check_writable(out)
    stored = read_manifest(manifest)
    engine: Engine = Dask(address, plain_tcp=plain_tcp) if address else Local()
    queries, _ = sampled_queries(stored, n_queries)
    truth = truth_on_parts(stored, queries, engine, span(output.show_progress, 0.0, 0.1))
    curves = []
    for at, index in enumerate(indexes):
        ends = (0.1 + 0.9 * (at + i) / len(indexes) for i in (0, 1))
        built = build_on_parts(index, stored, seed, engine, span(output.show_progress, *ends))
        curves.append(evaluate_on_parts(index, built, truth, seed).curve(ks))
    output.end_progress()
    named = {"n": stored.n, "d": stored.d, "dtype": stored.dtype, "key": stored.key}
    report = {"manifest": named, "queries": truth.m, "curves": [c.as_dict() for c in curves]}
    output.write_report(out, report)

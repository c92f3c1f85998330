"""Vectors in parts: for data beyond one machine."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import click

from mips_core.base.text import counted
from mips_core.commands import arguments, output, parts_sweeps, parts_work
from mips_core.scale.finished import remove_runs
from mips_core.scale.local_cluster import local_cluster
from mips_core.scale.manifest import DTYPES, Manifest, read_manifest
from mips_core.scale.scheduler_address import TLS, VARIABLE
from mips_core.scale.write_parts import LEAST_MB, MOST_MB, USUAL_MB, blocks_of, write_parts


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
@parts_work.manifest_argument
def check(manifest: Path) -> None:
    """Read every part of MANIFEST and say whether all is as it was written."""
    stored = read_manifest(manifest)
    stored.check_content(output.show_progress)
    output.end_progress()
    click.echo(f"All parts are as they were written. {_words(stored)}")


@command.command("clean")
@parts_work.manifest_argument
def clean(manifest: Path) -> None:
    """Remove what builds left beside the parts of MANIFEST; the parts stay. None may be running."""
    removed = remove_runs(read_manifest(manifest).path.parent)
    click.echo(f"{counted(removed, 'build', 'builds')} removed.")


def _words(manifest: Manifest) -> str:
    vectors = f"{counted(manifest.n, 'vector', 'vectors')} of {manifest.d:,} dimensions"
    parts = counted(len(manifest.parts), "part", "parts")
    return f"{vectors}, {manifest.dtype}, in {parts}; key {manifest.key}."


@command.command("cluster")
@arguments.option(
    "--workers", type=click.IntRange(1, 256), default=2, help="Processes, one thread each."
)
@arguments.option(
    "--memory-limit", default="auto", help="Of each worker, as 2GB; auto: its share of all."
)
def cluster(workers: int, memory_limit: str) -> None:
    """Start a scheduler and workers on this machine, for trying, until Ctrl-C.

    They end too when they are told to (SIGTERM), or who started them ends.

    Nothing listens beyond this machine, and whoever connects needs the certificate that is made
    for it: what to set for other commands is printed.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    starter = os.getppid()
    with local_cluster(workers, memory_limit) as (address, certificate):
        for variable in TLS.values():
            click.echo(f"export {variable}={certificate}")
        click.echo(f"export {VARIABLE}={address}")
        sys.stdout.flush()
        while os.getppid() == starter:
            sleep(1)


for work in (parts_work.curve, parts_work.build, parts_work.search):
    command.add_command(work)
for sweep in (parts_sweeps.tune, parts_sweeps.noise):
    command.add_command(sweep)

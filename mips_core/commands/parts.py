"""Vectors in parts: for data beyond one machine."""

from collections.abc import Sequence
from pathlib import Path

import click

from mips_core.base.text import counted
from mips_core.commands import arguments, output
from mips_core.scale.manifest import DTYPES, Manifest, read_manifest
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

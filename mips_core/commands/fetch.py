"""Published data sets: which there are, on what terms, and how one comes to this machine."""

import click

from mips_core.base.errors import Cancelled
from mips_core.base.text import memory
from mips_core.commands import output
from mips_core.data.published.entries import PUBLISHED, PublishedSet, published
from mips_core.data.published.fetch import by_hand, fetch, files_of, placed


@click.command("fetch")
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Agree to the terms without being asked.")
def command(name: str | None, yes: bool) -> None:
    """Fetch the published data set NAME, once its terms are agreed to; without NAME, list them.

    What came stays in the cache folder; the paths of its files are printed last, for the other
    commands. Interrupted, it goes on from there the next time.
    """
    if name is None:
        for key, entry in PUBLISHED.items():
            click.echo(f"{key:<22}{_size(entry):<22}{entry.about}")
        return
    entry = published(name)
    if files_of(entry) is None:
        archive = entry.archive
        click.echo(f"{entry.label}: {entry.about}", err=True)
        click.echo(f"Licence: {entry.licence} ({entry.terms}).", err=True)
        if archive is not None and placed(entry) is None:
            click.echo(f"By hand: {by_hand(entry)}", err=True)
            asked = f"Fetch {_size(entry)} from {archive.host} on these terms?"
            if not yes and not click.confirm(asked, err=True):
                raise click.exceptions.Exit(1)
        try:
            fetch(entry, progress=output.show_progress)
        except (KeyboardInterrupt, Cancelled):
            output.end_progress()
            click.echo("What came is kept; fetch it again to go on.", err=True)
            raise
        output.end_progress()
    rank = f"--rank {entry.rank} " if entry.kind == "ratings" else ""
    click.echo(f"Ready: data {rank}FILES, with these as FILES:", err=True)
    for path in files_of(entry) or []:
        click.echo(path)


def _size(entry: PublishedSet) -> str:
    if files_of(entry) is not None:
        return "here already"
    return memory(entry.archive.size) if entry.archive else "placed by hand"

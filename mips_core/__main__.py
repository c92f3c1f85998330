"""The same path without a browser: python -m mips_core."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

INTERRUPTED = 130  # what shells call a command that Ctrl-C has ended

try:
    import click

    from mips_core.base import limits, numba_cache
    from mips_core.base.errors import MipsError, disk_full
except KeyboardInterrupt:
    raise SystemExit(INTERRUPTED) from None

# Each is `command` in the module of its name in mips_core.commands.
COMMANDS = (
    "build",
    "clock",
    "compare",
    "curve",
    "data",
    "drift",
    "fetch",
    "indexes",
    "map",
    "noise",
    "paper",
    "parts",
    "report",
    "runs",
    "scale",
    "search",
    "tune",
)


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Ctrl-C ends the command without a word, while its modules are imported too."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None


class _Group(click.Group):
    """Imports the command that is asked for, and no other: each needs other parts of the package.

    Errors a person can act on end it with their text, never with a traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mips_core.commands.{name}").command
        first = (command.help or "").partition("\n\n")[0]
        command.short_help = " ".join(first.split())  # whole in the list of commands, not cut
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _ending_quietly():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _ending_quietly():
                limits.check()
                if told := numba_cache.told():
                    click.echo(told, err=True)
                return super().invoke(ctx)
        except MipsError as error:
            from mips_core.commands.input_data import how_to_choose

            raise click.ClickException(f"{error}{how_to_choose(error)}") from None
        except OSError as error:
            if why := disk_full(error):
                raise click.ClickException(str(why)) from None
            raise


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Approximate maximum inner product search, measured in inner products.

    Begin with `data FILES`, which says how files are understood, or with a shipped data set:
    `curve glove-6b-50d --index flat-kmeans`. COMMAND --help says what each takes.
    """


if __name__ == "__main__":
    main(prog_name="python -m mips_core")

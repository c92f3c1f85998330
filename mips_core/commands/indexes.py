"""The methods there are, and what can be set of each."""

from typing import Any

import click

from mips_core.base.params import allowed, flat_values, format_value, params_of
from mips_core.methods.indexes import INDEXES


@click.command("indexes")
def command() -> None:
    """Keys of the indexes, what they do and cost, their parameters, ranges and help."""
    for key, cls in INDEXES.items():
        what, cost = cls.about()
        click.echo(f"{key}: {cls.label} ({cls.cite}); effort: {cls.effort_name.lower()}")
        click.echo(f"  {what}\n  Cost of a query: {cost}")
        _list_params(cls(), "  ")


def _list_params(spec: Any, indent: str, within: str = "") -> None:
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        shown = f"{indent}{within}{name} = {format_value(value)}"
        click.echo(f"{shown} ({allowed(p, value)})\n{indent}    {p.help}")
        for kind, cls in (p.kinds or {}).items():
            inner = cls()
            if flat_values(inner):
                click.echo(f"{indent}    {name}={kind}:")
                _list_params(inner, indent + "      ", name + ".")

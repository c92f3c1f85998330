"""Sweeps over settings of vectors in parts: tuning, and noise on queries."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from mips_core.base.progress import span
from mips_core.commands import arguments, output, parts_work
from mips_core.commands import noise as noise_command
from mips_core.commands import tune as tune_command
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.indexes import Index
from mips_core.scale.manifest import Manifest, read_manifest
from mips_core.scale.parts_curve import sampled_queries, truth_on_parts
from mips_core.studies import noise as noises
from mips_core.studies.sweeps import grid_on_parts, noise_on_parts, tune_on_parts, whole
from mips_core.studies.tuning import as_dict


@click.command("tune")
@parts_work.manifest_argument
@arguments.index_options
@tune_command.goal_options
@arguments.k_option
@arguments.option("--seed", default=0, help="Of all that is built.")
@arguments.option(
    "--refine/--no-refine", default=True, help="Whether settings near the best ones are tried too."
)
@parts_work.queries_option
@parts_work.engine_options
@arguments.out_option("Write the answer and its runners-up as JSON to this file.")
def tune(
    manifest: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    K: int,
    seed: int,
    refine: bool,
    n_queries: int,
    address: str | None,
    plain_tcp: bool,
    out: Path | None,
    **goal: float | None,
) -> None:
    """As the command `tune`, on the parts of MANIFEST: what fits a worker is a task."""
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    aim = tune_command.goal_of(**goal)
    stored = read_manifest(manifest)
    indexes = settings_on_parts(keys, settings, stored)
    with closing(parts_work.engine_at(address, plain_tcp)) as engine:
        queries, _ = sampled_queries(stored, n_queries)
        truth = truth_on_parts(
            stored, queries, engine, span(output.show_progress, 0.0, parts_work.ASKING)
        )
        progress = span(output.show_progress, parts_work.ASKING, 1.0)
        what = (stored, indexes, truth, K, aim, engine, seed, progress)
        answer = tune_on_parts(*what, refine=refine)
    output.end_progress()
    report = {**stored.named(), "seed": seed, **as_dict(answer)}
    output.say(tune_command.lines(answer), out, report)


@click.command("noise")
@parts_work.manifest_argument
@arguments.index_options
@noise_command.noise_options
@parts_work.queries_option
@parts_work.engine_options
@arguments.out_option("Write every seed and σ as JSON to this file.")
def noise(
    manifest: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    speedup: float,
    sigmas: tuple[float, ...],
    unit: noises.Unit,
    K: int,
    seeds: tuple[int, ...],
    n_queries: int,
    out: Path | None,
    **cluster: Any,
) -> None:
    """As the command `noise`, on the parts of MANIFEST: a task for each method."""
    arguments.check_numbers((K,), seeds)
    output.check_writable(out)
    stored = read_manifest(manifest)
    indexes = settings_on_parts(keys, settings, stored)
    data = with_queries(whole(str(stored.path), stored.key), QueryRecipe(count=n_queries))
    noisy = noises.noisy_queries(data, data, sigmas=sigmas, unit=unit, seed=seeds[0])
    with closing(parts_work.engine_at(**cluster)) as engine:
        how = (noisy, indexes, K, speedup, engine, seeds, output.show_progress)
        methods = noise_on_parts(stored, *how)
    output.end_progress()
    what = data, noisy, methods, K, speedup
    output.say(noise_command.table(*what), out, noise_command.report(*what))


def settings_on_parts(
    keys: Sequence[str], settings: Sequence[str], manifest: Manifest
) -> list[Index]:
    """As `settings_to_try`; a grid's grouped fits, which parts have not, are growing ones."""
    if settings:
        return arguments.settings_to_try(keys, settings, manifest.n, manifest.d)
    return grid_on_parts(arguments.index_keys(keys), manifest)

"""Work on vectors in parts: curves, an index to take elsewhere, searches of many queries."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.params import plain_values
from mips_core.base.progress import span
from mips_core.base.text import memory
from mips_core.commands import arguments, input_data, output
from mips_core.data.metrics import AsTheyAre
from mips_core.methods.indexes import Index
from mips_core.scale.build_on_parts import build_on_parts, finished_tree
from mips_core.scale.dask_engine import Dask
from mips_core.scale.engine import Engine, Local
from mips_core.scale.manifest import read_manifest
from mips_core.scale.parts_curve import evaluate_on_parts, sampled_queries, truth_on_parts
from mips_core.scale.parts_search import search_on_parts
from mips_core.scale.scheduler_address import VARIABLE
from mips_core.serving.store import StoredIndex, save

ASKING = 0.1  # share of the time that true answers take, about

manifest_argument = click.argument("manifest", type=click.Path(path_type=Path))
engine_options = arguments.together(
    click.option(
        "--cluster",
        "address",
        envvar=VARIABLE,
        help=f"The scheduler, tls://HOST:PORT; without, threads of this process. Or {VARIABLE}.",
    ),
    click.option("--plain-tcp", is_flag=True, help="Allow tcp:// to another machine."),
)
queries_option = arguments.option(
    "--n-queries", type=click.IntRange(1, 100_000), default=500, help="Sampled rows."
)


def engine_at(address: str | None, plain_tcp: bool) -> Engine:
    """The cluster of that scheduler, or threads of this process."""
    return Dask(address, plain_tcp=plain_tcp) if address else Local()


@click.command("curve")
@manifest_argument
@arguments.index_options
@arguments.option(
    "--k", "ks", default="1,10,100", callback=arguments.numbers, help="Answers a query wants."
)
@arguments.option("--seed", default=0, help="Of the builds.")
@queries_option
@engine_options
@arguments.out_option("Write the curves as JSON to this file. Default: print them.")
def curve(
    manifest: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    ks: tuple[int, ...],
    seed: int,
    n_queries: int,
    out: Path | None,
    **cluster: Any,
) -> None:
    """Build indexes on the parts of MANIFEST and measure precision and speedup at every effort.

    flat-kmeans and hierarchical-kmeans. What was stopped goes on after its last pass; what is
    finished stays beside the parts, until `parts clean`.
    """
    indexes = arguments.named_indexes(keys, settings)
    arguments.check_numbers(ks, (seed,))
    output.check_writable(out)
    stored = read_manifest(manifest)
    curves = []
    with closing(engine_at(**cluster)) as engine:
        queries, _ = sampled_queries(stored, n_queries)
        truth = truth_on_parts(stored, queries, engine, span(output.show_progress, 0.0, ASKING))
        for at, index in enumerate(indexes):
            ends = (ASKING + (1 - ASKING) * (at + i) / len(indexes) for i in (0, 1))
            built = build_on_parts(index, stored, seed, engine, span(output.show_progress, *ends))
            curves.append(evaluate_on_parts(index, built, truth, seed).curve(ks))
    output.end_progress()
    plain = [one.as_dict() for one in curves]
    output.write_report(out, {**stored.named(), "queries": truth.m, "curves": plain})


@click.command("build")
@manifest_argument
@arguments.index_options
@arguments.option("--seed", default=0, help="Of all that is drawn to build it.")
@engine_options
@arguments.out_option("The file to write, for `search --items`; .mips is its usual ending.")
def build(
    manifest: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    seed: int,
    out: Path | None,
    **cluster: Any,
) -> None:
    """Build one index on the parts of MANIFEST, for `parts search`, and with --out for elsewhere.

    The file is that of `build --no-items`: whoever asks it gives the items.
    """
    index = _one_index(keys, settings)
    arguments.check_numbers((1,), (seed,))
    output.check_writable(out)
    stored = read_manifest(manifest)
    with closing(engine_at(**cluster)) as engine:
        built = build_on_parts(index, stored, seed, engine, output.show_progress)
    output.end_progress()
    if out is None:
        click.echo(f"Built: {index.label}, {index.setting(stored.n)}.")
        return
    file = StoredIndex(
        index=index,
        seed=seed,
        structure=built.tree(),
        name=stored.path.parent.name,
        metric="inner product",
        conversion=AsTheyAre(),
        n=stored.n,
        d=stored.d,
        fingerprint=stored.fingerprint(),
        items=None,
    )
    save(out, file)
    click.echo(f"Written: {out}, {memory(out.stat().st_size)}.")


@click.command("search")
@manifest_argument
@click.argument("queries", type=click.Path(path_type=Path))
@arguments.index_options
@arguments.option("--seed", default=0, help="Of its build.")
@arguments.k_option
@click.option("--effort", type=int, required=True, help="How hard to search.")
@engine_options
@arguments.out_option("Write the answers as JSON to this file. Default: print them.")
def search(
    manifest: Path,
    queries: Path,
    keys: Sequence[str],
    settings: Sequence[str],
    seed: int,
    K: int,
    effort: int,
    out: Path | None,
    **cluster: Any,
) -> None:
    """The best items for each vector of QUERIES, by an index that `parts build` built on MANIFEST.

    A part that cannot be read is left out and named, and `coverage` is below 1.
    """
    index = _one_index(keys, settings)
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    stored = read_manifest(manifest)
    vectors = input_data.queries_in(queries, ())
    built = finished_tree(index, stored, seed)
    with closing(engine_at(**cluster)) as engine:
        found = search_on_parts(index, built, vectors, K, effort, engine, output.show_progress)
    output.end_progress()
    for reason in found.missing.values():
        click.echo(f"Left out: {reason}", err=True)
    answers = [
        [{"item": item, "score": score} for item, score in zip(*row, strict=True) if item >= 0]
        for row in zip(found.ids.tolist(), found.scores.tolist(), strict=True)
    ]
    asked = {"index": {"key": index.key, **plain_values(index)}, "seed": seed, "effort": effort}
    read = {"coverage": found.coverage, "missing": found.missing}
    output.write_report(out, {**stored.named(), **asked, **read, "answers": answers})


def _one_index(keys: Sequence[str], settings: Sequence[str]) -> Index:
    indexes = arguments.named_indexes(keys, settings)
    if len(indexes) != 1:
        raise ParamError(
            f"{len(indexes)} indexes were asked for.", "Give one --index, and one value a --set."
        )
    return indexes[0]

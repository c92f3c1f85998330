"""Runs measured from scratch: indexes built with seeds, asked, and kept."""

from collections.abc import Sequence

from mips_core.base.byte_size import byte_size
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation.builder import Builder, measured_together
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.runs.run import Run, groups_of, proposed_name, unique_name


def measure_runs(
    indexes: Sequence[Index],
    dataset: Dataset,
    *,
    ks: Sequence[int] = (1, 10, 100),
    seeds: Sequence[int] = (0,),
    source: str = "",
    queries: QueryRecipe | None = None,
    progress: Progress = silent,
) -> list[Run]:
    """One run for each index and seed on `dataset` as it is searched; names are unique.

    An index whose candidates depend on K has a run for each K instead. Raises as `truth_of`, and
    ParamError for a K out of range.
    """
    dataset = dataset.float32()
    truth = truth_of(dataset, span(progress, 0.0, 0.1))
    builder = Builder(dataset.items, truth, max(ks))
    runs: list[Run] = []
    tries = [(index.explicit(dataset.n), seed) for index in indexes for seed in seeds]
    for at, (index, seed) in enumerate(tries):
        part = span(progress, 0.1 + 0.9 * at / len(tries), 0.1 + 0.9 * (at + 1) / len(tries))
        built = builder.build(index, seed, span(part, 0.0, 0.8))
        searcher = index.searcher(built.structure)
        for alone in measured_together(index, ks):
            evaluation = evaluate(index, searcher, truth, seed, span(part, 0.8, 1.0), alone[0])
            run = Run.of(
                evaluation,
                dataset,
                alone,
                name=unique_name(proposed_name(index, dataset.n, seed), [run.name for run in runs]),
                seconds=built.seconds,
                bytes=byte_size(built.structure),
                groups=groups_of(index, searcher),
                source=source,
                queries=queries,
            )
            runs.append(run)
    return runs

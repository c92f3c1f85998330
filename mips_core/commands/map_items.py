"""What the command `map` makes: an index asked, a layout, and what is told of each item."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, span
from mips_core.base.text import counted
from mips_core.commands.input_data import InputData
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.truth import truth_of
from mips_core.groups import projection
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.groups.typed_queries.one_query import question_of_query, true_answers
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.reductions import Reduction, lengths_of, reduction_of
from mips_core.studies.map_table import MappedItems, SearchMarks, marks_of
from mips_core.studies.misses import answer_counts, follow, times_missed

USUAL_PRECISION = 0.9  # of the effort taken where none is given
NEAR, SAMPLE = 15, 2000  # neighbours that trustworthiness asks after, and of how many items


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredIndex:
    """A built index, evaluated for K answers, and the effort at which its misses are counted."""

    searcher: Searcher
    evaluation: Evaluation
    K: int
    effort: int

    @property
    def index(self) -> Index:
        """The parameters it was built with."""
        return self.evaluation.index

    @property
    def reduction(self) -> Reduction | None:
        """That of the index; None for one without."""
        return reduction_of(self.index)

    @property
    def effort_in_words(self) -> str:
        """10 probes."""
        return counted(self.effort, *self.index.effort_nouns)


def measure_index(
    data: InputData, index: Index, seed: int, K: int, effort: int | None, progress: Progress
) -> MeasuredIndex:
    """Build `index` and ask it every query at every effort.

    Raises ParamError for an effort it does not offer; None takes the least that finds
    USUAL_PRECISION of the true answers, or the most there is.
    """
    truth = truth_of(data.searched, span(progress, 0.0, 0.2))
    builder = Builder(data.searched.items, truth, K)
    evaluation = builder.tried(index, seed, span(progress, 0.2, 1.0)).evaluation
    searcher = index.searcher(builder.build(index, seed).structure)
    efforts = evaluation.efforts
    if effort is None:
        enough = np.flatnonzero(evaluation.curve((K,)).precision(K) >= USUAL_PRECISION)
        effort = int(efforts[enough[0] if len(enough) else -1])
    elif effort not in efforts:
        raise ParamError(
            f"--effort {effort} is not offered.", f"Efforts go from {efforts[0]} to {efforts[-1]}."
        )
    return MeasuredIndex(searcher, evaluation, K, effort)


def lay_out(
    data: InputData,
    measured: MeasuredIndex,
    method: str,
    recipe: projection.ProjectionRecipe,
    progress: Progress,
) -> tuple[projection.Layout, float]:
    """Where the items stand, by UMAP or PCA, and the trustworthiness of that."""
    if method == "umap":
        layout = projection.project(data.searched, recipe, measured.reduction, progress)
        rows = projection.rows_of(data.searched, recipe.space, measured.reduction)
    else:
        rows = projection.rows_of(data.searched, recipe.space, measured.reduction)
        layout = projection.Layout(projection.pca_layout(rows, progress), "pca")
    return layout, projection.trustworthiness(rows, layout.xy, NEAR, SAMPLE)


def map_items(
    data: InputData,
    measured: MeasuredIndex,
    layout: projection.Layout,
    recipe: projection.ProjectionRecipe,
    query: int | None,
) -> MappedItems:
    """All that is told of each item, and one query followed where it is named."""
    truth = measured.evaluation.truth
    levels = describe(measured.searcher, measured.index, data.searched)
    return MappedItems(
        name=data.searched.name,
        xy=layout.xy,
        norms=lengths_of(data.raw.items),
        labels=data.searched.labels,
        levels=levels,
        answers=answer_counts(truth, measured.K),
        missed=times_missed(measured.evaluation, measured.K, measured.effort),
        search=None if query is None else _followed(data, measured, layout, recipe, query, levels),
        simulated=data.searched.simulated,
        note=f"{layout.method.upper()} layout. {layout.note}".rstrip(),
    )


def _followed(
    data: InputData,
    measured: MeasuredIndex,
    layout: projection.Layout,
    recipe: projection.ProjectionRecipe,
    query: int,
    levels: Sequence[GroupLevel],
) -> SearchMarks:
    """What the search of this query finds at the effort asked, and where the query stands."""
    searched = data.searched
    question = question_of_query(searched, query, measured.K)
    true = true_answers(searched.items, question)
    search = follow(measured.searcher, measured.index, searched, question, true, levels)
    rows = projection.rows_of(searched, recipe.space, measured.reduction)
    asking = projection.lifted_queries(
        searched, recipe.space, measured.reduction, question.query[None]
    )
    fitted = np.arange(searched.n) if layout.fitted is None else layout.fitted
    ((x, y),) = projection.place(rows, fitted, layout.xy[fitted], asking)
    labels = searched.query_labels
    (position,) = np.flatnonzero(search.efforts == measured.effort)
    return marks_of(
        search,
        int(position),
        name=f"query {query}" if labels is None else labels[query],
        place=(float(x), float(y)),
        effort=measured.effort_in_words,
    )
